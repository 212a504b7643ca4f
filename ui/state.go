package ui

import (
	"fmt"
	"slices"
	"strings"

	"coppice/session"
	"coppice/ui/text"
)

// statusOf says what a running agent does: as its host knows it, else as its
// session's row does.
func (m *model) statusOf(r Running) session.Status {
	if row := m.data.rows[r.Session]; r.State == "" && row != nil && row.Live != nil {
		return row.Live.Status
	}
	return r.Status
}

// runningChanged takes in which agents run and what they do.
func (m *model) runningChanged(in runningChanged) []cmd {
	cmds := m.herald(in.running)
	m.live.running = in.running
	if !slices.Equal(m.live.gone, in.gone) {
		m.live.gone = in.gone
		cmds = append(cmds, background(findLost(m.opt.Hosts, false))...)
	}
	if m.adopt() {
		m.data.sort()
		m.rebuild()
	}
	return cmds
}

// adopt gives rows what the hosts of their agents know of them, which is more and
// newer than what the store does. It reports whether any row changed.
func (m *model) adopt() (changed bool) {
	for id, r := range m.data.rows {
		want := r.told
		if one, ok := m.live.of(id); ok && one.State != "" {
			l := session.Live{}
			if want != nil {
				l = *want
			}
			l.Status, l.Host = one.Status, one.Host
			want = &l
		}
		if want == r.Live || want != nil && r.Live != nil && *want == *r.Live {
			continue
		}
		other := *r
		other.Live = want
		m.data.rows[id], changed = &other, true
	}
	return changed
}

// ended reports whether the agent of a row has ended, which nobody has read yet.
func (r *row) ended() bool { return r.Live != nil && r.Live.State == session.StateEnded }

// listed reports whether a row is one that a person looks for: it is not hidden, or
// somebody works in it now.
func (r *row) listed() bool {
	switch {
	case r.Hidden == "":
		return true
	case r.Live == nil:
		return false
	}
	automatic := strings.HasPrefix(r.Summary.Entrypoint, "sdk-") || strings.HasPrefix(r.Summary.Kind, "daemon") || r.Summary.Team
	return r.Live.Host != "" || !automatic
}

// liveMark is the mark of a state. It stands for itself where colours do not.
func liveMark(s session.State) (string, text.Role) {
	switch s {
	case session.StateWaiting:
		return "!", text.Warn
	case session.StateIdle:
		return "◌", text.Good
	case session.StateUnknown:
		return "?", text.Warn
	case session.StateEnded:
		return "✗", text.Bad
	case session.StateStarting, session.StateWorking, session.StateBackground:
	}
	return "●", text.Good
}

// stateWords names a state with what belongs to it: "waiting: permission",
// "ended (3)".
func stateWords(s session.Status) string {
	switch {
	case s.State == session.StateEnded && s.Code != 0:
		return fmt.Sprintf("ended (%d)", s.Code)
	case s.State == session.StateWaiting && s.Need != "":
		return "waiting: " + string(s.Need)
	}
	return string(s.State)
}
