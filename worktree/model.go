package worktree

import "time"

// Repository is one git object store with its checkouts and branches. Slices
// are never nil. What could not be read is named in Problem, beside all that
// could: a repository that cannot be opened is still a Repository.
type Repository struct {
	CommonDir string     // absolute, symlinks resolved; identifies the repository
	Name      string     // short display name: base of the main checkout, of a .bare directory's parent, or of the bare repository without ".git"
	Main      string     // the main checkout, or "" for a bare layout
	Bare      bool       // as configured: it has no main checkout
	Worktrees []Worktree // main first, then by path
	Branches  []Branch   // local branches, by name; those with a worktree included; nil when they were not read
	Problem   string     // why something is missing and what is needed, "" when all was read
}

// State says what a worktree's directory is.
type State string

// The states of a worktree.
const (
	Present  State = "present"  // a checkout that git agrees with
	Missing  State = "missing"  // registered, but its directory is gone (git calls it prunable)
	Prunable State = "prunable" // registered, its directory exists, but no longer points back
	Moved    State = "moved"    // the repository or the worktree was moved: the two no longer find each other
	Ghost    State = "ghost"    // a directory among worktrees that is none: git there finds the parent repository
	Gone     State = "gone"     // no longer registered and no directory; known only from sessions
	Plain    State = "plain"    // a directory outside any repository
	Bare     State = "bare"     // in a repository but in no checkout: a bare one, the root of a .bare layout, inside .git
	Unknown  State = "unknown"
)

// Worktree is one checkout, main or linked.
type Worktree struct {
	Path       string // absolute, symlinks resolved; as registered when missing
	Name       string // unique tail of the path, for display
	Admin      string // name of the directory under <common>/worktrees; "" for the main checkout
	Branch     string // short name; the branch being rebased or bisected while that goes on
	Head       string // commit hash (40 or 64 hex digits), "" when unborn or unknown
	Detached   bool   // at Head on no branch, and no operation will return to one
	Main       bool
	Operation  string // "rebase", "am", "bisect", "merge", "cherry-pick", "revert" or ""
	Locked     bool
	LockReason string
	State      State
	Detail     string // one line on State, "" when Present
}

// Branch is a local branch.
type Branch struct {
	Name     string // short name
	Head     string // commit hash
	Worktree string // path of the worktree that has it checked out, or ""
	Upstream string // short name such as "origin/main", or ""
}

// Status is what changes under a checkout; it arrives later than a Repository.
type Status struct {
	Path     string
	Dirty    int // changed tracked files plus untracked ones; a directory of untracked files counts once
	Ahead    int // commits not in the upstream
	Behind   int
	Upstream bool   // Ahead and Behind mean something
	Problem  string // why the state is not known, "" when it is
	At       time.Time
}

// Place says where a directory lies.
type Place struct {
	Dir       string // the directory asked for, cleaned
	Resolved  string // symlinks resolved as far as it exists
	Exists    bool
	CommonDir string // of the repository it belongs to, or ""
	Root      string // root of the checkout that holds it, or the worktree that it was or looks like (see Locate), or ""
	State     State
}
