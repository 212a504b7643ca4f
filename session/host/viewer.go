package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"coppice/session/terminal"
)

// ErrClosed is how a Viewer ends that was closed.
var ErrClosed = errors.New("the viewer was closed")

// inputMax is how many bytes of input wait for a host that does not take them.
const inputMax = 64 << 20

// scrollback is how many rows a viewer keeps, at most.
const scrollback = 10_000

// Viewer shows the terminal of a host: a terminal of its own that follows the
// host's. Its methods may be called from any goroutine, and none waits.
type Viewer struct {
	dirs   Dirs
	id     string
	ctx    context.Context
	cancel context.CancelFunc
	term   *terminal.Terminal

	changed chan struct{}
	done    chan struct{}
	ready   chan struct{} // there is something to send; has room for one

	mu            sync.Mutex
	info          Info
	columns, rows int
	output        []byte // frames for the host
	closing       bool
	err           error
}

// Attach shows the terminal of a host, which gets the size of the viewer's pane. A
// viewer of no columns and no rows glances at it: the terminal keeps its size, the
// viewer gets no scrollback, and how the agent ended is still to be read. Attach
// returns when the terminal is on the viewer's. The error matches ErrUnknown,
// ErrGone, ErrVersion or ErrUnreachable, or is that of ctx, which counts only until
// then.
func Attach(ctx context.Context, d Dirs, id string, columns, rows int) (*Viewer, error) {
	l, _, err := d.find(ctx, id)
	if err != nil {
		if l != nil {
			_ = l.conn.Close()
		}
		return nil, fmt.Errorf("attach: %w", err)
	}
	v := &Viewer{
		dirs: d, id: id, columns: columns, rows: rows, info: l.info,
		term:    terminal.New(terminal.Options{Columns: columns, Rows: rows, Scrollback: scrollback}),
		changed: make(chan struct{}, 1), done: make(chan struct{}), ready: make(chan struct{}, 1),
	}
	v.ctx, v.cancel = context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, v.cancel)
	shown := make(chan struct{})
	var following sync.WaitGroup
	following.Go(func() { v.follow(l, sync.OnceFunc(func() { close(shown) })) })
	select {
	case <-shown:
	case <-v.done:
	}
	if !stop() && ctx.Err() != nil {
		<-v.done
		return nil, fmt.Errorf("attach: %w", ctx.Err())
	}
	select {
	case <-shown: // also when the agent has ended by now
		return v, nil
	default:
		return nil, fmt.Errorf("attach: %w", v.Err())
	}
}

// Terminal returns the viewer's terminal. Its Take is the caller's, and Replies in
// it are to be dropped.
func (v *Viewer) Terminal() *terminal.Terminal { return v.term }

// Changed is poked when the terminal or the Info changed. It has room for one.
func (v *Viewer) Changed() <-chan struct{} { return v.changed }

// Done is closed when the agent has ended and all it said is on the terminal, when
// the host is lost, or when the viewer was closed. Err says which.
func (v *Viewer) Done() <-chan struct{} { return v.done }

// Err says how the agent ended, nil for well; or it matches ErrGone for a host that
// was lost, ErrClosed for a viewer that was closed. Before Done is closed it is
// nil.
func (v *Viewer) Err() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.err
}

// Info returns what the host told last.
func (v *Viewer) Info() Info {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.info
}

// Send queues input for the agent, in order, and does not keep p. Input beyond 64
// MB that the host does not take is dropped, a whole call at a time.
func (v *Viewer) Send(p []byte) {
	v.mu.Lock()
	if len(v.output)+len(p) <= inputMax {
		for part := range slices.Chunk(p, maxFromViewer) {
			v.output = appendFrame(v.output, kindInput, part)
		}
	}
	v.mu.Unlock()
	poke(v.ready)
}

// Resize gives the terminal the size of the viewer's pane. While several viewers
// look on it has the size of the one that typed or resized last.
func (v *Viewer) Resize(columns, rows int) {
	v.mu.Lock()
	v.columns, v.rows = columns, rows
	if len(v.output) <= inputMax {
		v.output = appendFrame(v.output, kindSize, sizeBytes(columns, rows))
	}
	v.mu.Unlock()
	poke(v.ready)
}

// closeWait bounds how long a closed viewer still sends what was queued before.
const closeWait = time.Second

// Close ends the viewer, not the agent. What was queued for the agent is sent
// first, in the background.
func (v *Viewer) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.output) == 0 {
		v.cancel()
		return nil
	}
	v.closing = true
	time.AfterFunc(closeWait, v.cancel)
	poke(v.ready)
	return nil
}

// glances reports whether the viewer has no size of its own.
func (v *Viewer) glances() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.columns == 0 && v.rows == 0
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// retries is how often in a row a viewer connects again without getting anything.
const retries = 3

// follow keeps the terminal like the host's until the end. A connection that breaks
// off is made again.
func (v *Viewer) follow(l *link, shown func()) {
	defer v.cancel()
	var err error
	for failed := 0; ; failed++ {
		got := false
		err = v.session(l, func() {
			got = true
			shown()
		})
		if errors.Is(err, errExited) || v.ctx.Err() != nil {
			break
		}
		if got {
			failed = 0
		}
		if failed == retries {
			break
		}
		var reason error
		if l, reason = v.again(); reason != nil {
			err = reason
			break
		}
	}
	v.end(err)
}

// errExited is how a connection ends when the agent does.
var errExited = errors.New("the agent has ended")

// again connects again. A host that is on its way out may take a connection that
// leads nowhere, so one attempt tells nothing.
func (v *Viewer) again() (*link, error) {
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for {
		l, _, err := v.dirs.find(ctx, v.id)
		if err == nil {
			return l, nil
		}
		if l != nil {
			_ = l.conn.Close()
			return nil, err
		}
		if r, _ := v.dirs.readRecord(v.id); r.Exit != nil {
			v.mu.Lock()
			v.info = r.Info
			v.mu.Unlock()
			return nil, errExited
		}
		if !errors.Is(err, ErrUnreachable) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-pause.C:
		}
	}
}

// end says how it ended.
func (v *Viewer) end(err error) {
	v.mu.Lock()
	switch {
	case errors.Is(err, errExited):
		v.err = v.info.Err()
	case v.ctx.Err() != nil:
		v.err = ErrClosed
	default:
		v.err = err
	}
	v.mu.Unlock()
	close(v.done)
	poke(v.changed)
}

// session is one connection.
func (v *Viewer) session(l *link, shown func()) error {
	ctx, cancel := context.WithCancel(v.ctx)
	defer context.AfterFunc(ctx, func() { _ = l.conn.Close() })()
	v.mu.Lock()
	size := sizeBytes(v.columns, v.rows)
	v.mu.Unlock()
	if err := l.send(appendFrame(nil, kindView, size)); err != nil {
		cancel()
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	var writing sync.WaitGroup
	writing.Go(func() { v.write(ctx, l) })
	err := v.read(l, shown)
	cancel()
	_ = l.conn.Close()
	writing.Wait()
	return err
}

// write sends what is queued.
func (v *Viewer) write(ctx context.Context, l *link) {
	for {
		v.mu.Lock()
		frames, last := v.output, v.closing
		v.output = nil
		v.mu.Unlock()
		if len(frames) > 0 && l.send(frames) != nil {
			return
		}
		if last {
			v.cancel()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-v.ready:
		}
	}
}

// read puts what comes on the terminal.
func (v *Viewer) read(l *link, shown func()) error {
	for {
		k, payload, err := l.frames.next()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		switch k {
		case kindOutput:
			_, _ = v.term.Write(payload)
		case kindSize, kindDump:
			columns, rows, rest, err := readSize(payload)
			if err != nil {
				return err
			}
			v.term.Resize(columns, rows)
			if k == kindDump {
				v.restore(rest)
				shown()
			}
		case kindInfo, kindExit:
			if err := v.told(payload); err != nil {
				return err
			}
			if k == kindExit {
				if !v.glances() {
					_ = l.send(appendFrame(nil, kindRead, nil))
				}
				return errExited
			}
		default:
			return fmt.Errorf("%w: a frame %q", errFrame, byte(k))
		}
		poke(v.changed)
	}
}

// restore gives the terminal the state that a dump is of. What it has for others
// then is not news; what it had before is lost with it, but for a bell.
func (v *Viewer) restore(dump []byte) {
	_, _ = v.term.Write(dump)
	if v.term.Take().Bells > 0 {
		_, _ = v.term.Write([]byte{'\a'})
	}
}

// told takes an Info.
func (v *Viewer) told(payload []byte) error {
	var info Info
	if err := json.NewDecoder(bytes.NewReader(payload)).Decode(&info); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.info = info
	return nil
}
