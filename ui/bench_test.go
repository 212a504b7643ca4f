package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	"coppice/session"
	"coppice/worktree"
)

// crowd is a store of n sessions in 40 repositories of 200 branches.
func crowd(n int) session.Update {
	u := session.Update{Progress: session.Progress{Files: n, Done: n, Listed: true, Complete: true}, Watch: session.WatchEvents}
	for r := range 40 {
		dir := fmt.Sprintf("/home/ann/src/repo-%02d", r)
		repo := worktree.Repository{CommonDir: dir + "/.git", Name: fmt.Sprintf("repo-%02d", r), Main: dir}
		for w := range 4 {
			wt := worktree.Worktree{Path: fmt.Sprintf("%s-wt%d", dir, w), Name: fmt.Sprintf("wt%d", w), Branch: fmt.Sprintf("topic-%d", w), State: worktree.Present}
			if w == 0 {
				wt.Path, wt.Main, wt.Branch = dir, true, "main"
			}
			repo.Worktrees = append(repo.Worktrees, wt)
		}
		for b := range 200 {
			repo.Branches = append(repo.Branches, worktree.Branch{Name: fmt.Sprintf("branch-%03d", b)})
		}
		u.Repositories = append(u.Repositories, repo)
	}
	words := [...]string{"parser", "tokenizer", "migration", "certificate", "deploy", "flaky", "retry", "schema"}
	for i := range n {
		repo := u.Repositories[i%40]
		wt := repo.Worktrees[i%4]
		s := made(i, fmt.Sprintf("%s and the %s, part %d", words[i%8], words[(i/8)%8], i), wt.Path, wt.Branch, time.Duration(i)*time.Minute)
		s.Project, s.Place.CommonDir = repo.Main, repo.CommonDir
		s.Summary.FirstPrompt = fmt.Sprintf("please look at the %s of number %d and say why the %s is slow when the %s comes first, then mend it", words[(i/3)%8], i, words[(i/5)%8], words[(i/7)%8])
		s.Summary.LastPrompt = "and now write it down for the others so that nobody has to find out again"
		if i%10 == 9 {
			s.Parent = id(i - 1)
		}
		u.Sessions = append(u.Sessions, s)
	}
	return u
}

// bigApp is an app over many sessions on a terminal that shows nothing, driven
// by the benchmark instead of tview's loop.
func bigApp(b *testing.B, n int) *app {
	b.Helper()
	opt := sampleOptions()
	opt.Start = "/home/ann"
	a := newApp(context.Background(), opt, newNullTty(200, 60).screen(b))
	if err := a.screen.Init(); err != nil {
		b.Fatal(err)
	}
	a.tick = time.NewTimer(time.Hour)
	b.Cleanup(func() {
		a.cancel()
		a.tick.Stop()
		a.screen.Fini()
	})
	a.apply(storeChanged{[]session.Update{crowd(n)}})
	frameOf(a)
	return a
}

// frameOf draws what tview would draw after an event.
func frameOf(a *app) {
	a.screen.Clear()
	a.view.Draw(a.screen)
	a.screen.Show()
}

// press handles a key and draws, as tview's loop does.
func press(a *app, name string, r rune) {
	a.apply(keyed{name: name, r: r})
	frameOf(a)
}

// BenchmarkKey measures a key press with 10,000 rows until the frame is on the
// terminal: at most 16 ms. The floor is a frame in which nothing changed.
func BenchmarkKey(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		a := bigApp(b, 10_000)
		for b.Loop() {
			frameOf(a)
		}
	})
	for _, key := range []string{"Down", "PgDn", "s", "A", "W", "H", "Space", "?"} {
		b.Run(key, func(b *testing.B) {
			a := bigApp(b, 10_000)
			for b.Loop() {
				a.apply(keyed{name: key})
				frameOf(a)
				if a.model.dialog != nil {
					a.model.closeDialog()
				}
			}
		})
	}
	b.Run("search", func(b *testing.B) {
		a := bigApp(b, 10_000)
		press(a, "/", '/')
		query := []rune("parser slow part 77")
		for i := 0; b.Loop(); i++ {
			if i%len(query) == 0 {
				a.apply(keyed{name: "Ctrl-U"})
			}
			r := query[i%len(query)]
			press(a, string(r), r)
		}
	})
}

// BenchmarkSearch measures the matching alone.
func BenchmarkSearch(b *testing.B) {
	d := newData()
	d.apply(crowd(10_000))
	d.sort()
	for _, query := range []string{"p", "parser", "psrtk", "zzzz", "https://example.org/ann/app/pull/77"} {
		b.Run(query, func(b *testing.B) {
			words := terms(query)
			for b.Loop() {
				find(d.order, words)
			}
		})
	}
}

// BenchmarkNews measures how long the loop is busy with one row's news, and with
// all rows at once.
func BenchmarkNews(b *testing.B) {
	all := crowd(10_000)
	b.Run("one", func(b *testing.B) {
		a := bigApp(b, 10_000)
		one := session.Update{Sessions: all.Sessions[77:78], Progress: all.Progress}
		for b.Loop() {
			a.apply(storeChanged{[]session.Update{one}})
			frameOf(a)
		}
	})
	b.Run("all", func(b *testing.B) {
		a := bigApp(b, 10)
		for b.Loop() {
			a.apply(storeChanged{[]session.Update{all}})
			frameOf(a)
		}
	})
}
