package config

// Config is the whole configuration, defaults filled in.
type Config struct {
	Agent    string // name of the default agent
	Agents   map[string]Agent
	Projects Projects
	Worktree Worktree
	UI       UI
	Keys     map[string]string // action → key, only what the file overrides
}

// Agent says how one agent program is started. Arguments may hold {id}, {new},
// {name}, {mode}, {prompt}, {format}; an argument list whose value is missing is left out.
type Agent struct {
	Kind    string // "terminal" or "messages"
	Command []string
	Start   []string
	Resume  []string
	Fork    []string
	Name    []string
	Mode    []string
	Prompt  []string
	Print   []string // one turn without a terminal
	// Observer has the agent run a hook that tells its host what it does. The program
	// must take Claude Code's --settings.
	Observer bool
}

// Projects says where repositories are looked for.
type Projects struct {
	Roots   []string // absolute, ~ expanded
	Exclude []string
}

// Worktree holds the rules for new worktrees.
type Worktree struct {
	Path   string
	Branch string
	Base   string   // "fresh" or "head"
	Links  []string // directories of the main checkout that a new one gets as symlinks
	Setup  []string
	PR     bool // pull requests are asked for, by gh or glab
}

// UI holds the look.
type UI struct {
	Theme string // "dark", "light", "16", "none"
	Mouse bool
	// Clipboard lets programs in panes write to the clipboard.
	Clipboard bool
	Title     bool   // the window's title tells how many sessions are live
	Notify    string // of what happens out of sight: "auto", "bell", "osc9", "osc777", "off"
}

// Problem is one thing wrong with the file.
type Problem struct {
	File    string
	Line    int    // 1-based, 0 when unknown
	Key     string // "ui.theme"
	Message string // what is wrong and what is allowed
}

// Dirs are the directories in force, all absolute.
type Dirs struct {
	Home     string
	Agent    string // the agent's config root: CLAUDE_CONFIG_DIR, else ~/.claude
	Projects string // <Agent>/projects
	Config   string // our own, XDG
	State    string
	Cache    string
	Runtime  string
	// ProjectName is CLAUDE_CODE_PROJECT_DIR_NAME when it is in force, else "".
	ProjectName string
}
