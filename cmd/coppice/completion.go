package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/ui/text"
)

// maxCompletions bounds what a shell is offered.
const maxCompletions = 200

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: "Print a completion script for a shell. To use it in this session:\n\n" +
			"  bash:  source <(coppice completion bash)\n" +
			"  zsh:   source <(coppice completion zsh)\n" +
			"  fish:  coppice completion fish | source\n" +
			"  powershell:  coppice completion powershell | Out-String | Invoke-Expression\n\n" +
			"For every session, put the line into the shell's startup file.",
		Args:              exactly(1, "the name of a shell"),
		ValidArgsFunction: cobra.FixedCompletions([]string{"bash", "zsh", "fish", "powershell"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.env.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.env.Stdout)
			case "fish":
				return root.GenFishCompletion(a.env.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.env.Stdout)
			}
			return usagef("no completion for %q; allowed: bash, zsh, fish, powershell", args[0])
		},
	}
}

// completer completes one argument of a command line.
type completer = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// completeFlag attaches a completer to a flag.
func (a *app) completeFlag(cmd *cobra.Command, flag string, c completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, c); err != nil {
		panic(err) // the flag does not exist: a mistake in this package
	}
}

// completeDirectories leaves directories to the shell.
func completeDirectories(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeSessions completes the id or the name of a session.
func (a *app) completeSessions(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if strings.ContainsRune(typed, '/') {
		return nil, cobra.ShellCompDirectiveDefault // a file
	}
	rows, _, err := a.load(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	titles := map[string]int{}
	for _, s := range rows {
		titles[strings.ToLower(s.Title)]++
	}
	var out []cobra.Completion
	for _, s := range rows {
		if len(out) >= maxCompletions {
			break
		}
		if s.Hidden != "" && typed == "" {
			continue
		}
		if offer, description := completion(s, strings.ToLower(typed), titles[strings.ToLower(s.Title)] == 1); offer != "" {
			out = append(out, cobra.CompletionWithDesc(offer, description))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completion returns what to offer for a session when typed, in lower case,
// begins its name or its id. A name is offered only when it is unique and can be
// typed as it is.
func completion(s session.Session, typed string, unique bool) (offer, description string) {
	title := text.Truncate(text.Clean(s.Title), 60)
	switch {
	case s.Named() && unique && typeable(s.Title) && strings.HasPrefix(strings.ToLower(s.Title), typed):
		return s.Title, s.ID
	case strings.HasPrefix(strings.ToLower(s.ID), typed):
		return s.ID, title
	}
	return "", ""
}

// typeable reports whether a name can stand on a command line: nothing in it
// that a terminal obeys, and no leading dash.
func typeable(name string) bool {
	return name != "" && text.Clean(name) == name && !strings.HasPrefix(name, "-")
}

// completeBranches completes the branch of a session.
func (a *app) completeBranches(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	rows, _, err := a.load(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	seen := map[string]bool{}
	for _, s := range rows {
		if b := s.Summary.Branch; typeable(b) && strings.HasPrefix(b, typed) && len(seen) < maxCompletions {
			seen[b] = true
		}
	}
	var out []cobra.Completion
	for b := range seen {
		out = append(out, b)
	}
	slices.Sort(out)
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeAgents completes the name of an agent.
func (a *app) completeAgents(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for name := range a.config().Agents {
		if typeable(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, cobra.ShellCompDirectiveNoFileComp
}
