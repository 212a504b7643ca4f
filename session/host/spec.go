package host

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"coppice/session/agent"
	"coppice/session/observe"
	"coppice/session/terminal"
)

// Spec says what a host runs.
type Spec struct {
	Host    string `json:"host"`    // id of the host; see NewID
	Agent   string `json:"agent"`   // name in the configuration
	Session string `json:"session"` // "" where it is not known yet
	Name    string `json:"name"`    // what the person called the session, "" for nothing
	Root    string `json:"root"`    // config root of the session, "" for an agent without one

	Args       []string       `json:"args"`
	Dir        string         `json:"dir"`
	Env        []string       `json:"env"` // whole; no record holds it
	Columns    int            `json:"columns"`
	Rows       int            `json:"rows"`
	Scrollback int            `json:"scrollback"` // rows
	Linger     time.Duration  `json:"linger"`     // see Run; 0 for 24 hours
	Theme      terminal.Theme `json:"theme"`
	Program    string         `json:"program"` // name and version of ours, for an agent that asks

	// Observer is a program with its arguments that hands events to Tell, given the
	// socket of the host as one more argument; nil for an agent that is not observed.
	// ObserverAt is the index in Args before which stands what runs the agent.
	Observer   []string `json:"observer,omitempty"`
	ObserverAt int      `json:"observerAt,omitempty"`
}

// Info is what a host tells of itself.
type Info struct {
	Host     string    `json:"host"`
	Agent    string    `json:"agent"`
	Session  string    `json:"session"` // now: an agent can go on with another one
	Name     string    `json:"name"`
	Root     string    `json:"root"`
	Dir      string    `json:"dir"`
	Args     []string  `json:"args"`
	PID      int       `json:"pid"`     // of the agent
	HostPID  int       `json:"hostPid"` // of the host
	Protocol int       `json:"protocol"`
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended,omitzero"`
	Exit     *Exit     `json:"exit,omitempty"` // nil while the agent runs
	// Contested is the host that had the session open when the agent of this one
	// went on with it, "" for none.
	Contested string `json:"contested,omitempty"`
	Problem   string `json:"problem,omitempty"` // what a person should know, "" for nothing
	// Status is what the agent does; its zero value comes from a host of an earlier
	// version, which does not tell.
	Status observe.Status `json:"status,omitzero"`
	Unseen Unseen         `json:"unseen,omitzero"`
}

// Unseen is what the agent had to say while nobody looked on.
type Unseen struct {
	Bells   int               `json:"bells,omitempty"`
	Notices []terminal.Notice `json:"notices,omitempty"` // the newest terminal.MaxNotices
}

// Exit says how an agent ended.
type Exit struct {
	Code    int            `json:"code"`             // -1 when a signal ended it
	Signal  syscall.Signal `json:"signal,omitempty"` // 0 when it exited by itself
	Problem string         `json:"problem,omitempty"`
}

// exitOf describes how a program ended.
func exitOf(err error) *Exit {
	var exit *agent.ExitError
	switch {
	case errors.As(err, &exit):
		return &Exit{Code: exit.Code, Signal: exit.Signal}
	case err != nil:
		return &Exit{Code: -1, Problem: err.Error()}
	}
	return &Exit{}
}

// Err returns the end of an agent as an error: nil for one that ended well, else
// an *agent.ExitError where that says it all.
func (i Info) Err() error {
	switch {
	case i.Exit == nil:
		return nil
	case i.Exit.Problem != "":
		return errors.New(i.Exit.Problem)
	case *i.Exit == Exit{}:
		return nil
	}
	program := i.Agent
	if len(i.Args) > 0 {
		program = i.Args[0]
	}
	return &agent.ExitError{Program: program, Code: i.Exit.Code, Signal: i.Exit.Signal}
}

// NewID returns an id for a host: 8 letters and digits that are hard to confuse.
func NewID() string { return strings.ToLower(rand.Text()[:8]) }

// validID reports whether s can be the id of a host, which is part of names of
// files.
func validID(s string) bool { return regexp.MustCompile(`^[a-z0-9]{4,16}$`).MatchString(s) }

// validSession reports whether s can be the id of a session; agents other than the
// client may have ids of another form.
func validSession(s string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`).MatchString(s)
}

const specMax = 16 << 20 // bytes; the system takes less for arguments and environment

// readSpec reads a Spec and checks it.
func readSpec(in io.Reader) (Spec, error) {
	var s Spec
	if err := json.NewDecoder(io.LimitReader(in, specMax)).Decode(&s); err != nil {
		return s, fmt.Errorf("read what to run: %w", err)
	}
	return s, s.check()
}

func (s Spec) check() error {
	switch {
	case !validID(s.Host):
		return fmt.Errorf("%q is no id of a host", s.Host)
	case s.Session != "" && !validSession(s.Session):
		return fmt.Errorf("%q is no id of a session", s.Session)
	case !filepath.IsAbs(s.Dir):
		return fmt.Errorf("the directory %q is not absolute", s.Dir)
	case s.Root != "" && !filepath.IsAbs(s.Root):
		return fmt.Errorf("the config root %q is not absolute", s.Root)
	}
	return nil
}

// info is what is known before the agent runs.
func (s Spec) info() Info {
	return Info{
		Host: s.Host, Agent: s.Agent, Session: s.Session, Name: s.Name, Root: s.Root,
		Dir: s.Dir, Args: s.Args, Protocol: Protocol,
	}
}
