package ui

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"coppice/session"
	"coppice/session/agent"
)

// shellEnded says that a shell or an editor gave the terminal back.
type shellEnded struct {
	program string
	err     error
}

func (shellEnded) isMsg() {}

// whyNotShell says why no shell can be opened in what is selected.
func (m *model) whyNotShell() string {
	if len(m.opt.Shell) == 0 {
		return "no shell is known: set SHELL"
	}
	return m.whyNoWorkDir()
}

// whyNotEditor says why no editor can be opened in what is selected.
func (m *model) whyNotEditor() string {
	if len(m.opt.Editor) == 0 {
		return "no editor is named: set VISUAL or EDITOR"
	}
	return m.whyNoWorkDir()
}

// shell opens a shell in what is selected.
func (m *model) shell() []cmd { return m.lend(m.opt.Shell) }

// editor opens the person's editor on the directory of what is selected.
func (m *model) editor() []cmd { return m.lend(slices.Concat(m.opt.Editor, []string{"."})) }

// lend runs a program of the person's own in the directory of what is selected:
// in a pane, or in the foreground where there is none.
func (m *model) lend(command []string) []cmd {
	name := filepath.Base(command[0])
	dir, _ := m.workDir()
	p := session.Plan{Action: session.ActionStart, Agent: name, Cwd: dir, Command: command}
	if m.opt.Hosts != nil {
		return m.resume(p)
	}
	lend := m.opt.Lend
	return foreground(func(ctx context.Context) msg { return shellEnded{program: name, err: lend(ctx, p)} })
}

// shellEnded looks again at what may have changed. With which status a shell
// ends says nothing: it is that of the last command.
func (m *model) shellEnded(in shellEnded) []cmd {
	var exit *agent.ExitError
	if in.err != nil && !errors.As(in.err, &exit) {
		m.warn(in.err.Error())
	} else {
		m.say("back from " + in.program)
	}
	return m.lookAgain()
}
