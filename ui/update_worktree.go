package ui

import (
	"context"
	"fmt"

	"coppice/ui/text"
	"coppice/worktree"
)

// repoHere is the repository that the selection is in, and the checkout of it that is
// meant: the selected one, else the main checkout. The checkout is "" where there
// is none.
func (m *model) repoHere() (repo worktree.Repository, checkout string, ok bool) {
	project, path := "", ""
	if m.pane() == paneTree {
		n := m.tree.selected()
		project, path = n.project, n.path
	} else if r := m.list.selected(); r != nil {
		project, path = r.home.project, r.home.worktree
	} else {
		project, path = m.scope.project, m.scope.worktree
	}
	repo, ok = m.data.repos[project]
	for _, wt := range repo.Worktrees {
		if wt.Path == path && wt.State == worktree.Present {
			return repo, path, ok
		}
	}
	if repo.Main == "" {
		return repo, repo.CommonDir, ok
	}
	return repo, repo.Main, ok
}

// whyNotTree says why no worktree can be made here.
func (m *model) whyNotTree() string {
	if m.opt.Worktrees == nil {
		return "worktrees cannot be changed from here"
	}
	if _, _, ok := m.repoHere(); !ok {
		return "what is selected belongs to no repository"
	}
	return ""
}

// startTree asks for a new worktree.
func (m *model) startTree() []cmd {
	repo, from, _ := m.repoHere()
	branch := ""
	if n := m.tree.selected(); m.pane() == paneTree && n.kind == nodeBranch {
		branch = n.branch
	}
	m.openDialog(m.newTreeDialog(repo, from, branch))
	return nil
}

// revealTree selects the worktree that is waited for once it is there.
func (m *model) revealTree() {
	for common, repo := range m.data.repos {
		for _, wt := range repo.Worktrees {
			if m.awaitedTree == "" || wt.Path != m.awaitedTree {
				continue
			}
			m.awaitedTree = ""
			delete(m.tree.closed, node{kind: nodeRepo, project: common}.key())
			m.focus, m.preview.full = paneTree, false
			m.setScope(scope{project: common, set: true, worktree: wt.Path})
			m.tree.build(&m.data, m.hidden)
			m.tree.show(m.scope)
		}
	}
}

// branchDialog offers what can be done with a branch that has no worktree.
type branchDialog struct {
	ways
	node node
	repo worktree.Repository
}

// openBranch asks what is to be done with the selected branch.
func (m *model) openBranch(n node) []cmd {
	repo, ok := m.data.repos[n.project]
	sessions := func(m *model) []cmd {
		m.focus = paneList
		return nil
	}
	if m.opt.Worktrees == nil || !ok {
		return sessions(m)
	}
	d := &branchDialog{node: n, repo: repo}
	d.add("make a worktree for it …", func(m *model) []cmd {
		_, from, _ := m.repoHere()
		m.openDialog(m.newTreeDialog(repo, from, n.branch))
		return nil
	})
	if repo.Main != "" {
		d.add("check it out in the main checkout, "+m.tilde(repo.Main), func(m *model) []cmd {
			trees := m.opt.Worktrees
			m.say("checking out " + n.branch)
			return background(func(ctx context.Context) msg {
				return checkedOut{branch: n.branch, err: trees.Checkout(ctx, repo.CommonDir, n.branch)}
			})
		})
	}
	if n.sessions > 0 {
		d.add("show its "+text.Plural(n.sessions, "session"), sessions)
	}
	m.openDialog(d)
	return nil
}

func (*branchDialog) title() string { return "A branch without a worktree" }

func (*branchDialog) foot() text.Line {
	return keysFoot("↑↓", "choose", "Enter", "go on", "Esc", "cancel")
}

func (d *branchDialog) body(m *model, w int) content {
	out := []text.Line{{text.Foreign(d.node.branch, text.Title)}, nil}
	if d.repo.Main == "" {
		out = append(out, hanging("·", "the repository has no main checkout to check it out in", w, text.Dim)...)
	} else {
		out = append(out, hanging("·", "it can be checked out in the main checkout only where that is clean", w, text.Dim)...)
		for _, r := range m.data.order {
			if r.Live != nil && r.home == (home{d.node.project, d.repo.Main}) {
				out = append(out, hanging("!", "a session is live in the main checkout, and would find other files there: "+r.Title, w, text.Warn)...)
			}
		}
	}
	return d.below(append(out, nil))
}

// checkedOut says how it went.
func (m *model) checkedOut(in checkedOut) []cmd {
	if in.err != nil {
		m.warn(fmt.Sprintf("not checked out: %v", in.err))
		return nil
	}
	m.say(in.branch + " is checked out in the main checkout")
	return m.lookAgain()
}
