package ui

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"pgregory.net/rapid"

	"coppice/session/terminal"
	"coppice/ui/screentest"
	"coppice/ui/term/input"
)

// TestInputThatIsNotUTF8 checks that only whole characters get through, wherever
// the input is cut.
func TestInputThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	const in, want = "a\xffb\xc3\xa9\xc3(\xe6\xbc\xa2\xf0\x9f\x91\x8d\xed\xa0\x80z\x1b[<0;1;1M\xe6", "abé(漢👍z\x1b[<0;1;1M"
	for cut := 1; cut <= len(in); cut++ {
		var got, begun []byte
		for rest := []byte(in); len(rest) > 0; {
			chunk := append(begun, rest[:min(cut, len(rest))]...)
			rest = rest[min(cut, len(rest)):]
			var n int
			n, begun = wholeCharacters(chunk, nil)
			got = append(got, chunk[:n]...)
		}
		if string(got) != want || !utf8.Valid(got) || !bytes.Equal(begun, []byte("\xe6")) {
			t.Errorf("in pieces of %d: %q and %q left, want %q", cut, got, begun, want)
		}
	}
}

// filtered is what a filter makes of reads, none of which has filled its buffer.
func filtered(reads ...string) (out string) {
	var f keyFilter
	var cut []byte
	now := time.Now()
	for _, read := range reads {
		cut = f.add(append(cut, read...), false, now)
		out += string(f.out)
		f.out = f.out[:0]
	}
	return out
}

func TestKeyFilter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reads []string
		want  string
	}{
		"text":                       {[]string{"a", "é\r\t\x7f"}, "aé\r\t\x7f"},
		"Esc":                        {[]string{"\x1b"}, "\x1b"},
		"Alt and a letter":           {[]string{"\x1ba\x1bb", "\x1bP"}, "\x1ba\x1bb\x1bP"},
		"Alt and Enter":              {[]string{"\x1b\r"}, "\x1b\r"},
		"Alt and what begins things": {[]string{"\x1b[", "\x1bO", "\x1b]"}, "\x1b[91;3u\x1b[79;3u\x1b[93;3u"},
		"held down":                  {[]string{"\x1b]\x1b]", "\x1b[\x1b[", "\x1bO\x1bO"}, "\x1b[93;3u\x1b[93;3u\x1b[91;3u\x1b[91;3u\x1b[79;3u\x1b[79;3u"},
		"Alt and what nobody sends":  {[]string{"\x1bNa\x1bXa\x1b^a\x1b_a\x1b\\a"}, "\x1b[78;3ua\x1b[88;3ua\x1b[94;3ua\x1b[95;3ua\x1b[92;3ua"},
		"Alt and ], then text":       {[]string{"\x1b]a"}, "\x1b[93;3ua"},
		"Alt and a character":        {[]string{"\x1bé\x1b漢"}, "\x1b[233;3u\x1b[28450;3u"},
		"Alt and Esc":                {[]string{"\x1b\x1b", "a"}, "\x1b[27;3ua"},
		"Esc and Alt":                {[]string{"\x1b\x1ba\x1b\x1b]"}, "\x1b[27u\x1ba\x1b[27u\x1b[93;3u"},
		"Alt and an arrow":           {[]string{"\x1b\x1b[A\x1b\x1bOA"}, "\x1b\x1b[A\x1b\x1bOA"},
		"Esc, then others":           {[]string{"\x1b", "]", "\x1b", "é", "\x1b", "a"}, "\x1b\x1b\\]\x1b\x1b\\é\x1ba"},
		"Esc twice, then [":          {[]string{"\x1b", "\x1b", "["}, "\x1b\x1b["},
		"sequences":                  {[]string{"\x1b[A\x1bOB\x1b[1;5C\x1b[<0;1;1M\x1b[Ia"}, "\x1b[A\x1bOB\x1b[1;5C\x1b[<0;1;1M\x1b[Ia"},
		"sequences in two reads":     {[]string{"\x1b", "[A\x1b[1;", "5C\x1b[<0;1", ";1M"}, "\x1b[A\x1b[1;5C\x1b[<0;1;1M"},
		"a byte at a time":           {strings.Split("\x1b[1;5C\x1bOA", ""), "\x1b[1;5C\x1bOA"},
		"broken sequences":           {[]string{"\x1b[1\x1b[A\x1b[2\ra"}, "\x1b[1\x1b[A\x1b[2\ra"},
		"endless sequence":           {[]string{"\x1b[" + strings.Repeat("1", 100)}, "\x1b[" + strings.Repeat("1", 100)},
		"console":                    {[]string{"\x1b[[A"}, "\x1b[[A"},
		"keypad":                     {[]string{"\x1bOM\x1bOj\x1bOk\x1bOp\x1bOy"}, "\r*+09"},
		"answers":                    {[]string{"a\x1b]11;rgb:0/0/0\x1b\\b\x1b]52;c;YQ==\ac\x1bP>|xterm(379)\x1b\\d\x1b_Gi=1;OK\x1b\\e"}, "abcde"},
		"answers in pieces":          {strings.Split("a\x1b]11;rgb:0/0/0|\x1b|\\b\x1bP1$r0m\x1b\\c", "|"), "abc"},
		"Esc, then an answer":        {[]string{"\x1b", "]1\a]", "\x1b", "\x1b]1\a]"}, "\x1b\x1b\\]\x1b\x1b\\]"},
		"answers without an end":     {[]string{"\x1b]1a\rb", "\x1b]1a\x1b[Ab", "\x1b]1a\x1b]b"}, "\rb\x1b[Ab\x1b[93;3ub"},
		"paste":                      {[]string{"\x1b[200~a\r\n\tb\x1b[201~c"}, "\x1b[200~a\r\n\tb\x1b[201~c"},
		"paste of sequences":         {[]string{"\x1b[200~\x1b]1\x1b[200~\x1b[31m\x1b\x1b[201~\x1b]"}, "\x1b[200~]1[200~[31m\x1b[201~\x1b[93;3u"},
		"paste in pieces":            {strings.Split("\x1b[20|0~a\x1b|[31m\x1b[2|01~\x1b[A", "|"), "\x1b[200~a[31m\x1b[201~\x1b[A"},
	} {
		if got := filtered(c.reads...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestKeyFilterOfFullReads checks that what a full buffer cuts is put together.
func TestKeyFilterOfFullReads(t *testing.T) {
	t.Parallel()
	const in, want = "\x1b[A\x1bOB\x1b\x1b[C\x1b]11;x\x1b\\a\x1bP>|x\a\x1b_Gx\a\x1b[200~b\x1b]\x1b[201~\x1b]", "\x1b[A\x1bOB\x1b\x1b[Ca\x1b[200~b]\x1b[201~\x1b[93;3u"
	for size := 1; size < len(in); size++ {
		var f keyFilter
		var cut []byte
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			cut = f.add(append(cut, rest[:n]...), n < len(rest), time.Now())
			rest = rest[n:]
		}
		if string(f.out) != want || len(cut) > 0 {
			t.Errorf("in reads of %d: %q and %q left, want %q", size, f.out, cut, want)
		}
	}
}

// TestKeyFilterForgets checks that a paste and a string that do not go on end.
func TestKeyFilterForgets(t *testing.T) {
	t.Parallel()
	var f keyFilter
	now := time.Now()
	f.add([]byte("\x1b[200~a"), false, now)
	f.add([]byte("\x1b[A"), false, now.Add(pasteTick))
	f.add([]byte("\x1b[A"), false, now.Add(3*pasteTick))
	f.add([]byte("\x1b]1"), false, now.Add(3*pasteTick))
	f.add([]byte("b"), false, now.Add(5*pasteTick))
	if got, want := string(f.out), "\x1b[200~a[A\x1b[Ab"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAnyInput checks that no input, however cut, opens a string in tcell, grows
// much, or keeps what is typed later from coming out.
func TestAnyInput(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{
		"\x1b", "[", "]", "O", "N", "P", "X", "^", "_", "\\", "1", ";", "~", "A", "G", ">", "\a", "\r", "é", pasteStart, pasteEnd, "\x1b]1",
	})
	opens := regexp.MustCompile("\x1b[]NX^_]")
	rapid.Check(t, func(t *rapid.T) {
		var f keyFilter
		var cut []byte
		var now time.Time
		size, out := 0, ""
		for range rapid.IntRange(0, 20).Draw(t, "reads") {
			read := strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "read"), "")
			size += len(read)
			now = now.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "half seconds")) * time.Second / 2)
			cut = f.add(append(cut, read...), rapid.Bool().Draw(t, "full"), now)
			out += string(f.out)
			f.out = f.out[:0]
		}
		if s := opens.FindString(out); s != "" || len(out) > 7*size {
			t.Errorf("%q opens a string, or is long", out)
		}
		now = now.Add(time.Minute)
		if cut = f.add(append(cut, "\rq\r"...), false, now); len(cut) > 0 || !strings.HasSuffix(string(f.out), "q\r") {
			t.Errorf("%q and %q left", f.out, cut)
		}
	})
}

// TestKeysOfOldTerminals types keys as terminals do that have no protocol for them,
// and checks that each arrives, and the next one, too.
func TestKeysOfOldTerminals(t *testing.T) {
	t.Parallel()
	term := screentest.New(t, 40, 10)
	screen := screentest.NewScreen(t, newTTY(term.Tty(), nil))
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(screen.Fini)
	for _, c := range []struct{ in, want string }{
		{"\x1b]", "Alt+Rune[]]"},
		{"\x1b[", "Alt+Rune[[]"},
		{"\x1bO", "Alt+Rune[O]"},
		{"\x1bN", "Alt+Rune[N]"},
		{"\x1bX", "Alt+Rune[X]"},
		{"\x1b^", "Alt+Rune[^]"},
		{"\x1b_", "Alt+Rune[_]"},
		{"\x1b\\", "Alt+Rune[\\]"},
		{"\x1bP", "Alt+Rune[P]"},
		{"\x1bé", "Alt+Rune[é]"},
		{"\x1b\x1b", "Alt+Esc"},
		{"\x1b", "Esc"},
		{"\x1bOM", "Enter"},
		{"\x1b\x1b[A", "Alt+Up"},
	} {
		term.Type(c.in)
		if got := nextKey(screen); got != c.want {
			t.Errorf("%q is %q, want %q", c.in, got, c.want)
		}
		term.Type("z")
		if got := nextKey(screen); got != "Rune[z]" {
			t.Errorf("the key after %q is %q", c.in, got)
		}
	}
}

// TestEveryKeyOfATerminal types every key of the table of keys, in each of its
// protocols, and checks that a program that asked for the same protocol gets what
// the terminal has sent.
func TestEveryKeyOfATerminal(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("term/input/testdata/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, modes := range []terminal.Modes{
		{}, {AppCursor: true}, {ModifyOtherKeys: 1}, {ModifyOtherKeys: 2}, {Kitty: terminal.KittyFlags},
	} {
		term := screentest.New(t, 40, 10)
		screen := screentest.NewScreen(t, newTTY(term.Tty(), nil))
		if err := screen.Init(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(screen.Fini)
		for line := range strings.Lines(string(raw)) {
			if strings.HasPrefix(line, "// ") {
				continue
			}
			fields := strings.Fields(line)
			sent := typed(t, fields[1:][i])
			if sent == "" || undecoded(sent) {
				continue
			}
			term.Type(sent)
			ev := nextEvent(screen)
			if got := string(input.Key(ev, modes)); got != sent {
				t.Errorf("%s, sent as %q, is %s and sends %q", fields[0], sent, ev.Name(), got)
			}
		}
	}
}

// typed returns what a field of the table of keys stands for.
func typed(t *testing.T, field string) string {
	t.Helper()
	if field == "nil" {
		return ""
	}
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(field, `\e`, `\x1b`) + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// undecoded reports whether tcell makes another key, or none, of what a terminal
// sends: Backspace of Ctrl-H, Shift-Tab of Alt-Tab, F16 of the menu key, nothing of
// modifyOtherKeys with what is not Latin 1.
func undecoded(sent string) bool {
	other := regexp.MustCompile("^\x1b\\[27;[0-9]+;[0-9]{4,}~$")
	return sent == "\b" || sent == "\x1b\t" || strings.HasPrefix(sent, "\x1b[29") || other.MatchString(sent)
}

// TestEscBeforeAKey checks what comes of a key right after Esc, which is Alt with
// the key to tcell, and of one a while after.
func TestEscBeforeAKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   []string
		want string
	}{
		"at once": {[]string{"\x1b", "\x1b\\]"}, "Alt+Rune[]]"},
		"later":   {[]string{"\x1b\\]"}, "Rune[]]"},
	} {
		term := screentest.New(t, 40, 10)
		screen := term.Screen()
		if err := screen.Init(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(screen.Fini)
		term.Type(strings.Join(c.in, ""))
		if got := nextKey(screen); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// nextKey waits for the next key and returns tcell's name for it.
func nextKey(screen tcell.Screen) string { return nextEvent(screen).Name() }

// nextEvent waits for the next key.
func nextEvent(screen tcell.Screen) *tcell.EventKey {
	for {
		if ev, ok := screen.PollEvent().(*tcell.EventKey); ok {
			return ev
		}
	}
}
