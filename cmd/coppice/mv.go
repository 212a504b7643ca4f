package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/move"
	"coppice/session/runtime"
	"coppice/transcript"
	"coppice/ui/text"
	"coppice/worktree"
)

func (a *app) moveCommand() *cobra.Command {
	var to string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "mv ID|NAME|FILE --to DIR",
		Short: "Move a session to another worktree or project directory",
		Long: "Move a session to another worktree or project directory: its transcript and what lies\n" +
			"beside it go to the folder of that directory, and it is resumed there from then on.\n" +
			"A session that is live is not moved.\n\n" + sessionHelp,
		Args:              exactly(1, "one session"),
		ValidArgsFunction: a.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return usagef("where to? Name the directory with --to")
			}
			return a.move(cmd.Context(), args[0], to, asJSON)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "directory `DIR` that the session belongs to from now on")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object (docs/json.md)")
	a.completeFlag(cmd, "to", completeDirectories)
	return cmd
}

// move moves a session to a directory.
func (a *app) move(ctx context.Context, arg, to string, asJSON bool) error {
	dir, err := a.directory(to)
	if err != nil {
		return err
	}
	rows, _, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, err := a.find(rows, arg)
	if err != nil {
		return err
	}
	out, err := a.moveSession(ctx, s, dir)
	if err != nil {
		return err
	}
	if err := a.settle(ctx, nil, s.Dir, dir); err != nil {
		out.Notes = append(out.Notes, err.Error())
	}
	for _, n := range out.Notes {
		a.warnf("%s", n)
	}
	if n := len(s.Copies) - 1; n > 0 {
		a.warnf("%s with this id elsewhere; see `coppice show %s`", text.Plural(n, "other file"), s.ID)
	}
	if asJSON {
		return a.printJSON(out)
	}
	return a.printf("%s belongs to %s now\n", text.Clean(s.ID), text.Clean(dir))
}

// moveSession moves a session that has ended to a directory.
func (a *app) moveSession(ctx context.Context, s session.Session, dir string) (moveJSON, error) {
	dirs := a.dirs()
	if err := a.checkEnded(s.ID); err != nil {
		return moveJSON{}, fmt.Errorf("move session %s: %w", s.ID, err)
	}
	place := worktree.Locate(dir)
	req := move.Request{
		ID: s.ID, Source: s.Path, Folder: session.Folder(dirs.Agent, dirs.ProjectName, place.Resolved), Dir: dir, Now: a.env.Now(),
		Retention: runtime.ReadSettings(dirs.Agent, "").Retention(),
		Live:      func() bool { return a.checkEnded(s.ID) != nil },
	}
	for _, w := range []*transcript.Worktree{s.Summary.Worktree, s.Summary.Left} {
		if w != nil {
			req.Unbind = !worktree.Within(w.Path, dir) && !worktree.Within(w.Path, place.Resolved)
		}
	}
	out := moveJSON{ID: s.ID, Path: s.Path, Cwd: dir, Notes: []string{}}
	if there := worktree.SamePath(filepath.Dir(s.Path), req.Folder); !there || s.Dir != dir || req.Unbind {
		result, err := move.Move(ctx, req)
		if err != nil {
			return out, err
		}
		out.Path, out.Files, out.Notes = result.Path, result.Files, append(out.Notes, result.Notes...)
	}
	return out, nil
}
