package cases

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"coppice/transcript/transcripttest"
)

// SessionID is the id of every transcript of this package.
const SessionID = "c0ffee00-1234-4abc-9def-0123456789ab"

// KnownModel says which models the client knows, of those that the cases name.
func KnownModel(model string) bool { return model != unknownModel }

const unknownModel = "claude-nobody-0"

// Case is one experiment.
type Case struct {
	Name     string // says what the transcript is like
	Observed string // where in spec/observed.md the experiment stands
	build    builder
}

type builder func(b *transcripttest.Builder) []byte

// Transcript returns the bytes of the case's transcript.
func (c Case) Transcript() []byte { return c.build(transcripttest.New(SessionID)) }

// File returns the name of the case's golden file.
func (c Case) File() string { return c.slug() + ".txt" }

func (c Case) slug() string {
	return strings.Join(strings.FieldsFunc(c.Name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}

// All returns the cases.
func All() []Case {
	return slices.Concat(leafCases(), pointerCases(), chainCases(), gapCases(), byteCases(),
		callCases(), blockCases(), rowCases(), compactCases(), replacementCases(),
		pruneCases(), orderCases(), passedCases(), unansweredCases(), endedCases())
}

// Golden is what the client does with a case's transcript.
type Golden struct {
	// Resumes is false where the client says that there is no conversation.
	Resumes bool
	// Conversation is what it sends, in Notation, without the new prompt.
	Conversation string
	// Appended are the rows that it appends before the new prompt, in
	// AppendedNotation.
	Appended string
}

//go:embed testdata/client/*.txt
var files embed.FS

// Client returns what the client does with a case.
func (c Case) Client() (Golden, error) {
	data, err := files.ReadFile("testdata/client/" + c.File())
	if err != nil {
		return Golden{}, fmt.Errorf("case %q has no golden file: %w", c.Name, err)
	}
	return parse(string(data)), nil
}

// The lines that divide a golden file.
const (
	noConversation = "-- no conversation --\n"
	sent           = "-- sent --\n"
	appended       = "-- appended --\n"
)

// String returns the text of a golden file.
func (g Golden) String() string {
	if !g.Resumes {
		return noConversation
	}
	return sent + g.Conversation + appended + g.Appended
}

func parse(file string) Golden {
	rest, ok := strings.CutPrefix(file, sent)
	if !ok {
		return Golden{}
	}
	g := Golden{Resumes: true}
	g.Conversation, g.Appended, _ = strings.Cut(rest, appended)
	return g
}
