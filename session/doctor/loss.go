package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coppice/session"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// Outlook is what the client will make of a transcript.
type Outlook struct {
	Lost int // messages that it would not send, and Keep would
	// Mended counts those of them that it would send of a repaired fork.
	Mended int
	Why    string      // in our own words; "" when none is lost
	Turn   repair.Turn // how the conversation ends
}

// Look returns what the client will make of the transcript at path. Its cost is
// that of one pass over the file; messages are decoded only at the end, and where
// calls seem to have no answer.
func Look(ctx context.Context, path string) (Outlook, error) {
	f, err := session.Session{Path: path}.Open()
	if err != nil {
		return Outlook{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return Outlook{}, fmt.Errorf("look at the transcript: %w", err)
	}
	l, err := ledger.Read(ctx, f, info.Size())
	if err != nil {
		return Outlook{}, err
	}
	keep, err := l.Chain(ledger.Keep)
	if errors.Is(err, ledger.ErrNoConversation) {
		return Outlook{Turn: repair.TurnEmpty}, nil
	}
	if err != nil {
		return Outlook{}, err
	}
	client, err := l.Chain(ledger.Client)
	return outlook(ctx, l, keep, client, err)
}

// ClientLoss returns how many messages the client would not send that Keep
// would, when it resumes the transcript, and why, in our own words. It is what
// a plan says before it starts a terminal agent.
func ClientLoss(ctx context.Context, path string) (lost int, why string, err error) {
	o, err := Look(ctx, path)
	return o.Lost, o.Why, err
}

// outlook compares the two chains; clientErr is why there is none of the
// client's.
func outlook(ctx context.Context, l *ledger.Ledger, keep, client ledger.Chain, clientErr error) (Outlook, error) {
	var o Outlook
	switch {
	case errors.Is(clientErr, ledger.ErrNoConversation):
		client = ledger.Chain{}
	case clientErr != nil:
		return o, clientErr
	}
	end, err := repair.New(l, tail(l, keep), repair.Options{})
	if err != nil {
		return o, err
	}
	o.Turn = end.Turn
	if err := ctx.Err(); err != nil {
		return o, err
	}
	o.Mended = messages(l, missing(l, keep.Rows, client.Rows))
	o.Lost = o.Mended
	switch {
	case clientErr != nil:
		o.Why = "it finds no conversation in the file"
	case o.Lost > 0:
		o.Why = cause(l, keep, client)
	}
	return o.addCalls(l, keep)
}

// missing returns the rows of keep that client lacks.
func missing(l *ledger.Ledger, keep, client []int) []int {
	has := make(map[string]bool, len(client))
	for _, i := range client {
		has[name(l, i)] = true
	}
	var out []int
	for _, i := range keep {
		if !has[name(l, i)] {
			out = append(out, i)
		}
	}
	return out
}

// name tells one row from another; a record that replaces another has its name.
func name(l *ledger.Ledger, i int) string {
	if uuid := l.Rows[i].UUID; uuid != 0 {
		return l.Text(uuid)
	}
	return fmt.Sprintf("#%d", i)
}

// messages counts what a person counts: prompts and the agent's messages; tool
// answers only where there is nothing else.
func messages(l *ledger.Ledger, rows []int) int {
	seen := map[ledger.ID]bool{}
	said, answers := 0, 0
	for _, i := range rows {
		switch r := l.Rows[i]; r.Kind {
		case ledger.User:
			switch {
			case r.Results:
				answers++
			case !r.Meta:
				said++
			}
		case ledger.Assistant:
			if r.MessageID == 0 || !seen[r.MessageID] {
				said++
			}
			seen[r.MessageID] = true
		case ledger.Other, ledger.System, ledger.Attachment, ledger.Progress:
		}
	}
	if said == 0 {
		return answers
	}
	return said
}

// cause says why the client leaves messages out: by what costs the most, else by
// the first thing that is odd.
func cause(l *ledger.Ledger, keep, client ledger.Chain) string {
	var worst ledger.Finding
	for _, f := range slices.Concat(client.Findings, keep.Findings) {
		if f.Rows > worst.Rows || worst.Kind == "" {
			worst = f
		}
	}
	words := treeWords(worst.Kind).detail
	switch {
	case worst.Kind == ledger.FindingDropped:
		return fmt.Sprintf("the message before line %d is lost, and with it the link to what came before", worst.Line)
	case worst.Rows == 0 && len(l.Damage) > 0:
		return fmt.Sprintf("line %d cannot be read as it is", l.Damage[0].Line)
	case words != "":
		return fmt.Sprintf("line %d: %s", worst.Line, words)
	case worst.Detail != "":
		return worst.Detail
	}
	return "its rules for finding the conversation pass over them"
}

// addCalls adds the messages that the client drops since a call in them has no
// answer: of the chain as a repaired fork has it. They are looked for only where
// there may be some.
func (o Outlook) addCalls(l *ledger.Ledger, chain ledger.Chain) (Outlook, error) {
	if !unanswered(l, chain.Rows) {
		return o, nil
	}
	chain.Policy = ledger.Client
	c, err := repair.New(l, chain, repair.Options{})
	if err != nil {
		return o, err
	}
	n := 0
	for _, r := range c.Repairs {
		if r.Kind == repair.DroppedMessage {
			n++
		}
	}
	if o.Lost == 0 && n > 0 {
		o.Why = "tool calls in the middle of the conversation were never answered"
	}
	o.Lost += n
	return o, nil
}

// unanswered reports whether a row with calls, before the last turn, has no
// answer that names it: the client writes one under each call (observed 0).
func unanswered(l *ledger.Ledger, rows []int) bool {
	answered := map[ledger.ID]bool{}
	last := -1 // of the answers and prompts
	for n, i := range rows {
		r := l.Rows[i]
		if r.Kind == ledger.User {
			last = n
			if r.Results {
				answered[r.Parent], answered[r.SourceID] = true, true
			}
		}
	}
	for n, i := range rows {
		if r := l.Rows[i]; r.Kind == ledger.Assistant && r.Calls && n < last && !answered[r.UUID] {
			return true
		}
	}
	return false
}

// Bounds of what is decoded to see how a conversation ends.
const (
	tailRows  = 200
	tailBytes = 4 << 20
)

// tail returns the end of a chain: the last turn, as far as it is not too large.
func tail(l *ledger.Ledger, c ledger.Chain) ledger.Chain {
	from, size := len(c.Rows), 0
	for from > 0 && len(c.Rows)-from < tailRows {
		r := l.Rows[c.Rows[from-1]]
		if size += r.Size; size > tailBytes && from < len(c.Rows) {
			break
		}
		from--
		if r.Kind == ledger.User && !r.Results && !r.Meta && len(c.Rows)-from > 1 {
			break
		}
	}
	c.Rows = c.Rows[from:]
	return c
}
