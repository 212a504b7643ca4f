package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"coppice/transcript"
)

// Open opens the transcript in use for reading. It never waits for a writer, as a
// FIFO of that name would make it; what is not a regular file is an error.
func (s Session) Open() (*os.File, error) {
	f, err := openRegular(s.Path)
	if err != nil {
		return nil, fmt.Errorf("open the transcript: %w", err)
	}
	return f, nil
}

// openRegular opens a file for reading and never waits for one. What is a FIFO, a
// device or a directory is transcript.ErrNotRegular.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", path, transcript.ErrNotRegular)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("read %s: %d bytes are more than %d", path, info.Size(), limit)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}
