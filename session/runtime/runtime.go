// Package runtime owns what a session needs for its next turn, rebuilt from its
// transcript and the files beside it: identity and write target, model, agent,
// modes, cost, worktree, file history, replaced outputs, tasks. Resume is this,
// not a replay of the chat.
//
// It reads only, and only the transcript and what lies below the config root,
// the directory that the session will run in, and, when that is trusted, the one
// it ran in; of a worktree that the session is bound to it asks whether it is
// there. Nothing is taken from a cache of summaries, nothing is run, and what
// cannot come back is named, never guessed.
package runtime

import (
	"encoding/json"
	"errors"
	"os"
	"time"

	"coppice/transcript"
	"coppice/transcript/ledger"
)

// Source says from where a Runtime was loaded. A bare file restores less.
type Source string

// The sources.
const (
	FromStore Source = "store" // a session under the config root, by id, name, summary or directory
	FromFile  Source = "file"  // a transcript anywhere: no side files, no file history, no tasks
)

// ErrEmpty is returned for a transcript without a conversation.
var ErrEmpty = errors.New("the transcript holds no conversation")

// Environment is what decides beside the transcript.
type Environment struct {
	Root   string // the agent's config root, absolute; "" for none
	Dir    string // where the session will run, absolute; "" while that is not known
	Branch string // checked out in Dir; "" when there is none or it is not known
	Fork   bool   // a fork: grants, worktree binding and the write target are not taken over
	Model  string // asked for by flag; "" for none
	Getenv func(string) string
	// KnownModel says whether a model can still be used, and why not. nil: each one can.
	KnownModel func(model string) (ok bool, reason string)
	// DefaultMode is the permission mode that a new session in Dir starts in; a
	// word that is no mode counts as manual.
	DefaultMode string
	Mode        string                // permission mode asked for by flag
	Trusted     func(dir string) bool // nil: none is
	Now         time.Time             // what is due, or expired, is so at this time
}

// Fact is a restored value with the reason for it.
type Fact struct {
	Value  string
	Stored string // what the transcript says, when that is something else
	Reason string // in our own words; "" when it is simply what was stored
}

// Runtime is the state of a session before its next turn. Its texts and paths
// are as recorded, so hostile. It holds the transcript open: Close it.
type Runtime struct {
	Source  Source
	ID      string // of the session that was loaded; a fork gets its own
	Path    string // the write target; "" for a fork and a bare file
	Dir     string // where it will run: Environment.Dir, else where it ran
	Ledger  *ledger.Ledger
	Chain   ledger.Chain       // Keep
	Summary transcript.Summary // of the whole file, as it was when it was loaded

	Model      Fact // Value "" is the default model
	Agent      Agent
	Mode       string // "normal" when none is recorded
	Permission Fact   // in the transcript's spelling, see SpellMode
	Goal       *Goal
	Schedule   []Task // unexpired, in order of creation
	Cost       Cost   // zero for a fork
	Name       string // custom or generated, "" for none
	Tag, Color string
	PR         *transcript.PR
	Worktree   *transcript.Worktree
	Slug       string // names the plan; "" for none

	History      []Checkpoint // oldest first
	Read         []ReadFile   // in order of the last look at each
	Replacements []Replacement
	// Skills are messages with the state of invoked skills that a compaction put out
	// of the conversation. What an attachment of the conversation tells is not among
	// them: repair sends that in its place.
	Skills []json.RawMessage
	Plan   string          // path of the plan file that exists; "" for none, and for a fork
	Tasks  string          // path of the task list that exists; "" for none, and for a fork
	Kept   []ledger.Record // records that are passed on as they are (context collapse, attribution, unknown types)

	Lost     []string  // what does not come back, in our own words
	Findings []Finding // consistency checks that failed

	file *os.File // nil when it is the caller's
}

// Close lets go of the transcript. Ledger cannot read it any more.
func (r *Runtime) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
