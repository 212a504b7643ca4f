package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/launch"
	"coppice/ui/text"
	"coppice/worktree"
)

// TestSplit shows two sessions beside each other and goes between them.
func TestSplit(t *testing.T) {
	t.Parallel()
	b, hosts := liveBench(t, 120, 30)
	b.press("1", "Ctrl-]", "|")
	b.shows("+1 ! parser", "▸2 ◌ migrate-db", "screen of h1", "screen of h2")
	if b.live.shown != "h2" || b.live.other.shown != "h1" {
		t.Fatalf("%q and %q", b.live.shown, b.live.other.shown)
	}
	b.press("Ctrl-]", "Tab")
	b.shows("▸1 ! parser", "+2 ◌ migrate-db")
	b.press("Ctrl-]", "2") // shows already
	if b.live.shown != "h2" || b.live.other.shown != "h1" {
		t.Errorf("%q and %q", b.live.shown, b.live.other.shown)
	}
	b.press("Ctrl-]", "3")
	b.shows("screen of h1", "screen of h3")
	b.send(screenEnded{screen: hosts.screen("h1"), err: errors.New("exit status 3")})
	b.shows("screen of h1")
	b.press("Ctrl-]", "Tab")
	b.shows("exit status 3")
	b.press("j") // read
	if b.live.shown != "h3" || b.live.other.screen != nil {
		t.Errorf("%q and %q", b.live.shown, b.live.other.shown)
	}
	b.press("Ctrl-]", "Tab")
	b.shows("there is one pane only")
	b.press("Ctrl-]", "|", "Ctrl-]", "|")
	if b.live.other.screen != nil {
		t.Error("still two panes")
	}
	b.press("Ctrl-]", "|")
	b.send(sized{90, 40})
	if first, _, second, ok := b.halves(); !ok || first.h+second.h+1 != 39 || first.w != 90 {
		t.Errorf("one above the other: %v %v %v", first, second, ok)
	}
	b.shows("screen of h3", "screen of h2")
	b.send(sized{40, 12})
	if strings.Contains(b.text(), "screen of h2") {
		t.Error("two panes on a screen with room for one")
	}
	b.shows("screen of h3")
	b.press("Ctrl-]", "Esc")
	if b.live.screen != nil || b.live.other.screen != nil {
		t.Error("a pane shows still")
	}
}

// TestWhyNotSplit: where there is no room, or nothing else, that is said.
func TestWhyNotSplit(t *testing.T) {
	t.Parallel()
	b, _ := liveBench(t, 40, 12)
	b.press("1", "Ctrl-]", "|")
	b.shows("no room for two panes")
	hosts := newFakeHosts(id(41))
	opt := sampleOptions()
	opt.Hosts = hosts
	b = newBench(t, opt, 120, 30, sample())
	b.send(runningChanged{running: hosts.now()})
	b.press("1", "Ctrl-]", "|")
	b.shows("no other session is live")
}

// TestPick switches a live session to another one.
func TestPick(t *testing.T) {
	t.Parallel()
	b, hosts := liveBench(t, 120, 30)
	b.press("1", "Ctrl-]", "s")
	b.shows("Switch to", "instead of parser-work")
	b.press("Up", "Enter")
	b.shows("this is the session to switch from")
	b.typed("alt")
	b.shows("/ alt")
	b.press("Esc")
	b.shows("Switch to")
	b.press("Esc")
	if b.live.shown != "h1" {
		t.Errorf("shows %q after Esc", b.live.shown)
	}
	b.press("Ctrl-]", "s")
	b.typed("migrate")
	b.press("Enter")
	b.shows("it was live already: nothing has ended")
	if b.live.shown != "h2" || len(hosts.tried) > 0 {
		t.Errorf("shows %q, tried %v", b.live.shown, hosts.tried)
	}
	b.press("Ctrl-]", "1", "Ctrl-]", "s")
	b.typed("alt")
	b.press("Enter")
	if len(hosts.tried) != 1 || hosts.tried[0].Session != id(44) || len(hosts.ended) != 1 || hosts.ended[0] != "h1" {
		t.Fatalf("tried %v, ended %v", hosts.tried, hosts.ended)
	}
	b.shows("switched from parser-work to alt-idea", "screen of h4")
	if b.search.on || len(b.search.words()) > 0 {
		t.Error("the search of the picker goes on")
	}

	hosts.note = "the other session did not come up, so this one was resumed"
	b.send(runningChanged{running: hosts.now()})
	b.press("Ctrl-]", "s")
	b.typed("tidy the")
	b.press("Esc")
	b.press("Esc", "Ctrl-]", "s", "A")
	b.press("Esc", "Esc")
	if b.picking.host != "" {
		t.Error("still picking")
	}
	b.press("Ctrl-]", "Esc")
	hosts.refuse = errors.New("its file is gone")
	b.press("p")
	b.typed("parser")
	b.press("Enter")
	b.shows("not switched to parser-work: its file is gone")
}

// TestTakeOver: a session that is live elsewhere is left, forked or taken over, and
// the plan is shown once more before anything ends.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts()
	opt := sampleOptions()
	opt.Hosts = hosts
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		p := plain(s, req)
		p.Live = &session.PlanLive{PID: 4711, Where: "tmux pane %3", Known: true}
		if req.TakeOver {
			p.Warnings = []string{"the agent there is ended first"}
			return p
		}
		p.Action, p.Blockers = session.ActionRefuse, []string{"it is live in tmux pane %3"}
		return p
	}
	b := newBench(t, opt, 120, 30, sample())
	b.press("Enter")
	b.shows("Cannot resume", "▸ leave it, and go on in tmux pane %3", "take it over", "resume a fork")
	b.press("Enter")
	if b.dialog != nil || len(hosts.tried) > 0 {
		t.Fatalf("%v, tried %v", b.dialog, hosts.tried)
	}
	b.press("Enter", "End", "Enter")
	b.shows("Before it starts", "the agent there is ended first")
	if len(hosts.tried) > 0 {
		t.Fatal("taken over before it was shown")
	}
	b.press("Enter")
	if len(hosts.tried) != 1 || b.live.shown != "h1" {
		t.Errorf("tried %v, shows %q", hosts.tried, b.live.shown)
	}
}

// TestLost: what was live before is listed at the start; one key brings it back, and
// what cannot be is named and stays.
func TestLost(t *testing.T) {
	t.Parallel()
	lost := []launch.Lost{{Host: "g1", Session: id(44), Why: "its process was killed or crashed"}, {Host: "g2", Session: id(12), Why: "its process was killed or crashed"}}
	hosts := newFakeHosts()
	opt := sampleOptions()
	opt.Hosts = hosts
	b := newBench(t, opt, 120, 30, sample())
	b.press("L")
	b.shows("no session was lost")
	hosts.lost = lost // now they are killed
	b.send(runningChanged{gone: []string{"g1", "g2"}})
	if b.dialog != nil {
		t.Error("a dialog comes while somebody types")
	}
	if r := b.data.rows[id(12)]; !b.isLost(r) || !strings.Contains(plainText(b.facts(r, 200, noon())), "L brings it back") {
		t.Error("the row of a lost session does not say so")
	}
	b.press("Down")
	b.shows("L 2 sessions lost")
	b.press("L")
	b.shows("alt-idea", "tidy the build", "its process was killed")
	hosts.refuse = errors.New("its directory is gone")
	b.press("Enter")
	b.shows("0 sessions brought back", "✗ alt-idea: its directory is gone", "L tries those again")
	b.press("Enter", "L")
	hosts.refuse = nil
	b.press("Enter")
	hosts.lost = nil
	b.send(runningChanged{running: hosts.now()})
	b.shows("2 sessions brought back")
	if len(hosts.running) != 2 || len(b.lost) > 0 || b.dialog != nil {
		t.Errorf("%v runs, %v is lost", hosts.running, b.lost)
	}
	b.press("L")
	b.shows("no session was lost")
	if got := b.endWords(fmt.Errorf("host g1: %w", host.ErrGone)); !strings.Contains(got, "L in the dashboard") {
		t.Errorf("the pane says %q", got)
	}
	hosts.lost = lost
	b.touched = false
	b.send(lostFound{lost: lost})
	b.shows("Lost while they were live")
	b.press("d")
	b.shows("2 sessions dismissed")
	if len(hosts.lost) > 0 {
		t.Errorf("%v is lost", hosts.lost)
	}
}

// TestHerald tells of sessions out of sight, of several at once, and not of what is
// over or shows.
func TestHerald(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	hosts := newFakeHosts(id(41), id(8), id(12))
	opt.Hosts, opt.Notify = hosts, NotifyOSC9
	b := newBench(t, opt, 120, 30, sample())
	set := func(host string, s session.Status) (waits int) {
		hosts.set(host, s)
		return len(b.update(runningChanged{running: hosts.now()}))
	}
	working := session.Status{State: session.StateWorking}
	for _, host := range []string{"h1", "h2", "h3"} {
		set(host, working)
	}
	if n := set("h1", asking()); n == 0 {
		t.Fatal("nothing waits to be told")
	}
	set("h2", session.Status{State: session.StateIdle})
	set("h3", asking())
	set("h3", working)
	b.update(heraldDue{})
	if want := "coppice: parser-work needs you: permission, and 1 more"; b.heralds.call != want {
		t.Errorf("%q, want %q", b.heralds.call, want)
	}
	if want := "! coppice · 3 live · 1 needs you"; b.title != want {
		t.Errorf("the title is %q, want %q", b.title, want)
	}
	b.heralds.call = ""
	b.press("2")
	set("h2", working)
	set("h2", session.Status{State: session.StateEnded, Code: 3})
	b.update(heraldDue{})
	if b.heralds.call != "" {
		t.Errorf("told of what shows: %q", b.heralds.call)
	}
	b.update(focused{in: false})
	set("h2", working)
	set("h2", session.Status{State: session.StateEnded, Code: 3})
	b.update(heraldDue{})
	if want := "coppice: migrate-db has ended (3)"; b.heralds.call != want {
		t.Errorf("%q, want %q", b.heralds.call, want)
	}
	if got := string(NotifyOSC777.bytes("words")); got != "\x1b]777;notify;coppice;words\x1b\\" {
		t.Errorf("%q", got)
	}
}

// TestHeraldOnTerminal: bell, message and title reach the terminal, without anything
// that a session's name could do there, and the title is put back.
func TestHeraldOnTerminal(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(41))
	hosts.running[0].Status = session.Status{State: session.StateWorking}
	store := newFakeStore()
	r := start(t, 100, 30, func(o *Options) {
		o.Hosts, o.Store, o.Notify = hosts, store, NotifyOSC9
		o.Config.UI.Title = true
	})
	<-hosts.told
	news := sample()
	for i := range news.Sessions {
		if news.Sessions[i].ID == id(41) {
			news.Sessions[i].Title = "bad\x1b]0;owned\a $<5000>"
		}
	}
	store.news <- news
	r.WaitText("[1]")
	hosts.set("h1", asking())
	waitFor(t, "the message", func() bool { return len(r.Snapshot().Notices) == 1 })
	s := r.Snapshot()
	if !strings.HasPrefix(s.Notices[0], "coppice: bad") || strings.ContainsAny(s.Notices[0], "\x1b\a") {
		t.Errorf("the message is %q", s.Notices)
	}
	if s.Title != "! coppice · 1 live · 1 needs you" || s.Bells != 1 {
		t.Errorf("title %q, %d bells", s.Title, s.Bells)
	}
	r.Press("1")
	waitFor(t, "the name in the title", func() bool { return strings.Contains(r.Snapshot().Title, "$ <5000>") })
	if s := r.Snapshot(); strings.ContainsAny(s.Title, "\x1b\a") {
		t.Errorf("the title is %q", s.Title)
	}
	r.leavesPane()
	if s := r.Snapshot(); s.Title != "" {
		t.Errorf("the title is left: %q", s.Title)
	}
}

// TestStatesOnRows: what the host of an agent knows counts more than what the
// registry says, and a hidden row shows while somebody works in it.
func TestStatesOnRows(t *testing.T) {
	t.Parallel()
	hosts := newFakeHosts(id(44), id(12))
	hosts.running[0].Status = session.Status{State: session.StateEnded, Code: 3, Since: noon()}
	hosts.running[1].Status = asking()
	opt := sampleOptions()
	opt.Hosts = hosts
	news := sample()
	local := made(90, "only a command", "/home/ann/src/app", "main", 0)
	local.Hidden = "only local commands"
	for i := range news.Sessions {
		news.Sessions[i].Context = 0.314
	}
	news.Sessions = append(news.Sessions, local)
	b := newBench(t, opt, 200, 40, news)
	if strings.Contains(b.text(), "only a command") {
		t.Fatal("the hidden row shows")
	}
	b.send(runningChanged{running: hosts.now()})
	b.press("A")
	b.shows("✗ └ alt-idea", "ended (3)", "! tidy the build", "waiting: permission", "31 %", "3 live", "2 need you")
	hosts.add(id(90))
	hosts.set("h3", session.Status{State: session.StateIdle})
	b.send(runningChanged{running: hosts.now()})
	b.shows("◌ only a command")
	b.send(runningChanged{})
	if text := b.text(); strings.Contains(text, "ended (3)") || strings.Contains(text, "only a command") {
		t.Errorf("what is over stays:\n%s", text)
	}
}

// plainText is what lines say, without how they look.
func plainText(lines []text.Line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l {
			b.WriteString(s.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}
