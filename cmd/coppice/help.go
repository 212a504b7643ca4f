package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var out []cobra.Completion
			if parent, _, err := cmd.Root().Find(args); err == nil {
				for _, c := range parent.Commands() {
					if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), typed) {
						out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q; see `coppice --help`", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag() // so that it is listed
			return found.Help()
		},
	}
}
