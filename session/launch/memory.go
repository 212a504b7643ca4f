package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"
)

// Memory keeps the arguments that sessions were started with, in one file; without
// a name it keeps nothing.
type Memory struct {
	File string
	Now  func() time.Time
}

// memoryVersion is the version of the file. One of a newer version is left alone.
const memoryVersion = 1

// memoryMax is how many sessions, and how many directories, are remembered.
const memoryMax = 2000

// kept is the file.
type kept struct {
	Version  int               `json:"version"`
	Sessions map[string]keptIn `json:"sessions"` // by id
	Dirs     map[string]keptIn `json:"dirs"`     // by path
}

type keptIn struct {
	Args []string  `json:"args"`
	At   time.Time `json:"at"`
}

// Args returns the arguments that a session, and the last session in a directory,
// were started with. A file that makes no sense holds nothing.
func (m Memory) Args(session, dir string) (own, near []string) {
	k, _ := m.read()
	return k.Sessions[session].Args, k.Dirs[dir].Args
}

// Keep notes what a session in a directory was started with. Arguments that choose
// the session, the permission mode or the way of one run are not for the next.
func (m Memory) Keep(session, dir string, args []string) error {
	if m.File == "" {
		return nil
	}
	args = lasting(args)
	if own, near := m.Args(session, dir); slices.Equal(own, args) && (len(args) == 0 || slices.Equal(near, args)) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.File), 0o700); err != nil {
		return fmt.Errorf("remember arguments: %w", err)
	}
	lock, err := os.OpenFile(m.File+".lock", os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err == nil {
		defer func() { _ = lock.Close() }()
		err = unix.Flock(int(lock.Fd()), unix.LOCK_EX)
	}
	var k kept
	if err == nil {
		k, err = m.read()
	}
	if err == nil {
		now := m.Now().UTC()
		note(k.Sessions, session, args, now)
		if len(args) > 0 {
			note(k.Dirs, dir, args, now)
		}
		err = m.write(k)
	}
	if err != nil {
		return fmt.Errorf("remember arguments in %s: %w", m.File, err)
	}
	return nil
}

// note puts arguments into one half of the file, and takes the oldest out of one
// that is full.
func note(in map[string]keptIn, key string, args []string, now time.Time) {
	if key == "" {
		return
	}
	delete(in, key)
	if len(args) == 0 {
		return
	}
	for len(in) >= memoryMax {
		oldest := ""
		for k, v := range in {
			if oldest == "" || v.At.Before(in[oldest].At) {
				oldest = k
			}
		}
		delete(in, oldest)
	}
	in[key] = keptIn{Args: args, At: now}
}

func (m Memory) read() (kept, error) {
	k := kept{Sessions: map[string]keptIn{}, Dirs: map[string]keptIn{}}
	if info, err := os.Stat(m.File); errors.Is(err, fs.ErrNotExist) {
		return k, nil
	} else if err == nil && !info.Mode().IsRegular() {
		return k, fmt.Errorf("%s is no regular file: set it aside", m.File) // a FIFO would be waited for
	}
	data, err := os.ReadFile(m.File)
	var there kept
	if err == nil && json.Unmarshal(data, &there) == nil {
		if there.Version > memoryVersion {
			return k, fmt.Errorf("a newer version of this program wrote it (%d)", there.Version)
		}
		if there.Sessions != nil {
			k.Sessions = there.Sessions
		}
		if there.Dirs != nil {
			k.Dirs = there.Dirs
		}
	}
	return k, err
}

func (m Memory) write(k kept) error {
	k.Version = memoryVersion
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return renameio.WriteFile(m.File, append(data, '\n'), 0o600, renameio.WithTempDir(filepath.Dir(m.File)))
}

// lasting returns the arguments that are good for another run. What follows a
// "--" is a prompt.
func lasting(args []string) []string {
	flags := map[string]int{ // of one run: how many values follow
		"--permission-mode": 1, "--dangerously-skip-permissions": 0, "--allow-dangerously-skip-permissions": 0,
		"--resume": 1, "-r": 1, "--session-id": 1, "--continue": 0, "-c": 0, "--fork-session": 0,
		"--print": 0, "-p": 0, "--worktree": 1, "-w": 1, "--name": 1, "-n": 1,
	}
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return nil
	}
	var last []string
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, _, together := strings.Cut(args[i], "=")
		values, once := flags[name]
		switch {
		case !once:
			last = append(last, args[i])
		case !together:
			for ; values > 0 && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"); values-- {
				i++
			}
		}
	}
	return last
}
