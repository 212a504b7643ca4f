package main

import (
	"fmt"
	"sync"
	"time"

	"coppice/ui/text"
)

// Times of progress: what is soon done says nothing, and a line is not written
// more often than it can be read.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress tells on a terminal how far long work is, in one line that is gone at
// its end. Its methods may be called by many goroutines.
type progress struct {
	what  string // "sessions examined"
	all   int
	now   func() time.Time
	write func(string) // nil where there is no terminal

	mu   sync.Mutex
	done int
	next time.Time // not before
	told bool
}

// progress begins to tell of work in so many parts, if anybody can see it.
func (a *app) progress(what string, all int) *progress {
	p := &progress{what: what, all: all, now: a.env.Now, next: a.env.Now().Add(progressAfter)}
	if a.env.ErrTerminal && a.env.Getenv("TERM") != "dumb" {
		p.write = func(s string) { _, _ = a.env.Stderr.WriteString(s) } // nobody is left to be told
	}
	return p
}

// step tells that one more part is done.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if now := p.now(); p.write != nil && !now.Before(p.next) {
		p.next, p.told = now.Add(progressEvery), true
		p.write(fmt.Sprintf("\r%s of %s %s\x1b[K", text.Count(p.done), text.Count(p.all), p.what))
	}
}

// end removes the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.told {
		p.told = false
		p.write("\r\x1b[K")
	}
}
