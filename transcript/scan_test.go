package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

const sid = "3f2a9c41-0b7d-4e55-9a10-5d6c7e8f9a01"

func scan(t testing.TB, data []byte) transcript.State {
	t.Helper()
	var s transcript.Scanner
	state, err := s.Scan(t.Context(), bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatalf("scan: %v", err)
	}
	return state
}

func summary(t testing.TB, b *tt.Builder) transcript.Summary {
	t.Helper()
	return scan(t, b.Bytes()).Summary
}

// richSession has every kind of record and row, some of them large.
func richSession() *tt.Builder {
	big := tt.Filler(9000)
	b := tt.New(sid).Head()
	b.User("Tidy the tokenizer, please").Environment("/srv/one").Attachment("skill_listing", `"content":`+tt.Quote(big))
	b.Request(3000)
	b.Assistant(tt.Thinking("let me see")).Assistant(tt.Text("On it.")).Assistant(tt.Bash("toolu_1", "go test ./...")).Assistant(tt.Bash("toolu_2", `grep -n "x" a.go`))
	b.Result("toolu_1", big).Result("toolu_2", "3 lines")
	b.Next().Assistant(tt.Text(big)).System("turn_duration", `"durationMs":12,"messageCount":9`)
	b.Title(`a "quoted" title`).AgentName("tidy").AITitle("generated").Tag("wip").LastPrompt("Tidy the tokenizer, please")
	b.Dir, b.Branch = `/home/sam/app/.claude/worktrees/x`, "feat/ünïcode"
	b.Worktree("/home/sam/app", "/home/sam/app/.claude/worktrees/x", "x", "worktree-x").PR(77, "https://example.org/pr/77", "sam/app")
	b.Command("/add-dir", "/srv/two", "added").Environment("/srv/one", "/srv/two").Meta("a note to the model")
	b.UserContent(`[`+tt.Image(6000)+`,`+tt.Text("what is \\ this?\n")+`]`, "")
	b.Next().Assistant(tt.Text("a picture")).Assistant(tt.ToolUse("toolu_3", "Edit", `{"file":"a.go","new":`+tt.Quote(big)+`}`))
	b.Result("toolu_3", big).Compact("earlier: much").Relocated("/home/sam/app").Record("queue-operation", `"operation":"enqueue","content":"type"`)
	b.Sidechain = true
	b.User("side question").Assistant(tt.Text("side answer"))
	b.Sidechain = false
	b.Next().User("안녕하세요 \U0001F469\u200d\U0001F373").Assistant(tt.Bash("toolu_4", "ls")).Modes("normal", "plan").Record("cost-state", `"totalCostUSD":0.1`)
	return b
}

func TestScanAgainstReference(t *testing.T) {
	t.Parallel()
	data := richSession().Bytes()
	if diff := cmp.Diff(refer(data), scan(t, data).Summary); diff != "" {
		t.Errorf("reference → scan:\n%s", diff)
	}
}

// TestScanOrderAndSpacing writes the members of every record in other orders and
// with blanks: the facts stay the same.
func TestScanOrderAndSpacing(t *testing.T) {
	t.Parallel()
	data := richSession().Bytes()
	want := refer(data)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		shuffled := shuffle(t, rng, data)
		got := scan(t, shuffled).Summary
		if diff := cmp.Diff(refer(shuffled), got); diff != "" {
			t.Fatalf("seed %d, reference → scan:\n%s", seed, diff)
		}
		got.Size = want.Size
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, original → shuffled:\n%s", seed, diff)
		}
	}
}

func shuffle(t *testing.T, rng *rand.Rand, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		out.Write(shuffleValue(t, rng, bytes.TrimSpace(line)))
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func shuffleValue(t *testing.T, rng *rand.Rand, raw []byte) []byte {
	t.Helper()
	blank := func() string { return []string{"", "", " ", "  ", "\t"}[rng.IntN(5)] }
	var out bytes.Buffer
	switch raw[0] {
	case '{':
		members, order := objectMembers(t, raw)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		out.WriteByte('{')
		for i, key := range order {
			if i > 0 {
				out.WriteString(blank() + ",")
			}
			fmt.Fprintf(&out, "%s%s%s:%s%s", blank(), tt.Quote(key), blank(), blank(), shuffleValue(t, rng, members[key]))
		}
		out.WriteString(blank() + "}")
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('[')
		for i, item := range list {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(blank())
			out.Write(shuffleValue(t, rng, item))
		}
		out.WriteString(blank() + "]")
	default:
		return raw
	}
	return out.Bytes()
}

func objectMembers(t *testing.T, raw []byte) (map[string]json.RawMessage, []string) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	members := map[string]json.RawMessage{}
	var order []string
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		name := key.(string)
		members[name] = value
		order = append(order, name)
	}
	return members, order
}

// TestScanGoesOn stops a scan at many places and continues: the State is that of
// one scan.
func TestScanGoesOn(t *testing.T) {
	t.Parallel()
	data := richSession().Raw("\n{\"type\":\"mo").Bytes()
	want := scan(t, data)
	var s transcript.Scanner
	for cut := 0; cut <= len(data); cut += 1 + len(data)/997 {
		r := bytes.NewReader(data)
		first, err := s.Scan(t.Context(), r, int64(cut), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Scan(t.Context(), r, int64(len(data)), &first)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("cut at %d, whole → continued:\n%s", cut, diff)
		}
	}
}

func TestScanFacts(t *testing.T) {
	t.Parallel()
	got := summary(t, richSession())
	if got.Messages != 7 || !got.Interrupted || !got.Prompted || got.Updated.IsZero() || got.DamageCount != 0 {
		t.Errorf("messages %d, interrupted %t, prompted %t, updated %v, damage %v", got.Messages, got.Interrupted, got.Prompted, got.Updated, got.Damage)
	}
	if got.Created != time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC) {
		t.Errorf("created %v", got.Created)
	}
	if want := []string{"/srv/one", "/srv/two"}; !cmp.Equal(got.AddedDirs, want) {
		t.Errorf("added directories %q, want %q", got.AddedDirs, want)
	}
	if strings.Join(got.Dirs, " ") != "/home/sam/app /home/sam/app/.claude/worktrees/x" {
		t.Errorf("directories %q", got.Dirs)
	}
}
