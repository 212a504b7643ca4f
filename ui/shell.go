package ui

import (
	"strings"

	"coppice/config"
	"coppice/session"
)

// shellLine writes a command the way a shell reads it.
func shellLine(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = shellWord(a)
	}
	return strings.Join(quoted, " ")
}

// shellWord quotes an argument where it needs it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// inDir is a command line that runs in a directory.
func inDir(dir string, args []string) string {
	if dir == "" {
		return shellLine(args)
	}
	return "cd " + shellWord(dir) + " && " + shellLine(args)
}

// resumeCommand is what a person can type to resume a session by hand.
func resumeCommand(c config.Config, s session.Session) string {
	a := c.Agents[c.Agent]
	args := append([]string(nil), a.Command...)
	for _, arg := range a.Resume {
		args = append(args, strings.ReplaceAll(arg, "{id}", s.ID))
	}
	return inDir(s.Dir, args)
}

// trimmed is a name without blanks around it.
func trimmed(s string) string { return strings.TrimSpace(s) }
