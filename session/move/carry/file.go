package carry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Errors of this package.
var (
	// ErrNotRegular is returned for a link, pipe, device or directory where a file
	// is asked for.
	ErrNotRegular = errors.New("not a regular file")
	// ErrChanged is returned when a file was cut off, replaced or written to while
	// it was carried.
	ErrChanged = errors.New("the file changed while it was being copied; try again")
	// ErrConflict is returned when something else is at the final place. It
	// matches fs.ErrExist.
	ErrConflict = fmt.Errorf("something else is there: %w", fs.ErrExist)
)

// Open opens a regular file for reading. It follows no link in the last place of
// the path and never waits for a pipe.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_NOCTTY, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("open %s: %w", path, ErrNotRegular)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", path, ErrNotRegular)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// chunk is how much is copied or compared between two looks at the context.
const chunk = 16 << 20

// Copy makes the file dst, which must not be there, from the first size bytes of
// src, and syncs it. A source that turns out shorter is ErrChanged; the unfinished
// dst is removed after an error.
func Copy(ctx context.Context, dst string, src *os.File, size int64, mode fs.FileMode) (err error) {
	out, err := os.OpenFile(dst, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			_ = os.Remove(dst)
		}
	}()
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for left := size; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.Copy(out, io.LimitReader(src, min(left, chunk)))
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("copy %s: %w", src.Name(), ErrChanged)
		}
		left -= n
	}
	return out.Sync()
}

// Same reports whether the first size bytes of two files are equal.
func Same(ctx context.Context, a, b io.ReaderAt, size int64) (bool, error) {
	const part = 256 << 10
	one, other := make([]byte, part), make([]byte, part)
	for at := int64(0); at < size; at += part {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n := int(min(part, size-at))
		x, err := full(a, one[:n], at)
		if err != nil {
			return false, err
		}
		y, err := full(b, other[:n], at)
		if err != nil {
			return false, err
		}
		if !x || !y || !bytes.Equal(one[:n], other[:n]) {
			return false, nil
		}
	}
	return true, nil
}

// full fills buf from r and reports whether there was enough.
func full(r io.ReaderAt, buf []byte, at int64) (bool, error) {
	n, err := r.ReadAt(buf, at)
	if n == len(buf) || errors.Is(err, io.EOF) {
		err = nil
	}
	return n == len(buf), err
}

// SamePath reports whether two entries are the same: one file, files of equal
// content, or links to the same target. Neither link is followed.
func SamePath(ctx context.Context, a, b string) (bool, error) {
	x, err := os.Lstat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Lstat(b)
	if err != nil {
		return false, err
	}
	switch {
	case os.SameFile(x, y):
		return true, nil
	case x.Mode().Type() != y.Mode().Type():
		return false, nil
	case x.Mode()&fs.ModeSymlink != 0:
		from, err := os.Readlink(a)
		if err != nil {
			return false, err
		}
		to, err := os.Readlink(b)
		return from == to, err
	case !x.Mode().IsRegular() || x.Size() != y.Size():
		return false, nil
	}
	f, err := Open(a)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	g, err := Open(b)
	if err != nil {
		return false, err
	}
	defer func() { _ = g.Close() }()
	return Same(ctx, f, g, x.Size())
}
