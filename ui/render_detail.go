package ui

import (
	"time"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
	"coppice/worktree"
)

// rowMark is the mark of a session: what an agent does with it, or that it is
// damaged.
func rowMark(s session.Session) (string, text.Role) {
	if s.Live != nil {
		switch s.Live.State {
		case session.StateWaiting:
			return "!", text.Warn
		case session.StateIdle:
			return "◌", text.Good
		case session.StateUnknown:
			return "?", text.Warn
		case session.StateStarting, session.StateWorking, session.StateBackground:
		}
		return "●", text.Good
	}
	if preview.Damaged(s) {
		return "✗", text.Bad
	}
	return " ", text.Default
}

// detailCell tells how much there is, and what is unusual. Where there is no
// room for both, the unusual comes first.
func (m *model) detailCell(f *frame, r *row, w int, now time.Time) text.Line {
	note, role := rowNote(f, r.Session, now)
	if text.Width(note) > w-2 { // a blank at either side
		note = shortNote(r.Session, note, w)
	}
	amount := text.Line{{Text: text.PadLeft(text.Count(r.Summary.Messages), 5) + " msg", Role: text.Dim}}
	if w >= 17 {
		amount = append(amount, text.Span{Text: " " + text.PadLeft(text.Bytes(r.Summary.Size), 7), Role: text.Dim})
	}
	switch {
	case note == "":
		return amount.Pad(w)
	case amount.Width()+2+text.Width(note) < w:
		return append(amount, text.Span{Text: "  "}, text.Foreign(note, role)).Pad(w)
	}
	return text.Line{text.Foreign(" "+note, role)}.Pad(w)
}

// rowNote says what is unusual about a session, "" when nothing is.
func rowNote(f *frame, s session.Session, now time.Time) (string, text.Role) {
	switch {
	case s.Live != nil:
		return liveNote(f, s.Live, now)
	case s.Problem != "":
		return s.Problem, text.Bad
	case s.Hidden != "":
		return s.Hidden, text.Dim
	case s.Summary.DamageCount > 0:
		return text.Plural(s.Summary.DamageCount, "unreadable line"), text.Bad
	case s.NotReady != "":
		return s.NotReady, text.Warn
	}
	if note := placeNote(s.Place); note != "" {
		return note, text.Warn
	}
	if n := len(s.Copies); n > 1 {
		return text.Count(n) + " copies", text.Dim
	}
	return "", text.Default
}

// shortNote says in one word what note says in more, where w cells hold no more
// than that.
func shortNote(s session.Session, note string, w int) string {
	const few = 15
	switch {
	case s.Live != nil && s.Live.State == session.StateWaiting && s.Live.Reason != "":
		return s.Live.Reason // the mark says that it waits
	case w > few:
		return note
	case s.Live != nil:
		return string(s.Live.State)
	case preview.Damaged(s):
		return "damaged"
	case s.Hidden != "":
		return "hidden"
	case s.NotReady != "":
		return "not ready"
	case placeNote(s.Place) != "":
		return string(s.Place.State)
	}
	return note
}

// liveNote says what the agent does and since when: "waiting: permission".
func liveNote(f *frame, l *session.Live, now time.Time) (string, text.Role) {
	role := text.Good
	if l.State == session.StateWaiting || l.State == session.StateUnknown {
		role = text.Warn
	}
	note := string(l.State)
	if l.Reason != "" {
		return note + ": " + l.Reason, role
	}
	if !l.Since.IsZero() {
		note += " " + f.age(now, l.Since)
	}
	return note, role
}

// placeNote says that a session's directory is not what it was.
func placeNote(p worktree.Place) string {
	switch p.State {
	case worktree.Present, worktree.Plain, worktree.Bare, worktree.Unknown, "":
		if p.State != "" && p.State != worktree.Unknown && !p.Exists && p.Dir != "" {
			return "directory missing"
		}
		return ""
	case worktree.Missing, worktree.Prunable, worktree.Moved, worktree.Ghost, worktree.Gone:
	}
	return "worktree " + string(p.State)
}
