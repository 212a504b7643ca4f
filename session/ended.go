package session

import (
	"errors"
	"fmt"
	"path/filepath"
)

// ErrLive is returned for what cannot be done to a session while an agent has it
// open.
var ErrLive = errors.New("the session is live")

// CheckEnded returns an error that wraps ErrLive while an agent has the session
// with this id open, or may have. root and proc are as for ReadLive.
func CheckEnded(root, proc, id string) error {
	l, ok := ReadLive(root, proc)[id]
	switch {
	case !ok:
		return nil
	case l.State == StateUnknown:
		return fmt.Errorf("%w, or may be, in %s (%s): end it there, or, if it has ended, remove %s", ErrLive,
			l.Where, l.Reason, filepath.Join(root, "sessions", fmt.Sprintf("%d.json", l.PID)))
	}
	return fmt.Errorf("%w in %s (%s): end it there first", ErrLive, l.Where, l.State)
}
