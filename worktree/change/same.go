package change

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// errNotDir is what the system says of a path below a file.
const errNotDir = syscall.ENOTDIR

// same is ErrChanged unless two paths hold the same: nothing or a directory, a
// symlink, or a regular file with its executable bits.
func same(a, b string) error {
	differ := fmt.Errorf("%s: %w", a, ErrChanged)
	infoA, errA := os.Lstat(a)
	infoB, errB := os.Lstat(b)
	switch {
	case absent(infoA, errA) && absent(infoB, errB):
		return nil
	case errA != nil || errB != nil || infoA.Mode() != infoB.Mode():
		return differ
	case infoA.Mode()&fs.ModeSymlink != 0:
		targetA, errA := os.Readlink(a)
		targetB, errB := os.Readlink(b)
		if errA != nil || errB != nil || targetA != targetB {
			return differ
		}
		return nil
	case infoA.Size() != infoB.Size():
		return differ
	}
	equal, err := equalFiles(a, b)
	if err == nil && !equal {
		return differ
	}
	return err
}

func absent(info fs.FileInfo, err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) || err == nil && info.IsDir()
}

func equalFiles(a, b string) (bool, error) {
	fileA, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer func() { _ = fileA.Close() }()
	fileB, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer func() { _ = fileB.Close() }()
	bufA, bufB := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		nA, errA := io.ReadFull(fileA, bufA)
		nB, errB := io.ReadFull(fileB, bufB)
		if !bytes.Equal(bufA[:nA], bufB[:nB]) {
			return false, nil
		}
		if errA != nil || errB != nil {
			return ended(errA) && ended(errB), nil
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
