package request_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"coppice/session/request"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// conversation draws a conversation: prompts, answers with calls, and results
// of every length, in a valid order. It ends anywhere.
func conversation(t *rapid.T) []repair.Message {
	var messages []repair.Message
	calls := 0
	body := rapid.StringMatching(`[a-zé"<&\n 😀]{0,40}`)
	for range rapid.IntRange(1, 5).Draw(t, "turns") {
		messages = append(messages, user(text("p"+body.Draw(t, "prompt"))))
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			ids := make([]string, rapid.IntRange(1, 4).Draw(t, "calls"))
			uses := []repair.Block{text("working")}
			var results []repair.Block
			for i := range ids {
				calls++
				ids[i] = fmt.Sprintf("toolu_%d", calls)
				uses = append(uses, use(ids[i]))
				results = append(results, answer(ids[i], strings.Repeat(body.Draw(t, "line"), rapid.IntRange(0, 300).Draw(t, "lines"))))
			}
			messages = append(messages, model(uses...), user(results...))
		}
		messages = append(messages, model(text("done"+body.Draw(t, "answer"))))
	}
	return messages[:rapid.IntRange(1, len(messages)).Draw(t, "length")]
}

func budget(t *rapid.T, label string) request.Budget {
	bound := rapid.SampledFrom([]int{0, 1, 300, 2000, 5000, 20_000})
	return request.Budget{PerResult: bound.Draw(t, label+" per result"), PerTurn: bound.Draw(t, label+" per turn")}
}

// unmarked returns messages without cache marks, which are no part of what a
// cache compares.
func unmarked(t *rapid.T, messages []request.Message) []string {
	var lines []string
	for _, m := range messages {
		line := m.Role
		for _, b := range m.Content {
			line += "\n" + strings.ReplaceAll(string(b), `,"cache_control":{"type":"ephemeral"}`, "")
		}
		lines = append(lines, line)
	}
	return lines
}

// Whatever the budgets are, and however often the session is resumed in between,
// each request begins with the one before it, byte for byte.
func TestPrefixIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		messages := conversation(t)
		var recorded []request.Replacement // as the transcript holds them
		var before []string
		first := true
		for n := 1; n <= len(messages); n++ {
			if messages[n-1].Role != "user" {
				continue // a request ends on what the model has not answered yet
			}
			in := request.Input{Replacements: slices.Clone(recorded), Budget: budget(t, fmt.Sprint(n))}
			in.Budget.Seen = first && rapid.Bool().Draw(t, "taken over")
			in.Conversation = repair.Conversation{Policy: ledger.Keep, Messages: messages[:n]}
			first = false
			req, err := request.Build(in)
			if err != nil {
				t.Fatal(err)
			}
			now := unmarked(t, req.Messages)
			if len(now) < len(before) || !slices.Equal(now[:len(before)], before) {
				t.Fatalf("the request of %d messages begins otherwise than the one before it", n)
			}
			before = now
			for _, r := range req.Replaced {
				if slices.ContainsFunc(recorded, func(old request.Replacement) bool { return old.CallID == r.CallID }) {
					t.Fatalf("%s was replaced twice", r.CallID)
				}
			}
			recorded = append(recorded, req.Replaced...)
		}
	})
}

// A resume sends what was sent: the same conversation with the recorded
// replacements gives the same bytes and replaces nothing anew, whatever the
// budget is by then.
func TestResumeSendsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := request.Input{Budget: budget(t, "at first")}
		in.Conversation = repair.Conversation{Policy: ledger.Keep, Messages: conversation(t)}
		sent, err := request.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Replacements = sent.Replaced
		again, err := request.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Budget = request.Budget{}
		unbounded, err := request.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string]request.Request{"with the budget": again, "without": unbounded} {
			if len(other.Replaced) > 0 || !slices.Equal(unmarked(t, other.Messages), unmarked(t, sent.Messages)) {
				t.Fatalf("a resume %s sends something else", name)
			}
		}
	})
}

// The budget holds where it can: a new result is within its bound or as short as
// a note, and if a turn is over its bound, nothing that was new in it is left
// that a note would make shorter.
func TestBudgetHolds(t *testing.T) {
	t.Parallel()
	const note = 250 // no note is longer
	rapid.Check(t, func(t *rapid.T) {
		in := request.Input{Budget: budget(t, "")}
		in.Budget.Seen = true
		in.Conversation = repair.Conversation{Policy: ledger.Keep, Messages: conversation(t)}
		req, err := request.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		total, longest := 0, 0
		check := func() {
			if b := in.Budget.PerTurn; b > 0 && total > b && longest > 2000+note {
				t.Fatalf("a turn has %d bytes of results, one of them %d", total, longest)
			}
			total, longest = 0, 0
		}
		for _, m := range req.Messages {
			for _, b := range m.Content {
				if gjson.GetBytes(b, "type").Str != "tool_result" {
					if m.Role == "user" {
						check()
					}
					continue
				}
				n := len(gjson.GetBytes(b, "content").Str)
				total, longest = total+n, max(longest, n)
				if bound := in.Budget.PerResult; bound > 0 && n > max(bound, note) {
					t.Fatalf("a result has %d bytes of %d", n, bound)
				}
			}
		}
		check()
	})
}

// Every request has at most four marks, and every block is whole JSON that
// differs from what was recorded in nothing but marks and replaced texts.
func TestBlocksStayWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := request.Input{
			Budget: budget(t, ""),
			System: []json.RawMessage{json.RawMessage(`{"type":"text","text":"s"}`)},
			Tools:  []json.RawMessage{json.RawMessage(`{"name":"Bash"}`)},
		}
		in.Conversation = repair.Conversation{Policy: ledger.Keep, Messages: conversation(t)}
		req, err := request.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		js, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(js), `"cache_control"`); n < 3 || n > 4 {
			t.Fatalf("%d marks", n)
		}
		for i, line := range unmarked(t, req.Messages) {
			want := in.Conversation.Messages[i].Role
			for _, b := range in.Conversation.Messages[i].Blocks {
				want += "\n" + string(b.JSON)
			}
			if line != want && len(req.Replaced) == 0 {
				t.Fatalf("message %d is %s, recorded was %s", i, line, want)
			}
		}
	})
}
