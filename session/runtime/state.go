package runtime

import (
	"encoding/json"
	"time"
)

// Agent is the agent definition that the session ran with.
type Agent struct {
	Name   string   // "" for the default
	Path   string   // of the definition found
	Prompt string   // the body of the definition
	Tools  []string // nil: no limit
	Denied []string // tools that it may not use
	Model  string   // "" or "inherit": the session's
	Stored string   // the recorded name, when it is another one
	Reason string   // why it is another one than stored
}

// Goal is a stated goal that is not met yet. Its baselines (turns, time and cost
// since it was set) begin anew at resume, so none are restored.
type Goal struct{ Text string }

// Task is a scheduled prompt.
type Task struct {
	ID, Schedule, Prompt string // Schedule: five fields of cron
	Created              time.Time
	Expires              time.Time // zero: never; of a task that runs once, when it is due
	Once                 bool
	Durable              bool // it is in the directory's own list, which other sessions see
}

// Cost is what the session cost so far, from the last cost-state record.
type Cost struct {
	USD                       float64
	APIDuration, ToolDuration time.Duration
	LinesAdded, LinesRemoved  int
	Models                    json.RawMessage // modelUsage as recorded
}

// Checkpoint is the state of the files that were changed, as it was before a
// prompt. The newest 100 are whole; of older ones only the first version of each
// file is kept, as the client keeps them on disk (client-behaviour 1.4).
type Checkpoint struct {
	UUID  string // of the prompt
	Time  time.Time
	Files []FileVersion // by path
}

// FileVersion is one version of a file.
type FileVersion struct {
	Path    string // absolute where the record tells
	Backup  string // name below file-history/<id>; "" when the file did not exist
	Version int
	Time    time.Time
	Missing bool // the backup is not on disk
}

// ReadFile is a file whose content the model has seen since the last compaction.
type ReadFile struct {
	Path string
	Time time.Time
	// Changed: it is newer on disk, or gone, or lies outside Runtime.Dir, where
	// nobody looks. The model has to read it again before it changes it.
	Changed bool
}

// Replacement is an oversized result that was replaced (observed 0,
// content-replacement).
type Replacement struct{ CallID, Text string }

// Finding is a check that failed.
type Finding struct {
	Check  Check
	Detail string // in our own words
}

// Check names a consistency check.
type Check string

// The checks.
const (
	CheckID          Check = "session-id"      // the rows name another session than the file
	CheckWorktree    Check = "worktree-gone"   // the directory of the binding does not exist
	CheckBinding     Check = "binding-session" // the binding names another session
	CheckSideFile    Check = "side-file"       // a result's text lies in a file that is gone
	CheckSidePath    Check = "side-path"       // it is there, but the recorded path is another one
	CheckBackup      Check = "backup"          // backups of the file history are gone
	CheckBranch      Check = "branch"          // another branch is checked out than recorded
	CheckRetention   Check = "retention"       // the agent will soon delete the transcript
	CheckReplacement Check = "replacement"     // a replacement of a kind that nobody knows
	CheckPlans       Check = "plans-directory" // the setting leads out of the directory
	CheckSettings    Check = "settings"        // a settings file cannot be read
)
