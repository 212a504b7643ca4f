package ui

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"coppice/session/owner"
	"coppice/ui/text"
	"coppice/worktree"
	"coppice/worktree/change"
)

// treeDialog asks for the name of a new worktree and what it starts from.
type treeDialog struct {
	repo    worktree.Repository
	from    string // the checkout whose HEAD is meant
	sources []treeSource
	at      int
	field   field
	name    string // once it is given and the source is asked for
	asking  bool
}

// treeSource is what a new worktree can start from.
type treeSource struct {
	label string
	ask   string // what is to be typed, "" for nothing
	set   func(req *owner.CreateRequest, typed string) (wrong string)
}

// newTreeDialog returns the dialog for a repository. branch is offered first, ""
// for none.
func (m *model) newTreeDialog(repo worktree.Repository, from, branch string) *treeDialog {
	d := &treeDialog{repo: repo, from: from}
	add := func(label, ask string, set func(*owner.CreateRequest, string) string) {
		d.sources = append(d.sources, treeSource{label, ask, set})
	}
	if branch != "" {
		d.field = newField(change.NameFor(branch))
		add("the branch "+branch, "", func(req *owner.CreateRequest, _ string) string {
			req.From.Branch = branch
			return ""
		})
	}
	base := func(base, label string) {
		add(label, "", func(req *owner.CreateRequest, _ string) string {
			req.Base = base
			return ""
		})
	}
	fresh := func() { base(change.Fresh, "a new branch, from the default branch of the remote") }
	head := func() { base(change.Head, "a new branch, from what "+m.checkoutName(repo, from)+" is at") }
	if m.opt.Config.Worktree.Base == change.Head {
		head()
		fresh()
	} else {
		fresh()
		head()
	}
	add("a branch of a remote …", "remote branch, such as origin/x:", func(req *owner.CreateRequest, s string) string {
		req.From.Remote = s
		if !strings.Contains(s, "/") {
			return "write it as remote/branch"
		}
		return ""
	})
	add("a commit …", "commit:", func(req *owner.CreateRequest, s string) string {
		req.From.Commit = s
		if s == "" {
			return "name a commit: a hash, a tag, a branch"
		}
		return ""
	})
	add("a pull request …", "number:", func(req *owner.CreateRequest, s string) string {
		n, err := strconv.Atoi(strings.TrimPrefix(s, "#"))
		req.From.PullRequest = n
		if err != nil || n < 1 {
			return "give the number of a pull or merge request"
		}
		return ""
	})
	return d
}

func (*treeDialog) title() string { return "New worktree" }

func (d *treeDialog) foot() text.Line {
	if d.asking {
		return keysFoot("Enter", "make it", "Esc", "cancel")
	}
	return keysFoot("↑↓", "from", "Enter", "make it", "Esc", "cancel")
}

func (d *treeDialog) key(m *model, k keyed) []cmd {
	typed := strings.TrimSpace(d.field.String())
	switch {
	case k.name == "Enter" && d.asking:
		req, wrong := d.request(d.name, typed)
		if wrong != "" {
			return m.warn(wrong)
		}
		return m.makeTree(req)
	case k.name == "Enter":
		_, _, err := change.Outline(d.repo, d.options(m, typed))
		switch {
		case err != nil:
			return m.warn(err.Error())
		case d.sources[d.at].ask != "":
			d.name, d.asking, d.field = typed, true, field{}
			return nil
		}
		req, _ := d.request(typed, "")
		return m.makeTree(req)
	case !d.asking && (k.name == "Up" || k.name == "Down"):
		d.at, _ = choose(d.at, len(d.sources), k)
		return nil
	}
	return m.edit(&d.field, k, "Enter makes the worktree, Esc cancels")
}

// request is what is asked for, or what is wrong with it.
func (d *treeDialog) request(name, typed string) (owner.CreateRequest, string) {
	req := owner.CreateRequest{Repository: d.from, Name: name}
	return req, d.sources[d.at].set(&req, typed)
}

// options says what would be made, as far as it is known. A source that is asked
// for later stands for any.
func (d *treeDialog) options(m *model, typed string) change.CreateOptions {
	conf := m.opt.Config.Worktree
	o := change.CreateOptions{Name: typed, Path: conf.Path, Branch: conf.Branch}
	if d.asking {
		req, wrong := d.request(d.name, typed)
		o.Name = d.name
		if wrong == "" {
			o.From = req.From
		}
		return o
	}
	req, _ := d.request(typed, "")
	if d.sources[d.at].ask == "" {
		o.From = req.From
	} else if typed == "" && d.at == len(d.sources)-1 {
		o.From.PullRequest = 1 // names it, too
	}
	return o
}

func (d *treeDialog) body(m *model, w int) content {
	out := []text.Line{{{Text: "of ", Role: text.Dim}, text.Foreign(d.repo.Name, text.Title)}, nil}
	fact := func(name, value string) {
		for _, l := range hanging(text.Pad(name, 7), value, w, text.Default) {
			l[0].Role = text.Dim
			out = append(out, l)
		}
	}
	typed := strings.TrimSpace(d.field.String())
	path, branch, err := change.Outline(d.repo, d.options(m, typed))
	switch {
	case typed == "" && !d.asking:
		out = append(out, text.Line{{Text: "Give it a name.", Role: text.Dim}})
	case err != nil:
		out = append(out, hanging("✗", err.Error(), w, text.Bad)...)
	default:
		fact("path", m.tilde(path))
		fact("branch", branch)
	}
	if setup := m.opt.Config.Worktree.Setup; len(setup) > 0 {
		fact("set-up", strings.Join(setup, " "))
	}
	out = append(out, nil)
	c := content{lines: out, label: "name", field: &d.field, at: d.at}
	if d.asking {
		c.label = d.sources[d.at].ask
		return c
	}
	for _, s := range d.sources {
		c.choices = append(c.choices, text.Foreign("from "+s.label, text.Default))
	}
	return c
}

// checkoutName names a checkout of a repository as the tree does.
func (m *model) checkoutName(repo worktree.Repository, path string) string {
	for _, wt := range repo.Worktrees {
		if wt.Path == path {
			return checkoutLabel(wt)
		}
	}
	return filepath.Base(path)
}

// makeTree makes a worktree behind a dialog.
func (m *model) makeTree(req owner.CreateRequest) []cmd {
	trees := m.opt.Worktrees
	return m.work("Making the worktree", func(ctx context.Context, d *workDialog, out io.Writer) msg {
		made, err := trees.Create(ctx, req, out)
		return treeMade{work: d, made: made, err: err}
	})
}

// treeMade shows the new worktree and offers to start a session in it.
func (m *model) treeMade(in treeMade) []cmd {
	if !m.worked(in.work, "Making the worktree", in.err) {
		return m.lookAgain()
	}
	m.awaitedTree = in.made.Path
	if m.dialog == nil {
		m.openDialog(newMadeDialog(in.made))
	}
	return m.lookAgain()
}

// madeDialog says what was made and what can be done with it.
type madeDialog struct {
	ways
	made change.Created
}

func newMadeDialog(made change.Created) *madeDialog {
	d := &madeDialog{made: made}
	d.add("start a session in it", func(m *model) []cmd {
		if why := m.whyNoStart(); why != "" {
			return m.warn(why)
		}
		return m.startIn(made.Path)
	})
	d.add("leave it at that", nil)
	return d
}

func (*madeDialog) title() string { return "The worktree is there" }

func (*madeDialog) foot() text.Line {
	return keysFoot("↑↓", "choose", "Enter", "go on", "Esc", "close")
}

func (d *madeDialog) body(m *model, w int) content {
	var out []text.Line
	add := func(words string) { out = append(out, hanging("·", words, w, text.Default)...) }
	add(m.tilde(d.made.Path))
	switch d.made.Branch {
	case "":
		add("at " + d.made.Base)
	case d.made.Base:
		add("on the branch " + d.made.Branch)
	default:
		add("on the branch " + d.made.Branch + ", from " + d.made.Base)
	}
	for _, note := range d.made.Notes {
		out = append(out, hanging("!", note, w, text.Warn)...)
	}
	return d.below(append(out, nil))
}
