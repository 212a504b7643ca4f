package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"coppice/config"
	"coppice/session"
	"coppice/session/owner"
	"coppice/worktree"
	"coppice/worktree/change"
)

// fakeTrees notes what is asked of it.
type fakeTrees struct {
	created  []owner.CreateRequest
	checked  []string
	removed  []owner.RemoveRequest
	compared []string
	prints   string // by the set-up command
	fails    error
	losses   change.Losses
	users    []owner.User
	made     bool // every worktree from here
	merged   []owner.Merged
	live     map[string]bool // of the rows that were looked at
}

func (f *fakeTrees) Create(ctx context.Context, req owner.CreateRequest, out io.Writer) (change.Created, error) {
	f.created = append(f.created, req)
	_, _ = io.WriteString(out, f.prints)
	if err := errors.Join(ctx.Err(), f.fails); err != nil {
		return change.Created{}, err
	}
	return change.Created{Path: "/home/ann/src/app-new", Branch: "worktree-" + req.Name, Base: "origin/main", Notes: []string{"not fetched"}}, nil
}

func (f *fakeTrees) Checkout(_ context.Context, _, branch string) error {
	f.checked = append(f.checked, branch)
	return f.fails
}

func (f *fakeTrees) Compare(_ context.Context, dir, revision string) worktree.Comparison {
	f.compared = append(f.compared, dir+" "+revision)
	return worktree.Comparison{
		Base: "main", Ahead: 2, Behind: 1, Changed: 3, Added: 1234, Removed: 5,
		Commits: []worktree.Commit{{Hash: "1a2b3c4", Subject: "Accept tabs"}, {Hash: "5d6e7f8", Subject: "hostile \x1b[2J \u202e[red]subject"}},
		Files: []worktree.Change{
			{Name: "parser/tokens.go", Added: 1230, Removed: 5}, {Name: "pixel.png", Binary: true}, {Name: "e\x1b[31mvil\n.go", Added: 4},
		},
	}
}

func (f *fakeTrees) Made(dir string) session.MadeTree {
	if f.made {
		return session.MadeTree{Path: dir}
	}
	return session.MadeTree{}
}

func (f *fakeTrees) Users([]session.Session, string) []owner.User { return f.users }

func (f *fakeTrees) Losses(_ context.Context, rows []session.Session, _, path string) (change.Losses, error) {
	f.live = map[string]bool{}
	for _, r := range rows {
		f.live[r.ID] = r.Live != nil
	}
	l := f.losses
	l.Path = path
	return l, f.fails
}

func (f *fakeTrees) Remove(_ context.Context, _ []session.Session, req owner.RemoveRequest) error {
	f.removed = append(f.removed, req)
	return f.fails
}

func (f *fakeTrees) Merged(context.Context, []session.Session, string) ([]owner.Merged, error) {
	return f.merged, f.fails
}

// treeOptions are options with worktrees as the default configuration has them.
func treeOptions(trees Worktrees) Options {
	opt := sampleOptions()
	opt.Config.Worktree = config.Default().Worktree
	opt.Worktrees = trees
	opt.Prepare = func(_ context.Context, p session.Plan, out io.Writer) ([]string, error) {
		_, _ = io.WriteString(out, "planting\n")
		return []string{"the checkout of the submodule \"x\" was not carried"}, nil
	}
	opt.PlanNew = func(_ context.Context, req session.StartRequest) session.Plan {
		return session.Plan{Action: session.ActionStart, Agent: "claude", Cwd: req.Dir}
	}
	return opt
}

// treeBench is a bench in whose tree the node with a label is selected.
func treeBench(t *testing.T, opt Options, w, h int, label string) *bench {
	t.Helper()
	b := newBench(t, opt, w, h, sample())
	b.press("Shift-Tab", "A")
	if label != "" {
		b.node(label)
	}
	return b
}

// node goes to the node of the tree with a label.
func (b *bench) node(label string) {
	b.t.Helper()
	i := slices.IndexFunc(b.tree.nodes, func(n node) bool { return n.label == label })
	if i < 0 {
		b.t.Fatalf("no node %q", label)
	}
	b.goTree(i)
	b.send(ticked{})
}

// grown is sample with one more worktree.
func grown() session.Update {
	u := sample()
	u.Repositories[0].Worktrees = append(u.Repositories[0].Worktrees, worktree.Worktree{
		Path: "/home/ann/src/app-new", Name: "app-new", Admin: "app-new", Branch: "worktree-tidy", State: worktree.Present,
	})
	return u
}

func TestNewWorktree(t *testing.T) {
	t.Parallel()
	f := &fakeTrees{prints: "installing\n"}
	opt := treeOptions(f)
	hosts := &plansHosts{fakeHosts: newFakeHosts()}
	opt.Hosts = hosts
	b := newBench(t, opt, 140, 30, sample())
	b.press("w")
	b.shows("New worktree", "of app", "from a new branch, from the default branch of the remote", "Give it a name.")
	b.press("Enter")
	b.shows("it is empty")
	b.typed("a b")
	b.shows("use letters, digits")
	b.press("Ctrl-U")
	b.typed("tidy/jqk")
	b.shows("path    ~/src/app/.claude/worktrees/tidy+jqk", "branch  worktree-tidy+jqk")
	b.press("Down", "Enter")
	want := owner.CreateRequest{Repository: "/home/ann/src/app", Name: "tidy/jqk", Base: change.Head}
	if len(f.created) != 1 || f.created[0] != want {
		t.Fatalf("created %+v", f.created)
	}
	b.shows("The worktree is there", "~/src/app-new", "on the branch worktree-tidy/jqk, from origin/main", "! not fetched", "start a session in it")
	b.send(storeChanged{[]session.Update{grown()}})
	if n := b.tree.selected(); n.path != "/home/ann/src/app-new" || b.focus != paneTree {
		t.Errorf("selected %+v", n)
	}
	b.press("Enter")
	if len(hosts.started) != 1 || hosts.started[0].Cwd != "/home/ann/src/app-new" {
		t.Errorf("started %+v", hosts.started)
	}
}

// Each source asks for what it needs, and nothing else is taken.
func TestNewWorktreeSources(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, typed string
		down        int
		wrong       string // a text that is refused first
		want        change.Source
	}{
		{"x", "origin/topic", 2, "topic", change.Source{Remote: "origin/topic"}},
		{"x", "v1.2", 3, "", change.Source{Commit: "v1.2"}},
		{"", "#77", 4, "seven", change.Source{PullRequest: 77}},
		{"x", "8", 4, "-1", change.Source{PullRequest: 8}},
	}
	for _, tt := range tests {
		f := &fakeTrees{}
		b := newBench(t, treeOptions(f), 140, 30, sample())
		b.press("w")
		b.typed(tt.name)
		for range tt.down {
			b.press("Down")
		}
		b.press("Enter")
		b.typed(tt.wrong)
		b.press("Enter")
		if len(f.created) != 0 {
			t.Errorf("%q was taken: %+v", tt.wrong, f.created)
		}
		b.press("Ctrl-U")
		b.typed(tt.typed)
		b.press("Enter")
		if len(f.created) != 1 || f.created[0].From != tt.want || f.created[0].Name != tt.name {
			t.Errorf("%+v: created %+v", tt, f.created)
		}
	}
}

// Esc ends the making; what could not be taken back is said.
func TestNewWorktreeCancelled(t *testing.T) {
	t.Parallel()
	f := &fakeTrees{prints: "line 1\nline \x1b[31m2\n"}
	m := newModel(treeOptions(f))
	m.update(sized{100, 30})
	m.update(storeChanged{[]session.Update{sample()}})
	m.update(keyed{name: "w"})
	m.update(keyed{name: "x", r: 'x'})
	work := m.update(keyed{name: "Enter"})
	d, ok := m.dialog.(*workDialog)
	if !ok || len(work) != 2 {
		t.Fatalf("dialog %T, %d cmds", m.dialog, len(work))
	}
	_, _ = d.out.Write([]byte("line 1\nline \x1b[31m2\n"))
	work = append(work, m.update(work[1].run(context.Background()))...) // there is more
	if got := screenText(t, m); !strings.Contains(got, "line 1") || strings.Contains(got, "\x1b") || !strings.Contains(got, "cancel: nothing is left behind") {
		t.Errorf("screen:\n%s", got)
	}
	m.update(keyed{name: "Esc"})
	if m.dialog != d || !strings.Contains(screenText(t, m), "taking back") {
		t.Errorf("screen:\n%s", screenText(t, m))
	}
	m.update(work[0].run(context.Background()))
	if m.dialog != nil || !strings.Contains(m.note.text, "was cancelled; nothing is left behind") {
		t.Errorf("dialog %T, note %q", m.dialog, m.note.text)
	}

	f.fails = &change.LeftError{Err: errors.New("set-up command false: exit status 1"), Left: []string{"the directory /x (busy)"}}
	b := newBench(t, treeOptions(f), 100, 30, sample())
	b.press("w", "x", "Enter")
	b.shows("Making the worktree failed", "set-up command false: exit status 1", "left behind: the directory /x (busy)", "line 1")
}

func TestBranchEnter(t *testing.T) {
	t.Parallel()
	f := &fakeTrees{}
	b := treeBench(t, treeOptions(f), 140, 30, "spare")
	b.press("Enter")
	b.shows("A branch without a worktree", "make a worktree for it", "check it out in the main checkout, ~/src/infra")
	b.press("Down", "Enter")
	if !slices.Equal(f.checked, []string{"spare"}) {
		t.Errorf("checked out %q", f.checked)
	}
	b.shows("spare is checked out in the main checkout")
	f.fails = errors.New("check out \"spare\": not clean: 3 changed files")
	b.press("Enter", "Down", "Enter")
	b.shows("not checked out", "not clean: 3 changed files")
	f.fails = nil
	b.press("Enter", "Enter")
	b.shows("New worktree", "name spare", "from the branch spare", "branch  spare")
	b.press("Enter")
	if len(f.created) != 1 || f.created[0].From.Branch != "spare" || f.created[0].Name != "spare" || f.created[0].Repository != "/home/ann/src/infra" {
		t.Errorf("created %+v", f.created)
	}
}

func TestRemoveWorktree(t *testing.T) {
	t.Parallel()
	f := &fakeTrees{losses: change.Losses{Branch: "feat-x"}}
	b := treeBench(t, treeOptions(f), 140, 30, "main")
	b.press("D")
	b.shows("this is the main checkout, which is never removed")
	b.node("feat-x")
	b.press("D")
	b.shows("Remove this worktree?", "nothing would be lost", "▸ remove it; its branch feat-x stays", "remove it and its branch feat-x")
	b.press("Esc", "D", "Enter")
	want := owner.RemoveRequest{Repository: "/home/ann/src/app/.git", Path: "/home/ann/src/app-feat"}
	if len(f.removed) != 1 || f.removed[0] != want {
		t.Fatalf("removed %+v", f.removed)
	}
	b.shows("removed app-feat")
	f.losses.Commits = []change.Commit{{Hash: "1a2b3c4d5e", Subject: "only here"}}
	b.press("D")
	b.shows("1 commit on the branch feat-x only, which stays")
	if strings.Contains(b.text(), "and its branch") {
		t.Errorf("offers to delete a branch with commits of its own:\n%s", b.text())
	}
}

// Where anything would be lost, only the typed name removes; where somebody works,
// nothing does.
func TestRemoveRefused(t *testing.T) {
	t.Parallel()
	names := func(n int, first ...string) change.Names { return change.Names{Count: n, First: first} }
	tests := []struct {
		name   string
		losses change.Losses
		fails  error
		says   string
		force  bool
	}{
		{"changed", change.Losses{Changed: names(3, "a\x1b[31m.go")}, nil, "3 changed files", true},
		{"untracked", change.Losses{Untracked: names(1, "notes")}, nil, "1 untracked file", true},
		{"ignored", change.Losses{Ignored: names(9, ".env", "b", "c", "d", "e", "f")}, nil, "… and 4 more", false},
		{"hidden", change.Losses{Hidden: names(1, "x")}, nil, "told not to look at", true},
		{"commits", change.Losses{Unnamed: []change.Commit{{Hash: "1a2b3c4d5e", Subject: "lone"}}}, nil, "1a2b3c4d5e lone", true},
		{"locked", change.Losses{Locked: true, LockReason: "mine"}, nil, "locked: mine", true},
		{"unknown", change.Losses{}, errors.New("git did not answer"), "what would be lost is not known", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeTrees{losses: tt.losses, fails: tt.fails}
			b := treeBench(t, treeOptions(f), 140, 40, "feat-x")
			b.press("D")
			b.shows("Something would be lost", tt.says, "type app-feat:")
			b.press("Enter")
			b.typed("app-fea")
			b.press("Enter")
			b.shows("type app-feat to remove it all the same")
			if len(f.removed) != 0 {
				t.Fatalf("removed %+v", f.removed)
			}
			b.typed("t")
			b.press("Enter")
			if len(f.removed) != 1 || f.removed[0].Force != tt.force || !f.removed[0].DropIgnored || f.removed[0].Branch {
				t.Errorf("removed %+v", f.removed)
			}
		})
	}
	f := &fakeTrees{losses: change.Losses{Users: []string{"migrate-db, which is live"}}}
	b := treeBench(t, treeOptions(f), 140, 30, "feat-x")
	b.press("D")
	b.shows("This worktree is in use", "used by migrate-db, which is live")
	b.typed("app-feat")
	b.press("Enter")
	b.shows("end what is live in it first")
	if len(f.removed) != 0 {
		t.Errorf("removed %+v", f.removed)
	}
}

// The end of a session speaks of its worktree only when it was the last to use
// it, the worktree was made for it, and nothing would be lost.
func TestOfferAtEnd(t *testing.T) {
	t.Parallel()
	mine := owner.User{ID: id(8), Owner: true}
	tests := []struct {
		name   string
		users  []owner.User
		losses change.Losses
		fails  error
		offers bool
	}{
		{"the last one", []owner.User{mine}, change.Losses{}, nil, true},
		{"another one refers to it", []owner.User{mine, {ID: id(12)}}, change.Losses{}, nil, false},
		{"made by somebody else", []owner.User{{ID: id(8)}}, change.Losses{}, nil, false},
		{"a fork, in one made from here", []owner.User{{ID: id(8), Title: "made"}}, change.Losses{}, nil, true},
		{"changes", []owner.User{mine}, change.Losses{Changed: change.Names{Count: 1}}, nil, false},
		{"ignored files", []owner.User{mine}, change.Losses{Ignored: change.Names{Count: 1}}, nil, false},
		{"not known", []owner.User{mine}, change.Losses{}, errors.New("no git"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeTrees{users: tt.users, losses: tt.losses, fails: tt.fails, made: tt.users[0].Title == "made"}
			opt := treeOptions(f)
			opt.Hosts = newFakeHosts()
			b := newBench(t, opt, 140, 30, sample())
			b.send(runningChanged{running: []Running{{Host: "h1", Session: id(8), Agent: "claude", Dir: "/home/ann/src/app-feat"}}})
			b.send(endedAgent{host: "h1", name: "migrate-db"})
			if d, ok := b.dialog.(*removeDialog); ok != tt.offers {
				t.Fatalf("dialog %T", b.dialog)
			} else if ok && (d.choices[0].label != "keep it" || d.at != 0) {
				t.Errorf("choices %+v", d.choices)
			}
			if f.live[id(8)] {
				t.Error("the session that ended counts as live")
			}
			b.press("Enter")
			if len(f.removed) != 0 {
				t.Errorf("Enter alone removed %+v", f.removed)
			}
		})
	}
}

func mergedRows() []owner.Merged {
	row := func(name, reason string, keep ...string) owner.Merged {
		return owner.Merged{Merged: change.Merged{Path: "/home/ann/src/app-" + name, Branch: name, Reason: reason}, Keep: keep}
	}
	return []owner.Merged{
		row("feat", "merged into main"), row("fix", "squashed into main as 1a2b3c4d5e"), row("try", "its changes are in main", "2 changed files", "used by migrate-db"),
	}
}

func TestMergedWorktrees(t *testing.T) {
	t.Parallel()
	f := &fakeTrees{}
	b := newBench(t, treeOptions(f), 140, 30, sample())
	b.press("M")
	b.shows("no worktree of app has a branch that is merged")
	f.merged = mergedRows()
	b.press("M")
	b.shows("Merged worktrees of app", "[x] app-feat  merged into main", "[x] app-fix  squashed", "–  app-try", "their branches stay")
	b.press("Down", "Down", "Space")
	b.shows("app-try stays: 2 changed files; used by migrate-db")
	b.press("Up", "Space", "b")
	b.shows("[ ] app-fix", "their branches go, too")
	b.press("Enter")
	want := []owner.RemoveRequest{{Repository: "/home/ann/src/app/.git", Path: "/home/ann/src/app-feat", Branch: true}}
	if !slices.Equal(f.removed, want) {
		t.Errorf("removed %+v", f.removed)
	}
	f.fails = errors.New("remove /home/ann/src/app-feat: something would be lost: 1 untracked file")
	b.send(mergedFound{gen: b.losing, repo: sample().Repositories[0], rows: f.merged})
	b.press("Enter")
	b.shows("Not removed", "1 untracked file")
}

func TestForkIntoWorktree(t *testing.T) {
	t.Parallel()
	opt := treeOptions(&fakeTrees{})
	hosts := &plansHosts{fakeHosts: newFakeHosts()}
	opt.Hosts = hosts
	var asked []session.Request
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		asked = append(asked, req)
		p := plain(s, req)
		p.Fork = &session.PlanFork{ID: id(99), Name: req.Fork.Name}
		p.Worktree = session.PlanWorktree{
			Path: "/home/ann/src/app/.claude/worktrees/tidy", Action: session.TreeCreate, Branch: "worktree-tidy", Base: "HEAD",
			Carry: req.Worktree.Carry, From: "/home/ann/src/app",
		}
		p.Cwd, p.Branch = p.Worktree.Path, "worktree-tidy"
		return p
	}
	b := newBench(t, opt, 140, 34, sample())
	b.press("F")
	b.shows("Fork into a new worktree", "of parser-work", "name parser-work", "in ~/src/app/.claude/worktrees/parser-work", "▸ with what is committed", "copy its 3 uncommitted changes")
	b.press("Ctrl-U")
	b.typed("tidy")
	b.press("Down", "Enter")
	b.shows("Before it starts", "parser-work (fork)", "made first, from HEAD, with", "make the worktree, and fork into it")
	if len(asked) != 1 || *asked[0].Worktree != (session.WorktreeRequest{Name: "tidy", Carry: true}) || asked[0].Fork == nil {
		t.Fatalf("asked %+v", asked)
	}
	if len(hosts.started) != 0 {
		t.Fatal("it started before the plan was agreed to")
	}
	b.press("Enter")
	if len(hosts.started) != 1 || hosts.started[0].Worktree.Action != session.TreeCreate {
		t.Fatalf("started %+v", hosts.started)
	}
	b.shows("The worktree is there", "was not carried")
	b.press("Esc")
	if b.live.shown != "h1" || b.dialog != nil {
		t.Fatalf("shows %q, dialog %T", b.live.shown, b.dialog)
	}

	b.press("Ctrl-]", "Esc")
	hosts.refuse = errors.New("fork: the disk is full; the worktree /home/ann/src/app/.claude/worktrees/tidy is left")
	b.list.seek(id(41))
	b.press("F", "Enter", "Enter")
	b.shows("fork: the disk is full;", "worktrees/tidy is")
}

// A session whose worktree is gone: it is made again, or the session goes on
// somewhere else.
func TestMissingWorktreeOffers(t *testing.T) {
	t.Parallel()
	opt := treeOptions(&fakeTrees{})
	var asked []session.Request
	var movedTo []string
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		asked = append(asked, req)
		p := plain(s, req)
		if !req.Restore && req.Dir == "" {
			p.Action, p.Cwd = session.ActionChoose, ""
			p.Warnings = []string{"its worktree /home/ann/src/app-lost is gone"}
			p.Restore = &session.PlanRestore{Path: "/home/ann/src/app-lost", Branch: "old"}
			p.Choices = []session.PlanChoice{{Dir: "/home/ann/src/app", Label: "main checkout"}}
		}
		return p
	}
	opt.Move = func(_ context.Context, _ session.Session, dir string) ([]string, error) {
		movedTo = append(movedTo, dir)
		return []string{"2 files went along"}, nil
	}
	b := newBench(t, opt, 140, 34, sample())
	b.press("Enter")
	b.shows("▸ make the worktree again (branch old)", "resume in /home/ann/src/app (main checkout)", "resume in another directory", "move the session to /home/ann/src/app")
	b.press("Enter")
	b.press("Enter", "Down", "Down", "Enter")
	b.typed("src")
	b.press("Enter")
	b.shows("write the whole path")
	b.press("Ctrl-U")
	b.typed("~/else")
	b.press("Enter")
	b.press("Enter", "End", "Enter")
	b.shows("moved to /home/ann/src/app; 2 files went along")
	if len(asked) != 5 || !asked[1].Restore || asked[3].Dir != "/home/ann/else" || !slices.Equal(movedTo, []string{"/home/ann/src/app"}) {
		t.Errorf("asked %+v, moved to %q", asked, movedTo)
	}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	f := &fakeTrees{}
	b := treeBench(t, treeOptions(f), 200, 40, "feat-x")
	b.shows("on the branch feat-x", "~/src/app-feat", "Against main", "2 commits ahead, 1 behind", "1a2b3c4 Accept tabs", "3 files changed", "+1,234", "pixel.png", "binary")
	if text := b.text(); strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("foreign bytes on the screen")
	}
	n := len(f.compared)
	b.press("Down", "Up")
	b.send(ticked{})
	if got := len(f.compared) - n; got != 0 {
		t.Errorf("compared %d times more: %q", got, f.compared)
	}
	b.press("Ctrl-L")
	if len(f.compared) != n+1 {
		t.Errorf("compared %q after a look at everything", f.compared)
	}
	b.node("old-idea")
	b.shows("its directory is gone")
	b.node("spare")
	b.shows("a branch without a worktree", "Against main")
	if last := f.compared[len(f.compared)-1]; last != "/home/ann/src/infra/.git refs/heads/spare" {
		t.Errorf("compared %q", last)
	}
	b.press("Space")
	b.shows("Against main")
	b.press("Space", "Tab")
	if strings.Contains(b.text(), "Against main") {
		t.Error("the comparison hides the session")
	}
}

func TestWorktreeGoldens(t *testing.T) {
	t.Parallel()
	lossy := &fakeTrees{
		losses: change.Losses{
			Branch: "feat-x", Changed: change.Names{Count: 7, First: []string{"a.go", "b/c.go", "d\x1b[31m.go", "e", "f", "g"}},
			Untracked: change.Names{Count: 1, First: []string{"notes.txt"}}, Unnamed: []change.Commit{{Hash: "1a2b3c4d5e6f", Subject: "Try it the other way"}},
			Ignored: change.Names{Count: 2, First: []string{".env", "node_modules/"}}, Stashes: []string{"WIP on feat-x: 1a2b3c4"},
			Commits: []change.Commit{{Hash: "1"}, {Hash: "2"}},
		},
		users: []owner.User{{ID: id(8)}, {ID: id(12)}},
	}
	clean := &fakeTrees{losses: change.Losses{Branch: "feat-x", Merged: "squashed into main as 1a2b3c4d5e", Commits: []change.Commit{{Hash: "1"}}}, merged: mergedRows()}
	scenes := []struct {
		name  string
		trees *fakeTrees
		node  string
		setup func(*bench)
	}{
		{"worktree-new", clean, "main", func(b *bench) { b.press("w"); b.typed("tidy-parser") }},
		{"worktree-pr", clean, "main", func(b *bench) { b.press("w", "Up", "Down", "Down", "Down", "Down", "Enter", "7", "7") }},
		{"worktree-made", clean, "main", func(b *bench) { b.press("w", "x", "Enter") }},
		{"worktree-branch", clean, "spare", func(b *bench) { b.press("Enter") }},
		{"worktree-remove", clean, "feat-x", func(b *bench) { b.press("D") }},
		{"worktree-losses", lossy, "feat-x", func(b *bench) { b.press("D") }},
		{"worktree-merged", clean, "feat-x", func(b *bench) { b.press("M", "Down", "Down") }},
		{"worktree-compared", clean, "feat-x", func(b *bench) { b.press("Space") }},
		{"worktree-making", clean, "", func(b *bench) {
			d := &workDialog{what: "Making the worktree", out: newOutput()}
			for i := range 40 {
				_, _ = fmt.Fprintf(d.out, "installing part %d of 40\n", i+1)
			}
			b.openDialog(d)
		}},
		{"worktree-failed", clean, "", func(b *bench) {
			d := &sayDialog{heading: "Making the worktree failed", printed: newOutput(), reason: "create worktree /home/ann/src/app-new: set-up command make: exit status 2"}
			_, _ = d.printed.Write([]byte("make: no rule to make target \x1b[1mdeps\x1b[m\n"))
			b.openDialog(d)
		}},
		{"worktree-place", clean, "", func(b *bench) {
			b.openDialog(&dirDialog{session: b.data.order[0].Session})
			b.typed("~/src/app")
		}},
		{"worktree-plan", clean, "", func(b *bench) {
			s := b.data.rows[id(20)].Session
			p := plain(s, session.Request{})
			p.Action, p.Cwd, p.Warnings = session.ActionChoose, "", []string{"its worktree /home/ann/src/app-lost is gone"}
			p.Restore = &session.PlanRestore{Path: "/home/ann/src/app-lost", Branch: "old"}
			p.Choices = []session.PlanChoice{{Dir: "/home/ann/src/app", Label: "main checkout"}}
			b.send(planMade{gen: b.planning, session: s, plan: p})
		}},
		{"worktree-fork", clean, "", func(b *bench) { b.press("Tab", "F") }},
	}
	for _, scene := range scenes {
		for _, size := range sizes() {
			name := fmt.Sprintf("%s-%dx%d", scene.name, size[0], size[1])
			b := treeBench(t, treeOptions(scene.trees), size[0], size[1], scene.node)
			scene.setup(b)
			golden(t, name, b.text())
		}
	}
}
