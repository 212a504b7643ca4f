package change

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/renameio/v2"

	"coppice/worktree"
)

// Kind says who locked a worktree.
type Kind string

// The kinds of holders.
const (
	Ours   Kind = "ours"   // this program
	Client Kind = "client" // Claude Code
	Other  Kind = "other"  // a person, or another program
)

// Holder is what the reason of a lock says of who holds it.
type Holder struct {
	Kind  Kind
	Note  string // of ours: why; of the client: the name of the worktree; of others: the whole reason
	PID   int    // of the client's process, 0 for others
	Start uint64 // when that process started, in clock ticks since boot, as in /proc/<pid>/stat
}

const lockPrefix = "coppice: "

var clientLock = regexp.MustCompile(`^claude session (.*) \(pid (\d+) start (\d+)\)$`)

// ReadLock tells from the reason of a lock who holds it. The client's names its
// process (observed D); that this one lives is not asked here.
func ReadLock(reason string) Holder {
	if note, ok := strings.CutPrefix(reason, lockPrefix); ok {
		return Holder{Kind: Ours, Note: note}
	}
	if m := clientLock.FindStringSubmatch(reason); m != nil {
		pid, errPID := strconv.Atoi(m[2])
		start, errStart := strconv.ParseUint(m[3], 10, 64)
		if errPID == nil && errStart == nil {
			return Holder{Kind: Client, Note: m[1], PID: pid, Start: start}
		}
	}
	return Holder{Kind: Other, Note: reason}
}

// Lock locks a linked worktree with our own reason, followed by the note: one
// short line. The client then never removes it at its exit, whoever locked
// first: it leaves a worktree in place that was locked by others before, and
// fails to remove one whose lock was replaced meanwhile. It never releases ours.
//
// A lock of ours gets the new note, one of the client's is replaced, since its
// own exit would remove the worktree under a second session. One of anybody
// else is an ErrLocked.
func Lock(ctx context.Context, git worktree.Git, repository, path, note string) error {
	r, w, err := find(ctx, git, repository, path)
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	note, _, _ = strings.Cut(note, "\n")
	if w.Locked {
		if ReadLock(w.LockReason).Kind == Other {
			return fmt.Errorf("lock %s: %w: %s", w.Path, ErrLocked, w.LockReason)
		}
		// As git writes it, but at no moment is it unlocked.
		if err := renameio.WriteFile(filepath.Join(r.admin(w), "locked"), []byte(lockPrefix+note+"\n"), 0o644); err != nil {
			return fmt.Errorf("lock %s: %w", w.Path, err)
		}
		return nil
	}
	return r.run(ctx, worktree.Command{Dir: r.home, Args: []string{
		"worktree", "lock", "--reason", lockPrefix + note, "--", w.Path,
	}})
}

// Unlock releases a lock of ours. A worktree that is not locked is no error; a
// lock of anybody else is an ErrLocked.
func Unlock(ctx context.Context, git worktree.Git, repository, path string) error {
	r, w, err := find(ctx, git, repository, path)
	if err != nil {
		return fmt.Errorf("unlock: %w", err)
	}
	switch {
	case !w.Locked:
		return nil
	case ReadLock(w.LockReason).Kind != Ours:
		return fmt.Errorf("unlock %s: %w: %s", w.Path, ErrLocked, w.LockReason)
	}
	return r.unlock(ctx, w)
}

func (r repo) unlock(ctx context.Context, w worktree.Worktree) error {
	return r.run(ctx, worktree.Command{Dir: r.home, Args: []string{"worktree", "unlock", "--", w.Path}})
}
