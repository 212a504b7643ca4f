package session

import (
	"path/filepath"
	"testing"

	"coppice/transcript"
	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// D, "keep": the client goes back to the main checkout as it ends, and the plan to
// the worktree that was kept; not to one that was removed, that the conversation
// went on outside of, or that the session was moved away from.
func TestHomeOfKept(t *testing.T) {
	t.Parallel()
	repo := worktreetest.New(t, filepath.Join(worktreetest.Dir(t), "app"))
	path := repo.Worktree(repo.Path(".claude", "worktrees", "x"), "worktree-x").Dir
	left := &transcript.Worktree{Path: path, Branch: "worktree-x", OriginalDir: repo.Dir}
	for name, tt := range map[string]struct {
		sum  transcript.Summary
		want string
	}{
		"kept":          {transcript.Summary{Dirs: []string{path}, Dir: path, Relocated: repo.Dir, Left: left}, path},
		"went on":       {transcript.Summary{Dirs: []string{path, repo.Dir}, Dir: repo.Dir, Relocated: repo.Dir, Left: left}, repo.Dir},
		"moved":         {transcript.Summary{Dirs: []string{path}, Dir: path, Relocated: repo.Dir}, repo.Dir},
		"removed by it": {transcript.Summary{Dirs: []string{path + "2"}, Dir: path + "2", Relocated: repo.Dir, Left: &transcript.Worktree{Path: path + "2"}}, repo.Dir},
	} {
		if got, _ := homeOf(&tt.sum, Encode(repo.Dir), worktree.Locate); got != tt.want {
			t.Errorf("%s: it belongs to %s, want %s", name, got, tt.want)
		}
	}
}
