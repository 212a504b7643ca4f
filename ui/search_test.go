package ui

import (
	"strings"
	"testing"

	"coppice/ui/text"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	tests := []struct{ query, first string }{
		{"parser", "parser-work"},
		{"PARSER", "parser-work"},
		{"psrwk", "parser-work"},
		{"rotate cert", "rotate certificates"},
		{"infra", "rotate certificates"},
		{id(12), "tidy the build"},
		{id(12)[:8], "tidy the build"},
		{"#77", "tidy the build"},
		{"https://example.org/ann/app/pull/77/files#diff", "tidy the build"},
		{"last words of groceries", "groceries"},
		{"feat-x migrate", "migrate-db"},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sampleOptions(), 140, 30, sample())
			b.press("A", "/")
			b.typed(tt.query)
			if r := b.list.selected(); r == nil || r.Title != tt.first {
				t.Errorf("%q finds %q", tt.query, b.titles())
			}
		})
	}
}

func TestSearchWidensAndLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	b.press("/")
	b.typed("certificates")
	b.want("rotate certificates")
	b.shows("everywhere (none in app · main)", "0 of 3")
	b.press("Esc")
	b.want("parser-work", "alt-idea", "(no prompt)")
	if !b.search.on {
		t.Error("the first Esc left the search")
	}
	b.press("Esc")
	if b.search.on {
		t.Error("the second Esc did not leave the search")
	}
	b.press("/")
	b.typed("zzzz-nothing")
	b.shows("Nothing matches zzzz-nothing.")
	b.press("Enter", "q")
	if !b.quitting {
		t.Error("q after an accepted search does not quit")
	}
}

func TestPasteSearches(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 140, 30, sample())
	b.send(pasted{"https://example.org/ann/app/pull/77\n"})
	b.want("tidy the build")
}

func TestMatchesAreMarked(t *testing.T) {
	t.Parallel()
	tests := []struct{ shown, query, want string }{
		{"Parser work", "parser", "[Parser] work"},
		{"Parser work", "psr wo", "[P]ar[s]e[r] [wo]rk"},
		{"漢字 Größe", "größe", "漢字 [Größe]"},
		{"nothing", "x", "nothing"},
		{"İstanbul", "stan", "İ[stan]bul"},
	}
	for _, tt := range tests {
		got := ""
		for _, s := range (text.Line{{Text: tt.shown}}).Highlight(positions(tt.shown, terms(tt.query))) {
			if s.Role == text.Match {
				got += "[" + s.Text + "]"
			} else {
				got += s.Text
			}
		}
		if strings.ReplaceAll(got, "][", "") != tt.want {
			t.Errorf("%q in %q is %q, want %q", tt.query, tt.shown, got, tt.want)
		}
	}
}

// FuzzSearch checks that no search breaks on any text.
func FuzzSearch(f *testing.F) {
	f.Add("Parser work", "prs")
	f.Add("\xff漢\u0301", "\u0301")
	f.Fuzz(func(t *testing.T, title, query string) {
		s := made(1, title, "/d", title, 0)
		r := &row{Session: s}
		r.hay = newHaystack(r)
		r.hay.score(terms(query))
		shown := text.Clean(bounded(title, 400))
		last := -1
		for _, p := range positions(shown, terms(query)) {
			if p <= last || p >= len(shown) {
				t.Fatalf("position %d after %d in %q", p, last, shown)
			}
			last = p
		}
	})
}

// TestEndlessPaste checks that a text of any length that is pasted into a field
// costs no more than a line, and that the person is told.
func TestEndlessPaste(t *testing.T) {
	t.Parallel()
	b := newBench(t, sampleOptions(), 120, 30, sample())
	b.send(pasted{strings.Repeat("漢字 e\u0301 ", 1<<17)})
	if n := len(b.search.field.String()); n == 0 || n > maxField {
		t.Errorf("the field holds %d bytes", n)
	}
	b.shows("only its beginning was taken")
}
