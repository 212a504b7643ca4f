package ui

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/ui/preview"
	"coppice/ui/text"
)

// search is the text that filters the list.
type search struct {
	field field
	on    bool // the field has the keyboard
}

// words returns what is searched for; none when there is no search.
func (s *search) words() []string { return terms(s.field.String()) }

// haystack holds what a search looks at in one row, lower-cased once when the
// row arrives. The parts lie behind one another in all.
//
// The matcher is our own because a general fuzzy matcher (sahilm/fuzzy) takes a
// row as one string: it cannot rank a title above a prompt, finds nearly any few
// letters somewhere in a long prompt, and knows no words in any order. Here only
// title and branch match loosely, and 10,000 rows take a few milliseconds.
type haystack struct {
	all    string
	title  int // all[:title] is the title
	branch int // all[title:branch] is the branch
	strong int // all[branch:strong] holds id, pull request and path
}

// titleText is the title as it is searched and sorted.
func (h *haystack) titleText() string { return h.all[:h.title] }

// maxPart bounds each part of a haystack, in bytes: a title may be of any length.
const maxPart = 2000

// bounded returns at most n bytes of s, cut between characters.
func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// newHaystack gathers a row's words.
func newHaystack(r *row) haystack {
	var b strings.Builder
	add := func(parts ...string) int {
		for _, p := range parts {
			b.WriteString(strings.ToLower(text.Clean(bounded(p, maxPart))))
			b.WriteByte('\n')
		}
		return b.Len()
	}
	h := haystack{title: add(preview.Title(r.Session))}
	h.branch = add(r.Summary.Branch)
	pr := ""
	if r.Summary.PR != nil {
		pr = fmt.Sprintf("#%d %s %s", r.Summary.PR.Number, r.Summary.PR.Repository, r.Summary.PR.URL)
	}
	h.strong = add(r.ID, pr, r.Dir, r.Path)
	add(r.Summary.FirstPrompt, r.Summary.LastPrompt, r.Summary.Tag)
	h.all = b.String()
	return h
}

// terms cuts a search into lower-case words. A pull request's address counts up
// to its number, whatever page of it was copied.
func terms(query string) []string {
	words := strings.Fields(strings.ToLower(query))
	for i, w := range words {
		words[i] = toNumber(w)
	}
	return words
}

// toNumber cuts a pull request's address behind its number.
func toNumber(w string) string {
	if !strings.HasPrefix(w, "https://") && !strings.HasPrefix(w, "http://") {
		return w
	}
	for _, kind := range [...]string{"/pull/", "/pulls/", "/merge_requests/"} {
		before, after, ok := strings.Cut(w, kind)
		number := len(after) - len(strings.TrimLeft(after, "0123456789"))
		if ok && number > 0 {
			return before + kind + after[:number]
		}
	}
	return w
}

// score says how well a row answers all the words; 0 when one of them is not
// there at all. Higher is better.
func (h *haystack) score(words []string) int {
	total := 0
	for _, w := range words {
		s := h.word(w)
		if s == 0 {
			return 0
		}
		total += s
	}
	return total
}

// word scores one word: where it stands, and how exactly.
func (h *haystack) word(w string) int {
	const inPrompt = 20
	i := strings.Index(h.all, w)
	switch {
	case i < 0:
		return subsequence(h.all[:h.branch], w)
	case i == 0:
		return 100
	case i < h.title && !endsInWord(h.all[:i]):
		return 90
	case i < h.title:
		return 80
	case i < h.branch:
		return 70
	case i < h.strong:
		return 60
	}
	// A good loose match in the title or branch beats one in a prompt.
	return max(subsequence(h.all[:h.branch], w), inPrompt)
}

// endsInWord reports whether s ends within a word.
func endsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// subsequence scores the letters of w in their order within hay: 10 to 40, the
// closer together the higher; 0 when they are too scattered to be meant.
func subsequence(hay, w string) int {
	if len(w) < 2 {
		return 0
	}
	start, last, at := -1, 0, 0
	for _, r := range w {
		i := strings.IndexRune(hay[at:], r)
		if i < 0 {
			return 0
		}
		if start < 0 {
			start = at + i
		}
		last = at + i
		at += i + utf8.RuneLen(r)
	}
	spread := last - start + 1 - len(w)
	if spread > 3*len(w) {
		return 0
	}
	return max(40-spread, 10)
}

// hit is a row that a search found.
type hit struct {
	row   *row
	score int
}

// find returns the rows that answer all the words, best first and newest first
// among equals (rows come newest first).
func find(rows []*row, words []string) []hit {
	hits := make([]hit, 0, 64)
	for _, r := range rows {
		if s := r.hay.score(words); s > 0 {
			hits = append(hits, hit{row: r, score: s})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	return hits
}

// positions returns the byte offsets in shown of the characters that made the
// search match, ascending.
func positions(shown string, words []string) []int {
	if len(words) == 0 {
		return nil
	}
	var runes []rune
	var at []int
	for i, r := range shown {
		runes, at = append(runes, unicode.ToLower(r)), append(at, i)
	}
	hit := make([]bool, len(runes))
	for _, w := range words {
		mark(hit, runes, []rune(w))
	}
	var out []int
	for i, ok := range hit {
		if ok {
			out = append(out, at[i])
		}
	}
	return out
}

// mark marks one word: everywhere it stands, else letter by letter.
func mark(hit []bool, hay, w []rune) {
	found := false
	for i := 0; i+len(w) <= len(hay); i++ {
		if slices.Equal(hay[i:i+len(w)], w) {
			found = true
			for k := range w {
				hit[i+k] = true
			}
		}
	}
	if found || subsequence(string(hay), string(w)) == 0 {
		return
	}
	at := 0
	for _, r := range w {
		for hay[at] != r {
			at++
		}
		hit[at] = true
		at++
	}
}
