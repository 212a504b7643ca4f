package pty

import (
	"sync"
	"time"

	"coppice/session/terminal"
)

// drain is how long output is read after the program's end. Nothing more comes
// where the program was alone, and that is seen at once; a process that it left
// behind may keep the terminal open for ever.
const drain = 100 * time.Millisecond

// readAll takes the program's output until there is none.
func (p *Program) readAll() {
	defer p.backlog.close()
	buf := make([]byte, 64<<10)
	for {
		n, err := p.master.Read(buf)
		if n > 0 {
			p.backlog.put(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// drawAll puts the output on the screen.
func (p *Program) drawAll() {
	defer close(p.read)
	var batch []byte
	for {
		if batch = p.backlog.take(batch); len(batch) == 0 {
			return
		}
		p.output(batch)
	}
}

// output is one batch.
func (p *Program) output(b []byte) {
	p.order.Lock()
	_, _ = p.term.Write(b)
	p.take()
	for _, tell := range p.taps {
		tell(Piece{Output: b})
	}
	p.order.Unlock()
	p.poke()
}

// take answers the program and keeps what is for the owner.
func (p *Program) take() {
	out := p.term.Take()
	if len(out.Replies) > 0 {
		p.Send(out.Replies)
	}
	p.news.add(out)
}

// Piece is what happened to the terminal next: output, or else a new size.
type Piece struct {
	Output        []byte // must not be kept
	Columns, Rows int
}

// Tap follows the output of a Program.
type Tap struct {
	// Dump, read by a terminal of this size, is the state before the first Piece.
	Dump          []byte
	Columns, Rows int

	p *Program
}

// Tap makes f hear of everything that happens to the terminal from now on, in
// order, until Close. f is called while the terminal waits for it and must return
// at once; it must not call methods of the Program. At most history rows of the
// scrollback are in the dump.
func (p *Program) Tap(history int, f func(Piece)) *Tap {
	p.order.Lock()
	defer p.order.Unlock()
	s := sizeOf(p.term)
	t := &Tap{Dump: p.term.Dump(history), Columns: s.columns, Rows: s.rows, p: p}
	p.taps[t] = f
	return t
}

// Close ends the following; its function is not called again.
func (t *Tap) Close() {
	t.p.order.Lock()
	defer t.p.order.Unlock()
	delete(t.p.taps, t)
}

// News returns what the program had for others since the last call: bells,
// notices, changes of the title, wishes for the clipboard. It is bounded as one
// terminal.Output is, and has no replies, since those were given.
func (p *Program) News() terminal.Output { return p.news.take() }

// news gathers outputs until somebody takes them.
type news struct {
	mu  sync.Mutex
	out terminal.Output
}

func (n *news) add(out terminal.Output) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.out.Bells += out.Bells
	n.out.Title = n.out.Title || out.Title
	n.out.Directory = n.out.Directory || out.Directory
	n.out.Progress = n.out.Progress || out.Progress
	n.out.Notices = append(n.out.Notices, out.Notices...)
	if more := len(n.out.Notices) - terminal.MaxNotices; more > 0 {
		n.out.Notices = n.out.Notices[more:]
	}
	if len(out.Clips) > 0 {
		n.out.Clips = out.Clips // the newest wish counts
	}
}

func (n *news) take() terminal.Output {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := n.out
	n.out = terminal.Output{}
	return out
}
