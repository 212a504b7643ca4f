package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"coppice/transcript/transcripttest"
	"coppice/ui/screentest"
	"coppice/worktree/worktreetest"
)

// hostileTexts try to be obeyed, or to push the columns out of line (reports G1,
// G2): each begins with a word of its own to be found by.
func hostileTexts() []string {
	return []string{
		"alder \x1b[2J\x1b[H\x1b]0;owned\a\x1b]2;owned\x1b\\ end",
		"birch \x1b]52;c;b3duZWQ=\a\x1b]52;c;b3duZWQ=\x1b\\ end",
		"cedar \u009b2J\u009d0;owned\u009c\x00\x07\x08\x7f end",
		"dogwood \u202egnp.exe\u202c \u2066\u2067\u2069\u200f end",
		`elm fix [red] x[yellow]y ["r"]z[""] [-] [::b] end`,
		"fir first\nsecond\r\nthird\tfourth\u2028fifth end",
		"gum " + strings.Repeat("long ", 2000) + "end",
		"hazel 漢字かな交じり 👩‍🍳 👨‍👨‍👧 🏳️‍🌈 ⛅️ 한글 e\u0301 \u0e33 end",
		"ivy \xff\xfe\xed\xa0\x80 \ufffe\ufeff\u00ad\u200b\u2063 end",
		"juniper \x1bP+q544e\x1b\\\x1b_Gi=1\x1b\\\x1b[?1000h\x1b[?1049l\x1b[>1u\x1bc end",
		"kapok " + strings.Repeat("a\u0300\u0301\u0302", 40) + " end",
	}
}

// testHostile shows a store of nothing but hostile texts: titles, branches,
// directories, prompts, answers.
func testHostile(t *testing.T, bin string) {
	w := newWorld(t, bin)
	repo := w.repo("evil \x1b]0;owned\a[red] 漢\n字")
	for i, text := range hostileTexts() {
		dir := repo.Dir
		if i%2 == 1 && len(text) < 200 {
			dir = w.src(strings.ReplaceAll(strings.ReplaceAll(text, "\x00", ""), "/", "-"))
			if i%4 == 1 {
				worktreetest.MkdirAll(t, dir)
			}
		}
		w.save(w.talk(i, dir, text, time.Duration(i+1)*time.Hour).User(text).
			Assistant(transcripttest.Text(text), transcripttest.Bash("t1", text)).Result("t1", text).
			Assistant(transcripttest.Text("```\n" + text + "\n```\n# " + text)).Title(text))
	}
	for _, size := range []struct {
		w, h  int
		panes []string
	}{{140, 40, []string{"Projects", "Sessions", "Preview"}}, {90, 30, []string{"Projects", "Sessions", "Preview"}}, {50, 16, []string{"Sessions"}}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			t.Parallel()
			lookAtHostile(t, w.open(size.w, size.h, repo.Dir), size.panes...)
		})
	}
}

// lookAtHostile walks through everything that shows a foreign text. panes are
// those that are shown at this size.
func lookAtHostile(t *testing.T, p *screentest.Process, panes ...string) {
	chosen(p, "alder")
	p.Press("A")
	p.WaitText("kapok")
	p.Press("Home")
	for _, text := range hostileTexts() {
		word, _, _ := strings.Cut(text, " ")
		straight(t, chosen(p, word), panes...)
		p.Press("Space")
		straight(t, p.WaitGone("Sessions"), "Preview")
		p.WaitText("end")
		p.Press("Space")
		chosen(p, word)
		p.Press("y")
		straight(t, p.WaitText("resume command"), "Copy")
		p.Press("Esc")
		p.WaitGone("resume command")
		p.Press("Enter") // none is an ordinary resume
		p.Wait("a plan", func(s *screentest.Snapshot) bool {
			_, choices := box(s, "Before it starts")
			_, none := box(s, "Cannot resume")
			return choices || none
		})
		p.Press("Esc")
		p.WaitGone("Will not come back")
		p.Press("r", "Esc")
		p.WaitText("the name stays as it was")
		p.Press("Down")
	}
	leaves(t, p, "q")
	if s := p.Snapshot(); s.Title != "" || s.Clipboard != "" || s.Bells > 0 {
		t.Errorf("title %q, clipboard %q, %d bells", s.Title, s.Clipboard, s.Bells)
	}
	for _, bad := range []string{"owned\a", "\x1b]", "\x1bP", "\x1b_", "\x1bc", "\u202e", "\u2066", "\u009b", "\u2063", "\u2028"} {
		if i := strings.Index(p.Output(), bad); i >= 0 {
			t.Errorf("%q went to the terminal: %q", bad, p.Output()[max(i-40, 0):i+len(bad)])
		}
	}
}

// straight checks that the boxes with these titles have straight sides: what is
// within them is as wide as it should be.
func straight(t *testing.T, s *screentest.Snapshot, titles ...string) {
	t.Helper()
	for _, title := range titles {
		if _, ok := box(s, title); !ok {
			t.Errorf("no box with straight sides is called %q:\n%s", title, s.Text())
		}
	}
}
