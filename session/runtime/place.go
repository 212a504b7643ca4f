package runtime

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"coppice/transcript"
)

// place is a directory below which files are read, and never beside it: neither
// by "..", nor by an absolute name, nor through a symbolic link. The zero place
// is empty.
type place struct {
	dir  string
	root *os.Root
}

// openPlace opens dir, which must be absolute. One that cannot be opened is
// empty.
func openPlace(dir string) place {
	if !filepath.IsAbs(dir) {
		return place{}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return place{}
	}
	return place{dir: dir, root: root}
}

func (p place) close() {
	if p.root != nil {
		_ = p.root.Close()
	}
}

// path returns the path of a name below the place.
func (p place) path(name string) string { return filepath.Join(p.dir, name) }

// below returns the name below the place of an absolute path.
func (p place) below(path string) (string, bool) {
	if p.root == nil || !filepath.IsAbs(path) {
		return "", false
	}
	name, err := filepath.Rel(p.dir, path)
	if err != nil || !filepath.IsLocal(name) {
		return "", false
	}
	return name, true
}

// open opens a file or a directory. It never waits, as a FIFO would make it.
func (p place) open(name string) (*os.File, fs.FileInfo, error) {
	if p.root == nil || !filepath.IsLocal(name) || strings.ContainsRune(name, 0) {
		return nil, nil, fs.ErrNotExist
	}
	f, err := p.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// stat returns what is known of a file without opening it.
func (p place) stat(name string) (fs.FileInfo, error) {
	if p.root == nil || !filepath.IsLocal(name) || strings.ContainsRune(name, 0) {
		return nil, fs.ErrNotExist
	}
	return p.root.Stat(name)
}

// regular says whether there is a regular file of that name.
func (p place) regular(name string) bool {
	info, err := p.stat(name)
	return err == nil && info.Mode().IsRegular()
}

// read reads a regular file of at most limit bytes.
func (p place) read(name string, limit int64) ([]byte, error) {
	f, info, err := p.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: %w", p.path(name), transcript.ErrNotRegular)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("read %s: it holds more than %d bytes", p.path(name), limit)
	}
	return data, err
}

// list returns the names in a directory, sorted, at most limit.
func (p place) list(name string, limit int) []string {
	f, info, err := p.open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if !info.IsDir() {
		return nil
	}
	names, err := f.Readdirnames(limit)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	slices.Sort(names)
	return names
}

// plainName says whether a recorded name is one of a file in a directory, not a
// path.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}
