package ui

import "os"

// programModes ends every mode that a full-screen program may have left on:
// mouse reports, focus reports, bracketed paste, the alternate screen, kitty
// keys, hidden cursor, colours (report G9). The alternate screen is left by
// ?1047l, which does not move the cursor as ?1049l would: what the program
// printed last is not overwritten; the scrolling region is lifted between saving
// and restoring the cursor, which it would send to the first row.
const programModes = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1004l\x1b[?2004l\x1b[?2026l" +
	"\x1b[?1047l\x1b[<8u\x1b[=0u\x1b[>4;0m\x1b[?7h\x1b[?1l\x1b>\x1b7\x1b[r\x1b8\x1b[?25h\x1b[0m"

// restoreModes puts the terminal into the state that a shell expects, after
// somebody else used it. The screen's own file is closed meanwhile, so the
// terminal is opened anew; a screen that is no terminal's is written to itself.
func (s *shadow) restoreModes(terminal bool) {
	if !terminal {
		if tty, ok := s.Tty(); ok {
			_, _ = tty.Write([]byte(programModes)) // a terminal that is gone shows at Resume
		}
		return
	}
	f, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		return // as above
	}
	_, _ = f.WriteString(programModes)
	_ = f.Close()
}
