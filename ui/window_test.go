package ui

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"coppice/session"
	"coppice/transcript"
	"coppice/ui/clip"
	"coppice/worktree"
)

func TestNotReadySaysWhy(t *testing.T) {
	t.Parallel()
	u := sample()
	u.Sessions[0].NotReady = "the transcript is empty"
	b := newBench(t, sampleOptions(), 140, 30, u)
	b.press("Enter")
	b.shows("this session cannot be resumed: the transcript is empty")
	b.press("Z")
	b.shows("Z does nothing here; ? lists the keys")
	b.press("Ctrl-Z")
	b.shows("cannot be stopped here")
}

func TestCopyShowsTheText(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Copy = func(_ context.Context, s string, _ func([]byte) error) clip.Result {
		return clip.Result{Way: clip.Select, Text: s, Why: "there is no clipboard"}
	}
	b := newBench(t, opt, 140, 30, sample())
	b.press("y", "Down", "Enter")
	b.shows("Select this text", "/home/ann/.claude/projects/p/"+id(41)+".jsonl", "there is no clipboard")
}

func TestQuitKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 80, 24, sample())
	b.press("Ctrl-C")
	b.shows("Ctrl-C once more quits")
	b.press("Down", "Ctrl-C")
	if b.quitting {
		t.Error("two Ctrl-C with another key between them quit")
	}
	b.press("Ctrl-C")
	if !b.quitting {
		t.Error("Ctrl-C twice does not quit")
	}
}

func TestPreviewReadsAreBounded(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	m := newModel(opt)
	m.update(sized{140, 40})
	u := sample()
	for i := range u.Sessions {
		u.Sessions[i].Summary.DamageCount = 0 // damage is looked into, too
	}
	cmds := m.update(storeChanged{[]session.Update{u}})
	if len(cmds) != 1 {
		t.Fatalf("%d reads for the first row", len(cmds))
	}
	cmds = append(cmds, m.update(keyed{name: "A"})...)
	for range 2 * tailsAtOnce {
		cmds = append(cmds, m.update(keyed{name: "Down"})...)
	}
	if len(cmds) != tailsAtOnce {
		t.Errorf("%d reads at once, want %d", len(cmds), tailsAtOnce)
	}
	more := m.update(cmds[0].run(context.Background()))
	if len(more) != 1 {
		t.Errorf("the row shown now is not read after the first answer")
	}
	if again := m.preview.want(m.data.rows[id(41)], opt.ReadTail); len(again) != 0 {
		t.Error("a known conversation is read again")
	}
}

func TestPreviewError(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.ReadTail = func(context.Context, session.Session) (transcript.Tail, error) {
		return transcript.Tail{}, errors.New("permission denied")
	}
	b := newBench(t, opt, 200, 30, sample())
	b.shows("this conversation cannot be read: permission denied")
}

func TestPreviewOpensAtTheEnd(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.ReadTail = func(context.Context, session.Session) (transcript.Tail, error) {
		tail := sampleTail()
		for range 40 {
			tail.Messages = append(tail.Messages, sampleTail().Messages[:1]...)
		}
		tail.Messages[len(tail.Messages)-1].Blocks[0].Text = "the very end"
		return tail, nil
	}
	b := newBench(t, opt, 80, 24, sample())
	b.shows("the very end", "lines above")
	b.press("Space", "PgUp")
	if strings.Contains(b.text(), "the very end") {
		t.Error("PgUp does not scroll the full preview")
	}
	b.press("Home")
	b.shows("parser-work", "lines below")
	b.press("Space")
	b.shows("Sessions")
}

func TestAnySize(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{{}, {"?"}, {"y"}, {"r"}, {"/", "x"}, {"Space"}, {"Tab"}, {"A", "H"}} {
		for w := 1; w <= 130; w += 13 {
			for h := 1; h <= 30; h += 6 {
				b := newBench(t, sampleOptions(), w, h, hostile())
				b.press(keys...)
				b.text()
			}
		}
	}
}

// TestFrameFits checks that no strip leaves the screen.
func TestFrameFits(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {2, 2}, {10, 3}, {40, 12}, {70, 20}, {99, 9}, {100, 10}, {300, 80}} {
		b := newBench(t, sampleOptions(), size[0], size[1], hostile())
		for _, key := range []string{"A", "?", "Esc", "y", "Esc", "r", "Esc"} {
			b.press(key)
			for _, s := range b.render(noon()).strips {
				if s.x < 0 || s.y < 0 || s.x+s.w > size[0] || s.y >= size[1] {
					t.Errorf("%v after %s: strip %d+%d,%d leaves the screen", size, key, s.x, s.w, s.y)
				}
			}
		}
	}
}

func TestKeysConfigured(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Config.Keys = map[string]string{"quit": "ctrl-q", "sort": "r"}
	b := newBench(t, opt, 140, 30, sample())
	b.press("q")
	if b.quitting {
		t.Error("the replaced key still quits")
	}
	b.press("r")
	if b.rename != nil || b.list.order != byCreated {
		t.Error("a key taken by another action still does what it did")
	}
	b.press("Ctrl-R")
	if b.rename == nil {
		t.Error("the other key of the action is lost")
	}
	b.press("Esc", "Ctrl-Q")
	if !b.quitting {
		t.Error("the configured key does nothing")
	}
}

func TestBindings(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, b := range bindings() {
		if b.run == nil || b.help == "" && !strings.HasPrefix(b.action, "live-") || len(b.keys) == 0 {
			t.Errorf("%s is not complete", b.action)
		}
		for _, k := range b.keys {
			if seen[k] != "" {
				t.Errorf("%s is bound to %s and %s", k, seen[k], b.action)
			}
			if len(k) > 1 && spelled(strings.ToLower(k)) != k {
				t.Errorf("%s is not spelled as the configuration spells it", k)
			}
			seen[k] = b.action
		}
	}
}

func TestKeysDoc(t *testing.T) {
	t.Parallel()
	const path = "../docs/keys.md"
	if *update {
		if err := os.WriteFile(path, []byte(KeysDoc()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != KeysDoc() {
		t.Errorf("%s is not what the table says: go test ./ui -run TestKeysDoc -update", path)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	u := sample()
	u.Progress = session.Progress{Files: 2000, Done: 312}
	u.Watch = session.WatchPolling
	b := newBench(t, sampleOptions(), 140, 30, u)
	b.shows("reading 312/2,000", "polling every 5 s")
	u.Err = "cannot read /x: no permission"
	b.send(storeChanged{[]session.Update{u}})
	b.shows("cannot read /x: no permission")
}

func TestAgesArmTheTimer(t *testing.T) {
	t.Parallel()
	u := sample()
	for i := range u.Sessions {
		u.Sessions[i].Updated, u.Sessions[i].Live = noon().Add(-100*24*time.Hour), nil
	}
	b := newBench(t, sampleOptions(), 140, 30, u)
	if f := b.render(noon()); f.fresh != 0 {
		t.Errorf("ages of weeks are looked at again in %v", f.fresh)
	}
	u.Sessions[0].Updated = noon().Add(-90 * time.Second)
	b.send(storeChanged{[]session.Update{u}})
	if f := b.render(noon()); f.fresh != 30*time.Second {
		t.Errorf("1m30 changes in %v", f.fresh)
	}
}

func TestField(t *testing.T) {
	t.Parallel()
	tests := []struct {
		start string
		keys  []string
		want  string
	}{
		{"ab", []string{"Left", "x"}, "axb"},
		{"one two", []string{"Ctrl-W"}, "one "},
		{"one two", []string{"Ctrl-A", "Ctrl-K"}, ""},
		{"👩‍🍳é", []string{"Backspace"}, "👩‍🍳"},
		{"👩‍🍳é", []string{"Home", "Delete"}, "é"},
		{"abc", []string{"Ctrl-B", "Ctrl-D"}, "ab"},
		{"abc", []string{"Left", "Ctrl-U"}, "c"},
		{"a\nb\x1b", nil, "a b"},
	}
	for _, tt := range tests {
		f := newField(tt.start)
		for _, k := range tt.keys {
			in := keyed{name: k}
			if r := []rune(k); len(r) == 1 {
				in.r = r[0]
			}
			if !f.key(in) {
				t.Errorf("%s is no editing key", k)
			}
		}
		if f.String() != tt.want {
			t.Errorf("%q after %v is %q, want %q", tt.start, tt.keys, f.String(), tt.want)
		}
	}
}

// TestEndlessTitle checks that a title of any length costs no more than a line.
func TestEndlessTitle(t *testing.T) {
	t.Parallel()
	u := sample()
	u.Sessions[0].Title = strings.Repeat("endless 漢字 ", 1<<16)
	u.Sessions[0].Live = nil
	b := newBench(t, sampleOptions(), 120, 30, u)
	b.press("A", "/")
	b.typed("endless")
	b.shows("endless 漢字 endless")
}

// TestSelectTextStandsAlone checks that lines to select hold the text and
// nothing else, at any width.
func TestSelectTextStandsAlone(t *testing.T) {
	t.Parallel()
	const long = "/home/ann/漢字/a path/that is longer than the screen is wide/and.jsonl"
	for _, w := range []int{1, 7, 30, 100} {
		b := newBench(t, sampleOptions(), w, 60, sample())
		b.openDialog(&selectDialog{text: long, why: "no reason"})
		got := ""
		for _, line := range strings.Split(b.text(), "\n")[2:] {
			if line == "" {
				break
			}
			got += line
		}
		if w > 1 && strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(long, " ", "") {
			t.Errorf("at width %d the text is %q", w, got)
		}
	}
}

// On a small screen a plan shows what is unusual and the choices, and the rest
// can be scrolled to.
func TestPlanOnSmallScreen(t *testing.T) {
	t.Parallel()
	opt := sampleOptions()
	opt.Plan = func(_ context.Context, s session.Session, _ []worktree.Repository, req session.Request) session.Plan {
		p := plain(s, req)
		p.Warnings = []string{"its worktree is gone"}
		p.Lost = []string{"the model", "the tasks", "the options"}
		p.Choices = []session.PlanChoice{{Dir: "/home/ann/src/app"}}
		return p
	}
	b := newBench(t, opt, 40, 12, sample())
	b.press("Enter")
	b.shows("Before it starts", "its worktree is gone", "▸ resume as planned", "resume in /home/ann/src/app")
	for range 10 {
		b.press("PgDn")
	}
	b.shows("the options", "▸ resume as planned", "resume in /home/ann/src/app")
	b.press("Down", "PgUp")
	b.shows("▸ resume in /home/ann/src/app")
}
