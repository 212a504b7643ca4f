// Package validate checks messages against the published rules of the Messages
// API. It shares nothing with what makes requests, so that both can be tested
// against each other.
//
// It sends nothing and mends nothing. What the rules leave to the provider (block
// types that are not in the list, sizes, the order of thinking behind tools that
// the provider runs) is not a problem here.
package validate

import (
	"encoding/json"
	"fmt"
)

// Message is one message of a request. Content is a JSON string or a list of
// blocks.
type Message struct {
	Role    string
	Content json.RawMessage
}

// Rule names a rule of the Messages API.
type Rule string

// The rules.
const (
	Opening      Rule = "opening"       // the first message is the user's
	Role         Rule = "role"          // "user", "assistant", or "system" behind the first
	Empty        Rule = "empty"         // content is not empty
	Blank        Rule = "blank"         // a text is not white space
	Shape        Rule = "shape"         // content and blocks have the members that their type asks for
	Encoding     Rule = "encoding"      // JSON in valid UTF-8, without halves of surrogate pairs
	Place        Rule = "place"         // calls and thinking are the assistant's, results the user's
	CallID       Rule = "call-id"       // ids of calls are unique and of letters, digits, _ and -
	Unanswered   Rule = "unanswered"    // every call has a result in the very next message
	UnknownCall  Rule = "unknown-call"  // a result answers a call of the message directly before, once
	ResultsFirst Rule = "results-first" // results stand in front of everything else
	Thinking     Rule = "thinking"      // thinking comes first, is never last, and keeps its signature
	CacheMarks   Rule = "cache-marks"   // at most four cache marks, none on thinking
	Ending       Rule = "ending"        // the text of an assistant message at the end does not end in white space
)

// Problem is one place where a rule is broken.
type Problem struct {
	Rule    Rule
	Message int // index, -1 for system and tools
	Block   int // index in the message, -1 for the message itself
	Detail  string
}

func (p Problem) String() string {
	if p.Block < 0 {
		return fmt.Sprintf("message %d: %s (%s)", p.Message, p.Detail, p.Rule)
	}
	return fmt.Sprintf("message %d, block %d: %s (%s)", p.Message, p.Block, p.Detail, p.Rule)
}

// History returns the problems of messages that others will follow.
func History(messages []Message) []Problem {
	c := checker{calls: map[string]bool{}}
	c.messages(messages)
	return c.problems
}

// Request returns the problems of a whole request.
func Request(system, tools []json.RawMessage, messages []Message) []Problem {
	c := checker{calls: map[string]bool{}}
	for _, raw := range [][]json.RawMessage{system, tools} {
		for i, b := range raw {
			c.at, c.block = -1, i
			if c.encoding(b) {
				c.mark(b)
			}
		}
	}
	c.messages(messages)
	c.ending(messages)
	return c.problems
}

// checker walks over the messages.
type checker struct {
	problems []Problem
	at       int             // the message at hand
	block    int             // the block at hand
	marks    int             // cache marks so far
	calls    map[string]bool // ids of all calls so far
	open     map[string]bool // calls of the message before that nothing answered yet
}

// maxMarks is how many cache marks a request may have.
const maxMarks = 4

func (c *checker) report(rule Rule, format string, args ...any) {
	c.problems = append(c.problems, Problem{Rule: rule, Message: c.at, Block: c.block, Detail: fmt.Sprintf(format, args...)})
}

func (c *checker) messages(messages []Message) {
	for i, m := range messages {
		c.at, c.block = i, -1
		c.role(m.Role)
		if m.Role != "user" {
			c.unanswered()
		}
		if c.encoding(m.Content) {
			c.content(m)
		}
		if m.Role == "user" {
			c.block = -1
			c.unanswered()
		}
	}
	c.at, c.block = len(messages)-1, -1
	c.unanswered()
	if c.marks > maxMarks {
		c.report(CacheMarks, "the request has %d cache marks, %d are allowed", c.marks, maxMarks)
	}
}

func (c *checker) role(role string) {
	switch {
	case role != "user" && role != "assistant" && role != "system":
		c.report(Role, "there is no role %q", role)
	case c.at == 0 && role != "user":
		c.report(Opening, "the first message is not the user's")
	}
}

// unanswered reports the calls that the message at hand was to answer.
func (c *checker) unanswered() {
	if len(c.open) > 0 {
		c.report(Unanswered, "%d calls of the message before have no result here", len(c.open))
	}
	c.open = nil
}
