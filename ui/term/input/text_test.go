package input_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"coppice/session/terminal"
	"coppice/ui/term/input"
)

func TestPaste(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"text", "one two", "one two"},
		{"newlines", "a\nb\r\nc\rd\n\ne\r\n\r\n", "a\rb\rc\rd\r\re\r\r"},
		{"tab", "a\tb", "a\tb"},
		{"control sequence", "a\x1b[31mb\x1b]0;title\x07c", "a[31mb]0;titlec"},
		{"end of brackets", "a\x1b[201~rm b\n", "a[201~rm b\r"},
		{"end of brackets by a single character", "a\u009b201~b", "a201~b"},
		{"end of brackets by bytes", "a\x9b201~b", "a201~b"},
		{"end of brackets within one", "\x1b[20\x1b[201~1~", "[20[201~1~"},
		{"control characters", "a\x00\x03\x04\x08\x0b\x0c\x1a\x1c\x7f\u0080\u0085\u009fb", "ab"},
		{"characters", "é 漢字 👩‍🍳 \u00a0\ufffd", "é 漢字 👩‍🍳 \u00a0\ufffd"},
		{"not UTF-8", "a\xc3b\xff\xf0\x9f", "ab"},
	} {
		if got := input.Paste(c.text, terminal.Modes{}); string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got, want := input.Paste(c.text, terminal.Modes{Paste: true}), "\x1b[200~"+c.want+"\x1b[201~"; string(got) != want {
			t.Errorf("%s in brackets: %q, want %q", c.name, got, want)
		}
	}
}

// TestPasteOfAnySize checks that 1 MB stays what it is.
func TestPasteOfAnySize(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line of text, 漢字\n", 1<<20/24)
	want := "\x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~"
	if got := input.Paste(text, terminal.Modes{Paste: true}); string(got) != want {
		t.Error("the text changed")
	}
}

func FuzzPaste(f *testing.F) {
	f.Add("a\r\n\tb\x1b[201~c\u009b\x9b", true)
	f.Add("\x1b\x1b[201~\xff\x1b[200~", true)
	f.Fuzz(func(t *testing.T, text string, brackets bool) {
		got := string(input.Paste(text, terminal.Modes{Paste: brackets}))
		if brackets {
			var start, end bool
			got, start = strings.CutPrefix(got, "\x1b[200~")
			got, end = strings.CutSuffix(got, "\x1b[201~")
			if !start || !end {
				t.Fatalf("brackets are missing: %q", got)
			}
		}
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\r' && r != '\t' }); i >= 0 {
			t.Errorf("a control character at %d of %q", i, got)
		}
		if a, b := printable(got), printable(text); a != b {
			t.Errorf("the text is %q, want %q", a, b)
		}
	})
}

// printable returns what is neither a control character nor broken.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

func TestFocus(t *testing.T) {
	t.Parallel()
	asked := terminal.Modes{Focus: true}
	if in, out := input.Focus(true, asked), input.Focus(false, asked); string(in) != "\x1b[I" || string(out) != "\x1b[O" {
		t.Errorf("in %q, out %q", in, out)
	}
	if got := input.Focus(true, terminal.Modes{}); got != nil {
		t.Errorf("%q without being asked", got)
	}
}
