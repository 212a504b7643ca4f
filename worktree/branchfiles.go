package worktree

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-billy/v5/osfs"
)

// branchFiles shows go-git the files of a repository that hold branches, and
// no other: HEAD, tags and remote branches take no time, and what is no regular
// file of a sane size is not there. A reference file that a crash left empty
// would else fail them all.
//
// It goes to the operating system by itself: the file system that it wraps
// looks up every step of every path, which takes as long as all the rest.
type branchFiles struct {
	billy.Filesystem
	root  string
	ended func() error // says when to give up, as context.Context.Err does
}

func newBranchFiles(ctx context.Context, common string) branchFiles {
	return branchFiles{osfs.New(common), common, ctx.Err}
}

const packedRefs = "packed-refs"

// maxRef is the largest reference file that is read, in bytes.
const maxRef = 4 << 10

// Stat describes a file.
func (b branchFiles) Stat(name string) (fs.FileInfo, error) {
	return os.Stat(filepath.Join(b.root, name))
}

// Open opens a reference file or the list of packed references.
func (b branchFiles) Open(name string) (billy.File, error) {
	if err := b.ended(); err != nil {
		return nil, err
	}
	if name != packedRefs && !strings.HasPrefix(name, branchPrefix) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := os.OpenFile(filepath.Join(b.root, name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	case name == packedRefs:
		defer func() { _ = f.Close() }()
		return packedBranches(f)
	case info.Size() > maxRef:
		err = &fs.PathError{Op: "open", Path: name, Err: errTooLarge}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return refFile{f}, nil
}

// ReadDir lists a directory of references.
func (b branchFiles) ReadDir(name string) ([]fs.FileInfo, error) {
	if err := b.ended(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(b.root, name))
	infos := make([]fs.FileInfo, 0, len(entries))
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && shown(name, info) {
			infos = append(infos, info)
		}
	}
	return infos, err
}

// shown reports whether an entry of a directory holds branches.
func shown(dir string, info fs.FileInfo) bool {
	if dir == "refs" {
		return info.Name() == "heads"
	}
	return info.IsDir() || info.Mode().IsRegular() && info.Size() > 0 && info.Size() <= maxRef &&
		!strings.HasSuffix(info.Name(), ".lock")
}

// refFile is an open file. Nobody locks what is only read.
type refFile struct{ *os.File }

// Lock does nothing.
func (refFile) Lock() error { return nil }

// Unlock does nothing.
func (refFile) Unlock() error { return nil }

// packedBranches copies the lines of a list of packed references that name
// branches; the others can be a hundred thousand tags.
func packedBranches(list io.Reader) (billy.File, error) {
	file, err := memfs.New().Create(packedRefs)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(list, 64<<10)
	whole := true // the last piece ended its line
	for {
		line, err := lines.ReadSlice('\n')
		if whole && isPackedBranch(bytes.TrimSuffix(line, []byte("\n"))) {
			if _, err := file.Write(line); err != nil {
				return nil, err
			}
		}
		whole = err == nil
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	_, err = file.Seek(0, io.SeekStart)
	return file, err
}

// isPackedBranch reports whether a line is a hash, a blank and a branch.
func isPackedBranch(line []byte) bool {
	const hash = 40
	return len(line) > hash && len(line) < maxRef && line[hash] == ' ' &&
		bytes.HasPrefix(line[hash+1:], []byte(branchPrefix)) && bytes.IndexByte(line[hash+1:], ' ') < 0 &&
		isHash(string(line[:hash]))
}
