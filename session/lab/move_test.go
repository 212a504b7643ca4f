//go:build lab

package lab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/session/move"
	"coppice/session/trash"
)

// D: a moved session is found and resumed where it belongs now, by the client and
// by us, under its name and with its whole history.
func TestMovedSessionIsResumed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for _, dir := range []string{r.linked, r.other} {
		id := r.talk(r.repo, "the first word is maple", "--name", "mover")
		r.ask(r.repo, id, "RUN:{seq 100000 120000}", "--allowedTools", "Bash")
		before, err := os.ReadFile(r.file(id))
		r.must(err)
		res, err := move.Move(r.ctx(), move.Request{
			ID: id, Source: r.file(id), Folder: r.folder(dir), Dir: dir, Unbind: true, Live: func() bool { return r.live(id) }, Now: time.Now(),
		})
		r.must(err)
		if len(res.Notes) != 1 {
			t.Errorf("the notes are %q", res.Notes)
		}
		after, err := os.ReadFile(res.Path)
		r.must(err)
		if !strings.HasPrefix(string(after), string(before)) || res.Path != filepath.Join(r.folder(dir), id+".jsonl") {
			t.Errorf("%s does not begin with what was moved", res.Path)
		}
		if got := r.row(id); got.Dir != dir || got.Title != "mover" {
			t.Errorf("our store has %q in %s, want %s", got.Title, got.Dir, dir)
		}
		term := r.open(dir, "--resume", "mover")
		r.must(term.See(r.ctx(), " mover ─"))
		if got := r.registered(id); got != dir {
			t.Errorf("it runs in %s, want %s", got, dir)
		}
		asked := len(r.endpoint.Requests())
		r.must(term.Enter(r.ctx(), "go on with rowan"))
		r.must(term.See(r.ctx(), "to: go on with rowan"))
		r.exit(term)
		r.order(r.sent(asked), "maple", "seq 100000", "rowan")
	}
}

// A session is not there for the client while it is in the trash, and whole when
// it is back.
func TestRestoredSessionIsResumed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "the first word is maple")
	bin := trash.Trash{Dir: filepath.Join(r.Home, "trash"), Now: time.Now, Live: r.opened}
	_, err := bin.Take(r.ctx(), r.Root, r.file(id), id, "")
	r.must(err)
	if out, err := r.Print(r.ctx(), r.repo, "--resume", id, "still there?"); err == nil {
		t.Errorf("the client resumes it: %q", out)
	}
	_, err = bin.Restore(r.ctx(), "")
	r.must(err)
	r.order(r.ask(r.repo, id, "go on with rowan"), "maple", "rowan")
}
