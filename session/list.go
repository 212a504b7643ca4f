package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"coppice/transcript"
)

// transcriptExt ends the name of a transcript.
const transcriptExt = ".jsonl"

// stamp tells one version of one file from another.
type stamp struct {
	Size    int64
	ModTime int64 // ns since 1970
	Dev     uint64
	Ino     uint64
}

// inode identifies a file or folder whatever it is called.
type inode struct{ dev, ino uint64 }

func (s stamp) inode() inode { return inode{s.Dev, s.Ino} }

func stampOf(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Dev, s.Ino = uint64(sys.Dev), sys.Ino //nolint:unconvert // Dev has another type on macOS
	}
	return s
}

// found is a transcript that a listing came across.
type found struct {
	path  string
	stamp stamp
	side  bool // there is a directory <id> beside it
}

// listing is what lies under projects/.
type listing struct {
	files    []found
	problems map[string]string // unreadable directory -> why, in words
	err      error             // projects/ itself cannot be read
	before   func(dir string)  // called with each project folder before it is read
}

// transcriptID returns the session id of a file name, as spelled there. Only
// <uuid>.jsonl is a session: an agent's file, an index, a conflict copy or a
// history file is none (reports B1, B25, B26).
func transcriptID(name string) (string, bool) {
	id, ok := strings.CutSuffix(name, transcriptExt)
	if !ok || !transcript.IsID(id) {
		return "", false
	}
	return id, true
}

// listAll lists every project folder once, however many names it has, and
// calls before with each that it is about to read. A missing root or projects
// directory is an empty listing.
func listAll(projects string, before func(dir string)) listing {
	l := listing{problems: map[string]string{}, before: before}
	entries, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problems[projects] = problemOf(err)
		l.err = fmt.Errorf("list projects: %w", err)
	}
	var links []string
	seen := map[inode]bool{}
	for _, e := range entries {
		path := filepath.Join(projects, e.Name())
		switch {
		case e.IsDir():
			l.add(path, seen)
		case e.Type()&fs.ModeSymlink != 0:
			links = append(links, path)
		}
	}
	for _, path := range links { // after the real names, which win
		l.add(path, seen)
	}
	return l
}

// add lists the folder at path unless it was listed under another name.
func (l *listing) add(path string, seen map[inode]bool) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() || seen[stampOf(info).inode()] {
		return
	}
	seen[stampOf(info).inode()] = true
	l.before(path)
	files, err := listFolder(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problems[path] = problemOf(err)
	}
	l.files = append(l.files, files...)
}

// listFolder lists the transcripts in one project folder: regular files, or
// symlinks to some. What vanishes meanwhile is left out.
func listFolder(dir string) ([]found, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("list transcripts: %w", err)
	}
	defer func() { _ = d.Close() }()
	entries, err := d.ReadDir(-1)
	var files []found
	sides := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() {
			sides[e.Name()] = true
			continue
		}
		if f, ok := lookAt(filepath.Join(dir, e.Name())); ok {
			files = append(files, f)
		}
	}
	for i := range files {
		id, _ := transcriptID(filepath.Base(files[i].path))
		files[i].side = sides[id]
	}
	if err != nil {
		return files, fmt.Errorf("list transcripts: %w", err)
	}
	return files, nil
}

// lookAt stats path and reports whether a transcript is there.
func lookAt(path string) (found, bool) {
	if _, ok := transcriptID(filepath.Base(path)); !ok {
		return found{}, false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return found{}, false
	}
	return found{path: path, stamp: stampOf(info)}, true
}

// hasSide reports whether the transcript at path has a side directory.
func hasSide(path string) bool {
	info, err := os.Stat(strings.TrimSuffix(path, transcriptExt))
	return err == nil && info.IsDir()
}

// problemOf says in words for a row or the footer why something could not be
// read (report F8).
func problemOf(err error) string {
	var errno syscall.Errno
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "no permission"
	case errors.Is(err, fs.ErrNotExist):
		return "it is gone"
	case errors.As(err, &errno):
		return errno.Error()
	}
	return err.Error()
}
