package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/worktree"
)

// forkBench is a bench whose forks are written down.
func forkBench(t *testing.T, w, h int, forks *[]session.Plan) *bench {
	t.Helper()
	opt := sampleOptions()
	opt.Fork = func(_ context.Context, p session.Plan) ([]string, error) {
		*forks = append(*forks, p)
		return []string{"1 tool output was copied"}, nil
	}
	return newBench(t, opt, w, h, sample())
}

// arrived is the row of a fork that plainFork planned.
func arrived(dir, branch string) storeChanged {
	fork := made(99, "parser-work (fork)", dir, branch, 0)
	fork.Parent, fork.Summary.ForkedFrom = id(41), id(41)
	return storeChanged{[]session.Update{{Sessions: []session.Session{fork}, Progress: sample().Progress}}}
}

func TestForkInPlace(t *testing.T) {
	t.Parallel()
	var forks []session.Plan
	b := forkBench(t, 140, 30, &forks)
	b.press("f")
	b.shows("Fork", "of parser-work", "name parser-work (fork)", "work on the same files", "in ~/src/app (the same files as its source)", "files of its own, on feat-x")
	b.press("Ctrl-U", "Enter")
	b.shows("cannot have an empty name")
	b.typed("a k j q name")
	b.press("Enter")
	if len(forks) != 1 || forks[0].Fork.Name != "a k j q name" || forks[0].Cwd != "/home/ann/src/app" {
		t.Fatalf("forked %+v", forks)
	}
	b.shows("forked as a k j q name", "1 tool output was copied", "the same files as its source, in /home/ann/src/app")
	b.send(arrived("/home/ann/src/app", "main"))
	if r := b.list.selected(); r == nil || r.ID != id(99) {
		t.Errorf("selected %+v", r)
	}
	b.shows("forked as a k j q name") // until the next key
}

// The name that is offered belongs to no other session (report C3).
func TestForkNameIsUnique(t *testing.T) {
	t.Parallel()
	var forks []session.Plan
	b := forkBench(t, 140, 30, &forks)
	b.send(arrived("/home/ann/src/app", "main"))
	b.press("Home", "Down", "f")
	b.press("Esc")
	b.list.seek(id(41))
	b.press("f")
	b.shows("name parser-work (fork) (2)")
	b.press("Ctrl-U")
	b.typed("ALT-IDEA")
	b.press("Enter")
	if len(forks) != 1 || forks[0].Fork.Name != "ALT-IDEA (2)" {
		t.Errorf("forked %+v", forks)
	}
}

// A fork elsewhere is shown by widening the scope, below a group that was folded,
// and in spite of a search.
func TestForkIsRevealed(t *testing.T) {
	t.Parallel()
	var forks []session.Plan
	b := forkBench(t, 140, 30, &forks)
	b.press("Left") // folds
	b.press("/")
	b.typed("parser")
	b.press("Enter", "f", "Down")
	b.shows("it has files of its own there")
	b.press("Enter")
	if len(forks) != 1 || forks[0].Cwd != "/home/ann/src/app-feat" || forks[0].Fork.Shared {
		t.Fatalf("forked %+v", forks)
	}
	if b.note.text == "" || strings.Contains(b.note.text, "same files") {
		t.Errorf("note %q", b.note.text)
	}
	b.send(arrived("/home/ann/src/app-feat", "feat-x"))
	if r := b.list.selected(); r == nil || r.ID != id(99) {
		t.Errorf("selected %+v", r)
	}
	if b.scope.worktree != "" || b.search.on || len(b.search.words()) > 0 {
		t.Errorf("scope %+v, search %q", b.scope, b.search.words())
	}
}

// A person who has gone on is not taken away from where they are.
func TestForkDoesNotSteal(t *testing.T) {
	t.Parallel()
	var forks []session.Plan
	b := forkBench(t, 140, 30, &forks)
	b.press("f", "Enter", "Down")
	at := b.list.selected().ID
	b.send(arrived("/home/ann/src/app", "main"))
	if got := b.list.selected().ID; got != at {
		t.Errorf("the selection went from %s to %s", at, got)
	}
}

func TestForkRefused(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Fork = func(context.Context, session.Plan) ([]string, error) { return nil, errors.New("the disk is full") }
	b := newBench(t, opt, 140, 30, sample())
	b.press("f", "Enter")
	b.shows("not forked: the disk is full")
	opt.PlanFork = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		return session.Plan{Session: s.ID, Action: session.ActionRefuse, Blockers: []string{"there is nothing to fork"}}
	}
	b = newBench(t, opt, 140, 30, sample())
	b.press("f")
	b.shows("Cannot fork", "there is nothing to fork")
	b.press("Enter")
	if b.dialog != nil {
		t.Error("the dialog stays")
	}
	u := sample()
	u.Sessions[0].NotReady = "the transcript is empty"
	b = newBench(t, opt, 140, 30, u)
	b.press("f")
	b.shows("this session cannot be forked: the transcript is empty")
}

func TestDeleteAndUndo(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	var log []string
	opt.Delete = func(_ context.Context, s session.Session) error {
		log = append(log, "delete "+s.ID)
		return nil
	}
	opt.Undelete = func(_ context.Context, id string) error {
		log = append(log, "undelete "+id)
		return nil
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("D") // parser-work
	b.shows("this session is live in pid 4711: end it there first")
	b.press("u")
	b.shows("nothing more was deleted in this window")
	b.press("Down", "D")
	b.shows("Delete this session?", "alt-idea", "To the trash, from where", "44 messages", "No worktree, branch or file of the project is touched", "u or `coppice undo`")
	b.press("Esc")
	if len(log) > 0 {
		t.Fatalf("done: %q", log)
	}
	b.press("D", "Enter")
	b.shows("deleted alt-idea; u brings it back")
	b.send(storeChanged{[]session.Update{{Removed: []string{id(44)}, Progress: sample().Progress}}})
	b.want("parser-work", "(no prompt)")
	b.press("u")
	b.shows("alt-idea is back")
	b.send(storeChanged{[]session.Update{sample()}})
	if r := b.list.selected(); r == nil || r.ID != id(44) {
		t.Errorf("selected %+v", r)
	}
	if got := strings.Join(log, ", "); got != "delete "+id(44)+", undelete "+id(44) {
		t.Errorf("done: %s", got)
	}
	b.press("u")
	b.shows("nothing more was deleted")
}

func TestDeleteFails(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Delete = func(context.Context, session.Session) error { return errors.New("no permission") }
	b := newBench(t, opt, 140, 30, sample())
	b.press("Down", "D", "Enter")
	b.shows("not deleted: no permission")
	opt.Delete = sampleOptions().Delete
	opt.Undelete = func(context.Context, string) error { return errors.New("something is in its place") }
	b = newBench(t, opt, 140, 30, sample())
	b.press("Down", "D", "Enter", "u")
	b.shows("not brought back: something is in its place")
	if len(b.trashed) != 1 {
		t.Error("it cannot be tried again")
	}
}

// What is wrong with a damaged session stands in its preview, and is looked for
// once.
func TestFindingsInThePreview(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	looked := 0
	opt.Examine = func(_ context.Context, s session.Session) (doctor.Report, error) {
		looked++
		r := doctor.Report{ID: s.ID}
		for n := range 6 {
			r.Findings = append(r.Findings, doctor.Finding{
				Kind: "gap", Severity: doctor.Harm, Line: n + 41, Detail: "the one before\x1b[31m is gone", Repair: "it is linked",
			})
		}
		r.Findings = append(r.Findings, doctor.Finding{Severity: doctor.Note, Detail: "only a note"})
		return r, nil
	}
	b := newBench(t, opt, 160, 40, sample())
	if looked != 0 {
		t.Error("a healthy session was examined")
	}
	b.press("End")
	b.press("Up", "Down")
	b.shows("line 41: the one before", "and 2 more", "f makes a repaired fork")
	if looked != 1 {
		t.Errorf("examined %d times", looked)
	}
	if strings.Contains(b.text(), "\x1b") || strings.Contains(b.text(), "only a note") {
		t.Errorf("the screen shows:\n%s", b.text())
	}
}

// Where the client would drop messages a repaired fork is offered first; an
// interrupted turn can be gone on with.
func TestPlanOffersForkAndCarryOn(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	var asked []session.Request
	var ran []session.Plan
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		asked = append(asked, req)
		p := plain(s, req)
		if req.Fork != nil {
			p.Fork = &session.PlanFork{ID: id(99), Name: req.Fork.Name}
			return p
		}
		p.CarryOn = req.CarryOn
		if !req.CarryOn {
			p.Dropped, p.Mended, p.Interrupted = 37, 37, "calls"
			p.Warnings = []string{"the agent would drop 37 messages"}
			p.Notes = []string{"worth knowing"}
		}
		return p
	}
	opt.Resume = func(_ context.Context, p session.Plan) error {
		ran = append(ran, p)
		return nil
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("Enter")
	b.shows("the agent would drop 37 messages", "· worth knowing", "resume a repaired fork, which drops nothing", "resume as planned", "ask the agent to go on where it was interrupted")
	b.press("Enter")
	if len(ran) != 1 || ran[0].Fork == nil || ran[0].Fork.Name != "parser-work (fork)" {
		t.Fatalf("ran %+v", ran)
	}
	b.send(arrived("/home/ann/src/app", "main"))
	if r := b.list.selected(); r == nil || r.ID != id(99) {
		t.Errorf("selected %+v", r)
	}
	b.list.seek(id(41))
	b.press("Enter", "Down", "Down", "Enter")
	if len(ran) != 2 || !ran[1].CarryOn || ran[1].Fork != nil {
		t.Errorf("ran %+v", ran)
	}
	b.press("Enter", "Down", "Enter")
	if len(ran) != 3 || ran[2].CarryOn || ran[2].Fork != nil || ran[2].Dropped != 37 {
		t.Errorf("ran %+v", ran)
	}
}

// A live session can be forked where it cannot be resumed.
func TestPlanOfLiveOffersFork(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		p := plain(s, req)
		if req.Fork == nil {
			p.Action, p.Blockers = session.ActionRefuse, []string{"it is live in pid 4711"}
		} else {
			p.Fork = &session.PlanFork{ID: id(99), Name: req.Fork.Name}
		}
		return p
	}
	var ran []session.Plan
	opt.Resume = func(_ context.Context, p session.Plan) error {
		ran = append(ran, p)
		return nil
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("Enter")
	b.shows("it is live in pid 4711", "resume a fork of what is on disk so far")
	b.press("Enter")
	if len(ran) != 0 || b.dialog != nil {
		t.Errorf("Enter alone ran %+v", ran)
	}
	b.press("Enter", "Down", "Enter")
	if len(ran) != 1 || ran[0].Fork == nil {
		t.Errorf("ran %+v", ran)
	}
}

func TestForkDialogGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{140, 30}, {60, 20}, {40, 12}} {
		var forks []session.Plan
		b := forkBench(t, size[0], size[1], &forks)
		b.press("f")
		golden(t, "fork-"+fmt.Sprintf("%dx%d", size[0], size[1]), b.text())
		b.press("Esc", "Down", "D")
		golden(t, "delete-"+fmt.Sprintf("%dx%d", size[0], size[1]), b.text())
	}
}

// Pasted text goes into the name of the fork.
func TestForkPaste(t *testing.T) {
	t.Parallel()
	var forks []session.Plan
	b := forkBench(t, 100, 24, &forks)
	b.press("f", "Ctrl-U")
	b.send(pasted{"pasted \x1b[31mname\n"})
	b.press("Enter")
	if len(forks) != 1 || forks[0].Fork.Name != "pasted [31mname" {
		t.Errorf("forked %+v", forks)
	}
	if d := forks; len(d) > 0 && d[0].Fork.ID == "" {
		t.Error("no id")
	}
}
