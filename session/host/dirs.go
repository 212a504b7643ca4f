package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Dirs are the directories that hosts use.
type Dirs struct {
	Runtime string // for sockets; on this machine, and short
	State   string // for records and leases
}

// ErrRuntime is returned when the runtime directory cannot be used. The error says
// why, and what to do.
var ErrRuntime = errors.New("the runtime directory cannot be used")

// socketMax is the longest name that every system takes for a socket (sun_path of
// macOS, less the final zero).
const socketMax = 103

func (d Dirs) socket(id string) string { return filepath.Join(d.Runtime, id+".sock") }

func (d Dirs) hosts() string { return filepath.Join(d.State, "hosts") }

func (d Dirs) record(id string) string { return filepath.Join(d.hosts(), id+".json") }

func (d Dirs) log(id string) string { return filepath.Join(d.hosts(), id+".log") }

func (d Dirs) leases() string { return filepath.Join(d.State, "leases") }

// makeRuntime makes the runtime directory, or checks the one that is there: it is
// ours alone and no link. The error matches ErrRuntime.
func (d Dirs) makeRuntime() error {
	if name := d.socket("12345678"); len(name) > socketMax {
		return fmt.Errorf("%w: %s is too long for the name of a socket: set XDG_RUNTIME_DIR to a shorter path", ErrRuntime, d.Runtime)
	}
	if err := os.MkdirAll(filepath.Dir(d.Runtime), 0o700); err != nil {
		return fmt.Errorf("%w: %w: set XDG_RUNTIME_DIR to a directory of your own", ErrRuntime, err)
	}
	if err := os.Mkdir(d.Runtime, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%w: %w: set XDG_RUNTIME_DIR to a directory of your own", ErrRuntime, err)
	}
	info, err := os.Lstat(d.Runtime)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRuntime, err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		return fmt.Errorf("%w: %s is a link, which another may have put there: remove it", ErrRuntime, d.Runtime)
	case !info.IsDir():
		return fmt.Errorf("%w: %s is not a directory: remove it", ErrRuntime, d.Runtime)
	case !ok || int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("%w: %s belongs to another user: set XDG_RUNTIME_DIR to a directory of your own", ErrRuntime, d.Runtime)
	case info.Mode().Perm() != 0o700:
		return fmt.Errorf("%w: others may use %s (its mode is %#o): chmod 700 it", ErrRuntime, d.Runtime, info.Mode().Perm())
	}
	return nil
}

// Usable makes the directories, or says why they cannot be used.
func (d Dirs) Usable() error { return errors.Join(d.makeRuntime(), d.makeState()) }

// makeState makes the directory of records.
func (d Dirs) makeState() error {
	if err := os.MkdirAll(d.hosts(), 0o700); err != nil {
		return fmt.Errorf("make the directory of hosts: %w", err)
	}
	return nil
}
