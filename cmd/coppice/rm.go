package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/agent"
	"coppice/session/owner"
	"coppice/session/runtime"
	"coppice/session/trash"
	"coppice/ui/text"
)

// trash returns the folder of deleted sessions.
func (a *app) trash() trash.Trash {
	dirs := a.dirs()
	return trash.Trash{
		Dir: filepath.Join(dirs.State, "trash"), Now: a.env.Now, Retention: runtime.ReadSettings(dirs.Agent, "").Retention(),
		Live: func(id string) bool { return a.checkEnded(id) != nil },
	}
}

func (a *app) removeCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rm ID|NAME|FILE",
		Short: "Delete a session, to the trash",
		Long: "Delete a session: its transcript, what lies beside it and the agent's file history of\n" +
			"it go to the trash. `coppice undo` brings it back. A session that is live is not deleted.\n\n" + sessionHelp,
		Args:              exactly(1, "one session"),
		ValidArgsFunction: a.completeSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.remove(cmd.Context(), args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object (docs/json.md)")
	return cmd
}

// remove takes a session to the trash.
func (a *app) remove(ctx context.Context, arg string, asJSON bool) error {
	rows, _, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, err := a.find(rows, arg)
	if err != nil {
		return err
	}
	tree, last := a.keeper().Last(ctx, rows, s)
	item, err := a.take(ctx, s)
	if err != nil {
		return err
	}
	if n := len(s.Copies) - 1; n > 0 {
		a.warnf("%s with this id still there: %s", text.Plural(n, "other file"), s.Copies[1].Path)
	}
	if asJSON {
		return a.printJSON(toTrashJSON(item))
	}
	if err := a.printf("%s is in the trash; to bring it back: coppice undo %[1]s\n", text.Clean(item.ID)); err != nil || !last {
		return err
	}
	return a.offerRemoval(tree)
}

// offerRemoval says how a worktree goes whose last user has gone.
func (a *app) offerRemoval(tree owner.Tree) error {
	return a.printf("nobody else uses its worktree; to remove it: coppice worktree rm %s\n", text.Clean(agent.Quote([]string{tree.Path})))
}

// take moves a session that has ended to the trash.
func (a *app) take(ctx context.Context, s session.Session) (trash.Item, error) {
	if err := a.checkEnded(s.ID); err != nil {
		return trash.Item{}, fmt.Errorf("delete session %s: %w", s.ID, err)
	}
	item, err := a.trash().Take(ctx, a.dirs().Agent, s.Path, s.ID, s.Title)
	if err != nil {
		return item, fmt.Errorf("delete session %s: %w", s.ID, err)
	}
	_ = a.settle(ctx, nil, s.Dir) // a lock that stays protects, and the next to come settles it
	return item, nil
}

// bring takes a session back from the trash, "" for the last one.
func (a *app) bring(ctx context.Context, id string) (trash.Item, error) {
	item, err := a.trash().Restore(ctx, id)
	if err != nil {
		return item, err
	}
	if s, err := session.FromFile(ctx, item.Path); err == nil {
		_ = a.settle(ctx, nil, s.Dir)
	}
	return item, nil
}

func (a *app) undoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo [ID|NAME]",
		Short: "Bring a deleted session back from the trash: the last one, or the one named",
		Args:  atMost(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.completeTrash(args, typed), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				if name = strings.TrimSpace(args[0]); name == "" {
					return usagef("an empty name stands for no session")
				}
			}
			return a.undo(cmd.Context(), name, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object (docs/json.md)")
	return cmd
}

// undo brings a session back.
func (a *app) undo(ctx context.Context, name string, asJSON bool) error {
	id := ""
	if name != "" {
		var err error
		if id, err = a.trashed(name); err != nil {
			return err
		}
	}
	item, err := a.bring(ctx, id)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(toTrashJSON(item))
	}
	return a.printf("%s is back: %s\n", text.Clean(item.ID), text.Clean(item.Path))
}

// trashed returns the id of the trashed session that a name stands for, by the
// rules for all sessions.
func (a *app) trashed(name string) (string, error) {
	items, listErr := a.trash().List() // newest first
	var rows []session.Session
	seen := map[string]bool{}
	for _, it := range items {
		if !seen[it.ID] {
			seen[it.ID] = true
			rows = append(rows, session.Session{ID: it.ID, Path: it.Path, Title: it.Title, TitleSource: session.TitleCustom, Updated: it.Taken})
		}
	}
	s, err := session.Resolve(rows, name)
	switch {
	case errors.Is(err, session.ErrNotFound) && listErr != nil:
		return "", fmt.Errorf("%w; part of the trash cannot be read: %w", trash.ErrNotFound, listErr)
	case errors.Is(err, session.ErrNotFound):
		return "", fmt.Errorf("%q: %w", name, trash.ErrNotFound)
	}
	return s.ID, err
}

// completeTrash completes the id of a trashed session.
func (a *app) completeTrash(args []string, typed string) []cobra.Completion {
	var out []cobra.Completion
	items, _ := a.trash().List()
	for _, it := range items {
		if len(args) == 0 && len(out) < maxCompletions && strings.HasPrefix(strings.ToLower(it.ID), strings.ToLower(typed)) {
			out = append(out, cobra.CompletionWithDesc(it.ID, text.Truncate(text.Clean(it.Title), 60)))
		}
	}
	return out
}
