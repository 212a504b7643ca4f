//go:build lab

package lab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session/lab"
)

// say has a client in a terminal answer a prompt, which the answer repeats.
func (r *room) say(term *lab.Terminal, prompt string) {
	r.t.Helper()
	r.must(term.Enter(r.ctx(), prompt))
	r.must(term.Wait(r.ctx(), "an answer to "+prompt, func(screen string) bool { return strings.Count(screen, prompt) > 1 }))
}

// agree resumes every session of the room and compares what the client sends
// with what we say.
func (r *room) agree(dir string) {
	r.t.Helper()
	names, _ := filepath.Glob(filepath.Join(r.Root, "projects", "*", "*.jsonl"))
	for _, name := range names {
		transcript, err := os.ReadFile(name)
		r.must(err)
		id := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		compare(r.t, "genuine-"+id, transcript, again(r.t, r.Client, r.endpoint, dir, id, name).golden)
	}
}

// Sessions that the client wrote in print mode.
func TestConformancePrint(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	allow := []string{"--allowedTools", "Bash"}
	print := func(args ...string) {
		t.Helper()
		_, err := r.Print(r.ctx(), r.repo, args...)
		r.must(err)
	}
	print(append(allow, "--", "RUN:{echo alder} RUN:{echo birch} RUN:{false}")...)
	id := r.ids()[0]
	print("--resume", id, "a word: cedar")
	print(append(allow, "--resume", id, "--", "RUN:{seq 1 20000}")...)
	print("--resume", id, "--fork-session", "a word: dogwood")
	if len(r.ids()) != 2 {
		t.Fatalf("the client has the sessions %v, want two", r.ids())
	}
	r.agree(r.repo)
}

// A session that the client wrote in a terminal, with calls, a compaction and a
// branch.
func TestConformanceTerminal(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	term := r.open(r.repo, "--allowedTools", "Bash")
	r.must(term.See(r.ctx(), "❯"))
	r.say(term, "a word: elder")
	r.must(term.Enter(r.ctx(), "RUN:{echo fir} RUN:{echo ginkgo}"))
	r.must(term.See(r.ctx(), "Noted"))
	r.say(term, "a word: hazel")
	r.must(term.Enter(r.ctx(), "/compact keep the words"))
	r.must(term.See(r.ctx(), "ompacted")) // with the first letter large or small
	r.say(term, "a word: juniper")
	r.must(term.Enter(r.ctx(), "/branch"))
	r.must(term.See(r.ctx(), "(Branch)"))
	r.say(term, "a word: larch")
	r.exit(term)
	if len(r.ids()) != 2 {
		t.Fatalf("the client has the sessions %v, want two", r.ids())
	}
	r.agree(r.repo)
}
