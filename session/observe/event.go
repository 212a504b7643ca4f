package observe

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/tidwall/gjson"
)

// The events that the observer hears of (observed E). A hook for the end of a turn
// would make the agent write rows into the person's transcript.
const (
	SessionStart      = "SessionStart"
	SessionEnd        = "SessionEnd"
	PermissionRequest = "PermissionRequest"
)

// Events lists them.
func Events() []string { return []string{SessionStart, SessionEnd, PermissionRequest} }

// Event is one event of an agent, as its hook was told. Its strings are foreign.
type Event struct {
	Name    string `json:"name"`              // one of Events
	Session string `json:"session"`           // id
	Detail  string `json:"detail,omitempty"`  // how a session started, or why it ended: "startup", "clear", …
	Tool    string `json:"tool,omitempty"`    // that permission is asked for
	Subject string `json:"subject,omitempty"` // what the tool is to do, as far as one line tells it
}

// Limits of what is read of an event. The names stand before the input of a tool,
// which can be as large as a file.
const (
	eventMax = 64 << 10 // bytes
	fieldMax = 200      // runes
)

// ReadEvent reads what an agent hands to a hook: one JSON object, of which only the
// beginning is looked at.
func ReadEvent(r io.Reader) (Event, error) {
	data, err := io.ReadAll(io.LimitReader(r, eventMax))
	if err != nil {
		return Event{}, fmt.Errorf("read the event: %w", err)
	}
	get := func(paths ...string) string {
		for _, path := range paths {
			if v := gjson.GetBytes(data, path); v.Type == gjson.String {
				return line(v.Str)
			}
		}
		return ""
	}
	e := Event{
		Name: get("hook_event_name"), Session: get("session_id"), Detail: get("source", "reason"), Tool: get("tool_name"),
		Subject: get("tool_input.command", "tool_input.file_path", "tool_input.url", "tool_input.pattern", "tool_input.questions.0.question"),
	}
	return e, e.check()
}

// check returns an error for what is no event of ours.
func (e Event) check() error {
	for _, name := range Events() {
		if e.Name == name {
			return nil
		}
	}
	return fmt.Errorf("%q is no event", e.Name)
}

// Clean returns an event that came from elsewhere with every field in bounds, and
// whether it is one.
func (e Event) Clean() (Event, bool) {
	e.Session, e.Detail, e.Tool, e.Subject = line(e.Session), line(e.Detail), line(e.Tool), line(e.Subject)
	return e, e.check() == nil
}

// line makes one short line of foreign text, without what a terminal would obey.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), 4*fieldMax)], "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > fieldMax {
		s = string(runes[:fieldMax-1]) + "…"
	}
	return s
}

// questions are the tools by which the agent asks a person something.
func questions(tool string) bool { return tool == "AskUserQuestion" || tool == "ExitPlanMode" }

// Status is what the agent does from an event on; the zero Status after one that
// does not tell.
func (e Event) Status(at time.Time) Status {
	s := Status{Since: at.UTC(), Source: Hook}
	switch {
	case e.Name == SessionStart:
		s.State = Idle
	case e.Name == PermissionRequest && questions(e.Tool):
		s.State, s.Need, s.Reason = Waiting, Question, e.Subject
	case e.Name == PermissionRequest:
		s.State, s.Need, s.Reason = Waiting, Permission, e.Tool
		if e.Subject != "" {
			s.Reason += ": " + e.Subject
		}
	default:
		return Status{}
	}
	return s
}

// Command returns a command for a POSIX shell that runs a program with its
// arguments, and is silent and well however that ends, also when the program is
// gone.
func Command(args ...string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ") + " >/dev/null 2>&1 || :"
}
