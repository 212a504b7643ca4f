package input_test

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
	"coppice/ui/screentest"
	"coppice/ui/term/input"
)

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }

// protocols are the columns of the table of keys.
var protocols = [...]struct {
	name  string
	modes terminal.Modes
}{
	{"legacy", terminal.Modes{}},
	{"app-cursor", terminal.Modes{AppCursor: true, AppKeypad: true}},
	{"other-1", terminal.Modes{ModifyOtherKeys: 1}},
	{"other-2", terminal.Modes{ModifyOtherKeys: 2}},
	{"kitty-1", terminal.Modes{Kitty: terminal.KittyFlags, AppCursor: true, ModifyOtherKeys: 2}},
}

// row is one key of the table and what it sends, nil for nothing.
type row struct {
	name string
	want [len(protocols)][]byte
}

// table reads the table of keys.
func table(t *testing.T) (rows []row) {
	t.Helper()
	raw, err := os.ReadFile("testdata/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "// ") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 1+len(protocols) {
			t.Fatalf("bad row %q", line)
		}
		r := row{name: fields[0]}
		for i, field := range fields[1:] {
			if field == "nil" {
				continue
			}
			s, err := strconv.Unquote(`"` + strings.ReplaceAll(field, `\e`, `\x1b`) + `"`)
			if err != nil {
				t.Fatalf("%q in row %q: %v", field, line, err)
			}
			r.want[i] = []byte(s)
		}
		rows = append(rows, r)
	}
	return rows
}

// event returns the event that a key is at its clearest.
func event(t *testing.T, name string) *tcell.EventKey {
	t.Helper()
	var mods tcell.ModMask
	for _, m := range [...]struct {
		name string
		mod  tcell.ModMask
	}{{"Ctrl-", tcell.ModCtrl}, {"Alt-", tcell.ModAlt}, {"Shift-", tcell.ModShift}, {"Super-", tcell.ModMeta}} {
		if rest, ok := strings.CutPrefix(name, m.name); ok && rest != "" {
			name, mods = rest, mods|m.mod
		}
	}
	if name == "Space" {
		name = " "
	}
	if runes := []rune(name); len(runes) == 1 {
		return tcell.NewEventKey(tcell.KeyRune, runes[0], mods)
	}
	for key, known := range tcell.KeyNames {
		if known == name && key != tcell.KeyBackspace2 {
			return tcell.NewEventKey(key, 0, mods)
		}
	}
	t.Fatalf("no key is called %q", name)
	return nil
}

// TestKey checks every key in every protocol.
func TestKey(t *testing.T) {
	t.Parallel()
	rows := table(t)
	if len(rows) < 700 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		ev := event(t, r.name)
		for i, p := range protocols {
			if got := input.Key(ev, p.modes); !bytes.Equal(got, r.want[i]) || (got == nil) != (r.want[i] == nil) {
				t.Errorf("%s in %s sends %q, want %q", r.name, p.name, got, r.want[i])
			}
		}
	}
}

// TestKeyWithoutAName checks keys that tcell knows no name for.
func TestKeyWithoutAName(t *testing.T) {
	t.Parallel()
	k := newKeyboard(t)
	for _, c := range []struct{ sent, legacy, kitty string }{
		{"\x1b[57430u", "", "\x1b[57430u"},
		{"\x1b[57427;5u", "", "\x1b[57427;5u"},
		{"\x1b[57416u", "", ""},
		{"\x1b[1114112u", "", ""},
		{"\ue0a0", "\ue0a0", "\ue0a0"},
	} {
		k.Type(c.sent)
		ev := k.next()
		legacy, kitty := input.Key(ev, terminal.Modes{}), input.Key(ev, terminal.Modes{Kitty: terminal.KittyFlags})
		if string(legacy) != c.legacy || string(kitty) != c.kitty {
			t.Errorf("%q sends %q and %q", c.sent, legacy, kitty)
		}
	}
}

// undecoded is what tcell makes another key of, or none, by the bytes that a
// terminal sends for the key.
var undecoded = map[string]string{
	"\b":               "Backspace",
	"\x1b\t":           "Shift-Tab, which it is on the console of Linux",
	"\x1b\x1b":         "Alt for the next key",
	"\x1b[":            "the beginning of a sequence",
	"\x1bO":            "the beginning of a sequence",
	"\x1bN":            "the beginning of a sequence",
	"\x1b]":            "the beginning of a string",
	"\x1bX":            "the beginning of a string",
	"\x1b^":            "the beginning of a string",
	"\x1b_":            "the beginning of a string",
	"\x1b\\":           "the end of a string",
	"\x1b[29;5~":       "Ctrl-F16",
	"\x1b[29~":         "F16, which some terminals send so",
	"\x1bé":            "the character without Alt",
	"\x1bÉ":            "the character without Alt",
	"\x1bж":            "the character without Alt",
	"\x1bЖ":            "the character without Alt",
	"\x1b漢":            "the character without Alt",
	"\x1b[27;3;1078~":  "nothing",
	"\x1b[27;4;1046~":  "nothing",
	"\x1b[27;5;1078~":  "nothing",
	"\x1b[27;6;1046~":  "nothing",
	"\x1b[27;7;1078~":  "nothing",
	"\x1b[27;8;1046~":  "nothing",
	"\x1b[27;3;28450~": "nothing",
	"\x1b[27;5;28450~": "nothing",
}

// keyboard is a real screen that keys are typed on.
type keyboard struct {
	*screentest.Terminal
	screen tcell.Screen
}

func newKeyboard(t *testing.T) keyboard {
	t.Helper()
	k := keyboard{Terminal: screentest.New(t, 10, 3)}
	k.screen = k.Screen()
	if err := k.screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.screen.Fini)
	return k
}

// next waits for the next key.
func (k keyboard) next() *tcell.EventKey {
	for {
		switch ev := k.screen.PollEvent().(type) {
		case *tcell.EventKey:
			return ev
		case nil:
			return nil
		}
	}
}

// fence is a key that arrives whatever was typed before, and what ends that.
const fence, fenceKey = "\x07\x1b[57358u", tcell.KeyCapsLock

// TestKeyFromTerminal checks what becomes of each key in each protocol when a
// terminal has sent it in any other.
func TestKeyFromTerminal(t *testing.T) {
	t.Parallel()
	rows := table(t)
	for i, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			k := newKeyboard(t)
			seen := map[string]bool{}
			for _, r := range rows {
				sent := string(r.want[i])
				if sent == "" || seen[sent] {
					continue // nothing, or the same as another key
				}
				seen[sent] = true
				if _, ok := undecoded[sent]; ok {
					k.decodesNot(t, r, sent)
					continue
				}
				k.Type(sent)
				k.check(t, r, sent)
			}
		})
	}
}

// check checks the next key.
func (k keyboard) check(t *testing.T, r row, sent string) {
	t.Helper()
	ev := k.next()
	for j, p := range protocols {
		if got := input.Key(ev, p.modes); !bytes.Equal(got, r.want[j]) {
			t.Errorf("%s came as %q, is %s, and sends %q in %s, want %q", r.name, sent, ev.Name(), got, p.name, r.want[j])
		}
	}
}

// decodesNot checks that tcell still fails to decode a key.
func (k keyboard) decodesNot(t *testing.T, r row, sent string) {
	t.Helper()
	k.Type(sent + fence)
	for ev := k.next(); ev.Key() != fenceKey; ev = k.next() {
		same := true
		for j, p := range protocols {
			same = same && bytes.Equal(input.Key(ev, p.modes), r.want[j])
		}
		if same {
			t.Errorf("tcell decodes %q", sent)
		}
	}
}
