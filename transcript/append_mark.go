package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// markGuard is how many bytes before a known end are compared.
const markGuard = 256

// Mark is what a writer knows of a transcript: which file it is, and what stood
// at its end when the writer last saw it. The zero Mark holds for no file.
type Mark struct {
	info  os.FileInfo
	start int64 // where the bytes written last begin
	size  int64
	guard []byte // the bytes before size
}

// Size returns the size of the file at the mark, in bytes.
func (m Mark) Size() int64 { return m.size }

// MarkAt returns the mark of the first size bytes of the transcript at path. A
// shorter file is ErrReplaced.
func MarkAt(path string, size int64) (Mark, error) {
	f, err := openAppend(path)
	if err != nil {
		return Mark{}, fmt.Errorf("mark %s: %w", path, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && info.Size() < size {
		err = ErrReplaced
	}
	m := Mark{info: info, start: size, size: size}
	if err == nil {
		err = m.guardFrom(f)
	}
	if err != nil {
		return Mark{}, fmt.Errorf("mark %s: %w", path, err)
	}
	return m, nil
}

// guardFrom reads the bytes before the mark.
func (m *Mark) guardFrom(f *os.File) error {
	m.guard = make([]byte, min(m.size, markGuard))
	_, err := f.ReadAt(m.guard, m.size-int64(len(m.guard)))
	return err
}

// holds returns ErrReplaced unless f is the file of the mark and has the bytes
// before it.
func (m Mark) holds(f *os.File, info os.FileInfo) error {
	if m.info == nil || !os.SameFile(m.info, info) || info.Size() < m.size {
		return ErrReplaced
	}
	now := Mark{size: m.size}
	if err := now.guardFrom(f); err != nil {
		return err
	}
	if !bytes.Equal(now.guard, m.guard) {
		return ErrReplaced
	}
	return nil
}

// CreateNew makes a transcript of these records, with mode 0600 and with the
// folders above it (0755) where they are missing, and returns its mark. A file
// that is there is an error that matches fs.ErrExist and stays as it is. The
// file appears under its name whole and durable, or not at all: it is written
// beside and linked. Where links are not to be had it is made in place, and
// taken away again when it cannot be written.
func CreateNew(path string, records [][]byte) (mark Mark, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("create %s: %w", path, err)
		}
	}()
	if err := checkRecords(records); err != nil {
		return Mark{}, err
	}
	if _, err := os.Lstat(path); err == nil {
		return Mark{}, fs.ErrExist
	}
	made, err := makeFolder(filepath.Dir(path))
	if err != nil {
		return Mark{}, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return Mark{}, err
	}
	temp := f.Name()
	mark, err = fill(f, records)
	if err == nil {
		if err = os.Link(temp, path); err != nil && !os.IsExist(err) {
			mark, err = createInPlace(path, records)
		}
	}
	_ = os.Remove(temp) // a leftover is of no name that anybody reads
	if err != nil {
		return Mark{}, err
	}
	for _, dir := range made {
		if err := syncFolder(dir); err != nil {
			return mark, err
		}
	}
	return mark, nil
}

// fill writes a new file and closes it.
func fill(f *os.File, records [][]byte) (Mark, error) {
	info, err := f.Stat()
	var mark Mark
	if err == nil {
		mark, err = write(f, info, records, AppendOptions{})
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return mark, err
}

func createInPlace(path string, records [][]byte) (Mark, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Mark{}, err
	}
	mark, err := fill(f, records)
	if err != nil {
		_ = os.Remove(path)
	}
	return mark, err
}

// makeFolder makes a folder and returns what has to be synced for it and for a
// new file in it: the folder, each one that was made, and the one above those.
func makeFolder(dir string) ([]string, error) {
	list := []string{dir}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		list = append(list, filepath.Dir(at))
	}
	return list, os.MkdirAll(dir, 0o755)
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// Compare returns ErrReplaced unless the file of the mark has these bytes at
// offset.
func (m Mark) Compare(path string, offset int64, want []byte) error {
	f, err := openAppend(path)
	if err != nil {
		return fmt.Errorf("compare %s: %w", path, err)
	}
	defer func() { _ = f.Close() }()
	got := make([]byte, len(want))
	info, err := f.Stat()
	if err == nil {
		_, err = f.ReadAt(got, offset)
	}
	switch {
	case errors.Is(err, io.EOF), err == nil && (!os.SameFile(m.info, info) || !bytes.Equal(got, want)):
		return ErrReplaced
	case err != nil:
		return fmt.Errorf("compare %s: %w", path, err)
	}
	return nil
}
