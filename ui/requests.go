package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"coppice/ui/text"
	"coppice/worktree/forge"
)

// requestAge is how old the answer about a repository's pull requests may grow
// before it is asked for anew.
const requestAge = 5 * time.Minute

// requests are the pull requests of repositories, asked for while one of their
// rows is on the screen.
type requests struct {
	known   map[string]map[string]forge.Request // by common directory and branch
	failed  map[string]string                   // why it is not known, by common directory
	asked   map[string]time.Time
	loading bool
}

// requestsFound answers for one repository.
type requestsFound struct {
	common string
	found  map[string]forge.Request
	err    error
}

func (requestsFound) isMsg() {}

func newRequests() *requests {
	return &requests{known: map[string]map[string]forge.Request{}, failed: map[string]string{}, asked: map[string]time.Time{}}
}

// wantRequests returns the work of asking for the pull requests of a repository
// that is on the screen, nothing when all answers are young or one is under way.
func (m *model) wantRequests() []cmd {
	q := m.data.requests
	if m.opt.Requests == nil || q.loading || m.quitting {
		return nil
	}
	now := m.opt.Now()
	rows := max(m.layout().panes[paneTree].inside().h, 0)
	for i := m.tree.top; i < len(m.tree.nodes) && i < m.tree.top+rows; i++ {
		common := m.tree.nodes[i].project
		if _, ok := m.data.repos[common]; !ok {
			continue
		}
		if at, ok := q.asked[common]; ok && now.Sub(at) < requestAge {
			continue
		}
		q.asked[common], q.loading = now, true
		ask := m.opt.Requests
		return background(func(ctx context.Context) msg {
			found, err := ask(ctx, common)
			return requestsFound{common, found, err}
		})
	}
	return nil
}

// requestsFound keeps an answer. What was known stays when there is none.
func (m *model) requestsFound(in requestsFound) {
	q := m.data.requests
	q.loading = false
	delete(q.failed, in.common)
	switch {
	case in.err == nil:
		q.known[in.common] = in.found
		m.rebuild()
	case !errors.Is(in.err, forge.ErrNowhere):
		q.failed[in.common] = in.err.Error()
	}
}

// of returns the request of a branch.
func (q *requests) of(common, branch string) (forge.Request, bool) {
	r, ok := q.known[common][branch]
	return r, ok && branch != ""
}

// note tells of the request of a branch in a few characters, none without one.
func (q *requests) note(common, branch string) []string {
	r, ok := q.of(common, branch)
	if !ok {
		return nil
	}
	sign := ""
	switch {
	case r.State == forge.Merged:
		sign = " merged"
	case r.State == forge.Closed:
		sign = " closed"
	case r.Checks == forge.Passing:
		sign = "✓"
	case r.Checks == forge.Failing:
		sign = "✗"
	case r.Checks == forge.Running:
		sign = "…"
	}
	return []string{fmt.Sprintf("#%d%s", r.Number, sign)}
}

// requestLines says what is known of the pull request of a node of the tree.
func (m *model) requestLines(n node, w int) []text.Line {
	branch := n.branch
	for _, wt := range m.data.repos[n.project].Worktrees {
		if n.kind == nodeWorktree && wt.Path == n.path {
			branch = wt.Branch
		}
	}
	r, ok := m.data.requests.of(n.project, branch)
	if !ok {
		if why := m.data.requests.failed[n.project]; why != "" {
			return wrapped("pull requests are not known: "+why, w, text.Dim)
		}
		return nil
	}
	role, checks := text.Default, ""
	switch r.Checks {
	case forge.Passing:
		role, checks = text.Good, ", checks pass"
	case forge.Failing:
		role, checks = text.Bad, ", checks fail"
	case forge.Running:
		role, checks = text.Warn, ", checks run"
	case forge.Unknown:
	}
	out := wrapped(fmt.Sprintf("#%d %s%s: %s", r.Number, r.State, checks, r.Title), w, role)
	return append(out, wrapped(r.URL, w, text.Dim)...)
}
