package transcript

import "time"

// Message is one turn of a conversation as a reader sees it: rows of one API
// message are one Message, and results stand with the calls they answer.
type Message struct {
	UUID   string // of its first row
	Role   Role
	Time   time.Time
	Model  string // assistant only
	Blocks []Block
}

// Role says who speaks.
type Role string

// The roles. RoleSummary is a compaction's summary, which the client stores as
// a user row; RoleNotice is a system row worth showing.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleSummary   Role = "summary"
	RoleNotice    Role = "notice"
)

// Block is one piece of a message. Text is as recorded, so hostile.
type Block struct {
	Kind BlockKind
	Text string // text, thinking, command with arguments, or output, cut to a limit
	Cut  int    // bytes of Text left out
	Tool string // tool name of a call
	// Input is the telling argument of a call in one line ("go test ./...").
	Input  string
	Answer *Result // of a call; nil while unanswered
}

// BlockKind names what a block is.
type BlockKind string

// The kinds of blocks.
const (
	BlockText     BlockKind = "text"
	BlockThinking BlockKind = "thinking" // never one without text
	BlockCall     BlockKind = "call"
	BlockResult   BlockKind = "result"  // a result whose call is not among the messages
	BlockCommand  BlockKind = "command" // slash command: Text is "/name args"
	BlockShell    BlockKind = "shell"   // "!" command
	BlockOutput   BlockKind = "output"  // of a slash or shell command
	BlockImage    BlockKind = "image"
	BlockOther    BlockKind = "other" // Text names the type
)

// Result is what a tool answered.
type Result struct {
	Text  string // cut to a limit
	Cut   int
	Lines int // of the whole result
	Error bool
}

// Tail is the end of a conversation.
type Tail struct {
	Messages []Message // oldest first; at most the number asked for
	Earlier  bool      // there is more before them
	Damage   int       // unreadable lines among what was read
}
