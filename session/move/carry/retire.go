package carry

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Retire removes the file at path, which must still be the one that f has open,
// at least size bytes long. It returns what was added to it behind those until it
// was gone: another program may have written to it to the last. After an error,
// gone says whether it was removed all the same.
func Retire(f *os.File, path string, size int64) (added []byte, gone bool, err error) {
	open, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	there, err := os.Lstat(path)
	if err != nil {
		return nil, false, err
	}
	if !os.SameFile(open, there) || open.Size() < size {
		return nil, false, fmt.Errorf("remove %s: %w", path, ErrChanged)
	}
	if err := os.Remove(path); err != nil {
		return nil, false, err
	}
	if open, err = f.Stat(); err != nil || open.Size() <= size {
		return nil, true, err
	}
	added = make([]byte, open.Size()-size)
	n, err := f.ReadAt(added, size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return added[:n], true, err
}

// Extend adds what Retire returned to the copy at path, and syncs it.
func Extend(path string, added []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(added)
	return errors.Join(err, f.Sync(), f.Close())
}
