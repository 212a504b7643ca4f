package agent

import (
	"slices"
	"strings"

	"coppice/config"
)

// Action says which of an agent's argument lists begins its command line.
type Action string

// The actions.
const (
	Start  Action = "start"
	Resume Action = "resume"
	Fork   Action = "fork"
)

// Values fill the placeholders of the configured argument lists. A list that
// names a placeholder without a value is left out.
type Values struct {
	ID     string // {id}: a session id, or the path of a transcript where the id is not enough
	New    string // {new}: id of a fork
	Name   string // {name}
	Mode   string // {mode}
	Prompt string // {prompt}
	Format string // {format}: of one printed turn; "" for a session in a terminal
	Args   []string
}

// Command returns the command line of an agent: its command, the list of the
// action, what prints one turn, name, mode, the extra arguments as they are, and the prompt. A value
// is never split or quoted, since no shell ever sees it. A prompt that could be
// taken for an option, or for the value of an extra argument, is set off by
// "--"; the client takes what follows as the prompt in any case.
//
// The result is empty when the agent has no command.
func Command(a config.Agent, action Action, v Values) []string {
	if len(a.Command) == 0 {
		return nil
	}
	fill := v.filler()
	line := slices.Clone(a.Command)
	for _, list := range [][]string{listOf(a, action), a.Print, a.Name, a.Mode} {
		line = append(line, fill(list)...)
	}
	line = append(line, v.Args...)
	prompt := fill(a.Prompt)
	if len(prompt) > 0 && a.Prompt[0] == "{prompt}" && !slices.Contains(line, "--") &&
		(len(v.Args) > 0 || strings.HasPrefix(prompt[0], "-")) {
		line = append(line, "--")
	}
	return append(line, prompt...)
}

// listOf returns the argument list of an action.
func listOf(a config.Agent, action Action) []string {
	switch action {
	case Start:
		return a.Start
	case Resume:
		return a.Resume
	case Fork:
		return a.Fork
	}
	return nil
}

// filler returns a function that fills in one argument list.
func (v Values) filler() func([]string) []string {
	pairs := []string{"{id}", v.ID, "{new}", v.New, "{name}", v.Name, "{mode}", v.Mode, "{prompt}", v.Prompt, "{format}", v.Format}
	replacer := strings.NewReplacer(pairs...)
	return func(list []string) []string {
		out := make([]string, 0, len(list))
		for _, arg := range list {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i+1] == "" && strings.Contains(arg, pairs[i]) {
					return nil
				}
			}
			out = append(out, replacer.Replace(arg))
		}
		return out
	}
}
