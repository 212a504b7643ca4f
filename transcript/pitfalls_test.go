package transcript_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

func peek(t *testing.T, b *tt.Builder) transcript.Summary {
	t.Helper()
	data := b.Bytes()
	sum, err := transcript.Peek(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestFirstPrompt holds the fixtures of B2 and B3 and of the client's rules.
func TestFirstPrompt(t *testing.T) {
	t.Parallel()
	start := func() *tt.Builder { return tt.New(sid).Snapshot("5c130000-0000-4000-8000-000000000000") }
	ide := start()
	for range 30 {
		ide.User("<ide_opened_file>" + strings.Repeat("/some/where ", 48) + "</ide_opened_file>")
	}
	for _, tc := range []struct {
		name             string
		b                *tt.Builder
		prompt, command  string
		prompted, answer bool
	}{
		{"B2 text behind a 70 KB image", start().UserContent("["+tt.Image(70<<10)+","+tt.Text("what is this")+"]", ""), "what is this", "", true, false},
		{"B2 text behind a 900 KB image", start().UserContent("["+tt.Image(900<<10)+","+tt.Text("what is this")+"]", ""), "what is this", "", true, false},
		{"B2 IDE lines first", ide.User("real prompt"), "real prompt", "", true, false},
		{"B2 long prompt", start().Raw(strings.Repeat(" ", 700) + "\n").User(strings.Repeat("가", 5300)), strings.Repeat("가", 200) + "…", "", true, false},
		{"B3 commands before the prompt", start().Progress().Meta("<local-command-caveat>x</local-command-caveat>").
			Command("/clear", "", "cleared").User("real prompt"), "real prompt", "/clear", true, false},
		{"B3 only local commands", start().Meta("<local-command-caveat>x</local-command-caveat>").Command("/add-dir", "/x", "added"), "", "/add-dir /x", false, false},
		{"B3 loop", start().Command("/loop", "/ap", ""), "", "/loop /ap", true, true},
		{"B3 message before name", start().User("<command-message>loop</command-message>\n<command-name>/loop</command-name>\n<command-args>/ap</command-args>"), "", "/loop /ap", true, true},
		{"shell line", start().Shell("git status", "clean"), "! git status", "", true, false},
		{"interrupt marker", start().User("[Request interrupted by user]"), "", "", false, false},
		{"upper-case tag", start().User("<Div> is a tag"), "<Div> is a tag", "", true, false},
		{"number in brackets", start().User("<123>"), "<123>", "", true, false},
		{"open tag", start().User("<x unclosed"), "<x unclosed", "", true, false},
		{"tag with attributes", start().User(`<goal id="1">do</goal>`), "", "", false, false},
		{"tag behind text", start().User("text <foo> more"), "text <foo> more", "", true, false},
		{"quoted command", start().User("why <command-name>/x</command-name>?"), "why <command-name>/x</command-name>?", "", true, false},
		{"lines", start().User("  one\n\ttwo\x1b[31m "), "one  two [31m", "", true, false},
		{"A20 image and empty text", start().UserContent("["+tt.Image(64)+","+tt.Text("")+"]", ""), "", "", true, false},
		{"A20 blank text", start().User("  \n"), "", "", false, false},
		{"A20 no blocks", start().UserContent("[]", ""), "", "", false, false},
		{"A20 null", start().UserContent("null", ""), "", "", false, false},
		{"A20 empty", start().UserContent(`""`, ""), "", "", false, false},
		{"compaction summary", start().Compact("all that was"), "", "", false, false},
		{"A16 lone surrogate", start().UserContent(`"fire \ud83d… \udc00"`, ""), "fire \uFFFD… \uFFFD", "", true, false},
		{"invalid UTF-8", start().UserContent("\"a\xff\xfeb\"", ""), "a\uFFFD\uFFFDb", "", true, false},
		{"A17 NUL in a text", start().UserContent(`"abc\u0000\u0001def"`, ""), "abc  def", "", true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if tc.answer {
				tc.b.Assistant(tt.Text("working"))
			}
			for name, got := range map[string]transcript.Summary{"scan": summary(t, tc.b), "peek": peek(t, tc.b)} {
				if got.FirstPrompt != tc.prompt || got.FirstCommand != tc.command || got.Prompted != tc.prompted {
					t.Errorf("%s: prompt %q, command %q, prompted %t; want %q, %q, %t", name, got.FirstPrompt, got.FirstCommand, got.Prompted, tc.prompt, tc.command, tc.prompted)
				}
			}
		})
	}
}

// TestTitles holds the fixtures of B4: a title is found anywhere.
func TestTitles(t *testing.T) {
	t.Parallel()
	far := func(b *tt.Builder) *tt.Builder {
		for range 60 {
			b.User("go on").Next().Assistant(tt.Text(tt.Filler(4000)))
		}
		return b
	}
	start := func() *tt.Builder { return tt.New(sid).Head().User("first") }
	for _, tc := range []struct {
		name       string
		b          *tt.Builder
		custom, ai string
	}{
		{"B4 title beyond the head and the tail", far(far(start()).Title("found")), "found", ""},
		{"B4 title at line 3", far(start().Title("found")), "found", ""},
		{"B4 ai-title later", start().Title("mine").AITitle("made up"), "mine", "made up"},
		{"B4 two titles", start().Title("old").Title("new"), "new", ""},
		{"B4 empty title clears", start().Title("old").Title(""), "", ""},
		{"B4 another session's id", start().Line(`{"type":"custom-title","customTitle":"copied","sessionId":"0"}`), "copied", ""},
		{"B4 quotes", start().Title(`"Feature A"`), `"Feature A"`, ""},
		{"title in a tool input", start().Title("mine").Assistant(tt.ToolUse("x", "Write", `{"type":"custom-title","customTitle":"theirs"}`)), "mine", ""},
		{"title in a text", start().Title("mine").User(`{"type":"custom-title","customTitle":"theirs"}`), "mine", ""},
		{"title in a nested record", start().Title("mine").Record("queue-operation", `"content":{"type":"custom-title","customTitle":"theirs"}`), "mine", ""},
		{"customTitle on another record", start().Title("mine").Record("note", `"customTitle":"theirs"`), "mine", ""},
		{"title that is no string", start().Title("mine").Record("custom-title", `"customTitle":5`), "mine", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := summary(t, tc.b); got.CustomTitle != tc.custom || got.AITitle != tc.ai {
				t.Errorf("titles %q and %q, want %q and %q", got.CustomTitle, got.AITitle, tc.custom, tc.ai)
			}
		})
	}
}

// TestMetadataIsNoActivity: B5 and B6, what is appended by itself moves no time
// and counts as no message.
func TestMetadataIsNoActivity(t *testing.T) {
	t.Parallel()
	b := tt.New(sid).Head().User("first").Assistant(tt.Text("yes"))
	want := summary(t, b)
	b.Time = b.Time.Add(90 * 24 * time.Hour)
	b.Title("x").AgentName("x").AITitle("y").Modes("normal", "plan").LastPrompt("first").PR(1, "u", "r").
		Snapshot(b.Last()).Record("queue-operation", `"timestamp":"2030-01-01T00:00:00.000Z"`)
	got := summary(t, b)
	if got.Updated != want.Updated || got.Messages != want.Messages || got.Created != want.Created {
		t.Errorf("updated %v, %d messages; want %v, %d", got.Updated, got.Messages, want.Updated, want.Messages)
	}
}

func TestPitfalls(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		b    func(b *tt.Builder)
		ok   func(s transcript.Summary) bool
	}{
		{
			"A2 snapshot with the id of a message", func(b *tt.Builder) { b.Snapshot(b.UUID(1)).User("hello") },
			func(s transcript.Summary) bool { return s.Messages == 1 && s.FirstPrompt == "hello" },
		},
		{"A4 parallel calls, all answered", func(b *tt.Builder) {
			b.User("go").Assistant(tt.Bash("x1", "a")).Assistant(tt.Bash("x2", "b")).Assistant(tt.Bash("x3", "c")).
				Result("x1", "1").Result("x2", "2").Result("x3", "3")
		}, func(s transcript.Summary) bool { return s.Messages == 2 && !s.Interrupted }},
		{"A21 parallel calls, one open", func(b *tt.Builder) {
			b.User("go").Assistant(tt.Bash("x1", "a")).Assistant(tt.Bash("x2", "b")).Result("x2", "2")
		}, func(s transcript.Summary) bool { return s.Interrupted }},
		{"A21 open call further up", func(b *tt.Builder) {
			b.User("go").Assistant(tt.Bash("x1", "a")).Next().User("never mind").Assistant(tt.Text("fine"))
		}, func(s transcript.Summary) bool { return !s.Interrupted }},
		{
			"A21 answer without a call", func(b *tt.Builder) { b.Result("x", "ok") },
			func(s transcript.Summary) bool { return s.Messages == 0 && !s.Interrupted && s.HasMain && !s.Prompted },
		},
		{"A23 one uuid twice, other directory", func(b *tt.Builder) {
			b.User("one")
			again := strings.ReplaceAll(string(b.Bytes()), "/home/sam/app", "/srv/app")
			b.Raw(again)
		}, func(s transcript.Summary) bool { return s.Dir == "/srv/app" && len(s.Dirs) == 2 }},
		{
			"A29 first line damaged", func(b *tt.Builder) { b.Line(`{"type":"us`).User("still here") },
			func(s transcript.Summary) bool { return s.FirstPrompt == "still here" && s.DamageCount == 1 },
		},
		{"B16 first and last directory", func(b *tt.Builder) {
			b.User("one")
			b.Dir = "/home/sam/app/sub"
			b.Assistant(tt.Text("two"))
		}, func(s transcript.Summary) bool {
			return len(s.Dirs) == 2 && s.Dirs[0] == "/home/sam/app" && s.Dir == "/home/sam/app/sub"
		}},
		{"B26 rows of an agent only", func(b *tt.Builder) {
			b.Sidechain = true
			b.User("sub task").Assistant(tt.Text("done"))
		}, func(s transcript.Summary) bool {
			return s.Sidechain && !s.HasMain && !s.Prompted && s.Messages == 0 && s.FirstPrompt == ""
		}},
		{"sidechain first, then a conversation", func(b *tt.Builder) {
			b.Sidechain = true
			b.User("warm up")
			b.Sidechain = false
			b.User("real")
		}, func(s transcript.Summary) bool { return s.Sidechain && s.HasMain && s.FirstPrompt == "real" }},
		{"agent team", func(b *tt.Builder) { b.TeamName = "crew"; b.User("x") }, func(s transcript.Summary) bool { return s.Team }},
		{
			"C3 fork", func(b *tt.Builder) { b.ForkedFrom = "11112222-0000-4000-8000-000000000000"; b.User("x") },
			func(s transcript.Summary) bool { return s.ForkedFrom == "11112222-0000-4000-8000-000000000000" },
		},
		{"first entrypoint", func(b *tt.Builder) {
			b.User(`"entrypoint":"sdk-cli"`).Attachment("note", `"entrypoint":"sdk-ts"`)
			b.Entrypoint = "sdk-cli"
			b.User("printed")
		}, func(s transcript.Summary) bool { return s.Entrypoint == "cli" }},
		{
			"worktree cleared", func(b *tt.Builder) { b.Worktree("/r", "/r/w", "w", "worktree-w").NoWorktree() },
			func(s transcript.Summary) bool {
				return s.Worktree == nil && s.Left != nil && s.Left.Path == "/r/w"
			},
		},
		{
			"worktree cleared for good", func(b *tt.Builder) { b.Worktree("/r", "/r/w", "w", "worktree-w").NoWorktree().NoWorktree() },
			func(s transcript.Summary) bool { return s.Worktree == nil && s.Left == nil },
		},
		{
			"worktree", func(b *tt.Builder) { b.NoWorktree().Worktree("/r", "/r/w", "w", "worktree-w") },
			func(s transcript.Summary) bool {
				return s.Worktree != nil && s.Worktree.Path == "/r/w" && s.Worktree.OriginalDir == "/r" && s.Worktree.Branch == "worktree-w"
			},
		},
		{"synthetic model", func(b *tt.Builder) {
			b.Assistant(tt.Text("a")).Next()
			b.Model = "<synthetic>"
			b.Assistant(tt.Text("no answer"))
		}, func(s transcript.Summary) bool { return s.Model == "claude-opus-5-5" && s.Messages == 2 }},
		{
			"no directory in metadata only", func(b *tt.Builder) { b.Head().Title("named") },
			func(s transcript.Summary) bool {
				return s.Dir == "" && s.SessionID == sid && !s.HasMain && s.CustomTitle == "named"
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := tt.New(sid)
			tc.b(b)
			if s := summary(t, b); !tc.ok(s) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestPeek compares what head and tail tell with a full scan.
func TestPeek(t *testing.T) {
	t.Parallel()
	b := richSession()
	for range 80 {
		b.User("go on").Next().Assistant(tt.Text(tt.Filler(4000)))
	}
	b.Title("last").Assistant(tt.Bash("open", "ls"))
	full, got := summary(t, b), peek(t, b)
	if got.Complete || got.Size != full.Size {
		t.Errorf("complete %t, size %d", got.Complete, got.Size)
	}
	if got.CustomTitle != "last" || got.FirstPrompt != full.FirstPrompt || got.Updated != full.Updated || got.Created != full.Created ||
		got.Dir != full.Dir || got.Branch != full.Branch || got.Entrypoint != full.Entrypoint || !got.Interrupted || got.SessionID != sid {
		t.Errorf("peek %+v\nscan %+v", got, full)
	}
	for _, n := range []int{1, 31, 33, 40} { // around the size up to which head and tail meet
		b := tt.New(sid).User("x")
		for range n {
			b.Assistant(tt.Text(tt.Filler(3000)))
		}
		full, got := summary(t, b), peek(t, b)
		if got.Complete && got.Records != full.Records {
			t.Errorf("%d rows: peek calls itself complete with %d of %d records", n, got.Records, full.Records)
		}
	}
}
