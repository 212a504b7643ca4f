package difftest_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"coppice/session/terminal"
)

// prose is text to look at: words, colours, wide and joined characters.
func prose(lines int) string {
	var b strings.Builder
	for n := range lines {
		fmt.Fprintf(&b, "\x1b[3%dmline %d\x1b[m of a text: %s \x1b[1mbold\x1b[m \x1b[4munder\x1b[m 漢字と仮名 한국어 e\u0301 👍 \x1b[48;5;%dmground\x1b[m \x1b[38;2;%d;99;200mtrue\x1b[m\n", n%8, n, strings.Repeat("word ", n%30), n%256, n%256)
	}
	return b.String()
}

// source code for an editor with colours.
func code(lines int) string {
	var b strings.Builder
	b.WriteString("/* a comment: 漢字 한국어 ünïcode */\n#include <stdio.h>\n")
	for n := range lines {
		fmt.Fprintf(&b, "int f%d(int a) { if (a > %d) return printf(\"%%d\\n\", a); /* %s */ }\n", n, n, strings.Repeat("text ", n%20))
	}
	return b.String()
}

// torture is text whose width terminals have opinions about. The bar behind it
// is put into its column, so that only the text itself can differ.
func torture() string {
	var b strings.Builder
	for _, line := range []string{
		"ASCII", "CJK 漢字仮名交じり文", "Hangul 한글", "Jamo \u1112\u1161\u11ab", "marks e\u0301 a\u0323\u0308 o\u0302\u0301", "box ┌─┬─┐ ▀▄█ ░▒▓", "emoji 😀 🚀 🐹", "selector ❤\ufe0f ☀\ufe0f",
		"family 👨\u200d👩\u200d👧", "skin 👍🏽", "flag 🇩🇪🇫🇷", "flag cut 🇩 🇪", "Thai ภาษาไทย", "Devanagari कि क्षि", "Arabic العربية", "Hebrew עברית", "zero a\u200bb\u2060c", "hyphen a\u00adb",
	} {
		b.WriteString(line + "\x1b[30G|\r\n")
	}
	return b.String() + strings.Repeat("漢", 61) + "|"
}

// commit makes a repository with some commits on two branches.
func commit(t *testing.T, dir string, env []string) {
	t.Helper()
	script := `git init -q -b main . && for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		echo $n >f$n && git add f$n && git commit -q -m "change $n: 漢字 and words"; done
		git checkout -q -b side HEAD~4 && echo x >x && git add x && git commit -q -m side && git checkout -q main && git merge -q --no-edit side`
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

var (
	small  = size{80, 24}
	medium = size{100, 30}
	large  = size{200, 60}
)

// programs are what is recorded.
func programs() []program {
	return []program{
		{
			name: "vim", args: []string{"vim", "-u", "NONE", "-N", "--cmd", "set t_u7= noesckeys", "a.c"}, files: map[string]string{"a.c": code(200)}, sizes: []size{small, large},
			actions: []action{
				{shows: "a.c"},
				{keys: ":syntax on\r:set number hlsearch cursorline termguicolors\r", shows: "  1 /*"},
				{keys: "/return\r", shows: "/return"},
				{keys: "\x06\x06\x04", shows: "return"},
				{keys: ":split\r\x17j:vsplit\r", shows: "a.c"},
				{keys: "GkkVkk", shows: "VISUAL"},
				{keys: "yonew 漢字 e\u0301 text\x1b", shows: "new 漢字"},
				{keys: "0xxxp", shows: "漢字"},
				{size: size{61, 17}, shows: "漢字"},
				{size: size{120, 40}, shows: "漢字"},
				{keys: ":only\rgg:set wrap list\r", shows: "stdio"},
				{keys: ":help\r", shows: "help"},
			},
		},
		{
			name: "less", args: []string{"less", "-R", "text"}, files: map[string]string{"text": prose(300)}, sizes: []size{small, medium},
			actions: []action{
				{shows: "line 1"},
				{keys: "  ", shows: "line"},
				{keys: "/line 77\r", shows: "line 77"},
				{keys: "bb", shows: "line"},
				{keys: "kkkkjj", shows: "line"},
				{size: size{70, 20}, shows: "line"},
				{size: size{130, 33}, shows: "line"},
				{keys: "G", shows: "line 299"},
				{keys: "-S\r", shows: "line"},
			},
		},
		{
			name: "git log", args: []string{"git", "log", "--graph", "--stat", "--color=always"}, prepare: commit, sizes: []size{small, large},
			actions: []action{{shows: "commit"}, {keys: " ", shows: "change"}, {keys: " ", shows: "change"}, {size: size{60, 24}, shows: "change"}, {keys: "k", shows: "change"}},
		},
		{
			name: "htop", args: []string{"htop"}, sizes: []size{medium},
			actions: []action{{shows: "PID"}, {keys: "\x1b[B\x1b[B", shows: "PID"}, {size: small, shows: "PID"}},
		},
		{
			name: "top", args: []string{"top", "-d", "60"}, sizes: []size{medium},
			actions: []action{{shows: "PID"}, {keys: "z", shows: "PID"}, {keys: "x", shows: "PID"}},
		},
		{
			name: "tmux in it", args: []string{"tmux", "-u", "-f", "/dev/null", "-L", "inner", "new-session", "cat text; exec sh -i"}, files: map[string]string{"text": prose(40)}, sizes: []size{medium},
			actions: []action{
				{shows: "line 39"},
				{keys: "\x02%", shows: "line 39"},
				{keys: "less -R text\r", shows: "line"},
				{keys: "  \x02\"", shows: "line"},
				{keys: "cat text\r", shows: "line 39"},
				{size: size{90, 28}, shows: "line"},
				{size: size{140, 40}, shows: "line"},
				{keys: "\x02d", shows: "detached"},
			},
		},
		{
			name: "shell", args: []string{"bash", "--norc", "--noprofile"}, files: map[string]string{"text": prose(60)}, sizes: []size{medium},
			actions: []action{
				{shows: "$"},
				{keys: "cat text\r", shows: "line 59"},
				{size: size{73, 20}, shows: "line"},
				{size: size{120, 40}, shows: "line"},
				{size: size{50, 12}, shows: "line"},
				{keys: "echo a long command that goes on and on until it has to be wrapped somewhere, 漢字 and all", shows: "all"},
				{keys: "\x01\x1b[C\x1b[C\x1b[3~\x05", shows: "eco"},
				// Taller, but not wider: with a line that was wrapped by hand xterm.js
				// is a row off then, and tmux 3.3a loses the cursor's row.
				{keys: "\x03", shows: "^C"},
				{size: size{50, 30}, shows: "$"},
			},
		},
		{
			name: "torture", args: []string{"cat", "text", "-"}, files: map[string]string{"text": torture()}, sizes: []size{small, {50, 30}},
			actions: []action{{shows: "hyphen"}},
		},
	}
}

// each records every program at each of its sizes and hands the steps on.
func each(t *testing.T, programs []program, look func(t *testing.T, steps []step)) {
	for _, p := range programs {
		for _, s := range p.sizes {
			t.Run(fmt.Sprintf("%s at %dx%d", p.name, s.cols, s.rows), func(t *testing.T) {
				t.Parallel()
				look(t, record(t, p, s))
			})
		}
	}
}

// agree shows the steps to our terminal and to another.
func agree(t *testing.T, other source, steps []step) {
	t.Helper()
	e := newOurs(steps[0].size)
	now := steps[0].size
	cells, meant := 0, 0
	for i, s := range steps {
		if s.size != now {
			now = s.size
			e.Resize(now.cols, now.rows)
			other.resize(now)
		}
		_, _ = e.Write(s.bytes)
		other.write(s.bytes)
		p := ours(e)
		cells += len(p.cells)
		shown := 0
		for _, d := range compare(p, other.picture()) {
			if reason := deliberate(other.name(), p.rowText(d.row), d); reason != "" {
				meant++
				continue
			}
			if shown++; shown <= 5 {
				t.Errorf("step %d (%dx%d): %v", i, now.cols, now.rows, d)
			}
		}
		if shown > 0 {
			t.Errorf("step %d: %d differences", i, shown)
		}
	}
	t.Logf("%d cells compared, %d deliberate differences", cells, meant)
}

func newOurs(s size) *terminal.Terminal {
	return terminal.New(terminal.Options{Columns: s.cols, Rows: s.rows, Scrollback: 1000, Program: "difftest"})
}

func TestAgainstTmux(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs programs for seconds")
	}
	each(t, programs(), func(t *testing.T, steps []step) {
		agree(t, newTmux(t, steps[0].size), steps)
		pieces(t, steps)
		dumps(t, steps)
	})
}

// pieces feeds the steps in small pieces: the screens are the same.
func pieces(t *testing.T, steps []step) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for name, next := range map[string]func() int{"1": func() int { return 1 }, "7": func() int { return 7 }, "random": func() int { return 1 + r.IntN(500) }} {
		whole, cut := newOurs(steps[0].size), newOurs(steps[0].size)
		for i, s := range steps {
			for _, e := range []*terminal.Terminal{whole, cut} {
				e.Resize(s.cols, s.rows)
			}
			_, _ = whole.Write(s.bytes)
			for rest := s.bytes; len(rest) > 0; {
				n := min(next(), len(rest))
				_, _ = cut.Write(rest[:n])
				rest = rest[n:]
			}
			for _, d := range compare(ours(whole), ours(cut)) {
				t.Fatalf("step %d in pieces of %s bytes: %v", i, name, d)
			}
		}
	}
}

// dumps takes a dump at many places: a terminal that reads it is the same, there
// and after what follows.
func dumps(t *testing.T, steps []step) {
	t.Helper()
	const cuts, history = 20, 100
	newSmall := func(s size) *terminal.Terminal {
		return terminal.New(terminal.Options{Columns: s.cols, Rows: s.rows, Scrollback: history})
	}
	total := 0
	for _, s := range steps {
		total += len(s.bytes)
	}
	e, done := newSmall(steps[0].size), 0
	for i, s := range steps {
		e.Resize(s.cols, s.rows)
		for rest := s.bytes; len(rest) > 0; {
			n := min(total/cuts+1, len(rest))
			again := newSmall(s.size)
			_, _ = again.Write(e.Dump(history))
			same := func() {
				t.Helper()
				if p, q := whole(e), whole(again); !slices.Equal(p, q) {
					t.Fatalf("step %d after %d bytes the rebuilt terminal is another:\n%s\nnot\n%s", i, done, again.Text(), e.Text())
				}
			}
			same()
			_, _ = e.Write(rest[:n])
			_, _ = again.Write(rest[:n])
			rest, done = rest[n:], done+n
			same()
		}
	}
}

// shown is all that can be seen of a cell.
type shown struct {
	terminal.Link
	text       string
	fg, bg, ul terminal.Color
	attr       terminal.Attr
	underline  terminal.Underline
	width      int
	wrapped    bool // of the row
}

// whole writes a terminal with its scrollback down. The first entry stands for
// what is not a cell.
func whole(e *terminal.Terminal) (all []shown) {
	e.Look(func(v terminal.View) {
		all = append(all, shown{text: fmt.Sprint(v.Cursor(), v.Modes(), v.Title())})
		for n := v.Oldest(); n < v.End(); n++ {
			row := v.Row(n)
			for _, c := range row.Cells {
				all = append(all, shown{v.Link(c), v.Text(c), c.Foreground, c.Background, v.UnderlineColor(c), c.Attr(), c.Underline(), c.Width(), row.Wrapped})
			}
		}
	})
	return all
}
