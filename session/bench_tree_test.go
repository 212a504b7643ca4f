package session_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
)

// BenchmarkTree measures how long it takes until the tree of projects is there:
// every repository with its worktrees and branches ("tree-ms"), and then the state of
// every checkout ("statuses-ms"). With COPPICE_BENCH=full these are 40 repositories
// of 10 worktrees and 200 branches.
func BenchmarkTree(b *testing.B) {
	spec := sessiontest.Spec{Sessions: 8, Bytes: 1e6, Repositories: 4, Branches: 20, Worktrees: 3, Seed: 1}
	if os.Getenv("COPPICE_BENCH") == "full" {
		spec = sessiontest.Spec{Sessions: 440, Bytes: 40e6, Repositories: 40, Branches: 200, Worktrees: 10, Seed: 1}
	}
	out, err := sessiontest.Generate(b.Context(), b.TempDir(), spec)
	if err != nil {
		b.Fatal(err)
	}
	opt := session.Options{Root: out.Root, Git: gitReader(), Roots: []string{out.Source}, CacheFile: filepath.Join(b.TempDir(), "cache")}
	for _, name := range []string{"first", "cached"} {
		b.Run(name, func(b *testing.B) {
			var tree, statuses time.Duration
			for b.Loop() {
				if name == "first" {
					_ = os.Remove(opt.CacheFile)
				}
				t, s := watchTree(b, opt, spec)
				tree, statuses = tree+t, statuses+s
			}
			b.ReportMetric(float64(tree.Milliseconds())/float64(b.N), "tree-ms")
			b.ReportMetric(float64(statuses.Milliseconds())/float64(b.N), "statuses-ms")
			b.ReportMetric(0, "ns/op")
		})
		fill(b, opt)
	}
}

// watchTree returns how long it takes until a store has told of every repository,
// worktree and branch, and of the state of every checkout.
func watchTree(b *testing.B, opt session.Options, spec sessiontest.Spec) (tree, statuses time.Duration) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	start := time.Now()
	repos, states := map[string]bool{}, map[string]bool{}
	err := session.NewStore(opt).Watch(ctx, func(u session.Update) {
		for _, r := range u.Repositories {
			if len(r.Worktrees) == spec.Worktrees+1 && len(r.Branches) > spec.Branches {
				repos[r.CommonDir] = true
			}
		}
		for _, s := range u.Statuses {
			states[s.Path] = true
		}
		if tree == 0 && len(repos) == spec.Repositories {
			tree = time.Since(start)
		}
		if statuses == 0 && len(states) == spec.Repositories*(spec.Worktrees+1) {
			statuses = time.Since(start)
			cancel()
		}
	})
	if err != nil || statuses == 0 {
		b.Fatalf("%d repositories, %d states: %v", len(repos), len(states), err)
	}
	return tree, statuses
}
