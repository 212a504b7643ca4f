package preview_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
	"coppice/transcript"
	"coppice/ui/preview"
	"coppice/ui/text"
	"coppice/worktree"
)

var update = flag.Bool("update", false, "write the golden files")

// now is the moment at which everything here is looked at.
var now = time.Date(2026, 3, 1, 15, 30, 0, 0, time.UTC)

// say returns a block of text.
func say(s string) transcript.Block { return transcript.Block{Kind: transcript.BlockText, Text: s} }

// call returns a call of a tool.
func call(tool, input string, answer *transcript.Result) transcript.Block {
	return transcript.Block{Kind: transcript.BlockCall, Tool: tool, Input: input, Answer: answer}
}

// message returns a message of some minutes ago.
func message(role transcript.Role, ago int, blocks ...transcript.Block) transcript.Message {
	return transcript.Message{Role: role, Time: now.Add(-time.Duration(ago) * time.Minute), Blocks: blocks}
}

// conversation holds one of everything.
func conversation() transcript.Tail {
	const fenced = "Here is the plan:\n\n# Tokenizer\n\n1. read **every** byte with `Next`\n2. never look back, because a *stream* has no memory of what went by\n" +
		"- nested\n  - twice\n\n> quoted words\n\n```go\nfunc Next() (Token, error) { return scan(input, position, lookahead) }\n\treturn\n```\n\n| a table | `x` |\n|---|---|\n\nAn unclosed ` and ** stay. 漢字は二つの桁を使います。"
	return transcript.Tail{Earlier: true, Damage: 2, Messages: []transcript.Message{
		message(transcript.RoleSummary, 2000, say("The parser was split in two.\nTests were added.\nOne is red.\nIt is the one on tabs.\nNothing else.")),
		message(transcript.RoleUser, 1990, say("fix the tokenizer, please: it loses the last line of a file that has no line feed"), transcript.Block{Kind: transcript.BlockImage}),
		message(transcript.RoleAssistant, 1989,
			transcript.Block{Kind: transcript.BlockThinking, Text: "\nThe loop ends too early.\nA sentinel would do."},
			say(fenced)),
		message(transcript.RoleAssistant, 1988,
			call("Bash", "go test ./...", &transcript.Result{Text: "ok a\nok b\nok c\n", Lines: 14, Cut: 90}),
			call("Read", "scan.go", &transcript.Result{Text: "package scan", Lines: 1}),
			call("Write", "scan.go", &transcript.Result{}),
			call("Bash", "rm -rf build\nsecond", &transcript.Result{Text: "rm: build: no permission\nmore", Lines: 2, Error: true}),
			call("Task", "", nil)),
		message(transcript.RoleUser, 20, transcript.Block{Kind: transcript.BlockCommand, Text: "/review 42"},
			transcript.Block{Kind: transcript.BlockOutput, Text: "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight"}),
		message(transcript.RoleUser, 19, transcript.Block{Kind: transcript.BlockShell, Text: "ls -la"},
			transcript.Block{Kind: transcript.BlockOutput, Text: "total 0"}),
		message(transcript.RoleNotice, 18, say("The model was changed.")),
		message(transcript.RoleAssistant, 17, say("  \n"), transcript.Block{Kind: transcript.BlockOther, Text: "document"},
			transcript.Block{Kind: transcript.BlockResult, Text: "late\nanswer\n"}),
		message(transcript.RoleAssistant, 16, transcript.Block{Kind: transcript.BlockText, Text: "The end was cut", Cut: 4096}),
	}}
}

func TestRenderGolden(t *testing.T) {
	t.Parallel()
	for _, width := range []int{20, 40, 80} {
		for _, expanded := range []bool{false, true} {
			name := fmt.Sprintf("render-%d.txt", width)
			if expanded {
				name = fmt.Sprintf("render-%d-expanded.txt", width)
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				lines := preview.Render(conversation(), preview.Options{Width: width, Expanded: expanded, Now: now})
				golden(t, name, lines, width)
			})
		}
	}
}

func TestHeaderGolden(t *testing.T) {
	t.Parallel()
	for _, width := range []int{20, 40, 80} {
		name := fmt.Sprintf("header-%d.txt", width)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lines []text.Line
			for _, s := range sessions() {
				lines = append(lines, preview.Header(s, preview.HeaderOptions{Width: width, Now: now, Home: "/home/someone"})...)
				lines = append(lines, nil)
			}
			golden(t, name, lines, width)
		})
	}
}

// sessions returns an ordinary session, one with everything and an empty one.
func sessions() []session.Session {
	const id, other = "3f2a9c1e-0000-4000-8000-000000000001", "3f2a9c1e-0000-4000-8000-000000000002"
	return []session.Session{
		{
			ID: id, Title: "parser-work", Dir: "/home/someone/src/app", Place: worktree.Place{Exists: true, State: worktree.Present},
			Updated: now.Add(-2 * time.Minute),
			Summary: transcript.Summary{Messages: 41, Size: 172_032, Branch: "main", Model: "model-5", PermissionMode: "plan", Complete: true},
		},
		{
			ID: id, Title: "fix [red] \x1b[31m漢字\u202e", Dir: "/home/someone/src/app/.worktrees/a-long-name-of-a-worktree",
			Place:   worktree.Place{State: worktree.Missing},
			Updated: now.Add(-50 * time.Hour), Parent: other,
			Live:   &session.Live{Status: session.Status{State: session.StateWaiting, Reason: "permission for Bash", Since: now.Add(-3 * time.Minute)}, Where: "pid 4711"},
			Copies: []session.Copy{{Path: "/a"}, {Path: "/b", Dir: "/home/someone/src/copy", Updated: now.Add(-72 * time.Hour)}},
			Hidden: "started by an SDK", NotReady: "the worktree is gone", Problem: "no permission",
			Summary: transcript.Summary{
				Messages: 1, Size: 12, Branch: "HEAD", DamageCount: 5, Interrupted: true,
				Damage: []transcript.Damage{
					{Line: 41, Kind: transcript.DamageTorn},
					{Line: 1097, Kind: transcript.DamageNUL},
					{Kind: transcript.DamageGlued},
					{Line: 2000, Kind: transcript.DamageGarbage},
				},
				PR:        &transcript.PR{Number: 12, Repository: "owner/name"},
				Worktree:  &transcript.Worktree{Name: "wt", Branch: "worktree-wt"},
				AddedDirs: []string{"/home/someone/src/lib"}, Tag: "later", Kind: "bg",
			},
		},
		{ID: id},
	}
}

// golden compares lines, with their roles, to a file, and checks the width.
func golden(t *testing.T, name string, lines []text.Line, width int) {
	t.Helper()
	var out strings.Builder
	for _, l := range lines {
		if l.Width() > width {
			t.Errorf("%q takes %d of %d cells", l.String(), l.Width(), width)
		}
		out.WriteString(text.Pad(l.String(), width) + "|" + roles(l) + "\n")
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// roles names the roles of a line's spans.
func roles(l text.Line) string {
	var out strings.Builder
	for _, s := range l {
		if s.Text != "" && strings.Trim(s.Text, " ") != "" {
			fmt.Fprintf(&out, " %d", s.Role)
		}
	}
	return out.String()
}

func TestRenderEmpty(t *testing.T) {
	t.Parallel()
	opt := preview.Options{Width: 40}
	for name, tail := range map[string]transcript.Tail{
		"nothing": {},
		"A18 A20 blocks without text": {Messages: []transcript.Message{
			message(transcript.RoleAssistant, 1, say(""), say(" \n\t"), transcript.Block{Kind: transcript.BlockThinking}),
			message(transcript.RoleUser, 1),
		}},
	} {
		if got := join(preview.Render(tail, opt)); got != "Nothing was said in this session." {
			t.Errorf("%s: %q", name, got)
		}
	}
	for want, tail := range map[string]transcript.Tail{
		"! 3 unreadable lines left out\nNo message can be read.":                      {Damage: 3},
		"… earlier messages are not shown\nThe end of this session holds no message.": {Earlier: true},
	} {
		if got := join(preview.Render(tail, preview.Options{Width: 60})); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := preview.Render(conversation(), preview.Options{}); got != nil {
		t.Errorf("no width gives %d lines", len(got))
	}
}

func TestSummaryIsNobodysWords(t *testing.T) {
	t.Parallel()
	got := join(preview.Message(message(transcript.RoleSummary, 1, say("All went well.")), preview.Options{Width: 40}))
	if !strings.HasPrefix(got, "── earlier, summarised ──") || strings.Contains(got, "you") {
		t.Errorf("A14 a summary is shown as:\n%s", got)
	}
}

// TestHostileText puts what must not reach a screen in every field.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const bad = "\x1b]0;x\x07a\u202eb\u200b\x00\x9b\xff漢字👩‍🍳\r\n\tz"
	var blocks []transcript.Block
	for _, kind := range []transcript.BlockKind{
		transcript.BlockText, transcript.BlockThinking, transcript.BlockCall, transcript.BlockResult, transcript.BlockCommand,
		transcript.BlockShell, transcript.BlockOutput, transcript.BlockImage, transcript.BlockOther, "unheard of",
	} {
		blocks = append(blocks, transcript.Block{Kind: kind, Text: bad, Tool: bad, Input: bad, Answer: &transcript.Result{Text: bad, Lines: 2}})
	}
	for _, role := range []transcript.Role{transcript.RoleUser, transcript.RoleAssistant, transcript.RoleSummary, transcript.RoleNotice, bad} {
		for _, width := range []int{1, 2, 3, 5, 6, 7, 13, 20, 29, 30, 44} {
			for _, expanded := range []bool{false, true} {
				lines := preview.Message(transcript.Message{Role: role, Blocks: blocks}, preview.Options{Width: width, Expanded: expanded})
				checkLines(t, lines, width)
			}
		}
	}
	s := session.Session{
		ID: bad, Title: bad, Dir: bad, Parent: bad, Hidden: bad, NotReady: bad, Problem: bad,
		Place: worktree.Place{State: bad}, Live: &session.Live{Status: session.Status{State: bad, Reason: bad}, Where: bad},
		Copies: []session.Copy{{Dir: bad}, {Dir: bad}, {Path: bad}},
		Summary: transcript.Summary{
			Branch: bad, Model: bad, PermissionMode: bad, Tag: bad, Agent: bad, Kind: bad, AddedDirs: []string{bad},
			PR: &transcript.PR{Repository: bad}, Worktree: &transcript.Worktree{Path: bad},
			DamageCount: 1, Damage: []transcript.Damage{{Kind: bad}},
		},
	}
	for width := range 45 {
		checkLines(t, preview.Header(s, preview.HeaderOptions{Width: width, Now: now}), width)
	}
}

// checkLines checks that lines are clean and fit.
func checkLines(t *testing.T, lines []text.Line, width int) {
	t.Helper()
	for _, l := range lines {
		if l.Width() > width {
			t.Errorf("%q takes %d of %d cells", l.String(), l.Width(), width)
		}
		for _, s := range l {
			if s.Text != text.Clean(s.Text) {
				t.Errorf("%q is not clean", s.Text)
			}
		}
	}
}

// join returns the text of lines.
func join(lines []text.Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.String())
	}
	return strings.Join(out, "\n")
}

func FuzzMessage(f *testing.F) {
	f.Add("# a **b** `c`\n```\nx\n```\n- d", 10)
	f.Add("**\u0301x** ` `` ***", 3)
	f.Add("> 1. - +\n~~~\n\t\x1b", 31)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = 1 + (width%60+60)%60
		m := transcript.Message{Role: transcript.RoleAssistant, Blocks: []transcript.Block{say(s), call(s, s, &transcript.Result{Text: s, Lines: 3})}}
		for _, l := range preview.Message(m, preview.Options{Width: width, Expanded: true}) {
			if l.Width() > width {
				t.Errorf("%q takes %d of %d cells", l.String(), l.Width(), width)
			}
		}
	})
}
