package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"coppice/ui/text"
)

// run runs one command line and returns the exit code.
func run(env Env) int {
	a := newApp(env)
	ctx, stop := a.interruptible(context.Background())
	defer stop()
	err := a.command().ExecuteContext(ctx)
	a.report(err)
	return exitCode(err)
}

// command returns the command tree.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "coppice [DIR]",
		Short: "Every repository, worktree and agent session in one window",
		Long: "Coppice shows every repository, worktree and branch beside the agent sessions\n" +
			"that ran in them, and resumes any session where it belongs.\n\n" +
			"Without a command it opens the dashboard, starting in DIR or the current\ndirectory.\n\n" +
			"Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 ambiguous.",
		Args:              a.rootArgs,
		ValidArgsFunction: completeDirectories,
		RunE: func(cmd *cobra.Command, args []string) error {
			start := a.env.Cwd
			if len(args) > 0 {
				dir, err := a.directory(args[0])
				if err != nil {
					return err
				}
				start = dir
			}
			return a.dashboard(cmd.Context(), start, "", "")
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(a.lsCommand(), a.showCommand(), a.newCommand(), a.resumeCommand(), a.forkCommand(), a.renameCommand(),
		a.moveCommand(), a.removeCommand(), a.undoCommand(), a.worktreeCommand(), a.doctorCommand(),
		a.psCommand(), a.statusCommand(), a.attachCommand(), a.stopCommand(), a.bringBackCommand(), a.hostCommand(), a.observeCommand(), a.configCommand(), a.completionCommand(), a.versionCommand())
	root.SuggestionsMinimumDistance = 2
	root.SetHelpCommand(a.helpCommand())
	root.Version = a.version()
	root.SetVersionTemplate("coppice {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see `%s --help`", err, cmd.CommandPath())
	})
	root.SetArgs(a.env.Args)
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	return root
}

// rootArgs allows one directory and helps with a misspelt command.
func (a *app) rootArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := a.directory(args[0]); err != nil {
		hint := "see `coppice --help`"
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			hint = "did you mean `coppice " + strings.Join(near, "` or `coppice ") + "`?"
		}
		return usagef("%q is neither a command nor a directory; %s", args[0], hint)
	}
	return atMost(1)(cmd, args)
}

// exactly demands n arguments.
func exactly(n int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s takes %s, not %s; see `%s --help`", cmd.CommandPath(), names, text.Plural(len(args), "argument"), cmd.CommandPath())
		}
		return nil
	}
}

// atMost allows n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s: too many arguments (%q); see `%s --help`", cmd.CommandPath(), args[n], cmd.CommandPath())
		}
		return nil
	}
}
