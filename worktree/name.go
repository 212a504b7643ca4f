package worktree

import (
	"path/filepath"
	"strings"
)

// nameTails names each worktree by the shortest tail of its path that no other
// has: the directory names under <common>/worktrees are numbered when two
// checkouts have the same base name, and mean nothing to a person (report E20).
func nameTails(worktrees []Worktree) {
	for i := range worktrees {
		worktrees[i].Name = filepath.Base(worktrees[i].Path)
	}
	for parts := 2; ; parts++ {
		users := map[string]int{}
		for _, w := range worktrees {
			users[w.Name]++
		}
		longer := false
		for i := range worktrees {
			w := &worktrees[i]
			if users[w.Name] < 2 {
				continue
			}
			if t := tail(w.Path, parts); t != w.Name {
				w.Name, longer = t, true
			}
		}
		if !longer {
			return
		}
	}
}

// tail returns the last parts elements of a path.
func tail(path string, parts int) string {
	at := len(path)
	for range parts {
		at = strings.LastIndexByte(path[:at], '/')
		if at <= 0 {
			return path
		}
	}
	return path[at+1:]
}
