package ui

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"coppice/session"
	"coppice/session/terminal"
	"coppice/ui/term/input"
	"coppice/ui/text"
)

// answerDialog answers an agent without showing its pane: with one of the choices
// that are on its screen, or with a line of text. It shows the end of the screen, so
// that a person sees what is answered.
type answerDialog struct {
	host  string
	name  string
	since time.Time // of the state that is answered
	field field
	at    int      // of the choices
	seen  []option // that the screen offers
}

// option is a choice on an agent's screen.
type option struct{ key, words string }

// askingAgent is the agent whose prompts are known: a digit chooses.
const askingAgent = "claude"

// whyNotAnswer says why the selected session cannot be answered from here.
func (m *model) whyNotAnswer() string {
	if why := m.whyNotBehind(); why != "" {
		return why
	}
	r, _ := m.live.of(m.selectedID())
	return m.whyNoAnswer(r)
}

// whyNoAnswer says why an agent takes no answer in the state that it is in.
func (m *model) whyNoAnswer(r Running) string {
	s := m.statusOf(r)
	open := m.keys.key("open") + " shows it"
	switch {
	case s.State == session.StateIdle, s.State == session.StateWaiting && s.Need == session.NeedQuestion:
		return ""
	case s.State == session.StateWaiting && s.Need == session.NeedPermission && r.Agent == askingAgent:
		return ""
	case s.State == session.StateWaiting && s.Need == session.NeedPermission:
		return "what " + r.Agent + " asks can be answered on its own screen only: " + open
	case s.State == session.StateWaiting:
		return "what it waits for can be answered on its own screen only: " + open
	case s.State == "", s.State == session.StateUnknown:
		return "nobody can tell what its agent does now: " + open
	}
	return "its agent takes no answer while it is " + stateWords(s) + ": " + open
}

// startAnswer opens the dialog for the selected session.
func (m *model) startAnswer() []cmd {
	r, _ := m.live.of(m.selectedID())
	m.openDialog(&answerDialog{host: r.Host, name: bounded(text.Clean(m.nameOf(r)), 200), since: m.statusOf(r).Since})
	return nil
}

func (d *answerDialog) title() string { return "Answer " + d.name }

func (d *answerDialog) foot() text.Line {
	if len(d.seen) > 0 {
		return keysFoot("↑↓", "choose", "Enter", "answer", "Esc", "cancel")
	}
	return keysFoot("Enter", "send", "Esc", "cancel")
}

func (d *answerDialog) body(m *model, w int) content {
	r, _ := m.live.find(d.host)
	s := m.statusOf(r)
	c := content{at: min(d.at, max(len(d.seen)-1, 0))}
	for _, o := range d.seen {
		c.choices = append(c.choices, text.Foreign(o.key+". "+o.words, text.Default))
	}
	var below []text.Line
	switch {
	case m.peek.why != "":
		below = wrapped("its screen cannot be shown: "+m.peek.why, w, text.Bad)
	case m.peek.screen == nil:
		below = []text.Line{{{Text: "looking at its screen …", Role: text.Dim}}}
	case len(d.seen) > 0:
	case s.State == session.StateWaiting && s.Need == session.NeedPermission:
		below = wrapped("no choices can be made out on its screen: Esc, then "+m.keys.key("open")+" shows it", w, text.Warn)
	default:
		c.label, c.field = "send", &d.field
	}
	mark, role := liveMark(s.State)
	above := []text.Line{{{Text: mark + " ", Role: role}, text.Foreign(stateWords(s), role)}}
	if s.Reason != "" {
		above[0] = append(above[0], text.Span{Text: "  "}, text.Foreign(s.Reason, text.Dim))
	}
	room := m.body().h - len(c.choices) - len(above) - len(below) - 5 // borders, keys, the field, a blank
	c.lines = append(above, screenEnd(m.peek.lines, len(d.seen) > 0, max(min(room, 14), 2), w)...)
	c.lines = append(append(c.lines, nil), below...)
	return c
}

// notice notes the choices that the dialog shows from now on.
func (m *model) notice() {
	if d, ok := m.dialog.(*answerDialog); ok {
		r, _ := m.live.find(d.host)
		d.seen = m.offers(m.statusOf(r))
	}
}

// screenEnd lays out the end of what is on a screen: what is above its choices, if
// they are shown by themselves.
func screenEnd(lines []string, asked bool, most, w int) []text.Line {
	for i := len(lines) - 1; asked && i >= 0; i-- {
		if m := choice.FindStringSubmatch(lines[i]); m != nil && m[2] == "1" {
			lines = lines[:i]
			break
		}
	}
	var out []text.Line
	for _, l := range lines[max(len(lines)-most, 0):] {
		out = append(out, text.Line{{Text: "│ ", Role: text.Border}, text.Foreign(l, text.Default)}.Truncate(w))
	}
	return out
}

// offers are the choices that an agent in a state has on its screen.
func (m *model) offers(s session.Status) []option {
	r, _ := m.live.find(m.peek.host)
	if s.State != session.StateWaiting || r.Agent != askingAgent || m.peek.screen == nil {
		return nil
	}
	return options(m.peek.lines)
}

// choice matches a choice on the screen of an agent: a mark before the selected
// one, a digit, the words.
var choice = regexp.MustCompile(`^[\s│┃|]*([❯›>]?)\s*([1-9])\.\s+(\S.*?)[\s│┃|]*$`)

// options reads the last list of choices from the lines of a screen. Only a list
// that counts from 1 and has one selected is one.
func options(lines []string) []option {
	var found, list []option
	selected := false
	for _, l := range lines {
		m := choice.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if m[2] == "1" {
			found, list, selected = nil, nil, false
		}
		if int(m[2][0]-'1') != len(list) {
			list, selected = nil, false
			continue
		}
		list, selected = append(list, option{m[2], m[3]}), selected || m[1] != ""
		if selected && len(list) > 1 {
			found = slices.Clone(list)
		}
	}
	return found
}

func (d *answerDialog) key(m *model, k keyed) []cmd {
	r, ok := m.live.find(d.host)
	if !ok {
		m.closeDialog()
		return m.warn("its agent has ended")
	}
	if k.name == "Enter" {
		return d.answer(m, r)
	}
	if len(d.seen) > 0 {
		d.at, _ = choose(min(d.at, len(d.seen)-1), len(d.seen), k)
		return nil
	}
	return m.edit(&d.field, k, "Enter sends, Esc cancels")
}

// answer sends the answer, if the agent still asks what a person saw.
func (d *answerDialog) answer(m *model, r Running) []cmd {
	s := m.statusOf(r)
	if why := m.whyNoAnswer(r); why != "" {
		m.closeDialog()
		return m.warn(why)
	}
	if m.peek.screen == nil {
		return m.warn("its screen is not there yet")
	}
	m.peek.look()
	asked := d.seen
	if d.seen = m.offers(s); !slices.Equal(asked, d.seen) || !s.Since.Equal(d.since) {
		d.since, d.at = s.Since, 0
		return m.warn("it asks something else now: look again")
	}
	words := strings.TrimSpace(d.field.String())
	switch {
	case len(d.seen) > 0:
		m.closeDialog()
		return m.sendKeys(r, []byte(d.seen[min(d.at, len(d.seen)-1)].key))
	case s.Need == session.NeedPermission && s.State == session.StateWaiting:
		return m.warn("no choices can be made out on its screen")
	case words == "":
		return m.warn("there is nothing to send; Esc cancels")
	}
	m.closeDialog()
	return m.sendLine(r, words)
}

// sendKeys sends what was typed to an agent that is glanced at.
func (m *model) sendKeys(r Running, keys []byte) []cmd {
	screen, name := m.peek.screen, m.nameOf(r)
	return background(func(context.Context) msg {
		screen.Send(keys)
		return answered{name}
	})
}

// sendLine sends a line as it would be pasted, and then Enter.
func (m *model) sendLine(r Running, line string) []cmd {
	var modes terminal.Modes
	m.peek.screen.Terminal().Look(func(v terminal.View) { modes = v.Modes() })
	return m.sendKeys(r, append(input.Paste(line, modes), '\r'))
}

// answered says what became of an answer.
func (m *model) answered(in answered) { m.say("sent to " + in.name) }
