package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"coppice/session"
	"coppice/ui/text"
)

// Times of what is told: a state counts when it has lasted for a moment, and two
// messages are apart from each other.
const (
	heraldSettle = time.Second
	heraldGap    = 5 * time.Second
)

// heralds tell what happens to sessions out of sight: one waits for the person,
// has finished or has ended.
type heralds struct {
	away    bool     // the terminal does not have the focus: everything is out of sight
	pending []string // hosts with news
	waits   bool     // for heraldDue
	last    time.Time
	call    string // what is to be told, "" for nothing
}

// herald notes what will be told when agents run as they do in next.
func (m *model) herald(next []Running) []cmd {
	for _, r := range next {
		was, ok := m.live.find(r.Host)
		if ok && news(was.State, r.State) && !slices.Contains(m.heralds.pending, r.Host) {
			m.heralds.pending = append(m.heralds.pending, r.Host)
		}
	}
	if len(m.heralds.pending) == 0 || m.heralds.waits || !m.opt.Notify.rings() {
		return nil
	}
	m.heralds.waits = true
	wait := max(heraldSettle, heraldGap-m.opt.Now().Sub(m.heralds.last))
	return background(func(ctx context.Context) msg {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		return heraldDue{}
	})
}

// news reports whether a change of state is one that a person wants to hear of.
func news(from, to session.State) bool {
	switch to {
	case session.StateWaiting, session.StateEnded:
		return from != to
	case session.StateIdle:
		return from == session.StateWorking || from == session.StateBackground
	case session.StateStarting, session.StateWorking, session.StateBackground, session.StateUnknown:
	}
	return false
}

// heraldDue tells the news of those that are still in the state that was news, and
// out of sight.
func (m *model) heraldDue() {
	var told []Running
	for _, host := range m.heralds.pending {
		r, ok := m.live.find(host)
		inSight := !m.heralds.away && (host == m.live.shown || m.split() && host == m.live.other.shown)
		if ok && !inSight && news(session.StateWorking, r.State) {
			told = append(told, r)
		}
	}
	m.heralds.pending, m.heralds.waits = nil, false
	if len(told) > 0 {
		m.heralds.last, m.heralds.call = m.opt.Now(), m.heraldWords(told)
	}
}

// heraldWords says what happened, in one line.
func (m *model) heraldWords(told []Running) string {
	first := m.nameOf(told[0]) + " " + heraldWord(told[0].Status)
	if more := len(told) - 1; more > 0 {
		first += fmt.Sprintf(", and %d more", more)
	}
	return "coppice: " + bounded(text.Clean(first), 200)
}

func heraldWord(s session.Status) string {
	switch s.State {
	case session.StateWaiting:
		if s.Need != "" {
			return "needs you: " + string(s.Need)
		}
		return "needs you"
	case session.StateIdle:
		return "has finished"
	case session.StateStarting, session.StateWorking, session.StateBackground, session.StateEnded, session.StateUnknown:
	}
	return "has " + stateWords(s)
}

// Notify says how a person hears of what happens out of sight.
type Notify string

// The ways of a Notify. All but NotifyOff ring the bell.
const (
	NotifyOff    Notify = "off"
	NotifyBell   Notify = "bell"
	NotifyOSC9   Notify = "osc9"   // a message that iTerm2, WezTerm, kitty, Ghostty and others show
	NotifyOSC777 Notify = "osc777" // one that urxvt, foot, Konsole and others show
)

// rings reports whether a person hears anything.
func (n Notify) rings() bool { return n != NotifyOff && n != "" }

// bytes are what a terminal gets for a message.
func (n Notify) bytes(words string) []byte {
	switch n {
	case NotifyOSC9:
		return []byte("\x1b]9;" + words + "\x1b\\")
	case NotifyOSC777:
		return []byte("\x1b]777;notify;coppice;" + words + "\x1b\\")
	case NotifyBell, NotifyOff:
	}
	return nil
}

// retitleWindow makes the title of the terminal's window say how many sessions are
// live and need the person.
func (m *model) retitleWindow() {
	waiting, running := 0, 0
	for _, r := range m.live.running {
		switch m.statusOf(r).State {
		case session.StateWaiting:
			waiting++
			running++
		case session.StateEnded:
		case session.StateStarting, session.StateWorking, session.StateIdle, session.StateBackground, session.StateUnknown, "":
			running++
		}
	}
	if running == 0 && m.title == "" {
		return // nothing to say yet: the title stays the terminal's
	}
	title := "coppice"
	if r, ok := m.live.find(m.live.shown); ok {
		title = bounded(text.Clean(m.nameOf(r)), 80) + " · coppice"
	}
	if running > 0 {
		title += fmt.Sprintf(" · %d live", running)
	}
	if waiting > 0 {
		title = fmt.Sprintf("! %s · %d%s", title, waiting, needs(waiting))
	}
	m.title = title
}

// PickNotify returns the way of a name out of the configuration; "auto" is the one
// that the terminal is known to understand.
func PickNotify(name string, getenv func(string) string) Notify {
	if name != "auto" {
		return Notify(name)
	}
	term := getenv("TERM")
	switch getenv("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "ghostty":
		return NotifyOSC9
	}
	switch {
	case term == "xterm-kitty", term == "xterm-ghostty", term == "wezterm":
		return NotifyOSC9
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt"):
		return NotifyOSC777
	}
	return NotifyBell
}
