package main

import (
	"github.com/spf13/cobra"

	"coppice/config"
	"coppice/ui"
	"coppice/ui/text"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The configuration: its path, what is wrong with it, its defaults",
		Args:  atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("config needs one of path, check and default; see `coppice config --help`")
		},
	}
	sub := func(use, short string, run func() error) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: atMost(0), ValidArgsFunction: cobra.NoFileCompletions,
			RunE: func(*cobra.Command, []string) error { return run() },
		}
	}
	cmd.AddCommand(
		sub("path", "Print where the configuration file is read from", func() error {
			return a.printf("%s\n", text.Clean(a.dirs().File()))
		}),
		sub("check", "Print everything that is wrong with the configuration file", a.checkConfig),
		sub("default", "Print a configuration file with every key at its default", func() error {
			return a.write([]byte(config.DefaultText()))
		}),
	)
	return cmd
}

// checkConfig prints the problems, one a line, and fails when there are any.
func (a *app) checkConfig() error {
	_, problems := config.Load(a.dirs().File(), a.env.Home, ui.Actions())
	for _, p := range problems {
		if err := a.printf("%s\n", text.Clean(p.String())); err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return silentError{exitFailed}
	}
	return a.print("nothing is wrong with the configuration\n")
}
