package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"coppice/session"
	"coppice/session/owner"
	"coppice/ui/text"
	"coppice/worktree"
	"coppice/worktree/change"
)

// whyNotRemove says why the selected row of the tree cannot be removed.
func (m *model) whyNotRemove() string {
	n := m.tree.selected()
	switch {
	case n.kind == nodeBranch:
		return "a branch is not deleted from here: only worktrees and sessions are"
	case n.kind != nodeWorktree:
		return "select a worktree, or a session in the list"
	case m.opt.Worktrees == nil:
		return "worktrees cannot be changed from here"
	}
	for _, wt := range m.data.repos[n.project].Worktrees {
		switch {
		case wt.Path != n.path:
		case wt.Main:
			return "this is the main checkout, which is never removed"
		default:
			return ""
		}
	}
	return "git knows no worktree there: there is nothing to remove"
}

// startRemove looks at what would be lost with the selected worktree.
func (m *model) startRemove() []cmd {
	n := m.tree.selected()
	m.say("looking at what would be lost")
	return m.findLosses(treeRef{n.project, n.path}, "")
}

// findLosses asks what the removal of a worktree would lose. ended is the session
// whose end asks, "" for a person.
func (m *model) findLosses(tree treeRef, ended string) []cmd {
	m.losing++
	gen, trees, rows := m.losing, m.opt.Worktrees, m.sessions()
	for i := range rows {
		if rows[i].ID == ended {
			rows[i].Live = nil // its row may not know yet
		}
	}
	return background(func(ctx context.Context) msg {
		out := lossesFound{gen: gen, tree: tree, ended: ended, users: trees.Users(rows, tree.path)}
		out.ours = trees.Made(tree.path).Path != ""
		out.losses, out.err = trees.Losses(ctx, rows, tree.repository, tree.path)
		return out
	})
}

// lossesFound shows them. At the end of a session its worktree is only spoken of
// when it was the last to use it, the worktree was made from here or for a session, and
// nothing would be lost.
func (m *model) lossesFound(in lossesFound) {
	if in.gen != m.losing || m.quitting {
		return
	}
	if in.ended != "" {
		lost := in.err != nil || in.losses.Unsaved() || in.losses.Ignored.Count > 0
		owned := in.ours || len(in.users) > 0 && in.users[0].Owner
		if lost || !owned || !owner.LastUser(in.users, in.ended) || m.dialog != nil || m.live.screen != nil {
			return
		}
	} else {
		m.note = note{}
	}
	m.openDialog(newRemoveDialog(in))
}

// afterEnd offers to remove the worktree of a session that has ended, where that
// is in order.
func (m *model) afterEnd(id string) []cmd {
	r := m.data.rows[id]
	if r == nil || m.opt.Worktrees == nil {
		return nil
	}
	for _, wt := range m.data.repos[r.home.project].Worktrees {
		if wt.Path == r.home.worktree && !wt.Main && wt.State == worktree.Present {
			return m.findLosses(treeRef{r.home.project, wt.Path}, id)
		}
	}
	return nil
}

// removeDialog says what would be lost with a worktree. Where that is anything,
// only its typed name removes it.
type removeDialog struct {
	ways
	in    lossesFound
	name  string
	field field
}

func newRemoveDialog(in lossesFound) *removeDialog {
	d := &removeDialog{in: in, name: filepath.Base(in.tree.path)}
	if d.lossy() {
		return d
	}
	drop := func(branch bool) func(*model) []cmd {
		return func(m *model) []cmd {
			return m.removeTrees([]owner.RemoveRequest{{Repository: in.tree.repository, Path: in.tree.path, Branch: branch}})
		}
	}
	label := "remove it"
	if in.losses.Branch != "" {
		label += "; its branch " + in.losses.Branch + " stays"
	}
	if in.ended != "" {
		d.add("keep it", nil)
	}
	d.add(label, drop(false))
	if in.losses.Branch != "" && !in.losses.BranchLost() {
		label = "remove it and its branch " + in.losses.Branch
		if in.losses.Merged != "" {
			label += ", " + in.losses.Merged
		}
		d.add(label, drop(true))
	}
	return d
}

// lossy reports whether anything would be lost with the worktree, its branch
// aside.
func (d *removeDialog) lossy() bool {
	return d.in.err != nil || d.in.losses.Unsaved() || d.in.losses.Ignored.Count > 0
}

// used reports whether somebody would lose the directory under their feet: then
// no name helps.
func (d *removeDialog) used() bool { return len(d.in.losses.Users) > 0 }

func (d *removeDialog) title() string {
	switch {
	case d.used():
		return "This worktree is in use"
	case d.lossy():
		return "Something would be lost"
	case d.in.ended != "":
		return "Nobody uses this worktree now"
	}
	return "Remove this worktree?"
}

func (d *removeDialog) foot() text.Line {
	switch {
	case d.used():
		return keysFoot("↑↓", "scroll", "Esc", "keep it")
	case d.lossy():
		return keysFoot("Enter", "remove it all the same", "PgDn", "scroll", "Esc", "keep it")
	}
	return keysFoot("↑↓", "choose", "Enter", "go on", "Esc", "keep it")
}

func (d *removeDialog) key(m *model, k keyed) []cmd {
	switch {
	case d.used():
		if k.name == "Enter" {
			return m.warn("it is in use: end what is live in it first")
		}
		return nil
	case d.lossy():
		return d.typed(m, k)
	}
	return d.ways.key(m, k)
}

// typed handles a key while the name is typed.
func (d *removeDialog) typed(m *model, k keyed) []cmd {
	if k.name != "Enter" {
		return m.edit(&d.field, k, "Esc keeps the worktree")
	}
	if d.field.String() != d.name {
		return m.warn("type " + d.name + " to remove it all the same; Esc keeps it")
	}
	m.closeDialog()
	req := owner.RemoveRequest{Repository: d.in.tree.repository, Path: d.in.tree.path, DropIgnored: true}
	req.Force = d.in.err != nil || d.in.losses.Unsaved()
	return m.removeTrees([]owner.RemoveRequest{req})
}

func (d *removeDialog) body(m *model, w int) content {
	l := d.in.losses
	out := append(wrapped(m.tilde(d.in.tree.path), w, text.Title), nil)
	add := func(sign string, role text.Role, words string) { out = append(out, hanging(sign, words, w, role)...) }
	if d.in.err != nil {
		add("✗", text.Bad, fmt.Sprintf("what would be lost is not known: %v", d.in.err))
	}
	kept := l
	kept.Commits = nil // they are the branch's, which stays
	for _, s := range kept.Summary() {
		add("✗", text.Bad, s)
	}
	for _, names := range []change.Names{l.Changed, l.Untracked, l.Hidden, l.Ignored} {
		out = append(out, fewNames(names, w)...)
	}
	for _, path := range l.Nested {
		add(" ", text.Dim, path)
	}
	for i, c := range l.Unnamed {
		if i == shownNames {
			add(" ", text.Dim, fmt.Sprintf("… and %d more", len(l.Unnamed)-i))
			break
		}
		add(" ", text.Dim, fmt.Sprintf("%.10s %s", c.Hash, c.Subject))
	}
	if !d.lossy() {
		add("✓", text.Good, "nothing would be lost: no changed, untracked or ignored file, no commit without a branch")
	}
	switch n := len(l.Commits); {
	case n == 0 || l.Branch == "":
	case l.Merged != "":
		add("·", text.Default, "the branch "+l.Branch+": "+l.Merged)
	default:
		add("·", text.Default, fmt.Sprintf("%s on the branch %s only, which stays", text.Plural(n, "commit"), l.Branch))
	}
	if n := len(l.Stashes); n > 0 {
		add("·", text.Default, fmt.Sprintf("what was stashed on its branch (%d) stays in the repository", n))
	}
	if n := ended(d.in.users); n > 0 {
		add("·", text.Default, text.Plural(n, "ended session")+" ran in it: the transcripts stay, and a resume can make the worktree again")
	}
	c := d.below(append(out, nil))
	if d.lossy() && !d.used() {
		c.label, c.field = "type "+text.Clean(d.name)+":", &d.field
	}
	return c
}

// ended counts the users that are not live.
func ended(users []owner.User) int {
	n := 0
	for _, u := range users {
		if !u.Live {
			n++
		}
	}
	return n
}

// shownNames is how many names are shown of what would be lost.
const shownNames = 5

// fewNames shows the first names of files.
func fewNames(names change.Names, w int) []text.Line {
	var out []text.Line
	for i, name := range names.First {
		if i == shownNames {
			break
		}
		out = append(out, hanging(" ", name, w, text.Dim)...)
	}
	if more := names.Count - min(len(names.First), shownNames); more > 0 {
		out = append(out, hanging(" ", fmt.Sprintf("… and %d more", more), w, text.Dim)...)
	}
	return out
}

// removeTrees removes worktrees, one after the other.
func (m *model) removeTrees(reqs []owner.RemoveRequest) []cmd {
	trees, rows := m.opt.Worktrees, m.sessions()
	m.say("removing")
	return background(func(ctx context.Context) msg { return remove(ctx, trees, rows, reqs) })
}

// remove is the work of removeTrees.
func remove(ctx context.Context, trees Worktrees, rows []session.Session, reqs []owner.RemoveRequest) treesRemoved {
	var out treesRemoved
	for _, req := range reqs {
		if err := errors.Join(ctx.Err(), trees.Remove(ctx, rows, req)); err != nil {
			out.failed = append(out.failed, err.Error())
		} else {
			out.gone = append(out.gone, filepath.Base(req.Path))
		}
	}
	return out
}

// treesRemoved says how it went.
func (m *model) treesRemoved(in treesRemoved) []cmd {
	if len(in.gone) > 0 {
		m.say("removed " + strings.Join(in.gone, ", "))
	}
	if len(in.failed) > 0 {
		m.note = note{}
		m.openDialog(&sayDialog{heading: "Not removed", reason: strings.Join(in.failed, "\n")})
	}
	return m.lookAgain()
}
