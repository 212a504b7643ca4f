package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/session"
	"coppice/ui/clip"
	"coppice/worktree"
)

// titles are the listed titles, in order.
func (b *bench) titles() []string {
	var out []string
	for _, e := range b.list.entries {
		out = append(out, e.row.Title)
	}
	return out
}

// want fails unless the listed titles are these.
func (b *bench) want(titles ...string) {
	b.t.Helper()
	if got := b.titles(); !slices.Equal(got, titles) {
		b.t.Errorf("listed %q, want %q", got, titles)
	}
}

// shows fails unless the screen holds all of these.
func (b *bench) shows(parts ...string) {
	b.t.Helper()
	got := b.text()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			b.t.Errorf("the screen lacks %q:\n%s", p, got)
		}
	}
}

func TestStartScope(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, start string
		want        scope
	}{
		{"the worktree that one stands in", "/home/ann/src/app-feat/sub", scope{project: "/home/ann/src/app/.git", set: true, worktree: "/home/ann/src/app-feat"}},
		{"a worktree without sessions widens to its repository", "/home/ann/src/app-old", scope{project: "/home/ann/src/app/.git", set: true}},
		{"a directory without sessions widens to everything", "/home/ann/elsewhere", scope{}},
		{"a plain directory", "/home/ann/notes", scope{project: "/home/ann/notes", set: true, worktree: "/home/ann/notes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			opt := sampleOptions()
			opt.Start = tt.start
			b := newBench(t, opt, 120, 30, sample())
			if b.scope != tt.want {
				t.Errorf("scope %+v, want %+v", b.scope, tt.want)
			}
			if len(b.list.entries) == 0 {
				t.Error("the list is empty")
			}
		})
	}
}

func TestScopeStaysOnceChosen(t *testing.T) {
	t.Parallel()
	first := sample()
	first.Progress.Listed = false
	b := newBench(t, sampleOptions(), 120, 30, first)
	b.press("A")
	b.send(storeChanged{[]session.Update{sample()}})
	if !b.scope.everything() {
		t.Errorf("news changed the chosen scope to %+v", b.scope)
	}
}

func TestScopeKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	b.want("parser-work", "alt-idea", "(no prompt)")
	b.press("W") // all worktrees of the repository
	b.want("migrate-db", "parser-work", "alt-idea", "tidy the build", "(no prompt)", "old plans")
	b.press("B") // the branch of the selected session
	b.want("parser-work", "alt-idea")
	b.shows("branch main")
	b.press("B", "A") // everything
	b.want("migrate-db", "parser-work", "alt-idea", "tidy the build", "rotate certificates", "groceries", "(no prompt)", "old plans")
	if r := b.list.selected(); r == nil || r.Title != "parser-work" {
		t.Errorf("the selection moved to %v", r)
	}
	b.press("A", "Ctrl-W") // the repository of the selected session, and its worktree
	b.want("parser-work", "alt-idea", "(no prompt)")
	b.press("H")
	b.want("parser-work", "alt-idea", "print run", "(no prompt)")
	b.shows("print mode or", "hidden shown")
}

// TestEmptyListNamesTheFilter is report B21.
func TestEmptyListNamesTheFilter(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	hidden := made(90, "only hidden", "/home/ann/src/app-old", "old-idea", time.Minute)
	hidden.Place.Root, hidden.Hidden = "/home/ann/src/app-old", "agent team"
	b.send(storeChanged{[]session.Update{{Sessions: []session.Session{hidden}, Progress: sample().Progress}}})
	b.setScope(scope{project: "/home/ann/src/app/.git", set: true, worktree: "/home/ann/src/app-old"})
	b.want()
	b.shows("No session in app · old-idea.", "6 sessions in other worktrees of app: press W.", "2 sessions elsewhere: press A.", "1 hidden here: press H.")
	b.setScope(scope{project: "/home/ann/src/app/.git", set: true, worktree: "/home/ann/src/app", branch: "no-such"})
	b.shows("3 sessions on other branches: press B.")
}

func TestTreeScopesTheList(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 40, sample())
	b.press("Shift-Tab", "Down")
	b.want("migrate-db", "tidy the build")
	b.press("Home")
	if len(b.list.entries) != 8 {
		t.Errorf("everything lists %d rows", len(b.list.entries))
	}
	b.press("Down", "Left") // fold the repository
	if n := b.tree.selected(); n.open || n.label != "app" {
		t.Errorf("selected %+v", n)
	}
	if n := b.tree.nodes[2]; n.label != "infra" {
		t.Errorf("below the folded repository is %q", n.label)
	}
	b.press("Right", "Right", "Down", "Down", "Down", "Down")
	if n := b.tree.selected(); n.kind != nodeFold || n.label != "9 branches" {
		t.Fatalf("selected %+v", n)
	}
	b.press("Right", "Down")
	if n := b.tree.selected(); n.kind != nodeBranch || n.label != "release-1" {
		t.Errorf("selected %+v", n)
	}
	b.want()
	b.press("Left", "Left")
	if n := b.tree.selected(); n.open || n.kind != nodeFold {
		t.Errorf("selected %+v", n)
	}
}

func TestGoneWorktreeIsANode(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 40, sample())
	for _, n := range b.tree.nodes {
		if n.path == "/home/ann/src/app-lost" && n.state == worktree.Gone && n.sessions == 1 {
			return
		}
	}
	t.Errorf("no node for a worktree that only a session knows: %+v", b.tree.nodes)
}

func TestForksFold(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	b.press("Left")
	b.want("parser-work", "(no prompt)")
	b.shows("▸ 1 fork")
	b.press("Right")
	b.want("parser-work", "alt-idea", "(no prompt)")
	b.press("Down", "Left")
	if b.list.at != 0 {
		t.Errorf("Left on a fork goes to row %d", b.list.at)
	}
}

func TestForkCircle(t *testing.T) {
	t.Parallel()
	dir := "/home/ann/src/app"
	one, two, three := made(1, "one", dir, "main", time.Minute), made(2, "two", dir, "main", time.Hour), made(3, "three", dir, "main", 2*time.Hour)
	one.Parent, two.Parent, three.Parent = two.ID, one.ID, one.ID
	self := made(4, "self", dir, "main", 3*time.Hour)
	self.Parent = self.ID
	u := sample()
	u.Sessions = []session.Session{one, two, three, self}
	b := newBench(t, sampleOptions(), 140, 30, u)
	got := b.titles()
	slices.Sort(got)
	if !slices.Equal(got, []string{"one", "self", "three", "two"}) {
		t.Errorf("listed %q", got)
	}
}

func TestSortKeepsTheSelection(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	b.press("A", "Down")
	was := b.list.selected().ID
	for _, want := range []string{"start", "title", "size", "last change"} {
		b.press("s")
		b.shows("sorted by " + want)
		if got := b.list.selected().ID; got != was {
			t.Errorf("by %s the selection moved to %s", want, got)
		}
	}
}

// TestRowsStayInOrder is report B6: equal times never change places.
func TestRowsStayInOrder(t *testing.T) {
	t.Parallel()
	u := sample()
	for i := range u.Sessions {
		u.Sessions[i].Updated = noon()
		u.Sessions[i].Parent = ""
	}
	b := newBench(t, sampleOptions(), 140, 30, u)
	b.press("A")
	first := b.titles()
	for range 20 {
		b.send(storeChanged{[]session.Update{u}})
		b.want(first...)
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	var got []string
	var fail error
	opt.Rename = func(_ context.Context, s session.Session, name string) error {
		got = append(got, s.ID+" "+name)
		return fail
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("r", "Ctrl-U")
	b.typed("q is text here")
	b.press("Enter")
	b.shows("q is text here", "renamed to q is text here")
	if want := []string{id(41) + " q is text here"}; !slices.Equal(got, want) {
		t.Errorf("renamed %q, want %q", got, want)
	}
	fail = errors.New("no permission")
	b.press("r")
	b.typed("!")
	b.press("Enter")
	b.shows("not renamed: no permission")
	if title := b.list.selected().Title; title != "q is text here" {
		t.Errorf("after the failure the title is %q", title)
	}
	b.press("r", "Ctrl-U", "Enter")
	b.shows("empty name")
	b.press("Esc", "r", "x", "Ctrl-C")
	if b.rename != nil || b.quitting {
		t.Error("Ctrl-C did not merely leave the field")
	}
}

func TestOpenPlain(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	var ran []string
	opt.Resume = func(_ context.Context, p session.Plan) error { ran = append(ran, p.Cwd); return nil }
	b := newBench(t, opt, 140, 30, sample())
	b.press("Enter")
	if !slices.Equal(ran, []string{"/home/ann/src/app"}) {
		t.Errorf("ran in %q", ran)
	}
	b.shows("back from the session")
	if b.opt.Store.(*fakeStore).refreshes() != 1 {
		t.Error("the store was not asked to look again")
	}
}

func TestOpenUnusual(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	var ran []string
	opt.Resume = func(_ context.Context, p session.Plan) error { ran = append(ran, p.Cwd); return nil }
	opt.Plan = func(_ context.Context, s session.Session, repos []worktree.Repository, req session.Request) session.Plan {
		p := plain(s, req)
		if len(repos) != 2 {
			p.Blockers = append(p.Blockers, "the repositories are missing")
		}
		if req.Dir == "" {
			p.Action, p.Blockers = "choose-directory", append(p.Blockers, "its worktree is gone")
			p.Choices = []session.PlanChoice{{Dir: "/home/ann/src/app"}, {Dir: "/home/ann/src/app-feat", Label: "same branch"}}
		}
		return p
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("Enter")
	b.shows("its worktree is gone", "resume in /home/ann/src/app-feat (same branch)")
	if len(ran) > 0 {
		t.Fatal("started before the plan was seen")
	}
	b.press("Esc")
	if b.dialog != nil || len(ran) > 0 {
		t.Fatal("Esc did not cancel")
	}
	b.press("Enter", "Down", "Enter")
	if !slices.Equal(ran, []string{"/home/ann/src/app-feat"}) {
		t.Errorf("ran in %q", ran)
	}
}

func TestOpenRefused(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Resume = func(context.Context, session.Plan) error { t.Error("started a refused plan"); return nil }
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		p := plain(s, req)
		p.Action, p.Blockers = "refuse", []string{"live elsewhere: pid 4711"}
		return p
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("Enter")
	b.shows("Cannot resume", "live elsewhere: pid 4711")
	b.press("Enter", "Enter")
	b.send(planMade{gen: b.planning - 1}) // an answer that comes too late
	b.shows("Cannot resume")
}

func TestAgentFails(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	runs := 0
	opt.Resume = func(context.Context, session.Plan) error {
		runs++
		return errors.New("claude: exit status 7\nno such conversation")
	}
	var copies []string
	opt.Copy = func(_ context.Context, s string, _ func([]byte) error) clip.Result {
		copies = append(copies, s)
		return clip.Result{Way: clip.Terminal}
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("Enter")
	b.shows("The agent failed", "exit status 7", "no such conversation", "claude --resume "+id(41))
	b.press("y")
	b.shows("command sent to the terminal")
	if want := "cd /home/ann/src/app && claude --resume " + id(41); !slices.Equal(copies, []string{want}) {
		t.Errorf("copied %q", copies)
	}
	b.press("Enter")
	if runs != 2 {
		t.Errorf("ran %d times", runs)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	var ran []string
	opt.Resume = func(_ context.Context, p session.Plan) error { ran = append(ran, p.Session); return nil }
	b := newBench(t, opt, 140, 30, sample())
	l := b.layout()
	list, tree := l.panes[paneList].inside(), l.panes[paneTree].inside()
	b.send(moused{x: list.x + 2, y: list.y + 1, what: mouseClick})
	if b.list.at != 1 {
		t.Errorf("a click selected row %d", b.list.at)
	}
	b.send(moused{x: list.x + 2, y: list.y + 1, what: mouseDouble})
	if !slices.Equal(ran, []string{id(44)}) {
		t.Errorf("a double click opened %q", ran)
	}
	b.send(moused{x: tree.x, y: tree.y, what: mouseClick})
	if b.focus != paneTree || !b.scope.everything() {
		t.Errorf("a click in the tree: focus %d, scope %+v", b.focus, b.scope)
	}
	b.send(moused{x: list.x, y: list.y + 25, what: mouseDouble}) // below the last row
	b.send(moused{x: 0, y: 0, what: mouseDouble})
	b.send(moused{x: list.x, y: list.y, what: mouseWheelDown})
	if len(ran) != 1 {
		t.Errorf("clicks beside the rows opened %q", ran)
	}
}
