package agent_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/term"

	"coppice/session/agent"
)

// G9: however the agent ends, the terminal is out of every mode that it left on.
func TestRunRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	program := fakeAgent(t)
	for _, end := range []string{"FAKEAGENT_EXIT=0", "FAKEAGENT_EXIT=1", "FAKEAGENT_KILL=9"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			s := onTerminal(t, []string{"RUN_AGENT=" + program, "RUN_DIR=" + t.TempDir(), "FAKEAGENT_MODES=1", end}, self(t))
			before, err := term.GetState(int(s.tty.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			s.wait("back:")
			after, err := term.GetState(int(s.tty.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			if *before != *after {
				t.Error("the line settings differ")
			}
			modes := map[string]bool{}
			for _, seq := range privateModes(s.text()) {
				modes[seq[:len(seq)-1]] = seq[len(seq)-1] == 'h'
			}
			for _, mode := range []string{"1000", "1002", "1003", "1006", "2004", "1004", "1049"} {
				if on, ok := modes[mode]; on || !ok {
					t.Errorf("mode %s is left on", mode)
				}
			}
			if !modes["25"] {
				t.Error("the cursor is left hidden")
			}
			kitty := strings.LastIndex(s.text(), "\x1b[>1u")
			if kitty < 0 || !strings.Contains(s.text()[kitty:], "\x1b[<32u") || !strings.Contains(s.text()[kitty:], "\x1b[=0u") {
				t.Error("the kitty keyboard is left on")
			}
			if !strings.Contains(s.text()[strings.LastIndex(s.text(), "\x1b[31m"):], "\x1b[0m") {
				t.Error("the colour is left on")
			}
		})
	}
}

// privateModes returns every "<number>h" and "<number>l" of CSI ? sequences, in
// order.
func privateModes(text string) []string {
	var out []string
	for _, part := range strings.Split(text, "\x1b[?")[1:] {
		if end := strings.IndexAny(part, "hl"); end > 0 {
			out = append(out, part[:end+1])
		}
	}
	return out
}

// What stood on the main screen stays, and the next text goes on behind it.
func TestResetKeepsTheScreen(t *testing.T) {
	t.Parallel()
	for _, used := range []string{"", "\x1b[?1049h\x1b[2J\x1b[5;5Hfull screen"} {
		e := vt.NewEmulator(20, 4)
		if _, err := e.Write([]byte("one\r\ntwo" + used + agent.Reset + "!")); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimRight(e.String(), " \n\r"); got != "one\ntwo!" {
			t.Errorf("after %q the screen is %q", used, got)
		}
	}
}

// Ctrl-C belongs to the agent: it reaches the agent and does not end this
// process.
func TestRunInterrupt(t *testing.T) {
	t.Parallel()
	program := fakeAgent(t)
	t.Run("the agent ends by it", func(t *testing.T) {
		t.Parallel()
		s := onTerminal(t, []string{"RUN_AGENT=" + program, "RUN_DIR=" + t.TempDir(), "FAKEAGENT_WAIT=1"}, self(t))
		s.wait("fakeagent waits")
		s.send("\x03")
		s.wait("back:")
		if !strings.Contains(s.text(), "interrupt") {
			t.Errorf("the agent was not interrupted: %q", s.text())
		}
	})
	t.Run("the agent has other uses for it", func(t *testing.T) {
		t.Parallel()
		s := onTerminal(t, []string{"RUN_AGENT=" + program, "RUN_DIR=" + t.TempDir(), "FAKEAGENT_WAIT=1", "FAKEAGENT_DEAF=1"}, self(t))
		s.wait("fakeagent waits")
		s.send("\x03")
		s.wait("^C")
		s.send("\r")
		s.wait("back: <nil>")
	})
}

// Ctrl-Z under a shell with job control stops the agent and this process, and
// fg brings both back; so does an agent that stops itself alone.
func TestRunSuspend(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no shell with job control")
	}
	program := fakeAgent(t)
	for name, setting := range map[string]string{"by key": "FAKEAGENT_NONE=1", "by itself": "FAKEAGENT_SUSPEND=1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := onTerminal(t, []string{
				"RUN_AGENT=" + program, "RUN_DIR=" + t.TempDir(), "FAKEAGENT_WAIT=1", setting, "PS1=shell> ", "INPUTRC=/dev/null",
			}, bash, "--norc", "--noprofile", "-i")
			s.wait("shell> ")
			s.send(self(t) + "\r")
			if name == "by key" {
				s.wait("fakeagent waits")
				s.send("\x1a")
			}
			s.waitAfter("Stopped", "shell> ")
			s.send("fg\r")
			s.waitAfter("shell> fg", self(t))
			s.wait("fakeagent waits")
			s.send("\r")
			s.wait("back: <nil>")
		})
	}
}
