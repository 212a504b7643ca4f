package worktree_test

import (
	"fmt"
	"os"
	"testing"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// large is a repository with 200 branches and 10 linked worktrees.
func large(b *testing.B, packed bool) worktreetest.Repo {
	b.Helper()
	app := worktreetest.New(b, "")
	app.Configure("[remote \"origin\"]\n\turl = /nowhere\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n")
	app.Branches("feat/b", 189)
	for i := range 10 {
		app.Worktree(fmt.Sprintf("../wt/%d", i), fmt.Sprintf("wt%d", i))
	}
	if packed {
		app.Git("pack-refs", "--all")
	}
	return app
}

// BenchmarkOpen opens a repository of 200 branches and 10 linked worktrees. The
// floor is what the git program takes to print the same, in the same run.
func BenchmarkOpen(b *testing.B) {
	for _, packed := range []bool{false, true} {
		app := large(b, packed)
		g := worktree.Git{}
		name := map[bool]string{false: "loose", true: "packed"}[packed]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if repo := open(b, g, app.Dir); len(repo.Branches) != 200 || len(repo.Worktrees) != 11 || repo.Problem != "" {
					b.Fatalf("%d branches, %d worktrees, %s", len(repo.Branches), len(repo.Worktrees), repo.Problem)
				}
			}
		})
		b.Run(name+"-floor", func(b *testing.B) {
			for b.Loop() {
				app.Git("for-each-ref", "--format=%(refname)%00%(objectname)%00%(upstream)", "refs/heads")
				app.Git("worktree", "list", "--porcelain")
			}
		})
	}
}

// BenchmarkOpenManyTags opens a repository with 100,000 packed tags, which are
// not asked for. The floor is reading the file.
func BenchmarkOpenManyTags(b *testing.B) {
	app := worktreetest.New(b, "")
	app.Git("pack-refs", "--all")
	hash := app.Git("rev-parse", "HEAD")
	file := app.Path(".git/packed-refs")
	var tags []byte
	for i := range 100_000 {
		tags = fmt.Appendf(tags, "%s refs/tags/v%06d\n", hash, i)
	}
	worktreetest.AppendFile(b, file, string(tags))
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if repo := open(b, worktree.Git{}, app.Dir); len(repo.Branches) != 1 {
				b.Fatalf("%d branches, %s", len(repo.Branches), repo.Problem)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			if _, err := os.ReadFile(file); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLocate asks for the places that sessions name. The floor is one stat.
func BenchmarkLocate(b *testing.B) {
	app := large(b, true)
	app.Write("src/deep/er/f", "")
	worktreetest.MkdirAll(b, app.Path(".claude/worktrees/ghost"))
	for name, dir := range map[string]string{
		"main": app.Dir, "linked": sub(app.Dir, "../wt/3"), "below": app.Path("src/deep/er"),
		"missing": app.Path(".claude/worktrees/gone"), "ghost": app.Path(".claude/worktrees/ghost"),
		"outside": os.TempDir(),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				worktree.Locate(dir)
			}
		})
	}
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			_, _ = os.Stat(app.Dir)
		}
	})
}

// BenchmarkStatus reads the state of a clean checkout. The floor is one run of
// the program.
func BenchmarkStatus(b *testing.B) {
	app := worktreetest.New(b, "")
	g := real(b)
	b.Run("status", func(b *testing.B) {
		for b.Loop() {
			if status := g.Status(b.Context(), app.Dir); status.Problem != "" {
				b.Fatal(status.Problem)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		for b.Loop() {
			app.Git("status", "--porcelain=v2")
		}
	})
}
