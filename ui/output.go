package ui

import (
	"context"
	"strings"
	"sync"

	"coppice/ui/text"
)

// maxOutput bounds what is kept of what a program prints, in bytes.
const maxOutput = 16 << 10

// output keeps the end of what a program prints, for a person who watches. It is
// safe for concurrent use.
type output struct {
	poked chan struct{} // there is more
	ended chan struct{} // there will be no more

	mu   sync.Mutex
	text []byte
}

func newOutput() *output {
	return &output{poked: make(chan struct{}, 1), ended: make(chan struct{})}
}

// Write keeps p.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	o.text = append(o.text, p...)
	if more := len(o.text) - maxOutput; more > 0 {
		o.text = append(o.text[:0], o.text[more:]...)
	}
	o.mu.Unlock()
	select {
	case o.poked <- struct{}{}:
	default:
	}
	return len(p), nil
}

// wait returns when there is more, or will be none.
func (o *output) wait(ctx context.Context) {
	select {
	case <-o.poked:
	case <-o.ended:
	case <-ctx.Done():
	}
}

// lines lays out what was printed in a width.
func (o *output) lines(w int) []text.Line {
	o.mu.Lock()
	said := strings.ToValidUTF8(string(o.text), "\uFFFD")
	o.mu.Unlock()
	return paragraphs(strings.TrimRight(said, "\n"), w, text.Code)
}
