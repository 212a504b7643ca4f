package terminal

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
)

// command acts on an operating system command.
func (t *Terminal) command(b []byte) {
	number, rest, _ := bytes.Cut(b, []byte{';'})
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return
	}
	if n == 52 { // may be long: no copy
		t.clipboard(rest)
		return
	}
	const longest = 16 << 10 // no other command has so much to say
	value := string(rest[:min(len(rest), longest)])
	switch n {
	case 0, 2:
		t.setTitle(value)
	case 4:
		t.reportPalette(value)
	case 7:
		t.setDirectory(value)
	case 8:
		t.setLink(value)
	case 9:
		if progress, ok := strings.CutPrefix(value, "4;"); ok {
			t.setProgress(progress)
		} else {
			t.notify("", value)
		}
	case 10, 11, 12:
		t.reportColors(n, value)
	case 777:
		if f := strings.SplitN(value, ";", 3); len(f) == 3 && f[0] == "notify" {
			t.notify(f[1], f[2])
		}
	}
}

// terminator ends a reply as the question ended.
func (t *Terminal) terminator() string {
	if t.parser.bell {
		return "\a"
	}
	return "\x1b\\"
}

// reportPalette answers the questions of OSC 4. Colours to set are ignored: the
// palette is the viewer's.
func (t *Terminal) reportPalette(value string) {
	f := strings.Split(value, ";")
	for i := 0; i+1 < len(f); i += 2 {
		if n, err := strconv.ParseUint(f[i], 10, 8); err == nil && f[i+1] == "?" {
			t.reply("\x1b]4;%d;%s%s", n, colorName(paletteColor(uint8(n))), t.terminator())
		}
	}
}

// reportColors answers the questions of OSC 10 to 12, of which one command can
// hold several. Colours to set are ignored.
func (t *Terminal) reportColors(n int, value string) {
	colors := [3]uint32{t.theme.Foreground, t.theme.Background, t.theme.Cursor}
	for v := range strings.SplitSeq(value, ";") {
		if n > 12 {
			return
		}
		if v == "?" {
			t.reply("\x1b]%d;%s%s", n, colorName(colors[n-10]), t.terminator())
		}
		n++
	}
}

// colorName writes 0xRRGGBB as X11 does.
func colorName(c uint32) string {
	const digits = "0123456789abcdef"
	name := []byte("rgb:")
	for shift := 16; shift >= 0; shift -= 8 {
		hi, lo := digits[c>>(shift+4)&15], digits[c>>shift&15]
		name = append(name, hi, lo, hi, lo, '/')
	}
	return string(name[:len(name)-1])
}

// setDirectory keeps the address of the program's directory (OSC 7). Only
// printable ASCII is an address.
func (t *Terminal) setDirectory(s string) {
	if len(s) > maxPath || !printable(s) {
		return
	}
	t.out.Directory = t.out.Directory || s != t.labels.directory
	t.labels.directory = s
}

// Bounds of a link, in bytes, as other terminals have them.
const (
	maxAddress = 2083
	maxLinkID  = 250
)

// setLink begins or ends a link (OSC 8). One that is too long, or whose address
// or id is not printable ASCII, is none.
func (t *Terminal) setLink(value string) {
	params, address, ok := strings.Cut(value, ";")
	if !ok {
		return
	}
	link := Link{Address: address}
	for param := range strings.SplitSeq(params, ":") {
		if id, ok := strings.CutPrefix(param, "id="); ok {
			link.ID = id
		}
	}
	if address == "" || len(address) > maxAddress || len(link.ID) > maxLinkID || !printable(address+link.ID) {
		link = Link{}
	}
	t.setExtra(func(e *extra) { e.link = link })
}

// printable reports whether s is printable ASCII.
func printable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) < 0
}

// setProgress is OSC 9;4.
func (t *Terminal) setProgress(value string) {
	state, percent, _ := strings.Cut(value, ";")
	s, err := strconv.ParseUint(state, 10, 8)
	if err != nil || ProgressState(s) > Paused {
		return
	}
	n, _ := strconv.Atoi(percent)
	p := Progress{ProgressState(s), max(0, min(n, 100))}
	t.out.Progress = t.out.Progress || p != t.labels.progress
	t.labels.progress = p
}

// clipboard is OSC 52. A question is never answered.
func (t *Terminal) clipboard(value []byte) {
	const selections = 12 // c p q s and 0 to 7
	selection, encoded, ok := bytes.Cut(value, []byte{';'})
	if !ok || len(selection) > selections || !printable(string(selection)) {
		return
	}
	data := make([]byte, base64.StdEncoding.DecodedLen(len(encoded)))
	n, err := base64.StdEncoding.Decode(data, encoded)
	if err != nil || n > MaxClip {
		return
	}
	t.clip(Clip{Selection: string(selection), Data: data[:n]})
}
