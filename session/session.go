package session

import (
	"time"

	"coppice/session/observe"
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
	Context  float64        // share of the model's context that the conversation fills, 0 to 1; 0 when not known
	Cost     float64        // US dollars that the agent says it has cost; 0 when not known
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

// Live says that an agent process has the session open, and what it does there.
type Live struct {
	Status
	Host  string // id of our host that keeps the agent, "" when it runs elsewhere
	PID   int    // of the agent
	Where string // terminal or host, as far as known: "pid 4711"
	Name  string // the live name, when a person set it
	Dir   string // where it runs, "" when that is not known
}

type (
	// Status is what an agent does, and who says so.
	Status = observe.Status
	// State is what an agent does.
	State = observe.State
	// Need is what a waiting agent needs a person for.
	Need = observe.Need
	// Source names who says what an agent does.
	Source = observe.Source
)

// The states of a live session. One that has ended is live no more, but its host
// still knows of it.
const (
	StateStarting   = observe.Starting
	StateWorking    = observe.Working
	StateWaiting    = observe.Waiting
	StateIdle       = observe.Idle
	StateBackground = observe.Background
	StateEnded      = observe.Ended
	StateUnknown    = observe.Unknown
)

// What a waiting session needs a person for.
const (
	NeedPermission = observe.Permission
	NeedQuestion   = observe.Question
)
