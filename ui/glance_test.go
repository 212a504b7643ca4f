package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/launch"
	"coppice/session/terminal"
)

// asks is what an agent shows that asks for a permission.
const asks = "\x1b[2J\x1b[H· Working on it\r\n\r\n Run a command\r\n   git push --force\r\n Do you want to go on?\r\n ❯ 1. Yes\r\n   2. Yes, and do not ask again\r\n   3. No (esc)\r\n"

// asking is the state of such an agent.
func asking() session.Status {
	return session.Status{State: session.StateWaiting, Need: session.NeedPermission, Since: noon(), Source: "registry"}
}

// liveBench is a bench with live sessions behind it, the first one selected.
func liveBench(t *testing.T, w, h int) (*bench, *fakeHosts) {
	t.Helper()
	hosts := newFakeHosts(id(41), id(8), id(12))
	hosts.running[0].Status = asking()
	hosts.running[1].Status = session.Status{State: session.StateIdle, Since: noon().Add(-4 * time.Minute)}
	opt := sampleOptions()
	opt.Hosts = hosts
	b := newBench(t, opt, w, h, sample())
	b.send(runningChanged{running: hosts.now()})
	for range 9 {
		if b.selectedID() == id(41) {
			break
		}
		b.press("Down")
	}
	return b, hosts
}

// now is what runs.
func (h *fakeHosts) now() []Running {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Running(nil), h.running...)
}

// glanceSays is output of the agent that is glanced at.
func (b *bench) glanceSays(h *fakeHosts, host, output string) {
	b.t.Helper()
	s := h.glance(host)
	if s == nil {
		b.t.Fatalf("nobody glances at %s", host)
	}
	s.say(output)
	b.send(screenChanged{screen: s})
}

// TestLiveScreens shows what is live at all sizes.
func TestLiveScreens(t *testing.T) {
	t.Parallel()
	scenes := []struct {
		name  string
		setup func(*bench, *fakeHosts)
	}{
		{"live", func(b *bench, h *fakeHosts) {
			if s := h.glance("h1"); s != nil {
				s.say(asks)
			}
		}},
		{"answer", func(b *bench, h *fakeHosts) {
			b.press("a")
			b.glanceSays(h, "h1", asks)
		}},
		{"send", func(b *bench, h *fakeHosts) {
			b.press("2", "Ctrl-]", "Esc", "a")
			b.glanceSays(h, "h2", "\x1b[2J\x1b[Hdone: 14 files\r\n> \r\n")
			b.typed("go on with the tests")
		}},
		{"pick", func(b *bench, _ *fakeHosts) { b.press("p") }},
		{"two", func(b *bench, h *fakeHosts) {
			b.press("1")
			h.screen("h1").say(asks)
			b.press("Ctrl-]", "|")
		}},
		{"lost", func(b *bench, _ *fakeHosts) {
			b.touched = false
			b.send(lostFound{lost: []launch.Lost{
				{Host: "g1", Session: id(44), Agent: "claude", Dir: "/home/ann/src/app", Why: "the system was started anew while it was live"},
				{Host: "g2", Agent: "codex", Dir: "/home/ann/src/infra", Why: "the system was started anew while it was live"},
			}})
		}},
	}
	for _, scene := range scenes {
		for _, size := range sizes() {
			name := fmt.Sprintf("%s-%dx%d", scene.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b, h := liveBench(t, size[0], size[1])
				scene.setup(b, h)
				golden(t, name, b.text())
			})
		}
	}
}

// TestGlanceFollows: the preview glances at the selected live session and at no
// other, only while it shows.
func TestGlanceFollows(t *testing.T) {
	t.Parallel()
	b, hosts := liveBench(t, 120, 30)
	first := hosts.glance("h1")
	if first == nil || b.peek.screen != first {
		t.Fatal("the selected session is not glanced at")
	}
	first.say("what h1 says")
	b.shows("what h1 says", "Screen")
	b.press("v")
	if b.peek.screen != nil {
		t.Error("still glanced at while the conversation shows")
	}
	b.press("v", "Space")
	b.shows("glance at h1")
	b.press("Space", "1")
	if b.peek.screen != nil || b.live.shown != "h1" {
		t.Errorf("shown %q, glanced at %v", b.live.shown, b.peek.screen)
	}
	b.press("Ctrl-]", "Esc")
	again := hosts.glance("h1")
	if b.peek.screen != again || again == first {
		t.Error("not glanced at again behind the pane")
	}
	b.send(screenEnded{screen: again, err: errors.New("lost")})
	if b.peek.screen != nil {
		t.Error("an ended screen is glanced at")
	}
	small, few := liveBench(t, 40, 12)
	if small.peek.screen != nil || few.glance("h1") != nil {
		t.Error("glanced at without a preview")
	}
	small.press("v")
	small.shows("preview does not show")
	late := few.attachNow().(*fakeScreen)
	small.send(glanced{wish: -1, screen: late})
	if !late.closed || small.peek.screen != nil {
		t.Error("a late screen is kept")
	}
}

// TestGlanceKeepsSize: glancing neither resizes the terminal of an agent nor tells
// it anything.
func TestGlanceKeepsSize(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	r := startHosted(t, 120, 30, hosts)
	r.WaitText("glance at h1")
	s := hosts.glance("h1")
	s.say("\x1b[?1004hto see")
	r.WaitText("to see")
	var columns, rows int
	s.term.Look(func(v terminal.View) { columns, rows = v.Size() })
	if columns != 80 || rows != 24 {
		t.Errorf("the terminal is %d×%d", columns, rows)
	}
	r.Press("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
	if got := s.got(); got != "" {
		t.Errorf("the agent got %q", got)
	}
}

// TestFocusLeaves: an agent whose pane is left hears that it lost the focus, and one
// whose pane is shown that it has it.
func TestFocusLeaves(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41), id(8))
	r := startHosted(t, 120, 30, hosts)
	r.Press("1")
	r.WaitText("▸1 ")
	r.WaitText("screen of h1")
	one := hosts.screen("h1")
	one.say("\x1b[?1004hlistens")
	r.WaitText("listens")
	r.Press("Ctrl-]", "2")
	r.WaitText("screen of h2")
	waitFor(t, "the loss of the focus", func() bool { return strings.HasSuffix(one.got(), "\x1b[O") })
	two := hosts.screen("h2")
	two.say("\x1b[?1004hlistens, too")
	r.WaitText("listens, too")
	r.Press("Ctrl-]", "|")
	r.WaitText("+2 ")
	waitFor(t, "the loss of the focus", func() bool { return strings.HasSuffix(two.got(), "\x1b[O") })
	r.Press("Ctrl-]", "Tab")
	waitFor(t, "the focus", func() bool { return strings.HasSuffix(two.got(), "\x1b[I") })
	r.Press("Ctrl-]", "Esc")
	r.WaitText("Sessions")
	waitFor(t, "the loss of the focus again", func() bool { return strings.HasSuffix(two.got(), "\x1b[I\x1b[O") })
	r.Press("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

// TestAnswer: what an agent asks is answered with what is on its screen, and with
// nothing else.
func TestAnswer(t *testing.T) {
	t.Parallel()
	b, hosts := liveBench(t, 120, 40)
	b.press("a")
	b.shows("no choices can be made out")
	b.press("Enter")
	b.shows("no choices can be made out")
	b.glanceSays(hosts, "h1", asks)
	b.shows("git push --force", "▸ 1. Yes", "3. No (esc)")
	b.press("Down", "Down", "Enter")
	if got := hosts.glance("h1").got(); got != "3" {
		t.Errorf("the agent got %q", got)
	}
	b.shows("sent to parser-work")

	b.press("a") // what is asked changes between the look and the key
	b.glanceSays(hosts, "h1", asks)
	b.shows("▸ 1. Yes")
	hosts.glance("h1").say("\x1b[2J\x1b[H Delete all?\r\n ❯ 1. Yes, all\r\n   2. No\r\n")
	b.press("Enter")
	b.shows("it asks something else now")
	if got := hosts.glance("h1").got(); got != "3" {
		t.Errorf("the agent got %q", got)
	}
	hosts.set("h1", session.Status{State: session.StateWorking})
	b.send(runningChanged{running: hosts.now()})
	b.press("Enter")
	b.shows("takes no answer while it is working")
	b.press("a")
	b.shows("takes no answer while it is working")
	if got := hosts.glance("h1").got(); got != "3" {
		t.Errorf("the agent got %q", got)
	}
}

// TestSendLine: a line reaches an idle agent as a paste and Enter.
func TestSendLine(t *testing.T) {
	t.Parallel()
	b, hosts := liveBench(t, 120, 40)
	hosts.set("h1", session.Status{State: session.StateIdle})
	b.send(runningChanged{running: hosts.now()})
	b.press("a", "Enter")
	b.shows("there is nothing to send")
	b.glanceSays(hosts, "h1", "\x1b[?2004h> ")
	b.typed("go on")
	b.send(pasted{" with the\ntests"})
	b.press("Enter")
	if got, want := hosts.glance("h1").got(), "\x1b[200~go on with the tests\x1b[201~\r"; got != want {
		t.Errorf("the agent got %q, want %q", got, want)
	}
}

// TestWhyNoAnswer: an agent whose prompt is not known, or that does not ask, is not
// answered.
func TestWhyNoAnswer(t *testing.T) {
	t.Parallel()
	b, hosts := liveBench(t, 120, 40)
	hosts.mu.Lock()
	hosts.running[0].Agent = "codex"
	hosts.mu.Unlock()
	for _, tt := range []struct {
		status session.Status
		want   string
	}{
		{asking(), "what codex asks can be answered on its own screen only"},
		{session.Status{State: session.StateWaiting}, "what it waits for can be answered on its own screen only"},
		{session.Status{State: session.StateUnknown}, "nobody can tell what its agent does"},
		{session.Status{State: session.StateEnded, Code: 3}, "takes no answer while it is ended (3)"},
	} {
		hosts.set("h1", tt.status)
		b.send(runningChanged{running: hosts.now()})
		b.press("a")
		b.shows(tt.want)
	}
}

// TestOptions reads choices from screens.
func TestOptions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		screen string
		want   string
	}{
		"a prompt":             {" ❯ 1. Yes\n   2. No", "1 Yes, 2 No"},
		"in a box":             {"│ ❯ 1. Yes    │\n│   2. No (esc)  │", "1 Yes, 2 No (esc)"},
		"second selected":      {"   1. Yes\n ❯ 2. No", "1 Yes, 2 No"},
		"with lines between":   {" ❯ 1. Yes\n      once\n   2. No", "1 Yes, 2 No"},
		"a list of a text":     {" 1. first\n 2. second", ""},
		"a list and a prompt":  {" 1. first\n 2. second\n Go on?\n ❯ 1. Yes\n   2. No", "1 Yes, 2 No"},
		"not from 1":           {" ❯ 2. Yes\n   3. No", ""},
		"one only":             {" ❯ 1. Yes", ""},
		"out of order":         {" ❯ 1. Yes\n   3. No", ""},
		"an older one is over": {" ❯ 1. Yes\n   2. No\n 1. first\n 2. second", ""},
	} {
		var got []string
		for _, o := range options(strings.Split(tt.screen, "\n")) {
			got = append(got, o.key+" "+o.words)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", name, s, tt.want)
		}
	}
}
