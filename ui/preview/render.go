package preview

import (
	"time"

	"coppice/transcript"
	"coppice/ui/text"
)

// Options say how to lay out. A Width below one gives no lines.
type Options struct {
	Width    int       // cells of a line at most
	Expanded bool      // show thinking, answers, outputs and summaries in full
	Now      time.Time // for the time lines, in its location; zero for no time lines
}

// pause is the silence between two messages that gets a time line.
const pause = 30 * time.Minute

// Render lays out the end of a conversation, oldest message first: a time line
// where there was a pause, a blank line before whoever begins to speak, and the
// messages as Message gives them. What is missing is said: earlier messages,
// unreadable lines, nothing at all.
func Render(tail transcript.Tail, opt Options) []text.Line {
	if opt.Width < 1 {
		return nil
	}
	p := page{opt: opt}
	if tail.Earlier {
		p.note("… earlier messages are not shown", text.Dim)
	}
	if tail.Damage > 0 {
		p.note("! "+text.Plural(tail.Damage, "unreadable line")+" left out", text.Bad)
	}
	above := len(p.lines)
	var last time.Time
	for _, m := range tail.Messages {
		lines := Message(m, opt)
		if len(lines) == 0 {
			continue
		}
		timed := !opt.Now.IsZero() && !m.Time.IsZero() && m.Time.Sub(last) >= pause
		if len(p.lines) > 0 && (timed || speaks(m)) {
			p.add(nil)
		}
		if timed {
			p.rule(clock(opt.Now, m.Time), text.Dim)
		}
		if !m.Time.IsZero() {
			last = m.Time
		}
		p.lines = append(p.lines, lines...)
	}
	if len(p.lines) == above {
		p.note(nothing(tail), text.Dim)
	}
	return p.lines
}

// nothing says why there is no message to show.
func nothing(tail transcript.Tail) string {
	switch {
	case tail.Damage > 0:
		return "No message can be read."
	case tail.Earlier:
		return "The end of this session holds no message."
	}
	return "Nothing was said in this session."
}

// Message lays out one message; no lines when it holds nothing to show.
func Message(m transcript.Message, opt Options) []text.Line {
	if opt.Width < 1 {
		return nil
	}
	p := page{opt: opt}
	switch m.Role {
	case transcript.RoleSummary:
		p.summary(m)
	case transcript.RoleNotice:
		for _, b := range m.Blocks {
			p.wrap(text.Line{{Text: "· ", Role: text.Dim}}, b.Text, text.Dim)
		}
	case transcript.RoleUser:
		p.speaker = text.Span{Text: "you", Role: text.User}
		p.blocks(m.Blocks)
	case transcript.RoleAssistant:
		p.speaker = text.Span{Text: "agent", Role: text.Agent}
		p.markdown = true
		p.blocks(m.Blocks)
	default:
		p.speaker = text.Foreign(string(m.Role), text.Dim)
		p.blocks(m.Blocks)
	}
	return p.lines
}

// speaks reports whether a message begins with words, not with tools.
func speaks(m transcript.Message) bool {
	if m.Role == transcript.RoleSummary || m.Role == transcript.RoleNotice {
		return true
	}
	for _, b := range m.Blocks {
		switch b.Kind {
		case transcript.BlockText:
			if !blank(b.Text) {
				return true
			}
		case transcript.BlockCommand, transcript.BlockShell, transcript.BlockImage:
			return true
		case transcript.BlockThinking, transcript.BlockCall, transcript.BlockResult,
			transcript.BlockOutput, transcript.BlockOther:
			return false
		}
	}
	return false
}

// clock returns t as a person at now would write it.
func clock(now, t time.Time) string {
	t = t.In(now.Location())
	switch {
	case t.Year() != now.Year():
		return t.Format("2 Jan 2006 15:04")
	case t.YearDay() != now.YearDay():
		return t.Format("Mon 2 Jan 15:04")
	}
	return t.Format("15:04")
}
