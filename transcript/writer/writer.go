// Package writer adds a session's own turns to its transcript: rows of the
// conversation and the side records that belong to them. It knows what of a
// conversation is on disk already and appends the rest, so that appending costs
// the same whatever the size of the file.
//
// It only appends, under the append lock, and never rewrites, re-orders or
// removes a byte. It makes no request and runs no tool.
package writer

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"coppice/transcript"
)

// Stamp is what every row of a session says about where it was written.
type Stamp struct {
	SessionID, Dir, Branch, Version, Entrypoint string
	// AgentID makes the rows a sidechain: those of this subagent, whose transcript
	// is at SidechainPath.
	AgentID string
}

// Message is one message of the running conversation, as its engine holds it.
type Message struct {
	// Rows are the uuids of its rows, in order. A message is several rows: one for
	// each block of an assistant message, and one for each answer to a call. They
	// are empty until it is written; the writer fills them in.
	Rows    []string
	Role    string // "user" or "assistant"
	ID      string // message.id of an assistant message; one message, one id
	Content json.RawMessage
	Model   string
	Usage   json.RawMessage // nil when it is not known
	Stop    string          // stop_reason
	// Results holds toolUseResult of the answers in a user message, by the id of
	// the call.
	Results map[string]json.RawMessage
	// Source is the uuid of the row of the call that a user message answers; ""
	// has it found by the id of the call.
	Source string
	Meta   bool
	// Summary marks the user message that begins a compacted conversation.
	Summary bool
	Mode    string // permission mode of a typed prompt; "" for one that nobody typed
	// Made marks what an engine made up for the request only (a repair, a note):
	// it is neither written nor compared.
	Made bool
}

// Compaction is what a boundary row says.
type Compaction struct {
	Trigger    string // "manual" or "auto"
	PreTokens  int
	PostTokens int
	// Preserved are the uuids of rows that stay in the conversation, in order; nil
	// means those of every message of the list that is on disk.
	Preserved []string
}

// Writer writes one session. It is for one goroutine.
//
// Another process may append to the same file. Nothing of it is lost and nothing
// is overwritten: the Writer's rows stay below its own, so that there are two
// branches, its Turns name its own branch as the one to resume, and Others says
// that it happened. What to do about it is the caller's to decide.
type Writer struct {
	// Now returns the time of the next row.
	Now func() time.Time
	// NewUUID returns the uuid of the next row.
	NewUUID func() string

	stamp   Stamp
	path    string
	mark    transcript.Mark
	made    bool     // the file is there
	waiting [][]byte // side records before the first Turn
	others  int64
	wrote   bool // a Turn wrote rows

	tree     tree
	prompt   string // the newest one
	promptID string
	point    bool // the next Turn says where the conversation ends
	pointed  bool // a record in the file says where it ends, for all that is known
}

// Errors of a Writer.
var (
	// ErrReplaced is returned when the transcript is no longer the file that the
	// Writer knows, or lost rows that were acknowledged. It is transcript's, so
	// that either name matches.
	ErrReplaced = transcript.ErrReplaced
	// ErrMessage is returned for a message that has no place in a transcript.
	ErrMessage = errors.New("not a message that a transcript can hold")
)

// Create makes a Writer for a new session. Nothing is written, nor is the file
// made, until the first Turn; a file that is there by then is an error that
// matches fs.ErrExist. A folder that is missing is made with the file.
func Create(path string, stamp Stamp) *Writer {
	return &Writer{Now: time.Now, NewUUID: uuid.NewString, path: path, stamp: stamp, tree: newTree()}
}

// SidechainPath returns where the transcript of a subagent of the session at
// path belongs. The error is ErrMessage for an id that is no plain file name.
func SidechainPath(path, agentID string) (string, error) {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	if agentID == "" || len(agentID) > 64 || strings.TrimFunc(agentID, plain) != "" {
		return "", fmt.Errorf("subagent %q: %w", agentID, ErrMessage)
	}
	return filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-"+agentID+".jsonl"), nil
}

// Path returns the file that is written.
func (w *Writer) Path() string { return w.path }

// Leaf returns the uuid of the row that the next message hangs below, "" before
// the first Turn of a new session.
func (w *Writer) Leaf() string { return w.tree.leaf }

// Others returns how many bytes other programs appended since the Writer knows
// the file, as far as its last write could see.
func (w *Writer) Others() int64 { return w.others }

// Restamp changes what the rows written from now on say about where they were
// written: a session may change its directory and branch. The session and the
// subagent stay.
func (w *Writer) Restamp(stamp Stamp) {
	stamp.SessionID, stamp.AgentID = w.stamp.SessionID, w.stamp.AgentID
	w.stamp = stamp
}

// append makes records durable, with the file where it is not there yet.
func (w *Writer) append(records [][]byte, keepTime bool) error {
	if len(records) == 0 {
		return nil
	}
	if !w.made {
		mark, err := transcript.CreateNew(w.path, append(w.waiting, records...))
		if mark.Size() > 0 {
			w.mark, w.made, w.waiting = mark, true, nil
		}
		return err
	}
	opt := transcript.AppendOptions{KeepTime: keepTime, Live: w.others > 0}
	mark, others, err := transcript.AppendAfter(w.path, w.mark, records, opt)
	w.mark = mark
	if others > 0 {
		w.others += others
		w.point = true
	}
	return err
}
