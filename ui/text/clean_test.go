package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"coppice/ui/text"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "fix the tokenizer", "fix the tokenizer"},
		{"empty", "", ""},
		{"line breaks and tabs", "a\tb\nc\rd\r\ne", "a b c d e"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"A17 NUL and binary", "a\x00b\x07\x7f", "a␀b␇␡"},
		{"C1", "a\u009b31mb\u0085c", "a�31mb�c"},
		{"invalid UTF-8", "a\xff\xc3(\xed\xa0\x80", "a��(���"},
		{"a real replacement character", "a\ufffdb", "a�b"},
		{"bidi override", "\u202egnp.exe\u202c \u2067x\u2069 \u200f", "�gnp.exe� �x� �"},
		{"G14 zero width", "a\u200bb\u2060c\u2063d\ufeffe\u00adf", "a�b�c�d�e�f"},
		{"blank letters", "\u3164x\u115f\uffa0\u034f", "�x���"},
		{"line separators", "a\u2028b\u2029c", "a�b�c"},
		{"private use and unassigned", "\ue000\U000f0000\u0378\ufdd0\U0001ffff", "�����"},
		{"tags", "x\U000e0041\U000e0042", "x��"},
		{"G1 emoji", "👩‍🍳 👨‍👨‍👧 🏳️‍🌈 ⛅️ 한글 e\u0301", "👩‍🍳 👨‍👨‍👧 🏳️‍🌈 ⛅️ 한글 e\u0301"},
		{"skin tone, keycap, flag", "👋🏽 1️⃣ 🇩🇪", "👋🏽 1️⃣ 🇩🇪"},
		{"long emoji", "👩🏻‍❤️‍💋‍👨🏻", "👩🏻‍❤️‍💋‍👨🏻"},
		{"text style", "☎\ufe0e ☎\ufe0f", "☎\ufe0e ☎\ufe0f"},
		{"joiner outside emoji", "a\u200db \u200d👩 👩\u200d", "a�b �👩 👩�"},
		{"selector outside emoji", "a\ufe0f \ufe0f 葛\U000e0100 👩\ufe0f\ufe0f", "a� � 葛� 👩\ufe0f�"},
		{"joiner after what was replaced", "👩\u034f\u200d👨", "👩��👨"},
		{"joiner before what is replaced", "👩\u200d\U0001faff", "👩��"},
		{"skin tone alone", "🏽x🏽", "�x�"},
		{"mark alone", "\u0301x \u0301", "�x �"},
		{"too many marks", "a" + strings.Repeat("\u0301", 20), "a" + strings.Repeat("\u0301", 16) + "�" + strings.Repeat("\u0301", 3)},
		{"spelled Hangul", strings.Repeat("\u1112\u1161\u11ab", 30), strings.Repeat("\u1112\u1161\u11ab", 30)},
		{"half-width voiced mark", "ｶﾞ ﾊﾟ", "ｶ゛ ﾊ゜"},
		{"G2 tags of a widget", `fix [red] x[yellow]y ["r"]z[""] [-]`, `fix [red] x[yellow]y ["r"]z[""] [-]`},
		{"spaces stay", "  a  b  ", "  a  b  "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := text.Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) =\n%q, want\n%q", tt.in, got, tt.want)
			}
			checkClean(t, tt.in)
		})
	}
}

func TestCleanLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"breaks", "a\nb\r\nc\rd\n", "a\nb\nc\nd\n"},
		{"tabs", "\tx\n12\ty\n1234\tz", "    x\n12  y\n1234    z"},
		{"tabs after wide and changed characters", "漢\tx\n\x1b\ty\tz", "漢  x\n␛   y   z"},
		{"tab after a mark", "e\u0301\tx", "e\u0301   x"},
		{"mark at the start of a line", "a\n\u0301", "a\n�"},
		{"unchanged", "漢\n字", "漢\n字"},
		{"control bytes", "a\x0bb\x0cc", "a␋b␌c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := text.CleanLines(tt.in); got != tt.want {
				t.Errorf("CleanLines(%q) =\n%q, want\n%q", tt.in, got, tt.want)
			}
			checkClean(t, tt.in)
		})
	}
}

// checkClean checks what holds of every text after cleaning.
func checkClean(t *testing.T, in string) {
	t.Helper()
	one, many := text.Clean(in), text.CleanLines(in)
	if again := text.Clean(one); again != one {
		t.Errorf("Clean is not idempotent for %q:\n%q\n%q", in, one, again)
	}
	if again := text.CleanLines(many); again != many {
		t.Errorf("CleanLines is not idempotent for %q:\n%q\n%q", in, many, again)
	}
	if len(one) > 3*len(in) || len(many) > 4*len(in) {
		t.Errorf("%d bytes became %d and %d", len(in), len(one), len(many))
	}
	checkHarmless(t, one)
	for line := range strings.SplitSeq(many, "\n") {
		checkHarmless(t, line)
	}
}

// checkHarmless checks that nothing in a line is obeyed or hidden.
func checkHarmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q is not valid UTF-8", s)
	}
	for i, r := range s {
		switch r {
		case '\u200d', '\ufe0e', '\ufe0f':
			if i == 0 {
				t.Errorf("%q begins with %U", s, r)
			}
			continue
		}
		if !unicode.IsGraphic(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point) {
			t.Errorf("%q holds %U", s, r)
		}
	}
	sum := 0
	for rest := s; rest != ""; {
		cluster, w, next := text.Cluster(rest)
		if w < 1 {
			t.Errorf("the cluster %q of %q has no width", cluster, s)
		}
		if n := utf8.RuneCountInString(cluster); n > 2*17+1 {
			t.Errorf("a cluster of %d runes", n)
		}
		sum, rest = sum+w, next
	}
	if w := text.Width(s); w != sum {
		t.Errorf("Width(%q) = %d, its clusters take %d", s, w, sum)
	}
}

// TestCleanEveryRune looks at every code point alone, after a letter, after an
// emoji and before one.
func TestCleanEveryRune(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r&0xff != 0 && (r >= 0x3400 && r < 0xd7a4 || r >= 0xe000 && r < 0xf900 || r >= 0x17000 && r < 0x1b000 || r >= 0x20000 && r < 0xe0000 || r >= 0xe1000) {
			continue // long stretches of one kind
		}
		s := string(r)
		for _, in := range [...]string{s, "a" + s, "👩" + s + "👩"} {
			out := text.Clean(in)
			if again := text.Clean(out); again != out {
				t.Fatalf("%U: Clean(%q) = %q, then %q", r, in, out, again)
			}
			for rest := out; rest != ""; {
				var w int
				if _, w, rest = text.Cluster(rest); w < 1 {
					t.Fatalf("%U: a cluster without width in %q", r, out)
				}
			}
		}
	}
}

func TestCleanAllocatesNothing(t *testing.T) {
	for _, s := range []string{"plain text", "clean 漢字 👩‍🍳"} {
		if n := testing.AllocsPerRun(10, func() { text.Clean(s) }); n != 0 {
			t.Errorf("Clean(%q) allocates %v times", s, n)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"", "a\tb\r\n\rc", "\x1b]8;;x\x07", "👩\u200d\u034f👨🏽", "e\u0301\u0301", "\u202e\u2066", "\xff\xed\xa0\x80",
		"1\ufe0f\u20e3", "\u1100\u1100\u1161\u11a8", "🇩🇪🇩", "\u0e33", "[red]", "\U000e0061", "\ufe0e", "漢\u3000字",
	} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		checkClean(t, s)
		checkCut(t, text.Clean(s), w%100)
		checkWrap(t, text.CleanLines(s), w%100)
	})
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("plain words ", 10),
		"wide":  strings.Repeat("漢字と👩‍🍳 ", 20),
		"dirty": strings.Repeat("a\x1b[0mb\u202e ", 15),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				text.Clean(s)
			}
		})
	}
}
