package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/worktree/forge"
)

// Pull requests are asked for of repositories on the screen, once in a while, and
// shown beside the branch that they would merge.
func TestRequests(t *testing.T) {
	t.Parallel()
	now := noon()
	var asked []string
	answer := map[string]forge.Request{
		"feat-x": {Number: 77, Branch: "feat-x", Title: "Tabs \x1b[2J\u202e[red]", URL: "https://x/77", State: forge.Open, Checks: forge.Failing},
		"spare":  {Number: 5, Branch: "spare", State: forge.Merged},
	}
	var fails error
	opt := sampleOptions()
	opt.Now = func() time.Time { return now }
	opt.Requests = func(_ context.Context, common string) (map[string]forge.Request, error) {
		asked = append(asked, common)
		return answer, fails
	}
	b := treeBench(t, opt, 200, 40, "feat-x")
	slices.Sort(asked)
	if want := []string{"/home/ann/src/app/.git", "/home/ann/src/infra/.git"}; !slices.Equal(asked, want) {
		t.Fatalf("asked %q, want %q", asked, want)
	}
	b.shows("#77✗", "#77 open, checks fail: Tabs ", "https://x/77")
	if strings.ContainsAny(b.text(), "\x1b\u202e") {
		t.Error("foreign bytes on the screen")
	}
	now = now.Add(4 * time.Minute)
	b.send(ticked{})
	if len(asked) != 2 {
		t.Errorf("asked again after 4 minutes: %q", asked)
	}
	now = now.Add(2 * time.Minute)
	fails = errors.New("gh: exit status 4: log in first")
	b.send(ticked{})
	b.send(ticked{})
	if len(asked) != 4 {
		t.Errorf("asked %q", asked)
	}
	b.shows("#77✗")
	b.node("main")
	b.shows("pull requests are not known: gh: exit status 4")
	b.node("spare")
	b.shows("#5 merged")
}

// What is not on the screen is not asked about, nor is anything where the answer is
// that there is nobody to ask.
func TestRequestsOnScreenOnly(t *testing.T) {
	t.Parallel()
	asked := 0
	opt := sampleOptions()
	opt.Requests = func(context.Context, string) (map[string]forge.Request, error) {
		asked++
		return nil, forge.ErrNowhere
	}
	b := newBench(t, opt, 60, 12, sample()) // one pane: the list
	if asked != 0 {
		t.Errorf("asked %d times while no tree is shown", asked)
	}
	b.press("Shift-Tab")
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	b.node("main")
	if strings.Contains(b.text(), "not known") {
		t.Errorf("tells that nobody is there:\n%s", b.text())
	}
}
