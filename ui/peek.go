package ui

import (
	"context"
	"strings"

	"coppice/session"
	"coppice/session/terminal"
)

// peek is a live screen that the dashboard glances at: in the preview, or in a
// dialog that answers its agent. The agent keeps the size of its terminal.
type peek struct {
	off    bool     // the person wants to see the conversation instead
	host   string   // that is glanced at, "" for none
	screen Screen   // of host, nil until it is there, and when it has ended
	why    string   // why there is no screen of host
	wish   int      // generation of the newest wish for one
	lines  []string // the end of what is written on it
}

// peekLines is how many lines of a screen are kept for dialogs.
const peekLines = 40

// glance returns the work of looking at the host that is to be glanced at, nothing
// when that is done.
func (m *model) glance() []cmd {
	want := m.glanceHost()
	if want == m.peek.host {
		return nil
	}
	m.peek = peek{off: m.peek.off, host: want, wish: m.peek.wish + 1}
	if want == "" {
		return nil
	}
	wish, hosts := m.peek.wish, m.opt.Hosts
	return background(func(ctx context.Context) msg {
		screen, err := hosts.Attach(ctx, want, 0, 0)
		return glanced{wish: wish, screen: screen, err: err}
	})
}

// glanceHost is the host to be glanced at, "" for none.
func (m *model) glanceHost() string {
	if m.opt.Hosts == nil || m.quitting || m.live.screen != nil {
		return ""
	}
	if d, ok := m.dialog.(*answerDialog); ok {
		return d.host
	}
	r, ok := m.live.of(m.selectedID())
	if !ok || r.Problem != "" || r.State == session.StateEnded || m.peek.off || m.layout().panes[panePreview].w < 1 {
		return ""
	}
	return r.Host
}

// glanced takes the screen that was asked for last.
func (m *model) glanced(in glanced) {
	switch {
	case in.err != nil && in.wish == m.peek.wish:
		m.peek.why = in.err.Error()
	case in.err != nil:
	case in.wish != m.peek.wish:
		_ = in.screen.Close()
	default:
		m.peek.screen = in.screen
		m.peek.look()
	}
}

// look keeps the end of what is written on the screen.
func (p *peek) look() { p.lines = lastLines(p.screen.Terminal()) }

// lastLines returns the text of the last rows of a screen that are not blank.
func lastLines(t *terminal.Terminal) []string {
	lines := strings.Split(strings.TrimRight(t.Text(), " \n"), "\n")
	return lines[max(len(lines)-peekLines, 0):]
}

// whyNotView says why the preview cannot show a screen.
func (m *model) whyNotView() string {
	if why := m.whyNotBehind(); why != "" {
		return why
	}
	if m.layout().panes[panePreview].w < 1 {
		return "the preview does not show: " + m.keys.key("preview") + " shows it"
	}
	return ""
}

// whyNotBehind says why there is no live session of ours under the cursor.
func (m *model) whyNotBehind() string {
	r := m.list.selected()
	if r == nil {
		return m.whyNoRow()
	}
	one, ok := m.live.of(r.ID)
	switch {
	case ok && one.Problem != "":
		return one.Problem
	case ok:
		return ""
	case r.Live != nil:
		return "this session is live in " + r.Live.Where + ", not behind this window"
	}
	return "this session is not live"
}

// hostOf is the host of the agent that has a row's session open, "" for none.
func (m *model) hostOf(r *row) string {
	one, _ := m.live.of(r.ID)
	return one.Host
}

// toggleView shows the conversation of a live session in the preview instead of
// its screen, and back.
func (m *model) toggleView() []cmd {
	m.peek.off = !m.peek.off
	return nil
}
