package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/session/fork"
	"coppice/transcript"
	"coppice/ui/text"
)

// forkOptions are the flags of fork.
type forkOptions struct {
	at, name, id, dir string
	tree              treeFlags
	json              bool
}

func (a *app) forkCommand() *cobra.Command {
	var opt forkOptions
	cmd := &cobra.Command{
		Use:   "fork ID|NAME|FILE",
		Short: "Make a new session from a copy of another's history, repaired",
		Long: "Make a new session from a copy of another's history. The copy is repaired: what the\n" +
			"agent would drop is in it. The session itself stays as it is. What it was granted and\n" +
			"the worktree that it is bound to are not inherited.\n\n" + sessionHelp,
		Args:              exactly(1, "one session"),
		ValidArgsFunction: a.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("name") && strings.TrimSpace(opt.name) == "" {
				return usageError{session.ErrNameEmpty}
			}
			return a.fork(cmd.Context(), args[0], opt)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.at, "at", "", "end the copy before the prompt with this `UUID`; `coppice show ID --json` names them")
	f.StringVar(&opt.name, "name", "", "name of the fork (`N`); default: the name of the session and \"(fork)\"")
	f.StringVar(&opt.id, "id", "", "id of the fork (`UUID`); default: a new one")
	f.StringVar(&opt.dir, "dir", "", "run the fork in directory `D`, such as a worktree of its own")
	opt.tree.add(a, cmd)
	f.BoolVar(&opt.json, "json", false, "print one JSON object (docs/json.md)")
	a.completeFlag(cmd, "dir", completeDirectories)
	return cmd
}

// fork makes a fork and tells what it is.
func (a *app) fork(ctx context.Context, arg string, opt forkOptions) error {
	req := session.Request{}
	var err error
	if req.Worktree, err = opt.tree.request(); err != nil {
		return err
	}
	if opt.dir != "" {
		dir, err := a.directory(opt.dir)
		if err != nil {
			return err
		}
		req.Dir = dir
	}
	rows, repos, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, _, err := a.findOrFile(ctx, rows, arg)
	if err != nil {
		return err
	}
	if req.Fork, err = a.forkRequest(rows, s, opt, session.SuffixFork); err != nil {
		return err
	}
	plan := a.planner().Fork(ctx, s, repos, req)
	if plan.Action != session.ActionFork {
		return errNoPlace(plan)
	}
	done, err := a.prepare(ctx, plan, a.env.Stderr)
	result := done.fork
	a.tellFork(plan)
	for _, w := range slices.Concat(plan.Warnings, done.notes) {
		a.warnf("%s", w)
	}
	if err != nil {
		return err
	}
	if opt.json {
		result.Notes = done.notes
		return a.printJSON(toForkJSON(plan, result))
	}
	return a.printf("%s is a fork of %s, called %s, in %s\nto go on with it: coppice resume %[1]s\n",
		result.ID, text.Clean(plan.Session), text.Clean(plan.Fork.Name), text.Clean(plan.Cwd))
}

// forkRequest checks what the flags ask of a fork.
func (a *app) forkRequest(rows []session.Session, s session.Session, opt forkOptions, suffix string) (*session.ForkRequest, error) {
	name, err := session.ForkName(rows, s, opt.name, suffix)
	if err != nil {
		return nil, usageError{err}
	}
	id := strings.ToLower(opt.id)
	switch {
	case id == "": // a new one
	case !transcript.IsID(id):
		return nil, usagef("%q is no UUID", opt.id)
	case slices.ContainsFunc(rows, func(r session.Session) bool { return strings.EqualFold(r.ID, id) }):
		return nil, fmt.Errorf("%w: %s; leave --id out for a new one", fork.ErrExists, id)
	}
	if opt.at != "" && uuid.Validate(opt.at) != nil {
		return nil, usagef("--at takes the uuid of a prompt, not %q; `coppice show %s --json` names them", opt.at, s.ID)
	}
	return &session.ForkRequest{ID: id, Name: name, At: opt.at}, nil
}

// errNoPlace says why there is no place for a fork, and which there are.
func errNoPlace(plan session.Plan) error {
	lines := slices.Concat(plan.Blockers, plan.Warnings)
	if plan.Action == session.ActionChoose {
		lines = append(lines, "say where the fork is to run with --dir:")
		for _, c := range plan.Choices {
			lines = append(lines, "  "+c.Dir+" "+bracket(c.Label))
		}
	}
	return errors.New(strings.Join(lines, "\n"))
}

// makeFork writes the fork of a plan.
func (a *app) makeFork(ctx context.Context, plan session.Plan) (fork.Result, error) {
	if plan.Session == "" {
		return fork.Result{}, fmt.Errorf("%s names no session id: copy it to a file that is named by one (UUID.jsonl), and fork that", plan.Transcript)
	}
	branch := plan.Branch
	if w := plan.Worktree.Action; w == "" || w == session.TreeMissing {
		branch = "" // recorded, not checked out
	}
	result, err := fork.Fork(ctx, fork.Request{
		Source: plan.Transcript, SourceID: plan.Session, ID: plan.Fork.ID, Folder: filepath.Dir(plan.Fork.Path),
		Dir: plan.Cwd, Branch: branch, Name: plan.Fork.Name, At: plan.Fork.At, Now: a.env.Now(),
	})
	if errors.Is(err, fork.ErrNotAPrompt) {
		return result, fmt.Errorf("%w; `coppice show %s --json` names the uuids of the prompts", err, plan.Session)
	}
	if err != nil {
		return result, err
	}
	// Not everything can be mended, and nobody is to find that out later.
	if lost, why, err := doctor.ClientLoss(ctx, result.Path); err == nil && lost > 0 {
		result.Notes = append(result.Notes, fmt.Sprintf("the agent would drop %s of the fork, too: %s", text.Plural(lost, "message"), why))
	}
	return result, nil
}

// tellFork says on standard error that a fork shares files.
func (a *app) tellFork(plan session.Plan) {
	if plan.Fork != nil && plan.Fork.Shared {
		a.warnf("%s", session.SharedText(plan.Cwd))
	}
}
