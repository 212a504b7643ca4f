package terminal

import (
	"encoding/hex"
	"strings"
)

// reportDevice is DA1: a VT220 with colours that lets a program write to the
// clipboard.
func (t *Terminal) reportDevice() { t.reply("\x1b[?62;22;52c") }

// reportStatus is DSR.
func (t *Terminal) reportStatus(what int) {
	switch what {
	case 5:
		t.reply("\x1b[0n")
	case 6:
		t.reply("\x1b[%d;%dR", t.reportedRow(), t.cur.x+1)
	}
}

// reportedRow is the cursor's row as a program counts it.
func (t *Terminal) reportedRow() int {
	if t.cur.origin {
		return t.cur.y - t.top + 1
	}
	return t.cur.y + 1
}

// reportPrivateStatus is DSR with a question mark.
func (t *Terminal) reportPrivateStatus(what int) {
	switch what {
	case 6:
		t.reply("\x1b[?%d;%d;1R", t.reportedRow(), t.cur.x+1)
	case 996:
		t.reportScheme()
	}
}

// reportScheme says whether the theme is dark (1) or light (2).
func (t *Terminal) reportScheme() {
	scheme := 1
	if t.theme.light() {
		scheme = 2
	}
	t.reply("\x1b[?997;%dn", scheme)
}

// reportSize is the notice of mode 2048. We know no pixels.
func (t *Terminal) reportSize() { t.reply("\x1b[48;%d;%d;0;0t", t.rows, t.cols) }

// reportParameters is DECREQTPARM: no parity, eight bits, 38400 baud.
func (t *Terminal) reportParameters(what int) {
	if what <= 1 {
		t.reply("\x1b[%d;1;1;128;128;1;0x", what+2)
	}
}

// setting is how a mode stands in a report.
func setting(on bool) int {
	if on {
		return 1
	}
	return 2
}

// reportANSIMode is DECRQM. 0 says that we do not know the mode.
func (t *Terminal) reportANSIMode(mode int) {
	v := 0
	if flag := t.ansiFlag(mode); flag != nil {
		v = setting(*flag)
	}
	t.reply("\x1b[%d;%d$y", mode, v)
}

// reportPrivateMode is DECRQM with a question mark.
func (t *Terminal) reportPrivateMode(mode int) {
	v := 0
	switch mode {
	case 9, 1000, 1002, 1003:
		v = setting(t.modes.Mouse == Mouse(mode))
	case 1005, 1006, 1015:
		v = setting(t.modes.MouseEncoding == MouseEncoding(mode))
	case 47, 1047, 1049:
		v = setting(t.on == &t.alt)
	case 2026:
		v = setting(!t.held.IsZero())
	default:
		if flag := t.privateFlag(mode); flag != nil {
			v = setting(*flag)
		}
	}
	t.reply("\x1b[?%d;%d$y", mode, v)
}

// windowOperation is XTWINOPS: sizes are told, titles pushed and popped. Nothing
// of it moves or resizes a window, and the title is not told: it could be typed
// into a shell.
func (t *Terminal) windowOperation(what int) {
	const cellWidth, cellHeight = 8, 16 // made up: we know no pixels
	switch what {
	case 14:
		t.reply("\x1b[4;%d;%dt", t.rows*cellHeight, t.cols*cellWidth)
	case 16:
		t.reply("\x1b[6;%d;%dt", cellHeight, cellWidth)
	case 18:
		t.reply("\x1b[8;%d;%dt", t.rows, t.cols)
	case 22:
		if len(t.labels.stack) < maxStack {
			t.labels.stack = append(t.labels.stack, t.labels.title)
		}
	case 23:
		if n := len(t.labels.stack); n > 0 {
			t.setTitle(t.labels.stack[n-1])
			t.labels.stack = t.labels.stack[:n-1]
		}
	}
}

// device acts on a device control string.
func (t *Terminal) device(s string) {
	if names, ok := strings.CutPrefix(s, "+q"); ok {
		for name := range strings.SplitSeq(names, ";") {
			t.reportCapability(name)
		}
	} else if what, ok := strings.CutPrefix(s, "$q"); ok {
		t.reportSetting(what)
	}
}

// reportCapability is XTGETTCAP for one name in hexadecimal.
func (t *Terminal) reportCapability(name string) {
	decoded, err := hex.DecodeString(name)
	if err != nil {
		return
	}
	switch string(decoded) {
	case "RGB", "Tc":
		t.reply("\x1bP1+r%s\x1b\\", name)
	case "Co", "colors":
		t.reply("\x1bP1+r%s=%x\x1b\\", name, "256")
	default:
		t.reply("\x1bP0+r%s\x1b\\", name)
	}
}

// reportSetting is DECRQSS.
func (t *Terminal) reportSetting(what string) {
	switch what {
	case "m":
		t.reply("\x1bP1$r%sm\x1b\\", t.renditionOf(t.cur.pen))
	case "r":
		t.reply("\x1bP1$r%d;%dr\x1b\\", t.top+1, t.bottom+1)
	case " q":
		t.reply("\x1bP1$r%d q\x1b\\", t.shape)
	case "\"q":
		t.reply("\x1bP1$r%d\"q\x1b\\", setting(t.cur.pen.attr&Protected != 0))
	default:
		t.reply("\x1bP0$r\x1b\\")
	}
}
