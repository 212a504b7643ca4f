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
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-billy/v5/osfs"
)

// branchFiles shows go-git the files of a repository that hold branches, and
// no other: HEAD, tags and remote branches take no time, and what is no regular
// file of a sane size is not there. A reference file that a crash left empty
// would else fail them all.
//
// It goes to the operating system by itself, once for each file: the file system
// that it wraps looks up every step of every path, and go-git asks what a file is
// before it opens one.
type branchFiles struct {
	billy.Filesystem
	root  string
	ended func() error // says when to give up, as context.Context.Err does
	buf   []byte       // for one reference file and a byte more
}

func newBranchFiles(ctx context.Context, common string) branchFiles {
	return branchFiles{osfs.New(common), common, ctx.Err, make([]byte, maxRef+1)}
}

const packedRefs = "packed-refs"

// maxRef is the largest reference file that is read, in bytes.
const maxRef = 4 << 10

// Stat says that there is a file; Open knows better.
func (b branchFiles) Stat(name string) (fs.FileInfo, error) {
	return entry{name: filepath.Base(name)}, nil
}

// Open opens a reference file or the list of packed references. What was listed
// and holds no reference after all has gone, as far as go-git is concerned.
func (b branchFiles) Open(name string) (billy.File, error) {
	if err := b.ended(); err != nil {
		return nil, err
	}
	gone := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if name != packedRefs && !strings.HasPrefix(name, branchPrefix) {
		return nil, gone
	}
	f, err := os.OpenFile(filepath.Join(b.root, name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if name == packedRefs {
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
		}
		if err != nil {
			return nil, err
		}
		return packedBranches(f)
	}
	switch n, err := io.ReadFull(f, b.buf); {
	case err == nil, n == 0 && errors.Is(err, io.EOF):
		return nil, gone // too large, or empty
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	default:
		return refFile{text: bytes.NewReader(bytes.Clone(b.buf[:n]))}, nil
	}
}

// ReadDir lists a directory of references.
func (b branchFiles) ReadDir(name string) ([]fs.FileInfo, error) {
	if err := b.ended(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(b.root, name))
	infos := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		if shown(name, e) {
			infos = append(infos, entry{e.Name(), e.Type()})
		}
	}
	return infos, err
}

// shown reports whether an entry of a directory may hold branches.
func shown(dir string, e fs.DirEntry) bool {
	if dir == "refs" {
		return e.Name() == "heads"
	}
	return e.IsDir() || e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".lock")
}

// entry is what a directory says of a file.
type entry struct {
	name string
	kind fs.FileMode
}

func (e entry) Name() string       { return e.name }
func (e entry) Mode() fs.FileMode  { return e.kind }
func (e entry) IsDir() bool        { return e.kind.IsDir() }
func (e entry) Size() int64        { return 0 }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) Sys() any           { return nil }

// refFile is a reference file that was read.
type refFile struct {
	billy.File
	text io.Reader
}

func (f refFile) Read(p []byte) (int, error) { return f.text.Read(p) }

// Close does nothing.
func (refFile) Close() error { return nil }

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
