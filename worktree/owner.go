package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// foreign reports whether a checkout or its git directory belongs to somebody
// else, which makes git refuse it unless safe.directory names it.
func foreign(dir string) bool {
	paths := []string{dir, filepath.Join(dir, ".git")}
	if target, ok := pointer(paths[1]); ok {
		paths = append(paths, target)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
			return true
		}
	}
	return false
}

// trust says what lets git work in a checkout of somebody else's.
func trust(dir string) string {
	quoted := "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	return "git refuses it because another user owns it: if you trust it, run git config --global --add safe.directory " + quoted
}
