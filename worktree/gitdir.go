package worktree

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxFile bounds the small files of a repository (.git, HEAD, gitdir, locked…),
// in bytes. Git's own are one path long.
const maxFile = 64 << 10

// readFile reads a regular file of at most limit bytes. Anything else is an
// error before it is opened, and the open itself cannot block.
func readFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: %w", path, errNotRegular)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: %w", path, errTooLarge)
	}
	return data, nil
}

// readLine reads a file of git's that holds one value, without the white space
// at its end. A value may itself hold line feeds: paths do.
func readLine(path string) (string, error) {
	data, err := readFile(path, maxFile)
	return strings.TrimRight(string(data), " \t\r\n"), err
}

// exists reports whether something is at path, a dangling symlink included.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// from resolves a path that git wrote relative to dir.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// pointer reads the .git file of a checkout and returns the git directory that
// it names. ok is false when the file is none of git's.
func pointer(file string) (dir string, ok bool) {
	line, err := readLine(file)
	if err != nil {
		return "", false
	}
	target, ok := strings.CutPrefix(line, "gitdir:")
	target = strings.TrimLeft(target, " ")
	if !ok || target == "" {
		return "", false
	}
	return from(filepath.Dir(file), target), true
}

// common returns the common directory of a git directory, symlinks resolved:
// where its commondir file points, else the git directory itself. ok is false
// when dir is no git directory (no HEAD, objects or refs; git asks the same).
func common(dir string) (path string, ok bool) {
	if !exists(filepath.Join(dir, "HEAD")) {
		return "", false
	}
	path = dir
	if line, err := readLine(filepath.Join(dir, "commondir")); err == nil && line != "" {
		path = from(dir, line)
	}
	if !isDir(filepath.Join(path, "objects")) || !isDir(filepath.Join(path, "refs")) {
		return "", false
	}
	path, err := filepath.EvalSymlinks(path)
	return path, err == nil
}

// linked reports whether a git directory belongs to a linked worktree.
func linked(dir string) bool { return exists(filepath.Join(dir, "commondir")) }

// bare reports whether the repository's own configuration calls it bare. It
// looks for the plain form that git writes and reads nothing else: Locate has
// no time for more.
func bare(common string) (is bool) {
	for _, file := range []string{"config", "config.worktree"} {
		data, err := readFile(filepath.Join(common, file), maxConfig)
		if err != nil {
			continue
		}
		var core bool
		for line := range bytes.Lines(data) {
			line = bytes.TrimSpace(line)
			if bytes.HasPrefix(line, []byte("[")) {
				core = bytes.EqualFold(line, []byte("[core]"))
				continue
			}
			key, value, _ := bytes.Cut(line, []byte("="))
			if core && bytes.EqualFold(bytes.TrimSpace(key), []byte("bare")) {
				is = isTrue(string(bytes.TrimSpace(value)))
			}
		}
	}
	return is
}
