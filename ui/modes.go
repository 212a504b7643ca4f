package ui

import (
	"os"

	"coppice/session/agent"
)

// restoreModes puts the terminal into the state that a shell expects, after
// somebody else used it. The screen's own file is closed meanwhile, so the
// terminal is opened anew; a screen that is no terminal's is written to itself.
func (s *shadow) restoreModes(terminal bool) {
	if !terminal {
		if tty, ok := s.Tty(); ok {
			_, _ = tty.Write([]byte(agent.Reset)) // a terminal that is gone shows at Resume
		}
		return
	}
	f, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		return // as above
	}
	_, _ = f.WriteString(agent.Reset)
	_ = f.Close()
}
