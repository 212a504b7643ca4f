package session

import "coppice/config"

// Request is what a person asks of a resume.
type Request struct {
	Dir    string // run there instead; "" for where the session belongs
	Agent  string // name of an agent; "" for the default
	Prompt string
	Mode   string   // explicit permission mode
	Args   []string // passed on to the agent as they are
}

// Plan says what resuming a session would do, before anything is done
// (docs/json.md, `resume --plan`).
type Plan struct {
	Session    string         `json:"session"`
	Transcript string         `json:"transcript"`
	Action     string         `json:"action"` // "resume", "create-worktree", "choose-directory", "refuse"
	Cwd        string         `json:"cwd"`
	Worktree   PlanWorktree   `json:"worktree"`
	Branch     string         `json:"branch"`
	Permission PlanPermission `json:"permissionMode"`
	Model      string         `json:"model"`
	Agent      string         `json:"agent"`
	Command    []string       `json:"command"`
	// Env holds the variables that are set or, with an empty value, removed.
	Env      map[string]string `json:"env"`
	Lost     []string          `json:"lost"`     // what will not come back
	Warnings []string          `json:"warnings"` // unusual, shown before it starts
	Blockers []string          `json:"blockers"` // it cannot start; each names the next step
	Choices  []PlanChoice      `json:"choices"`  // other directories to resume in, best first
}

// PlanWorktree is the checkout that a plan would use.
type PlanWorktree struct {
	Path   string `json:"path"`
	State  string `json:"state"`
	Action string `json:"action"` // "use", "missing"
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
func (p Plan) Unusual() bool { return len(p.Warnings)+len(p.Blockers) > 0 || p.Action != "resume" }

// Planner makes plans. Its fields are what planning looks at.
type Planner struct {
	Config   config.Config
	Root     string   // the agent's config root; resumed sessions get the same one
	Env      []string // environment the agent would inherit
	LookPath func(string) (string, error)
}
