//go:build lab

package lab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"coppice/session"
	"coppice/session/fork"
	"coppice/transcript/ledger"
	"coppice/worktree/worktreetest"
)

// folder returns the project folder of a directory.
func (r *room) folder(dir string) string {
	return filepath.Join(r.Root, "projects", session.Encode(dir))
}

// file returns the transcript of a session.
func (r *room) file(id string) string {
	r.t.Helper()
	names, err := filepath.Glob(filepath.Join(r.Root, "projects", "*", id+".jsonl"))
	if err != nil || len(names) != 1 {
		r.t.Fatalf("the files of %s are %q, %v", id, names, err)
	}
	return names[0]
}

// fork forks a session into a directory and checks that its source is untouched.
func (r *room) fork(id, dir, name, at string) fork.Result {
	r.t.Helper()
	path := r.file(id)
	before, err := os.ReadFile(path)
	r.must(err)
	res, err := fork.Fork(r.ctx(), fork.Request{
		Source: path, SourceID: id, ID: uuid.NewString(), Folder: r.folder(dir), Dir: dir, Branch: "main", Name: name, At: at, Now: time.Now(),
	})
	r.must(err)
	after, err := os.ReadFile(path)
	r.must(err)
	if string(before) != string(after) {
		r.t.Error("the source changed")
	}
	return res
}

// ask has the client resume a session with one more prompt and returns the whole
// conversation that it sent. What was in the file stays at its beginning.
func (r *room) ask(dir, id, prompt string, args ...string) string {
	r.t.Helper()
	path := r.file(id)
	before, err := os.ReadFile(path)
	r.must(err)
	asked := len(r.endpoint.Requests())
	out, err := r.Print(r.ctx(), dir, append([]string{"--resume", id, prompt}, args...)...)
	r.must(err)
	if strings.Contains(out, "API Error") || !strings.Contains(out, "Answer") && !strings.Contains(out, "Noted") {
		r.t.Errorf("the client says %q", out)
	}
	after, err := os.ReadFile(r.file(id))
	r.must(err)
	if !strings.HasPrefix(string(after), string(before)) || len(after) == len(before) {
		r.t.Error("what was in the transcript is not the beginning of it")
	}
	return r.sent(asked)
}

// sent returns the last conversation that was sent, behind the first n requests.
func (r *room) sent(n int) string {
	r.t.Helper()
	requests := r.endpoint.Requests()
	if len(requests) <= n {
		r.t.Fatal("nothing was asked")
	}
	var all strings.Builder
	for _, m := range requests[len(requests)-1].Messages {
		all.WriteString(m.Role + ": " + string(m.Content) + "\n")
	}
	return all.String()
}

// order checks that a text holds all words, one behind the other.
func (r *room) order(text string, words ...string) {
	r.t.Helper()
	rest := text
	for _, word := range words {
		_, behind, ok := strings.Cut(rest, word)
		if !ok {
			r.t.Errorf("no %q in its place of %q in\n%s", word, words, text)
			return
		}
		rest = behind
	}
}

// prompts returns the uuids of the rows whose text holds each word.
func (r *room) prompts(id string, words ...string) []string {
	r.t.Helper()
	data, err := os.ReadFile(r.file(id))
	r.must(err)
	l, err := ledger.Read(r.ctx(), strings.NewReader(string(data)), int64(len(data)))
	r.must(err)
	var uuids []string
	for _, word := range words {
		for _, row := range l.Rows {
			if row.Kind == ledger.User && strings.Contains(string(data[row.Offset:row.Offset+int64(row.Size)]), word) {
				uuids = append(uuids, l.Text(row.UUID))
				break
			}
		}
	}
	if len(uuids) != len(words) {
		r.t.Fatalf("%q are %q", words, uuids)
	}
	return uuids
}

// C5: a fork, and a fork of it, bring their whole history to the model, under
// their own names, with the lineage in every row.
func TestForkIsResumed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "the first word is maple", "--name", "grove")
	first := r.fork(id, r.repo, "grove (2)", "")
	before, err := os.ReadFile(first.Path)
	r.must(err)

	term := r.open(r.repo, "--resume", "grove (2)")
	r.must(term.See(r.ctx(), "maple"))
	r.must(term.See(r.ctx(), " grove (2) ─")) // the name bar
	asked := len(r.endpoint.Requests())
	r.must(term.Enter(r.ctx(), "the second word is rowan"))
	r.must(term.See(r.ctx(), "Answer 2"))
	r.exit(term)
	r.order(r.sent(asked), "maple", "Answer", "rowan")
	after, err := os.ReadFile(first.Path)
	r.must(err)
	if !strings.HasPrefix(string(after), string(before)) {
		t.Error("the client changed what we wrote")
	}

	second := r.fork(first.ID, r.repo, "grove (3)", "")
	r.order(r.ask(r.repo, second.ID, "the third word is alder"), "maple", "rowan", "alder")
	for _, s := range []struct{ id, from, name string }{{first.ID, id, "grove (2)"}, {second.ID, first.ID, "grove (3)"}} {
		if got := r.row(s.id); got.Title != s.name || got.Summary.ForkedFrom != s.from {
			t.Errorf("%s is %q, from %q", s.id, got.Title, got.Summary.ForkedFrom)
		}
	}
	if got := r.row(id); got.Title != "grove" {
		t.Errorf("the source is called %q", got.Title)
	}
}

// A18, A19: a fork at a prompt ends before it.
func TestForkAtAPromptIsResumed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "the first word is maple")
	r.ask(r.repo, id, "run RUN:{echo rowan-was-here} RUN:{echo twice}", "--allowedTools", "Bash")
	r.ask(r.repo, id, "the third word is alder")
	res := r.fork(id, r.repo, "", r.prompts(id, "the third word")[0])
	sent := r.ask(r.repo, res.ID, "the other third word is willow")
	r.order(sent, "maple", "RUN:{echo rowan-was-here}", "rowan-was-here", "twice", "Noted", "willow")
	if strings.Contains(sent, "alder") || res.Prompt != "the third word is alder" {
		t.Errorf("the fork asks %q again and sends\n%s", res.Prompt, sent)
	}
}

// A1, A15: of a damaged session the client sends a part, of its repaired fork
// everything.
func TestRepairedForkIsResumed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "the first word is maple")
	r.ask(r.repo, id, "the second word is rowan")
	r.ask(r.repo, id, "the third word is alder")
	path := r.file(id)
	data, err := os.ReadFile(path)
	r.must(err)
	lines := strings.SplitAfter(string(data), "\n")
	for i, line := range lines {
		if strings.Contains(line, `"type":"user"`) && strings.Contains(line, "rowan") {
			lines[i], lines[i+1] = strings.TrimSuffix(line, "\n"), strings.TrimSuffix(lines[i+1], "\n")+"\n"
		}
		if strings.Contains(line, `"type":"user"`) && strings.Contains(line, "alder") { // a parent that was never written
			lines[i] = strings.Replace(line, `"parentUuid":"`, `"parentUuid":"0`, 1)
			at := strings.Index(lines[i], `"timestamp":"`) + len(`"timestamp":"`)
			lines[i] = lines[i][:at] + "2030" + lines[i][at+4:]
		}
	}
	worktreetest.WriteFile(t, path, strings.Join(lines, ""))
	res := r.fork(id, r.repo, "", "")
	if sent := r.ask(r.repo, id, "what were the words"); strings.Contains(sent, "rowan\"") || strings.Contains(sent, "the first word is maple") {
		t.Errorf("the client needs no repair:\n%s", sent)
	}
	r.order(r.ask(r.repo, res.ID, "what were the words"), "maple", "the second word is rowan", "the third word is alder", "what were")
}

// C6, C7: a fork into another project is found and resumed there, with its stored
// results.
func TestForkIntoAnotherProject(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "the first word is maple")
	r.ask(r.repo, id, "RUN:{seq 100000 120000}", "--allowedTools", "Bash")
	res := r.fork(id, r.other, "transplant", "")
	sent := r.ask(r.other, res.ID, "go on with rowan")
	results := filepath.Join(strings.TrimSuffix(res.Path, ".jsonl"), "tool-results")
	r.order(sent, "maple", results, "rowan")
	if strings.Contains(sent, filepath.Join(r.folder(r.repo), id)) {
		t.Error("a path into the source's side directory is left")
	}
	names, err := filepath.Glob(filepath.Join(results, "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("the stored results are %q, %v", names, err)
	}
	if got := r.row(res.ID); got.Dir != r.other {
		t.Errorf("our store has it in %s", got.Dir)
	}
	picker := r.open(r.other, "--resume")
	r.must(picker.See(r.ctx(), "transplant"))
	r.must(picker.Keys(r.ctx(), "Enter"))
	r.must(picker.See(r.ctx(), "rowan"))
	if dir := r.registered(res.ID); dir != r.other {
		t.Errorf("it runs in %s", dir)
	}
	r.exit(picker)
	term := r.open(r.other, "--continue")
	r.must(term.See(r.ctx(), "rowan"))
	r.exit(term)
}
