package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLive is what a *LiveError matches.
var ErrLive = errors.New("the session is live in another host")

// LiveError is returned when another host has the session.
type LiveError struct {
	Session string
	Host    string // "" where it is not known
}

func (e *LiveError) Error() string {
	if e.Host == "" {
		return fmt.Sprintf("session %s is live in another host: join it, or fork it", e.Session)
	}
	return fmt.Sprintf("session %s is live in host %s: join it, or fork it", e.Session, e.Host)
}

// Is reports whether the target is ErrLive.
func (e *LiveError) Is(target error) bool { return target == ErrLive }

// lease says that a session is live in one host. It is a locked file, so that it
// ends with the host however that ends.
type lease struct {
	path string
	file *os.File
}

// leaseFile is the file of a session's lease. A config root has one, by whatever
// name it is reached.
func (d Dirs) leaseFile(root, session string) string {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256([]byte(filepath.Clean(root)))
	return filepath.Join(d.leases(), hex.EncodeToString(sum[:8]), session)
}

// leaseWait is how long a lease is asked for: Held has one for a moment.
const leaseWait = 250 * time.Millisecond

// takeLease takes the lease of a session for a host, or returns a *LiveError. A
// session without an id has none.
func (d Dirs) takeLease(root, session, host string) (lease, error) {
	if session == "" {
		return lease{}, nil
	}
	path := d.leaseFile(root, session)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return lease{}, fmt.Errorf("take the lease of session %s: %w", session, err)
	}
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(leaseWait); ; <-again.C {
		f, err := lock(path)
		if err == nil {
			_, _ = f.WriteAt([]byte(host+"\n"), 0) // on a full disk nobody can tell which host it is
			return lease{path, f}, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return lease{}, fmt.Errorf("take the lease of session %s: %w", session, err)
		}
		if time.Now().After(end) {
			holder, _ := readHolder(path)
			return lease{}, &LiveError{Session: session, Host: holder}
		}
	}
}

// lock opens and locks a file, or fails with EWOULDBLOCK when another has it or it
// was removed meanwhile.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		open, openErr := f.Stat()
		there, thereErr := os.Lstat(path)
		if openErr != nil || thereErr != nil || !os.SameFile(open, there) {
			err = unix.EWOULDBLOCK
		}
	}
	if errors.Is(err, unix.EINTR) {
		err = unix.EWOULDBLOCK
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// release ends the lease.
func (l lease) release() {
	if l.file != nil {
		_ = os.Remove(l.path) // while nobody else can have it
		_ = l.file.Close()
	}
}

// Held says which host has a session of a config root open. The id is "" when that
// is not known.
func Held(d Dirs, root, session string) (host string, held bool, err error) {
	if !validSession(session) {
		return "", false, nil
	}
	path := d.leaseFile(root, session)
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("look at the lease of session %s: %w", session, err)
	}
	defer func() { _ = f.Close() }()
	err = unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if err == nil {
		return "", false, nil
	}
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return "", false, fmt.Errorf("look at the lease of session %s: %w", session, err)
	}
	host, err = readHolder(path)
	return host, true, err
}

// Orphan returns the process of an agent that has a session open although its host
// is no more: the hang-up of its terminal did not end it, or not yet.
func Orphan(d Dirs, root, session string) (pid int, start string, ok bool) {
	ids, _ := named(d.hosts(), ".json")
	for _, id := range ids {
		r, err := d.readRecord(id)
		if err == nil && r.Root == root && r.Session == session && r.Exit == nil && r.Process.find() != alive && r.AgentAt.find() == alive {
			return r.AgentAt.PID, r.AgentAt.Start, true
		}
	}
	return 0, "", false
}

// readHolder returns the id of the host that wrote itself into a lease.
func readHolder(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, 64))
	id := strings.TrimSpace(string(data))
	if !validID(id) {
		return "", err
	}
	return id, err
}
