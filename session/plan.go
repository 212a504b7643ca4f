package session

import (
	"context"
	"sync"
	"time"

	"coppice/config"
	"coppice/session/agent"
	"coppice/worktree"
)

// Request is what a person asks of a resume.
type Request struct {
	Dir    string // absolute; run there instead; "" for where the session belongs
	Agent  string // name of an agent; "" for the default
	Prompt string
	Mode   string // explicit permission mode
	// Args are passed on to the agent as they are. nil: those that the session was
	// started with before; none at all when it is empty and not nil.
	Args []string
	// Print is the format in which one turn is printed, "" for a session in a
	// terminal.
	Print string
	// TakeOver allows a session that is live elsewhere on this machine: the agent
	// there is ended first.
	TakeOver bool
	// Fork asks for a fork that is made, repaired, before the agent starts on it;
	// nil to resume the session itself.
	Fork *ForkRequest
	// Worktree asks for a worktree that is made before the agent starts in it, with
	// Fork for a fork into it; nil for none.
	Worktree *WorktreeRequest
	// Restore has the missing worktree of the session made again, at its place.
	Restore bool
	// CarryOn has the agent asked to go on where its last turn was interrupted.
	CarryOn bool
}

// WorktreeRequest is what a person asks of a new worktree.
type WorktreeRequest struct {
	Name   string // see change.CheckName
	Branch string // a branch that is there, to be checked out in it, or the name of a new one; "" for a new one as configured
	Base   string // where a new branch begins: change.Fresh or change.Head; "" as configured, with Carry change.Head
	Carry  bool   // uncommitted and untracked changes of the session's checkout are copied to it
}

// Plan says what resuming a session would do, before anything is done
// (docs/json.md, `resume --plan`).
type Plan struct {
	Session    string         `json:"session"`
	Name       string         `json:"name"` // that a new session or a fork is given, "" for none
	Transcript string         `json:"transcript"`
	Action     string         `json:"action"` // "resume", "choose-directory", "refuse", "join", "fork", "start"
	Cwd        string         `json:"cwd"`    // "" while a directory is to be chosen
	Worktree   PlanWorktree   `json:"worktree"`
	Branch     string         `json:"branch"` // checked out in Cwd, or the recorded one while that is not known
	Permission PlanPermission `json:"permissionMode"`
	Model      string         `json:"model"`
	Agent      string         `json:"agent"`
	Command    []string       `json:"command"`
	Args       []string       `json:"args"` // of Command, those that the person gave, now or before
	// Env holds the variables that are set or, with an empty value, removed.
	Env map[string]string `json:"env"`
	// Fork is the fork that is made first, nil for none.
	Fork *PlanFork `json:"fork"`
	// Live is the agent that has the session open now, nil for none. In a plan that
	// can be started it is elsewhere, and is ended first; see Request.TakeOver.
	Live *PlanLive `json:"live"`
	// Dropped counts the messages that the agent would leave out of the
	// conversation, Mended those of them that it would not of a repaired fork.
	Dropped int `json:"dropped"`
	Mended  int `json:"mended"`
	// Interrupted says how the last turn broke off: "calls", "results" or "prompt"
	// for what nobody answered, "" when it did not.
	Interrupted string `json:"interrupted"`
	CarryOn     bool   `json:"carryOn"` // the agent is asked to go on there

	Lost     []string     `json:"lost"`     // what will not come back
	Notes    []string     `json:"notes"`    // worth knowing, not unusual
	Warnings []string     `json:"warnings"` // unusual, shown before it starts
	Blockers []string     `json:"blockers"` // it cannot start; each names the next step
	Choices  []PlanChoice `json:"choices"`  // other directories to resume in, best first
	// Restore is the session's worktree when it is gone, nil when it is not, or has
	// none.
	Restore *PlanRestore `json:"restore"`
}

// The actions of a plan.
const (
	ActionResume = "resume"
	ActionChoose = "choose-directory" // ask again with one of Choices, or another directory, as Request.Dir
	ActionRefuse = "refuse"
	ActionJoin   = "join"  // of JoinPlan
	ActionFork   = "fork"  // of Planner.Fork
	ActionStart  = "start" // of Planner.Start
	// ActionRestore is that of Planner.Restore.
	ActionRestore = "restore"
)

// PlanWorktree is the checkout that a plan would use.
type PlanWorktree struct {
	Path   string `json:"path"`
	State  string `json:"state"`
	Action string `json:"action"` // "use", "missing", "create", "restore", or "" outside any checkout

	// The rest is of one that is made or restored first.

	Name   string `json:"name"`   // of one that is made
	Branch string `json:"branch"` // that will be checked out there; "" for none
	Base   string `json:"base"`   // what it begins at, as change.Created
	Commit string `json:"commit"` // hash, as it is known now
	Carry  bool   `json:"carry"`  // changes are copied from From
	From   string `json:"from"`   // the directory of the repository that it is made from
	Moves  bool   `json:"moves"`  // the session is moved there, and belongs there from then on
}

// PlanRestore is the worktree of a session that is gone, and could be restored:
// Request.Restore asks for it.
type PlanRestore struct {
	Path    string `json:"path"`
	Branch  string `json:"branch"`  // that it would be on; "" for none
	Commit  string `json:"commit"`  // hash
	Problem string `json:"problem"` // why it cannot be restored; "" when it can
}

// The values of PlanWorktree.Action.
const (
	TreeUse     = "use"
	TreeMissing = "missing"
	TreeCreate  = "create"
	TreeRestore = "restore"
)

// PlanLive is an agent that has the session of a plan open.
type PlanLive struct {
	PID   int    `json:"pid"`
	Where string `json:"where"`
	// Known is true for a process of this machine that is the one that registered:
	// it can be ended, and the session taken over.
	Known bool `json:"known"`
}

// PlanPermission is the permission mode of the resumed session and why.
type PlanPermission struct {
	Mode   string `json:"mode"`
	Reason string `json:"reason"`
}

// PlanChoice is another directory in which the session could be resumed.
type PlanChoice struct {
	Dir   string `json:"dir"`
	Label string `json:"label"`
}

// Unusual reports whether a person should see the plan before it starts.
func (p Plan) Unusual() bool {
	return len(p.Warnings)+len(p.Blockers) > 0 || p.Action == ActionChoose || p.Action == ActionRefuse
}

// Planner makes plans. Its fields are what planning looks at; those that are
// functions may be nil for the real thing. It changes nothing and is safe for
// concurrent use.
type Planner struct {
	Config config.Config
	Root   string // the agent's config root; resumed sessions get the same one
	// ProjectName is as in Options.
	ProjectName string
	Env         []string // environment the agent would inherit
	LookPath    func(string) (string, error)

	// DefaultMode returns the permission mode that a new session in a directory
	// starts in by settings, "" when none says so; see runtime.Settings.
	DefaultMode func(dir string) string
	// Locate says where a directory lies.
	Locate func(dir string) worktree.Place
	// Open reads a repository anew: what is checked out may have changed since
	// the repositories were read, or they were not read yet.
	Open func(ctx context.Context, dir string) (worktree.Repository, error)
	// Live returns the sessions that are live now. nil: what the session itself
	// says is believed.
	Live func() map[string]Live
	// Made returns what is recorded of a worktree that we made and that holds dir.
	// nil: nothing is.
	Made func(dir string) MadeTree
	// Outlook reads a transcript as the agent will. nil: nothing is known.
	Outlook func(ctx context.Context, path string) (Outlook, error)
	// Remembered returns the arguments that a session, and the last session of a
	// directory, were started with. nil: nothing is known.
	Remembered func(session, dir string) (own, near []string)
	Now        func() time.Time
}

// Outlook is what an agent that resumes a transcript will make of it.
type Outlook struct {
	Dropped     int    // messages that it would leave out
	Mended      int    // of them, those that it would not of a repaired fork
	Why         string // in words; "" when it leaves none out
	Interrupted string // as in Plan
}

// planWait bounds the making of a plan.
const planWait = 5 * time.Second

// Plan says what resuming s would do; a Summary that is not complete yet is made
// so. repos are the repositories known so far: they tell where a directory that is gone
// may have belonged. The ones in question are read anew.
// When ctx ends, or a file system does not answer, the plan is a refusal. Its
// slices and maps are never nil.
func (p Planner) Plan(ctx context.Context, s Session, repos []worktree.Repository, req Request) Plan {
	return p.inTime(ctx, s, "resume", func(ctx context.Context) Plan { return p.draft(ctx, s, repos, req) })
}

// inTime returns the plan that draw draws up for a command, or a refusal when ctx
// ends or a file system does not answer.
func (p Planner) inTime(ctx context.Context, s Session, command string, draw func(context.Context) Plan) Plan {
	done := make(chan Plan, 1)
	var making sync.WaitGroup // not waited for: a file system that does not answer would keep it
	ctx, cancel := context.WithTimeout(ctx, planWait)
	defer cancel()
	making.Go(func() { done <- draw(ctx) })
	select {
	case plan := <-done:
		return plan
	case <-ctx.Done():
		plan := emptyPlan(s)
		plan.Action = ActionRefuse
		plan.Blockers = append(plan.Blockers, "its directories could not be looked at in time: try again, or name another one with "+elsewhere(command, s))
		return plan
	}
}

// elsewhere is the command that resumes or forks a session in a directory of the
// person's choice.
func elsewhere(command string, s Session) string {
	if command == "new" {
		return "`coppice new DIR`"
	}
	name := s.ID
	if name == "" {
		name = s.Path
	}
	return "`coppice " + command + " " + name + " --dir DIR`"
}

// emptyPlan returns what is known of a plan at first.
func emptyPlan(s Session) Plan {
	return Plan{
		Session: s.ID, Transcript: s.Path, Action: ActionResume, Branch: s.Summary.Branch, Model: s.Summary.Model,
		Command: []string{}, Args: []string{}, Env: map[string]string{},
		Lost: []string{}, Notes: []string{}, Warnings: []string{}, Blockers: []string{}, Choices: []PlanChoice{},
	}
}

// JoinPlan is the plan for a session that is live behind the window: it is shown,
// and nothing is started.
func JoinPlan(s Session, l Live) Plan {
	p := emptyPlan(s)
	p.Action, p.Cwd = ActionJoin, l.Dir
	p.Live = &PlanLive{PID: l.PID, Where: l.Where, Known: true}
	p.Notes = append(p.Notes, "it is live in "+l.Where+": it is shown, and nothing is started")
	return p
}

// draft makes a plan.
func (p Planner) draft(ctx context.Context, s Session, repos []worktree.Repository, req Request) Plan {
	s = whole(ctx, s, p.locate)
	d := draft{command: "resume", ctx: ctx, planner: p, session: s, repos: repos, request: req.complete(), plan: emptyPlan(s)}
	if req.Fork != nil {
		d.checkSource()
	} else {
		d.checkTranscript()
		d.checkLive()
		d.lookAhead()
	}
	d.findDir()
	d.setFork()
	d.decideMode()
	d.checkModel()
	d.makeCommand(agent.Resume, d.resumeValues())
	d.listLost()
	if len(d.plan.Blockers) > 0 {
		d.plan.Action = ActionRefuse
	}
	return d.plan
}

// Environ returns the whole environment of a planned agent.
func (p Planner) Environ(plan Plan) []string {
	env := agent.Environ(p.Env, p.Root, plan.Cwd)
	if plan.CarryOn {
		env = append(env, carryOnVariable+"=1")
	}
	return env
}

// draft is a plan in the making.
type draft struct {
	ctx     context.Context // of the one call that makes it
	planner Planner
	session Session
	repos   []worktree.Repository
	request Request
	plan    Plan
	command string                         // what the person asked for: "resume", "fork" or "new"
	opened  map[string]worktree.Repository // by common directory
	gone    lost                           // what is known of the worktree in plan.Restore
	pass    string                         // permission mode to be passed to the agent, "" to leave it to the agent
}

func (d *draft) block(text string) { d.plan.Blockers = append(d.plan.Blockers, text) }
func (d *draft) warn(text string)  { d.plan.Warnings = append(d.plan.Warnings, text) }
func (d *draft) lose(text string)  { d.plan.Lost = append(d.plan.Lost, text) }
