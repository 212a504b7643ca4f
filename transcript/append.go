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

// Errors of Append and its kin.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrBadRecord  = errors.New("record is not one line of JSON")
	ErrLocked     = errors.New("another process holds the append lock; try again when it has ended")
	// ErrReplaced says that the file is not the one that a Mark was taken of, that
	// it lost bytes that were there, or that it was moved while it was written.
	ErrReplaced = errors.New("the transcript was replaced, moved or cut off by another program: load the session again")
)

// DefaultRetention is the age by mtime at which the client deletes transcripts
// where its settings do not say (report F5).
const DefaultRetention = 30 * 24 * time.Hour

// Expiring reports whether the client is about to delete a transcript that was
// last written then: within three days. A retention of 0 is DefaultRetention.
func Expiring(written, now time.Time, retention time.Duration) bool {
	const margin = 3 * 24 * time.Hour
	if retention == 0 {
		retention = DefaultRetention
	}
	return now.Sub(written) >= retention-margin
}

// AppendOptions say how an Append treats the file.
type AppendOptions struct {
	Live     bool // another process may be writing: begin with a line feed in any case
	KeepTime bool // put the file's mtime back (metadata only, see DESIGN "On disk")
	// Retention is the age by mtime at which the agent deletes transcripts; 0
	// means 30 days. KeepTime does not hold for a file that is within three days
	// of it: that one counts as written now.
	Retention time.Duration
	// Then, if any, is called under the append lock once the records are durable:
	// for what lies beside the transcript and has to agree with it.
	Then func()
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
// After a failed write a part of the records may stand at the end of the file,
// whole lines or a torn one: the next Append begins with a line feed, and
// readers skip what is torn. A file that is moved away between opening and
// locking is looked up again; one that is moved while it is written is
// ErrReplaced.
func Append(path string, records [][]byte, opt AppendOptions) error {
	_, _, err := appendTo(path, nil, records, opt)
	return err
}

// AppendAfter is Append for a writer that knows the file: it writes only when
// mark still holds (ErrReplaced), returns the mark of the new end, and says how
// many bytes others put between the two. Its cost does not depend on the size of
// the file. After an error the mark returned is that of what was written anyhow.
func AppendAfter(path string, mark Mark, records [][]byte, opt AppendOptions) (Mark, int64, error) {
	return appendTo(path, &mark, records, opt)
}

func appendTo(path string, after *Mark, records [][]byte, opt AppendOptions) (mark Mark, others int64, err error) {
	if after != nil {
		mark = *after
	}
	if len(records) == 0 {
		return mark, 0, nil
	}
	if err := checkRecords(records); err != nil {
		return mark, 0, appendError(path, err)
	}
	f, info, err := openLocked(path)
	if err != nil {
		return mark, 0, appendError(path, err)
	}
	if after != nil {
		err = after.holds(f, info)
	}
	if err == nil {
		known := mark
		if mark, err = write(f, info, records, opt); mark.info == nil {
			mark = known
		} else if after != nil {
			others = max(mark.start-known.size, 0)
		}
	}
	if err == nil && !names(path, f) {
		err = ErrReplaced
	}
	if err == nil && opt.Then != nil {
		opt.Then()
	}
	return mark, others, appendError(path, errors.Join(err, f.Close())) // which ends the lock
}

func appendError(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("append to %s: %w", path, err)
}

func checkRecords(records [][]byte) error {
	for _, record := range records {
		if len(record) == 0 || bytes.ContainsAny(record, "\n\r\x00") || record[0] != '{' || record[len(record)-1] != '}' {
			return ErrBadRecord
		}
	}
	return nil
}

// lockWait bounds the wait for the append lock, which is held for one write.
const lockWait = 2 * time.Second

// openLocked opens the file that path names and locks it. A file that lost its
// name while the lock was waited for is opened anew.
func openLocked(path string) (*os.File, os.FileInfo, error) {
	for try := 0; ; try++ {
		f, err := openAppend(path)
		if err != nil {
			return nil, nil, err
		}
		err = lock(f)
		if err == nil && !names(path, f) {
			if err = f.Close(); err == nil && try < 5 {
				continue
			}
			return nil, nil, errors.Join(ErrReplaced, err)
		}
		var info os.FileInfo
		if err == nil {
			info, err = f.Stat()
		}
		if err != nil {
			return nil, nil, errors.Join(err, f.Close())
		}
		return f, info, nil
	}
}

// names says whether path still is the name of f.
func names(path string, f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(mine, named)
}

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

// write adds the records and waits until they are on the disk.
func write(f *os.File, info os.FileInfo, records [][]byte, opt AppendOptions) (Mark, error) {
	ended, err := endsInLineFeed(f, info.Size())
	if err != nil {
		return Mark{}, err
	}
	out := lines(records, opt.Live || !ended)
	mark, err := writeOnce(f, info, out)
	if err == nil && mark.start > info.Size() && out[0] != '\n' {
		// Another program appended between the look at the end and the write. If its
		// line is not ended, the first record is a part of it: all is written again.
		if ended, err = endsInLineFeed(f, mark.start); err == nil && !ended {
			mark, err = writeOnce(f, info, lines(records, true))
		}
	}
	if err != nil {
		return mark, err
	}
	if opt.KeepTime {
		keepTime(f, info.ModTime(), opt.Retention)
	}
	return mark, f.Sync()
}

func lines(records [][]byte, begin bool) []byte {
	size := 1
	for _, record := range records {
		size += len(record) + 1
	}
	out := make([]byte, 0, size)
	if begin {
		out = append(out, '\n')
	}
	for _, record := range records {
		out = append(append(out, record...), '\n')
	}
	return out
}

// maxWrite is what every system takes in one write.
const maxWrite = 1 << 30

// writeOnce is one write, and not the loop of os.File: what another program
// appends between two parts would be in the middle of a record. When the system
// takes a part only, the torn line is ended; that fails with the reason.
func writeOnce(f *os.File, info os.FileInfo, out []byte) (Mark, error) {
	done := 0
	var err error
	for done < len(out) && err == nil {
		part := out[done:min(done+maxWrite, len(out))]
		n, werr := unix.Write(int(f.Fd()), part)
		if errors.Is(werr, unix.EINTR) {
			continue
		}
		done += max(n, 0)
		if err = werr; err == nil && n < len(part) {
			if _, err = f.Write([]byte("\n")); err == nil {
				err = io.ErrShortWrite
			}
			var perr *os.PathError
			if errors.As(err, &perr) {
				err = perr.Err
			}
		}
	}
	end, serr := f.Seek(0, io.SeekCurrent)
	mark := Mark{info: info, size: end, start: end - int64(done)}
	if serr == nil {
		serr = mark.guardFrom(f)
	}
	return mark, errors.Join(err, serr)
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
	if !Expiring(at, time.Now(), retention) {
		ts := unix.NsecToTimespec(int64(at.Nanosecond())) // UnixNano ends with the year 2262
		ts.Sec += at.Unix()
		_ = unix.UtimesNanoAt(unix.AT_FDCWD, f.Name(), []unix.Timespec{ts, ts}, 0)
	}
}
