package repair

import (
	"encoding/json"

	"coppice/transcript/ledger"
)

// Made says what a block that no record holds stands for, "" for a recorded one.
// The client's wordings are its own; ours differ, and only kind and place are
// the same.
type Made string

// The kinds of made blocks (observed A.4).
const (
	Recorded        Made = ""
	MadeOutcome     Made = "outcome-unknown"  // the result of a call that nothing answered
	MadeClosing     Made = "closing"          // the assistant's text behind a conversation that ends on a user message
	MadeNoContent   Made = "no-content"       // in place of a message with nothing that may be sent
	MadeInterrupted Made = "call-interrupted" // in place of a call that cannot be sent
	MadeCarryOn     Made = "carry-on"         // the user text that asks to go on
	MadeOpening     Made = "opening"          // the user text in front of a conversation that begins with an answer (Keep)
	MadeNote        Made = "note"             // what an attachment that does not record its text told the model
)

// Block is one content block of a message.
//
// A recorded block keeps its bytes but for what Repairs name, and for what
// merging does to it: a text that the text of another row follows in the same
// message gets a line feed, and a reminder that was told beside a result becomes
// part of it. Merged is set on both.
type Block struct {
	Type   string          // "text", "tool_use", "tool_result", "thinking", or any other
	JSON   json.RawMessage // the block as it is sent
	Made   Made
	Row    int // index into Ledger.Rows, -1 for a made one
	Merged bool
}

// Message is one message of a conversation.
type Message struct {
	Role   string // "user", "assistant" or "system" (what the model is told in the middle)
	ID     string // of an assistant message
	Blocks []Block
}

// Kind names a repair.
type Kind string

// The kinds of repairs. Client and Keep share them where nothing else is said.
const (
	AnsweredCall     Kind = "answered-call"    // a call got a made result
	DroppedCall      Kind = "dropped-call"     // a row of calls that nothing answers, further up (Client)
	DroppedMessage   Kind = "dropped-message"  // a row that held such calls and more (Client)
	OrphanResult     Kind = "orphan-result"    // a result of no call, or out of its place (Client)
	DuplicateCall    Kind = "duplicate-call"   // a call with an id that was used before: left out (Client), under a new id (Keep)
	DuplicateResult  Kind = "duplicate-result" // a second result of a call
	MovedResult      Kind = "moved-result"     // a result that stood before its call, or (Keep) long behind it
	BrokenCall       Kind = "broken-call"      // a call that no request may hold as it is recorded (Keep)
	DroppedThinking  Kind = "dropped-thinking" // thinking without an answer, or of another model
	MovedThinking    Kind = "moved-thinking"   // thinking that stood behind what it led to (Keep)
	DroppedBlank     Kind = "dropped-blank"    // an assistant message of white space
	DroppedError     Kind = "dropped-error"    // an API error's row
	DroppedBlock     Kind = "dropped-block"    // a block that messages of its role cannot hold (Keep)
	DroppedMark      Kind = "dropped-mark"     // a recorded cache mark (Keep)
	EmptyContent     Kind = "empty-content"    // a message without content
	Opened           Kind = "opened"           // an opening text was added (Keep)
	Closed           Kind = "closed"           // a closing text was added
	CarriedOn        Kind = "carried-on"       // the request to go on was added
	SkippedAttach    Kind = "skipped-attachment"
	MigratedAttach   Kind = "migrated-attachment"
	ReplacedEncoding Kind = "replaced-encoding" // invalid UTF-8 or lone surrogates became U+FFFD
	ServerCall       Kind = "server-call"       // a server tool's call without its result
)

// Repair is one thing that differs between the transcript and the messages.
type Repair struct {
	Kind   Kind
	Line   int    // 1-based, of the row in question
	UUID   string // of that row
	Detail string // one line in our own words; ids of calls are the only recorded text in it
}

// Turn says how the conversation ends.
type Turn string

// The ends of a conversation.
const (
	TurnDone    Turn = "done"    // the assistant had the last word
	TurnPrompt  Turn = "prompt"  // a prompt that nothing answered
	TurnCalls   Turn = "calls"   // calls that nothing answered
	TurnResults Turn = "results" // results that the model did not see
	TurnStopped Turn = "stopped" // a person interrupted it
	TurnEmpty   Turn = "empty"   // no message
)

// Interrupted reports whether work was under way that nobody stopped.
func (t Turn) Interrupted() bool { return t == TurnPrompt || t == TurnCalls || t == TurnResults }

// Options say how to repair.
type Options struct {
	// CarryOn adds a meta user message that asks to go on where the turn was
	// interrupted, in place of the closing text.
	CarryOn bool
	// Prompt holds the blocks of the next user message, merged the way a recorded
	// one is. Without it the messages end where the transcript does.
	Prompt []json.RawMessage
	// Model is the model that the request is for. Thinking of another one is left
	// out (observed A.4). "" stands for the model of the last answer that is known.
	Model string
	// KnownModel says whether a model can be used; nil means every one.
	KnownModel func(model string) bool
}

// Conversation is what a request may hold of a chain.
type Conversation struct {
	Policy   ledger.Policy
	Messages []Message
	Repairs  []Repair // in the order of the transcript's lines
	Turn     Turn     // before anything was made
	// Appended are the rows that a resume adds to the transcript for what was made
	// at the end (a result of unknown outcome, the closing text): message content
	// and parent, without the members that only a writer knows.
	Appended []Appended
}

// Appended is one row to be added.
type Appended struct {
	Type   string // "user" or "assistant"
	Parent int    // index into Ledger.Rows; -1 for the row appended before
	Source string // sourceToolAssistantUUID of a result
	Meta   bool   // isMeta
	Blocks []Block
}

// New repairs a chain by the rules of its policy. It reads each row of the chain
// once. The error is one of reading the transcript; what cannot be decoded is a
// Repair.
func New(l *ledger.Ledger, c ledger.Chain, opt Options) (Conversation, error) {
	r := repairer{l: l, keep: c.Policy == ledger.Keep, opt: opt, out: Conversation{Policy: c.Policy}}
	items, err := r.read(c.Rows)
	if err != nil {
		return Conversation{}, err
	}
	items = r.dropUnanswered(items)
	items = r.dropForeignThinking(items)
	items = r.dropBlank(items)
	if !r.keep {
		items = r.moveEarly(items)
	}
	items = r.end(items)
	items = r.dropUnsent(items)
	if len(opt.Prompt) > 0 {
		items = append(items, r.prompt())
	}
	ms := merge(hoist(items))
	if r.keep {
		r.keepCalls(ms)
	}
	ms = r.pair(ms)
	r.clean(ms)
	if r.keep {
		ms = r.keepRules(ms)
	}
	return r.result(ms), nil
}
