package text_test

import (
	"strings"
	"testing"
	"time"

	"coppice/ui/text"
)

func TestTruncate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in          string
		w           int
		right, left string
	}{
		{"main", 4, "main", "main"},
		{"main", 3, "ma…", "…in"},
		{"main", 1, "…", "…"},
		{"main", 0, "", ""},
		{"main", -1, "", ""},
		{"", 0, "", ""},
		{"漢字漢字", 7, "漢字漢…", "…字漢字"},
		{"漢字漢字", 6, "漢字…", "…漢字"},
		{"漢", 1, "…", "…"},
		{"👩‍🍳👩‍🍳", 3, "👩‍🍳…", "…👩‍🍳"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…", "…e\u0301"},
		{"🇩🇪🇫🇷", 3, "🇩🇪…", "…🇫🇷"},
	} {
		if got := text.Truncate(tt.in, tt.w); got != tt.right {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.right)
		}
		if got := text.TruncateLeft(tt.in, tt.w); got != tt.left {
			t.Errorf("TruncateLeft(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.left)
		}
		checkCut(t, tt.in, tt.w)
	}
}

// checkCut checks what holds of every clean text cut to w.
func checkCut(t *testing.T, s string, w int) {
	t.Helper()
	for name, got := range map[string]string{"Truncate": text.Truncate(s, w), "TruncateLeft": text.TruncateLeft(s, w)} {
		if n := text.Width(got); n > max(w, 0) {
			t.Errorf("%s(%q, %d) takes %d cells: %q", name, s, w, n, got)
		}
		if text.Width(s) <= w && got != s {
			t.Errorf("%s(%q, %d) = %q, though it fits", name, s, w, got)
		}
	}
	for name, got := range map[string]string{"Pad": text.Pad(s, w), "PadLeft": text.PadLeft(s, w)} {
		if n := text.Width(got); n != max(w, 0) {
			t.Errorf("%s(%q, %d) takes %d cells: %q", name, s, w, n, got)
		}
	}
	line := text.Line{{Text: s, Role: text.Good}, {Text: "x", Role: text.Bad}, {Text: s, Role: text.Warn}}
	if n := line.Truncate(w).Width(); n > max(w, 0) {
		t.Errorf("Line.Truncate(%d) of %q takes %d", w, s, n)
	}
	if n := line.Pad(w).Width(); n != max(w, 0) {
		t.Errorf("Line.Pad(%d) of %q takes %d", w, s, n)
	}
	if a := text.ASCII(s); text.Width(a) != text.Width(s) || strings.ContainsFunc(a, func(r rune) bool { return r > '~' }) {
		t.Errorf("ASCII(%q) = %q, %d cells for %d", s, a, text.Width(a), text.Width(s))
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		w        int
		want     string // lines joined by |
	}{
		{"fits", "one two", 7, "one two"},
		{"words", "one two three", 8, "one two|three"},
		{"spaces at the break", "one   two", 4, "one|two"},
		{"leading spaces stay", "  one two", 6, "  one|two"},
		{"line feeds", "a\n\nb", 5, "a||b"},
		{"long word", "abcdefgh ij", 3, "abc|def|gh|ij"},
		{"long word after a short one", "a bcdefgh", 4, "a|bcde|fgh"},
		{"ideographs", "漢字漢字漢字", 5, "漢字|漢字|漢字"},
		{"no break before a closing mark", "漢字。漢", 4, "漢|字。|漢"},
		{"path", "/home/someone/src", 10, "/home/|someone/|src"},
		{"marks", "e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301|e\u0301"},
		{"emoji", "👩‍🍳👩‍🍳👩‍🍳", 4, "👩‍🍳👩‍🍳|👩‍🍳"},
		{"wider than the margin", "漢a字", 1, "…|a|…"},
		{"spaces only", "      ", 3, ""},
		{"spaces at the end", "abc      ", 3, "abc"},
		{"spaces at the end after wide ones", "漢字      ", 4, "漢字"},
		{"slash and hyphen", "ab/cd-ef -n a/1", 4, "ab/|cd-|ef|-n|a/1"},
		{"leading spaces wider than the margin", "     ab", 3, "|ab"},
		{"empty", "", 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(text.Wrap(tt.in, tt.w), "|"); got != tt.want {
				t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
			}
			checkWrap(t, tt.in, tt.w)
		})
	}
	if got := text.Wrap("x", 0); got != nil {
		t.Errorf("Wrap at 0 = %q", got)
	}
}

// checkWrap checks what holds of every clean text wrapped to w: no line is too
// wide, and nothing but spaces and line feeds is lost.
func checkWrap(t *testing.T, s string, w int) {
	t.Helper()
	if w < 1 {
		return
	}
	var kept strings.Builder
	for _, l := range text.Wrap(s, w) {
		if text.Width(l) > w {
			t.Errorf("Wrap(%q, %d): %q takes %d cells", s, w, l, text.Width(l))
		}
		kept.WriteString(l)
	}
	bare := strings.NewReplacer(" ", "", "\n", "")
	if w >= 40 && bare.Replace(kept.String()) != bare.Replace(s) {
		t.Errorf("Wrap(%q, %d) kept %q", s, w, kept.String())
	}
	for l := range strings.SplitSeq(s, "\n") {
		first, _, rest := text.Cluster(l)
		styled := text.Line{{Text: first, Role: text.Good}, {Text: rest, Role: text.Bad}}
		var a []string
		for _, part := range styled.Wrap(w) {
			a = append(a, part.String())
		}
		if b := text.Wrap(l, w); strings.Join(a, "|") != strings.Join(b, "|") {
			t.Errorf("Line.Wrap(%q, %d) = %q, Wrap gives %q", l, w, a, b)
		}
	}
}

func TestASCII(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":          "plain",
		"◉ main ↑1 ±3 …": "@ main ^1 +3 ~",
		"▾ ▸ ● ○ ◌ ✓ ✗":  "v > * o . = x",
		"┌─┐│└┘├":        "+-+|++|",
		"漢字 é 👩‍🍳":       "???? ? ??",
		"⎇ release—2":    "Y release-2",
	} {
		if got := text.ASCII(in); got != want {
			t.Errorf("ASCII(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		-time.Hour: "now", 59 * time.Second: "now", time.Minute: "1m", 59 * time.Minute: "59m",
		time.Hour: "1h", 23 * time.Hour: "23h", 24 * time.Hour: "1d", 13 * 24 * time.Hour: "13d",
		14 * 24 * time.Hour: "2w", 364 * 24 * time.Hour: "52w", 800 * 24 * time.Hour: "2y",
	} {
		if got := text.Age(now, now.Add(-ago)); got != want {
			t.Errorf("Age of %v = %q, want %q", ago, got, want)
		}
	}
	if got := text.Age(now, time.Time{}); got != "—" {
		t.Errorf("Age of no time = %q", got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		-1: "0 B", 0: "0 B", 1023: "1023 B", 1024: "1.0 KB", 10_188: "9.9 KB", 10_189: "10 KB", 172_032: "168 KB",
		1<<20 - 1: "1.0 MB", 2_900_000_000: "2.7 GB", 1 << 62: "4096 PB",
	} {
		if got := text.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1204: "1,204", 1234567: "1,234,567", -1204: "-1,204", -204: "-204"} {
		if got := text.Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	if a, b := text.Plural(1, "line"), text.Plural(1200, "line"); a != "1 line" || b != "1,200 lines" {
		t.Errorf("Plural: %q, %q", a, b)
	}
}
