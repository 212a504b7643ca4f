package request

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"coppice/transcript/repair"
)

// maxHead is how much of a replaced result is shown, in bytes.
const maxHead = 2000

// result is one tool result of a conversation.
type result struct {
	callID string
	text   string // all of its text
	size   int    // of what is sent
	fixed  bool   // replaced before, or sent whole before
}

// decide returns the text of every replaced result by call, and those that were
// decided now. It looks only at the results of one turn at a time, and of those
// only at what the model has not answered to yet, so that later turns, and later
// budgets, change nothing of what was decided.
func decide(messages []repair.Message, recorded []Replacement, b Budget) (map[string]string, []Replacement) {
	texts := map[string]string{}
	for _, r := range recorded {
		if _, there := texts[r.CallID]; !there {
			texts[r.CallID] = r.Text
		}
	}
	if b.PerResult <= 0 && b.PerTurn <= 0 {
		return texts, nil
	}
	var replaced []Replacement
	var turn []result
	seen := 0
	if !b.Seen {
		seen = answered(messages)
	}
	for i := turnOf(messages, seen); i < len(messages); i++ {
		results, prompt := resultsOf(messages[i], texts, i < seen)
		if prompt {
			replaced = append(replaced, fit(turn, b, texts)...)
			turn = turn[:0]
		}
		turn = append(turn, results...)
	}
	return texts, append(replaced, fit(turn, b, texts)...)
}

// answered returns the index of the last message that the model gave: what
// stands before it was sent. A closing text that was made is not the model's.
func answered(messages []repair.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		if m.Role == "assistant" && slices.ContainsFunc(m.Blocks, func(b repair.Block) bool { return b.Made == repair.Recorded }) {
			return i
		}
	}
	return 0
}

// turnOf returns the index of the prompt whose turn the message at index at is
// part of.
func turnOf(messages []repair.Message, at int) int {
	for ; at > 0; at-- {
		if m := messages[at]; m.Role == "user" && !slices.ContainsFunc(m.Blocks, isResult) {
			break
		}
	}
	return at
}

func isResult(b repair.Block) bool { return b.Type == "tool_result" }

// resultsOf returns the results of a message, and whether it begins a turn.
func resultsOf(m repair.Message, texts map[string]string, fixed bool) (results []result, prompt bool) {
	if m.Role != "user" {
		return nil, false
	}
	for _, b := range m.Blocks {
		if !isResult(b) {
			continue
		}
		id := gjson.GetBytes(b.JSON, "tool_use_id").Str
		if text, there := texts[id]; there {
			results = append(results, result{callID: id, size: len(text), fixed: true})
			continue
		}
		text := textOf(gjson.GetBytes(b.JSON, "content"))
		results = append(results, result{callID: id, text: text, size: len(text), fixed: fixed})
	}
	return results, len(results) == 0
}

// fit replaces results of one turn until it keeps the bounds, the largest first,
// of equal ones the earlier. Results that are fixed count, but stay.
func fit(turn []result, b Budget, texts map[string]string) []Replacement {
	total := 0
	var order []int
	for i, r := range turn {
		total += r.size
		if !r.fixed {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return turn[y].size - turn[x].size })
	chosen := map[int]string{}
	for _, i := range order {
		r := turn[i]
		over := b.PerResult > 0 && r.size > b.PerResult
		if !over && (b.PerTurn <= 0 || total <= b.PerTurn) {
			break // the rest is smaller
		}
		short := preview(r.text, b)
		if _, twice := texts[r.callID]; twice || len(short) >= r.size {
			continue
		}
		texts[r.callID], chosen[i] = short, short
		total -= r.size - len(short)
	}
	var replaced []Replacement
	for i, r := range turn {
		if text, ok := chosen[i]; ok {
			replaced = append(replaced, Replacement{CallID: r.callID, Text: text})
		}
	}
	return replaced
}

// preview returns what stands for a long result.
func preview(text string, b Budget) string {
	note := fmt.Sprintf("[This result is %d bytes long and was cut here to keep the conversation small. "+
		"Call the tool again for the part that is needed.]", len(text))
	room := maxHead
	if b.PerResult > 0 {
		room = min(room, b.PerResult-len(note)-len(headNote))
	}
	head := cut(text, room)
	if head == "" {
		return note
	}
	return note + headNote + head
}

// headNote stands between the note and the beginning of a result.
const headNote = "\nIt begins:\n"

// cut shortens s to at most n bytes at the border of a character.
func cut(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// textOf returns all text of a result: its string, or its text blocks.
func textOf(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	if !content.IsArray() {
		return ""
	}
	var text strings.Builder
	content.ForEach(func(_, block gjson.Result) bool {
		if part := block.Get("text"); block.Get("type").Str == "text" && part.Type == gjson.String {
			if text.Len() > 0 {
				text.WriteByte('\n')
			}
			text.WriteString(part.Str)
		}
		return true
	})
	return text.String()
}
