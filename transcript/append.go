package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Errors of Append.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrBadRecord  = errors.New("record is not one line of JSON")
	ErrLocked     = errors.New("another process holds the append lock; try again when it has ended")
)

const (
	defaultRetention = 30 * 24 * time.Hour
	retentionMargin  = 3 * 24 * time.Hour
)

// AppendOptions say how an Append treats the file.
type AppendOptions struct {
	Live     bool // another process may be writing: begin with a line feed in any case
	KeepTime bool // put the file's mtime back (metadata only, see DESIGN "On disk")
	// Retention is the age by mtime at which the agent deletes transcripts; 0
	// means 30 days. KeepTime does not hold for a file that is within three days
	// of it: that one counts as written now.
	Retention time.Duration
}

// Append adds records, one compact JSON object each and without line feeds, to
// the end of an existing transcript: one write with O_APPEND under the append
// lock, ending in a line feed, beginning with one where the file lacks it, then
// fsync. It returns once they are durable.
//
// The lock is an flock on the transcript's own descriptor, which only this
// program takes (a lock library would open the path, or create it, once more).
// Whoever holds it for longer than two seconds is not waited for: ErrLocked.
// Append never creates a file and writes to regular ones only (ErrNotRegular);
// errors match fs.ErrNotExist, fs.ErrPermission, syscall.ENOSPC and the like.
// After a failed write a part of a line may stand at the end of the file: the
// next Append begins with a line feed, and readers skip it as torn.
func Append(path string, records [][]byte, opt AppendOptions) (err error) {
	if len(records) == 0 {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("append to %s: %w", path, err)
		}
	}()
	for _, record := range records {
		if len(record) == 0 || bytes.ContainsAny(record, "\n\r\x00") || record[0] != '{' || record[len(record)-1] != '}' {
			return ErrBadRecord
		}
	}
	f, err := openAppend(path)
	if err != nil {
		return err
	}
	if err = lock(f); err == nil {
		err = write(f, records, opt)
	}
	return errors.Join(err, f.Close()) // which ends the lock
}

// lockWait bounds the wait for the append lock, which is held for one write.
const lockWait = 2 * time.Second

// lock takes the append lock. It is asked for again and again rather than waited
// for: a wait in the system could not be given up.
func lock(f *os.File) error {
	retry := time.NewTicker(5 * time.Millisecond)
	defer retry.Stop()
	for end := time.Now().Add(lockWait); ; <-retry.C {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK) && time.Now().After(end):
			return ErrLocked
		case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
		default:
			return err
		}
	}
}

// openAppend opens an existing regular file. O_NONBLOCK keeps a pipe of that
// name from blocking before it is refused.
func openAppend(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|syscall.O_NONBLOCK, 0)
	if err != nil {
		var perr *os.PathError
		if errors.As(err, &perr) {
			err = perr.Err
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// write adds the records in one write and waits until they are on the disk.
func write(f *os.File, records [][]byte, opt AppendOptions) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	ended, err := endsInLineFeed(f, info.Size())
	if err != nil {
		return err
	}
	var out []byte
	if opt.Live || !ended {
		out = append(out, '\n')
	}
	for _, record := range records {
		out = append(append(out, record...), '\n')
	}
	if _, err := f.Write(out); err != nil {
		return err
	}
	if opt.KeepTime {
		keepTime(f, info.ModTime(), opt.Retention)
	}
	return f.Sync()
}

// endsInLineFeed also holds for an empty file.
func endsInLineFeed(f *os.File, size int64) (bool, error) {
	if size == 0 {
		return true, nil
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] == '\n', nil
}

// keepTime puts the mtime back unless the file would soon be deleted for it.
// That it cannot is no reason to call the append failed.
func keepTime(f *os.File, at time.Time, retention time.Duration) {
	if retention == 0 {
		retention = defaultRetention
	}
	if time.Since(at) < retention-retentionMargin {
		ts := unix.NsecToTimespec(int64(at.Nanosecond())) // UnixNano ends with the year 2262
		ts.Sec += at.Unix()
		_ = unix.UtimesNanoAt(unix.AT_FDCWD, f.Name(), []unix.Timespec{ts, ts}, 0)
	}
}
