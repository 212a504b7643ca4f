package ui

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"coppice/session"
	"coppice/ui/term"
	"coppice/ui/theme"
)

var update = flag.Bool("update", false, "write the golden files")

// canvas is a screen in memory that frames are painted on.
func canvas(t testing.TB, w, h int) *shadow {
	t.Helper()
	sim := tcell.NewSimulationScreen("UTF-8")
	if err := sim.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Fini)
	sim.SetSize(w, h)
	s := newShadow(sim, nil, nil)
	s.fit()
	return s
}

// screenText draws a model and returns what the screen shows.
func screenText(t testing.TB, m *model) string {
	t.Helper()
	s := canvas(t, m.w, m.h)
	th, _ := theme.Named("none")
	f := m.render(noon())
	if !f.filled {
		paintGround(s, th)
	}
	for _, p := range f.panes {
		pane := term.New(p.screen, term.Options{Theme: th, Now: noon, Glance: p.screen == m.peek.screen})
		pane.SetRect(p.x, p.y, p.w, p.h)
		pane.Draw(s)
	}
	paintStrips(s, f, th)
	var out strings.Builder
	for y := range s.h {
		line := ""
		for x := 0; x < s.w; {
			text, _, width := s.Get(x, y)
			line += text
			x += max(width, 1)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// sizes are the screens that goldens are drawn for.
func sizes() [][2]int { return [][2]int{{40, 12}, {80, 24}, {200, 60}} }

func TestScreens(t *testing.T) {
	t.Parallel()
	scenes := []struct {
		name  string
		news  session.Update
		setup func(*bench)
	}{
		{"start", sample(), func(*bench) {}},
		{"everything", sample(), func(b *bench) { b.press("A") }},
		{"hostile", hostile(), func(b *bench) { b.press("A") }},
		{"search", sample(), func(b *bench) { b.press("A", "/"); b.typed("words") }},
		{"nothing", session.Update{Progress: session.Progress{Listed: true, Complete: true}}, func(*bench) {}},
		{"help", sample(), func(b *bench) { b.press("?") }},
		{"plan", sample(), func(b *bench) {
			s := b.list.selected().Session
			p := plain(s, session.Request{})
			p.Warnings = []string{"the branch in the record is main, the one checked out is feat-x"}
			p.Lost = []string{"the model chosen with --model"}
			p.Choices = []session.PlanChoice{{Dir: "/home/ann/src/app", Label: "main checkout"}}
			b.send(planMade{gen: b.planning, session: s, plan: p})
		}},
		{"rename", sample(), func(b *bench) { b.press("r") }},
		{"copy", sample(), func(b *bench) { b.press("y") }},
		{"tree", sample(), func(b *bench) { b.press("Shift-Tab") }},
	}
	for _, scene := range scenes {
		for _, size := range sizes() {
			name := fmt.Sprintf("%s-%dx%d", scene.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, sampleOptions(), size[0], size[1], scene.news)
				scene.setup(b)
				golden(t, name, b.text())
			})
		}
	}
}

// A note that is longer than the footer is shown in full, over the panes.
func TestLongNote(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 40, 12, sample())
	b.send(failed{errors.New("the name was not written: the directory of the session cannot be opened: permission denied")})
	lines := strings.Split(strings.TrimSpace(b.text()), "\n")
	got := strings.Join(strings.Fields(strings.Join(lines[len(lines)-3:], " ")), " ")
	if want := "the name was not written: the directory of the session cannot be opened: permission denied"; got != want {
		t.Errorf("the last lines are %q, want %q", got, want)
	}
	b.press("Down")
	if strings.Contains(b.text(), "permission denied") {
		t.Error("the note stays after the next key")
	}
}

// While the search has the keyboard, a hint names the key that gives it back.
func TestHintsWhileSearching(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 80, 24, sample())
	b.press("/")
	b.typed("zzqqx")
	for _, want := range []string{"Nothing matches zzqqx.", "1 hidden here: press Enter, then H."} {
		if !strings.Contains(b.text(), want) {
			t.Errorf("no %q in:\n%s", want, b.text())
		}
	}
	b.press("Enter")
	if !strings.Contains(b.text(), "1 hidden here: press H.") {
		t.Errorf("no hint without the search:\n%s", b.text())
	}
}
