package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/ui/text"
)

func (a *app) renameCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rename ID|NAME|FILE NEW-NAME",
		Short:             "Give a session a name, as the agent's own /rename does",
		Long:              "Give a session a name, as the agent's own /rename does.\n\n" + sessionHelp,
		Args:              exactly(2, "a session and its new name"),
		ValidArgsFunction: a.completeSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.rename(cmd.Context(), args[0], args[1]) },
	}
}

// rename gives a session a name and tells the id, by which it is found whatever
// its name (report C17).
func (a *app) rename(ctx context.Context, arg, name string) error {
	rows, _, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, err := a.find(rows, arg)
	if err != nil {
		return err
	}
	renamed, err := a.renamer().Rename(ctx, s, name)
	switch {
	case errors.Is(err, session.ErrNameEmpty), errors.Is(err, session.ErrNameIsID):
		return usageError{err}
	case err != nil:
		return err
	}
	if same := len(session.SameName(rows, renamed.Title, s.ID)); same > 0 {
		a.warnf("%s of this name already; to resume one of them use its id", text.Plural(same, "other session"))
	}
	return a.printf("%s is now called %s\n", text.Clean(s.ID), text.Clean(renamed.Title))
}

// renamer returns what renames sessions.
func (a *app) renamer() session.Renamer {
	return session.Renamer{Root: a.dirs().Agent, Now: a.env.Now, Live: func(id string) bool { return a.checkEnded(id) != nil }}
}
