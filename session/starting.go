package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"coppice/config"
	"coppice/session/agent"
	"coppice/transcript"
)

// StartRequest is what a person asks of a new session.
type StartRequest struct {
	Dir    string // absolute; where it runs
	ID     string // a UUID; "" for a new one
	Name   string // "" for none
	Agent  string // name of an agent; "" for the default
	Prompt string
	Mode   string   // explicit permission mode; "" leaves it to the agent
	Args   []string // passed on to the agent as they are
	// Worktree asks for a worktree of the repository of Dir that is made before the
	// agent starts in it; nil for none.
	Worktree *WorktreeRequest
}

// Start says how a new session would start, and does nothing. The plan's action
// is ActionStart or ActionRefuse; its Transcript is where the agent will write,
// which is before the first prompt no file. Session and Transcript are "" where
// the agent does not take an id from us. As for Plan, it ends in time, and its
// slices and maps are never nil.
func (p Planner) Start(ctx context.Context, req StartRequest) Plan {
	if req.ID == "" {
		req.ID = uuid.NewString()
	}
	s := Session{ID: req.ID}
	return p.inTime(ctx, s, "new", func(ctx context.Context) Plan {
		d := draft{
			command: "new", ctx: ctx, planner: p, session: s, plan: emptyPlan(s),
			request: Request{Dir: req.Dir, Agent: req.Agent, Prompt: req.Prompt, Mode: req.Mode, Args: req.Args, Worktree: req.Worktree},
		}
		d.plan.Action, d.plan.Name = ActionStart, req.Name
		d.findNewDir()
		d.checkNewID()
		d.decideNewMode()
		d.makeCommand(agent.Start, agent.Values{ID: req.ID, Name: req.Name})
		if len(d.plan.Blockers) > 0 {
			d.plan.Action = ActionRefuse
		}
		return d.plan
	})
}

// findNewDir looks at the directory of a new session.
func (d *draft) findNewDir() {
	if !filepath.IsAbs(d.request.Dir) {
		d.noPath(d.request.Dir, true)
		return
	}
	if d.request.Worktree != nil {
		d.findTree()
		return
	}
	place := d.locate(d.request.Dir)
	d.plan.Worktree = PlanWorktree{Path: place.Root, State: string(place.State)}
	if !place.Exists {
		d.missing(place, true)
		return
	}
	if place.Root != "" {
		d.plan.Worktree.Action = TreeUse
	}
	d.plan.Cwd = place.Dir
	d.judge(place)
	if _, tree := d.checkout(place); tree != nil {
		d.plan.Branch = tree.Branch
	}
}

// checkNewID looks whether the id is free and an id at all.
func (d *draft) checkNewID() {
	id := d.session.ID
	if !transcript.IsID(id) {
		d.block(fmt.Sprintf("%q is no session id: give a UUID, or none", id))
		return
	}
	folders, _ := os.ReadDir(filepath.Join(d.planner.Root, "projects")) // none yet is fine
	for _, f := range folders {
		path := filepath.Join(d.planner.Root, "projects", f.Name(), id+transcriptExt)
		if _, err := os.Lstat(path); err == nil {
			d.block(fmt.Sprintf("there is a session %s already, in %s: `coppice resume %s` goes on with it", id, path, id))
			return
		}
	}
	if d.plan.Cwd != "" {
		folder := Folder(d.planner.Root, d.planner.ProjectName, d.locate(d.plan.Cwd).Resolved)
		d.plan.Transcript = filepath.Join(folder, id+transcriptExt)
	}
}

// decideNewMode passes on the mode that is asked for; any other is the agent's.
func (d *draft) decideNewMode() {
	if d.request.Mode != "" {
		d.setMode(d.request.Mode, d.request.Mode, "asked for")
		return
	}
	mode := ""
	if d.planner.DefaultMode != nil {
		mode = d.planner.DefaultMode(d.settled())
	}
	d.setMode(mode, "", "what a new session starts in")
}

// forget takes the id back where the agent is not told one.
func (d *draft) forget(a config.Agent) {
	if !slices.ContainsFunc(a.Start, func(arg string) bool { return strings.Contains(arg, "{id}") }) {
		d.plan.Session, d.plan.Transcript = "", ""
	}
}
