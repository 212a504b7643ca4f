package screentest

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
)

// Modes with a meaning of their own here.
const (
	modeSync   = "?2026"
	modeCursor = "hidden cursor"
	modeKitty  = "kitty keyboard"
	modeOther  = "modifyOtherKeys"
)

// parser looks at a program's output before the emulator does. It keeps OSC
// sequences to itself, because the emulator ends one at the byte 0x9c of a UTF-8
// character, and keeps the modes that are on.
type parser struct {
	pending   []byte // the beginning of a sequence whose end was not written yet
	modes     map[string]bool
	kitty     int // depth of the keyboard stack
	title     string
	titles    []string // put aside
	notices   []string
	clipboard string
	bells     int
}

// feed returns p in pieces, each whole sequences and text, without OSC.
func (p *parser) feed(data []byte) [][]byte {
	data = append(p.pending, data...)
	p.pending = nil
	var out [][]byte
	for len(data) > 0 {
		n := bytes.IndexByte(data, 0x1b)
		if n != 0 {
			if n < 0 {
				n = len(data)
			}
			p.bells += bytes.Count(data[:n], []byte{7})
			out, data = append(out, data[:n]), data[n:]
			continue
		}
		seq, body := sequence(data)
		if seq == 0 {
			p.pending = bytes.Clone(data)
			break
		}
		if len(data) > 1 && data[1] == ']' {
			p.osc(string(body))
		} else {
			p.csi(string(data[:seq]))
			out = append(out, data[:seq])
		}
		data = data[seq:]
	}
	return out
}

// sequence returns the length of the escape sequence that data begins with, 0
// when it is not complete, and the body of an OSC.
func sequence(data []byte) (n int, body []byte) {
	if len(data) < 2 {
		return 0, nil
	}
	switch data[1] {
	case ']':
		for i := 2; i < len(data); i++ {
			switch {
			case data[i] == 7:
				return i + 1, data[2:i]
			case data[i] == 0x1b && i+1 < len(data) && data[i+1] == '\\':
				return i + 2, data[2:i]
			}
		}
		return 0, nil
	case '[':
		for i := 2; i < len(data); i++ {
			if data[i] >= 0x40 && data[i] <= 0x7e {
				return i + 1, nil
			}
		}
		return 0, nil
	case '(', ')', '*', '+', '#', '%', ' ':
		if len(data) < 3 {
			return 0, nil
		}
		return 3, nil
	}
	return 2, nil
}

// osc obeys an operating system command.
func (p *parser) osc(body string) {
	kind, value, _ := strings.Cut(body, ";")
	switch kind {
	case "0", "2":
		p.title = value
	case "9":
		p.notices = append(p.notices, value)
	case "777":
		p.notices = append(p.notices, strings.TrimPrefix(value, "notify;"))
	case "52":
		_, value, _ = strings.Cut(value, ";")
		if text, err := base64.StdEncoding.DecodeString(value); err == nil {
			p.clipboard = string(text)
		}
	}
}

// csi notes the modes that a control sequence switches, and titles put aside.
func (p *parser) csi(seq string) {
	if len(seq) < 4 || seq[1] != '[' {
		return
	}
	params, final := seq[3:len(seq)-1], seq[len(seq)-1]
	switch {
	case seq[2] == '?' && (final == 'h' || final == 'l'):
		for n := range strings.SplitSeq(params, ";") {
			p.modes["?"+n] = final == 'h'
		}
	case seq[2] == '>' && final == 'u':
		p.kitty++
	case seq[2] == '<' && final == 'u':
		pops, _ := strconv.Atoi(params)
		p.kitty = max(p.kitty-max(pops, 1), 0)
	case seq[2] == '=' && final == 'u' && strings.HasPrefix(params, "0"):
		p.kitty = 0
	case final == 't' && seq[2:len(seq)-1] == "22;2":
		p.titles = append(p.titles, p.title)
	case final == 't' && seq[2:len(seq)-1] == "23;2" && len(p.titles) > 0:
		p.title, p.titles = p.titles[len(p.titles)-1], p.titles[:len(p.titles)-1]
	case seq[2] == '>' && final == 'm':
		kind, level, _ := strings.Cut(params, ";")
		p.modes[modeOther] = kind == "4" && level != "" && level != "0"
	}
}

// left names the modes that are on and should not be when nothing runs.
func (p *parser) left() []string {
	var out []string
	for mode, name := range map[string]string{
		"?1049": "alternate screen", "?1047": "alternate screen", "?47": "alternate screen",
		"?9": "mouse 9", "?1000": "mouse 1000", "?1002": "mouse 1002", "?1003": "mouse 1003", "?1006": "mouse 1006",
		"?1004": "focus reports", "?2004": "bracketed paste", modeSync: "synchronized output",
		"?9001": "win32 input", modeOther: modeOther,
	} {
		if p.modes[mode] {
			out = append(out, name)
		}
	}
	if shown, set := p.modes["?25"]; set && !shown {
		out = append(out, modeCursor)
	}
	if p.kitty > 0 {
		out = append(out, modeKitty)
	}
	return out
}
