package change

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"coppice/worktree"
)

// state returns the records of a status in which each untracked file is one.
func (r repo) state(ctx context.Context, dir string, arguments ...string) ([]string, error) {
	options, err := r.git.Inert(ctx, dir)
	if err != nil {
		return nil, err
	}
	return list(ctx, r.git, worktree.Command{
		Dir: dir, Unhurried: true, Options: append(options, "--work-tree="+dir, "-c", "status.showUntrackedFiles=all"),
		Args: append([]string{
			"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty",
		}, arguments...),
	})
}

// files adds what git's own status tells.
func (r repo) files(ctx context.Context, w worktree.Worktree, l *Losses) error {
	records, err := r.state(ctx, w.Path, "--ignored=matching")
	if err != nil {
		return err
	}
	for _, record := range records {
		name := recordPath(record)
		switch {
		case name == "":
		case record[0] == '?' && r.oursIn(w.Path, name):
			l.links++
		case record[0] == '?':
			l.Untracked.add(name)
		case record[0] == '!' && !r.mainHas(w.Path, name):
			l.Ignored.add(name)
		case record[0] != '?' && record[0] != '!':
			l.Changed.add(name)
		}
	}
	return nil
}

// recordPath returns the path of one record of `git status --porcelain=v2 -z
// --no-renames`, "" for a header.
func recordPath(record string) string {
	fields := 0
	switch {
	case strings.HasPrefix(record, "1 "):
		fields = 8
	case strings.HasPrefix(record, "u "):
		fields = 10
	case strings.HasPrefix(record, "? "), strings.HasPrefix(record, "! "):
		fields = 1
	default:
		return ""
	}
	parts := strings.SplitN(record, " ", fields+1)
	return parts[len(parts)-1]
}

// oursIn reports whether a file is a symlink to the same place in the main
// checkout, as Fill makes them.
func (r repo) oursIn(dir, name string) bool {
	if r.info.Main == "" {
		return false
	}
	target, err := os.Readlink(filepath.Join(dir, name))
	return err == nil && target == filepath.Join(r.info.Main, name)
}

// maxSame is the largest file that is compared with that of the main checkout.
const maxSame = 16 << 20

// mainHas reports whether the main checkout has the same file with the same
// bytes, as .worktreeinclude makes them.
func (r repo) mainHas(dir, name string) bool {
	if r.info.Main == "" || strings.HasSuffix(name, "/") {
		return false
	}
	if r.oursIn(dir, name) {
		return true
	}
	a, okA := small(filepath.Join(dir, name))
	b, okB := small(filepath.Join(r.info.Main, name))
	return okA && okB && bytes.Equal(a, b)
}

// small reads a regular file of at most maxSame bytes.
func small(path string) ([]byte, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSame {
		return nil, false
	}
	data, err := os.ReadFile(path)
	return data, err == nil
}

// hidden adds the files whose changes git was told not to look for. Those that a
// sparse checkout leaves out are not there.
func (r repo) hidden(ctx context.Context, w worktree.Worktree, l *Losses) error {
	records, err := list(ctx, r.git, worktree.Command{Dir: w.Path, Unhurried: true, Args: []string{"ls-files", "-v", "-z"}})
	for _, record := range records {
		tag, name, _ := strings.Cut(record, " ")
		if tag != "S" && tag == strings.ToUpper(tag) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(w.Path, name)); err == nil {
			l.Hidden.add(name)
		}
	}
	return err
}

// staged adds what is staged in a worktree whose directory is gone.
func (r repo) staged(ctx context.Context, w worktree.Worktree, l *Losses) error {
	if w.Head == "" {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(r.admin(w), "index")); os.IsNotExist(err) {
		return nil
	}
	names, err := list(ctx, r.git, worktree.Command{
		Dir: r.home, Unhurried: true, Options: []string{"--git-dir=" + r.admin(w)},
		Args: []string{"diff-index", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none", "HEAD", "--"},
	})
	for _, name := range names {
		l.Changed.add(name)
	}
	return err
}
