package writer_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
	"coppice/transcript/writer"
)

// session is a Writer, its file, and what it must hold.
type session struct {
	t     testing.TB
	rt    *rapid.T
	path  string
	w     *writer.Writer
	lives int
	n     int                    // messages made so far
	all   map[int]writer.Message // by number
	talk  []writer.Message       // the conversation, acknowledged
	acked int64                  // size of the file when the last call returned
	torn  bool                   // a turn broke off: the client may see less until the next one
}

func (s *session) next() int {
	s.n++
	return s.n
}

// numbers returns the messages that marks belong to, in order.
func numbers(list []string) []int {
	var nums []int
	for _, m := range list {
		var n, part int
		_, _ = fmt.Sscanf(m, "%d.%d", &n, &part)
		if !slices.Contains(nums, n) {
			nums = append(nums, n)
		}
	}
	return nums
}

// expect returns the marks of messages.
func expect(talk []writer.Message) []string {
	var list []string
	for _, m := range talk {
		for _, mark := range marks.FindAllStringSubmatch(string(m.Content), -1) {
			list = append(list, mark[1])
		}
	}
	return list
}

// draw chooses the messages that a turn adds.
func (s *session) draw() []writer.Message {
	n := s.next()
	list := []writer.Message{prompt(n)}
	switch rapid.IntRange(0, 3).Draw(s.rt, "kind") {
	case 0:
		list = append(list, answer(s.next()))
	case 1:
		calls := rapid.IntRange(1, 3).Draw(s.rt, "calls")
		c := s.next()
		order := rapid.Permutation([]int{0, 1, 2}[:calls]).Draw(s.rt, "order")
		list = append(list, calling(c, calls), answering(s.next(), c, order...), answer(s.next()))
	case 2:
		list = append(list, calling(s.next(), 2)) // nothing answers
	case 3:
		list[0].Content = json.RawMessage(tt.Quote(mark(n, 0) + tt.Filler(2000)))
	}
	for i, m := range list {
		s.all[n+i] = m
	}
	return list
}

// plan chooses the next list and whether it is a compaction.
func (s *session) plan() ([]writer.Message, *writer.Compaction) {
	kept := slices.Clone(s.talk)
	if len(kept) == 0 {
		return s.draw(), nil
	}
	switch rapid.IntRange(0, 5).Draw(s.rt, "turn") {
	case 0: // back to an earlier prompt
		at := rapid.IntRange(1, len(kept)).Draw(s.rt, "back")
		for at < len(kept) && !isPrompt(kept[at]) {
			at++
		}
		return append(kept[:at], s.draw()...), nil
	case 1, 2:
		from := rapid.IntRange(1, len(kept)).Draw(s.rt, "keep")
		for from < len(kept) && !isPrompt(kept[from]) {
			from++
		}
		n := s.next()
		list := append([]writer.Message{summary(n)}, kept[from:]...)
		s.all[n] = list[0]
		if rapid.Bool().Draw(s.rt, "with a turn") {
			list = append(list, s.draw()...)
		}
		if rapid.Bool().Draw(s.rt, "clear") {
			return list, nil
		}
		return list, &writer.Compaction{Trigger: "auto", PreTokens: 10, PostTokens: 5}
	default:
		return append(kept, s.draw()...), nil
	}
}

func isPrompt(m writer.Message) bool { return m.Role == "user" && m.Content[0] == '"' }

// record is a turn that returns.
func (s *session) record() {
	list, c := s.plan()
	if err := s.w.Turn(s.t.Context(), list, c); err != nil {
		s.rt.Fatalf("turn: %v", err)
	}
	s.took(list)
}

func (s *session) took(list []writer.Message) {
	s.torn = s.torn && slices.Equal(numbers(expect(s.talk)), numbers(expect(list)))
	s.talk, s.acked = list, s.size()
}

func (s *session) size() int64 {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// crash breaks off a turn at any byte, leaves what a torn write leaves, and
// loads the session again.
func (s *session) crash() {
	if len(s.talk) == 0 {
		return
	}
	old := s.talk
	list, c := slices.Clone(old), (*writer.Compaction)(nil)
	if rapid.Bool().Draw(s.rt, "in a turn") {
		if list, c = s.plan(); s.w.Turn(s.t.Context(), list, c) != nil {
			s.rt.Fatalf("turn failed")
		}
		s.torn = true
		at := rapid.Int64Range(s.acked, s.size()).Draw(s.rt, "byte")
		if err := os.Truncate(s.path, at); err != nil {
			s.rt.Fatalf("%v", err)
		}
	}
	torn := rapid.SampledFrom([]string{"", "{\"type\":\"us", "\x00\x00\x00\x00", "garbage", "{\"parentUuid\":null,\"isSidechain\":false,\"type\":\"user\",\"uuid\":\"x", "\n\n"}).Draw(s.rt, "torn")
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		s.rt.Fatalf("%v", err)
	}
	_, _ = f.WriteString(torn)
	_ = f.Close()
	s.reload(old, list)
}

// reload loads the session and checks that it is the old conversation, or the
// new one as far as it came.
func (s *session) reload(old, list []writer.Message) {
	l, c, err := read(s.path, ledger.Keep)
	if err != nil {
		s.rt.Fatalf("load: %v", err)
	}
	got := ordered(said(s.rt, l, c))
	was := ordered(expect(old))
	shared := slices.Clone(list)
	for i, m := range list { // what of the new list is on disk for certain
		if !slices.ContainsFunc(old, func(o writer.Message) bool { return string(o.Content) == string(m.Content) }) && !m.Summary {
			shared = list[:i]
			break
		}
	}
	if !grownFrom(got, was, expect(list)) && !grownFrom(got, ordered(expect(shared)), expect(list)) {
		s.rt.Fatalf("after the crash: %v\nbefore: %v\nturn: %v", got, was, expect(list))
	}
	s.lives++
	w, err := writer.Adopt(s.path, stamp, l, c)
	if err != nil {
		s.rt.Fatalf("adopt: %v", err)
	}
	s.w = steady(w, s.lives)
	s.adopt(l, c)
	s.acked = s.size()
}

// grownFrom says whether got is base and then some of what the turn was adding.
func grownFrom(got, base, turn []string) bool {
	if len(got) < len(base) || !slices.Equal(got[:len(base)], base) {
		return false
	}
	for _, m := range got[len(base):] {
		if !slices.Contains(turn, m) || slices.Contains(base, m) {
			return false
		}
	}
	return true
}

// adopt makes messages of the rows of a chain, as an engine does.
func (s *session) adopt(l *ledger.Ledger, c ledger.Chain) {
	found := map[int][]string{}
	parts := map[int][]json.RawMessage{}
	s.talk = nil
	for _, i := range c.Rows {
		r := l.Rows[i]
		if r.Kind != ledger.User && r.Kind != ledger.Assistant {
			continue
		}
		raw, err := l.Bytes(r.Offset, r.Size)
		if err != nil {
			s.rt.Fatalf("%v", err)
		}
		var row struct {
			Message struct{ Content json.RawMessage }
		}
		if err := json.Unmarshal(raw, &row); err != nil {
			s.rt.Fatalf("%v", err)
		}
		for _, n := range numbers(expect([]writer.Message{{Content: row.Message.Content}})) {
			found[n] = append(found[n], l.Text(r.UUID))
			var blocks []json.RawMessage
			if json.Unmarshal(row.Message.Content, &blocks) == nil {
				parts[n] = append(parts[n], blocks...)
			}
		}
	}
	for _, n := range numbers(said(s.rt, l, c)) {
		m := s.all[n]
		m.Rows = found[n]
		if parts[n] != nil {
			list := make([]string, len(parts[n]))
			for i, p := range parts[n] {
				list[i] = string(p)
			}
			m.Content = blocks(list...)
		}
		s.talk = append(s.talk, m)
	}
}

// check compares the file with what was acknowledged.
func (s *session) check() {
	if len(s.talk) == 0 {
		return
	}
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c, err := read(s.path, p)
		if err != nil {
			s.rt.Fatalf("%v: %v", p, err)
		}
		if p == ledger.Client && s.torn {
			continue
		}
		if p == ledger.Client && slices.ContainsFunc(l.Rows, func(r ledger.Row) bool { return r.Salvaged }) {
			continue // the client does not see a row with garbage glued to it
		}
		got := said(s.rt, l, c)
		if diff := cmp.Diff(ordered(expect(s.talk)), ordered(got)); diff != "" {
			s.rt.Fatalf("%v: %s", p, diff)
		}
		for _, r := range l.Rows {
			if r.Compaction && r.Parent != 0 {
				s.rt.Fatalf("a boundary hangs below %s", l.Text(r.Parent))
			}
		}
	}
}

// Any sequence of turns, compactions, branches, side records and crashes keeps
// every acknowledged message of the conversation and doubles none.
func TestAnySequence(t *testing.T) {
	t.Parallel()
	base := memoryDir(t)
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		s := &session{t: t, rt: rt, lives: 1, all: map[int]writer.Message{}}
		s.path = filepath.Join(base, fmt.Sprint(runs), sid+".jsonl")
		s.w = steady(writer.Create(s.path, stamp), 1)
		defer func() { _ = os.RemoveAll(filepath.Dir(s.path)) }()
		rt.Repeat(map[string]func(*rapid.T){
			"record": func(*rapid.T) { s.record() },
			"again": func(*rapid.T) { // a turn with nothing new
				before := s.size()
				if err := s.w.Turn(t.Context(), s.talk, nil); err != nil || s.size() != before {
					rt.Fatalf("nothing new: %v, %d bytes", err, s.size()-before)
				}
			},
			"side": func(*rapid.T) {
				if err := s.w.Side(writer.Tag(sid, strings.Repeat("x", 99))); err != nil {
					rt.Fatalf("%v", err)
				}
				s.acked = s.size()
			},
			"leave": func(*rapid.T) {
				if err := s.w.Leave(writer.Mode(sid, "normal")); err != nil {
					rt.Fatalf("%v", err)
				}
				s.acked = s.size()
			},
			"crash": func(*rapid.T) { s.crash() },
			"":      func(*rapid.T) { s.check() },
		})
	})
}
