package session

import (
	"time"

	"coppice/transcript"
	"coppice/worktree"
)

// Session is one row: one conversation by its id, with the transcript that
// would be used and every fact known so far. It is plain data and is replaced,
// never changed, when a fact arrives.
type Session struct {
	ID      string // the file name's UUID, as spelled there
	Path    string // transcript in use
	Copies  []Copy // all files with this id, the one in use first; never empty
	ModTime time.Time
	Summary transcript.Summary

	Title       string
	TitleSource TitleSource

	Dir      string         // directory where the session belongs and would be resumed; "" when no record names one
	Place    worktree.Place // where Dir lies
	Project  string         // the directory that groups it: main checkout, bare repository (the parent of a .bare), or Dir
	Updated  time.Time      // newest conversational record, else the file's mtime
	Live     *Live          // nil when no agent has it open
	Hidden   string         // why it is not listed by default; "" when it is
	NotReady string         // why it cannot be resumed; "" when it can, as far as the file goes
	Problem  string         // "no permission", …: what kept the file from being read
	Parent   string         // id of the session it was forked from, when that is known
}

// Copy is one of several files with the same id (report B19, observed C).
type Copy struct {
	Path    string
	Dir     string // directory the copy's records name
	Updated time.Time
	Size    int64
}

// TitleSource names where a title came from.
type TitleSource string

// The sources of a title, strongest first (DESIGN, "Which files are rows").
const (
	TitleCustom  TitleSource = "custom"
	TitleSidecar TitleSource = "sidecar"
	TitleAI      TitleSource = "ai"
	TitleLast    TitleSource = "last-prompt"
	TitleLegacy  TitleSource = "summary"
	TitleFirst   TitleSource = "first-prompt"
	TitleCommand TitleSource = "command"
	TitleNone    TitleSource = "none"
)

// Live says that an agent process has the session open. Source is the registry
// file that says so.
type Live struct {
	PID    int
	State  State
	Since  time.Time // when State began
	Source string    // "registry"
	Reason string    // what a waiting session waits for, or why the state is unknown
	Where  string    // terminal or host, as far as known: "pid 4711"
	Name   string    // the live name, when a person set it
}

// State is what a live session does.
type State string

// The states of a live session.
const (
	StateStarting   State = "starting"
	StateWorking    State = "working"
	StateWaiting    State = "waiting"
	StateIdle       State = "idle"
	StateBackground State = "background"
	StateUnknown    State = "unknown"
)
