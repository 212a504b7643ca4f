package observe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// registrationMax bounds a file of the register: what is larger was not written by
// the agent.
const registrationMax = 64 << 10 // bytes

// Registration is what an agent's process says of itself in the agent's register,
// <root>/sessions/<pid>.json (observed G), as far as it is used.
type Registration struct {
	PID        int64           `json:"pid"`
	SessionID  string          `json:"sessionId"`
	ProcStart  json.RawMessage `json:"procStart"` // clock ticks after boot, a string
	PIDDomain  string          `json:"pidDomain"`
	Doing      string          `json:"status"`
	WaitingFor string          `json:"waitingFor"`
	DoingSince float64         `json:"statusUpdatedAt"` // Unix milliseconds
	UpdatedAt  float64         `json:"updatedAt"`
	Name       string          `json:"name"`
	NameSource string          `json:"nameSource"`
	Cwd        string          `json:"cwd"`
	Kind       string          `json:"kind"` // "interactive", or of a job of the agent's own
}

// ReadRegistration reads a file of the register. A value of the wrong type is left
// out, not the whole file.
func ReadRegistration(path string) (Registration, error) {
	data, err := readFile(path, registrationMax)
	if err != nil {
		return Registration{}, err
	}
	var r Registration
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &r); err != nil && !errors.As(err, &wrong) {
		return Registration{}, err
	}
	return r, nil
}

// Started returns when the process says that it started, in clock ticks after boot;
// "" when it does not say.
func (r Registration) Started() string {
	if started := string(bytes.Trim(r.ProcStart, `"`)); started != "null" {
		return started
	}
	return ""
}

// UserName returns the name of the session, if a person gave it one.
func (r Registration) UserName() string {
	if r.NameSource == "user" {
		return line(r.Name)
	}
	return ""
}

// Job reports whether the process is a background job of the agent's own.
func (r Registration) Job() bool { return r.Kind == "bg" || strings.HasPrefix(r.Kind, "daemon") }

// Status translates what the agent says that it does.
func (r Registration) Status() Status {
	s := Status{Source: Registry, Since: milliseconds(r.DoingSince)}
	switch r.Doing {
	case "idle":
		s.State = Idle
	case "busy":
		s.State = Working
	case "waiting":
		s.State, s.Need, s.Reason = Waiting, needOf(r.WaitingFor), line(r.WaitingFor)
	case "shell":
		s.State = Background
	case "":
		s.State, s.Reason = Unknown, "the registry does not say what it does"
	default:
		s.State, s.Reason = Unknown, "the registry says "+strconv.Quote(line(r.Doing))
	}
	return s
}

// needOf translates what a waiting agent says that it waits for.
func needOf(waitingFor string) Need {
	switch waitingFor {
	case "permission prompt":
		return Permission
	case "input needed", "dialog open":
		return Question
	}
	return ""
}

// milliseconds converts a Unix time; what is no time of our age is none.
func milliseconds(ms float64) time.Time {
	if !(ms > 0 && ms < 1e14) {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// readFile reads a regular file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if size > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// openRegular opens a regular file: opening anything else could hang.
func openRegular(path string) (f *os.File, size int64, err error) {
	if f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
