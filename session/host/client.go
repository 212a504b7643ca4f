package host

import (
	"encoding/binary"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"coppice/session/pty"
	"coppice/session/terminal"
)

// outputMax is how many bytes wait for one viewer. One that is slower gets a new
// dump instead, on the same connection, when it has taken what is on its way.
const outputMax = 1 << 20

// due is what a viewer is to be sent beside output.
type due struct{ dump, info, exit bool }

// client is one connection, as the host sees it.
type client struct {
	server  *server
	conn    *net.UnixConn
	views   atomic.Bool // it looks on
	shown   atomic.Bool // its first screen is due: only then it may hear of the end
	glances atomic.Bool // without a size of its own, so it does not scroll either
	stops   atomic.Bool // it has asked for the end
	gone    chan struct{}
	once    sync.Once

	mu     sync.Mutex
	first  []byte // frames that come before output
	output []byte // frames
	due    due
	ready  chan struct{} // there is something; has room for one

	tap           *pty.Tap // the writer's
	columns, rows int      // of its pane, 0 until it looks on or when it has none; the reader's
}

// close ends the connection.
func (c *client) close() {
	c.once.Do(func() {
		close(c.gone)
		_ = c.conn.Close()
		c.server.disconnected(c)
	})
}

// finish ends the connection when all was sent and the other side has read it, at
// the deadline at the latest.
func (c *client) finish(deadline time.Time) {
	_ = c.conn.SetDeadline(deadline)
	c.owe(due{})
}

// owe makes the writer send something.
func (c *client) owe(d due) {
	c.mu.Lock()
	c.due.dump = c.due.dump || d.dump
	c.due.info = c.due.info || d.info
	c.due.exit = c.due.exit || d.exit
	c.mu.Unlock()
	c.wake()
}

func (c *client) wake() {
	select {
	case c.ready <- struct{}{}:
	default:
	}
}

// follow takes one piece of what happens to the terminal. It must not wait.
func (c *client) follow(x pty.Piece) {
	c.mu.Lock()
	switch {
	case c.due.dump:
	case len(c.output)+len(x.Output) > outputMax:
		c.output, c.due.dump = c.output[:0], true
	case x.Output != nil:
		c.output = appendFrame(c.output, kindOutput, x.Output)
	default:
		c.output = appendFrame(c.output, kindSize, sizeBytes(x.Columns, x.Rows))
	}
	c.mu.Unlock()
	c.wake()
}

// take returns what waits. The buffer is used for the output that comes next.
func (c *client) take(buffer []byte) (first, output []byte, d due) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, output, d = c.first, c.output, c.due
	c.first, c.output, c.due = nil, buffer[:0], due{dump: c.due.dump}
	return first, output, d
}

// writeAll sends what the other side is to have. When that cannot be done, what the
// other side said before it went is still read: it may have read the exit.
func (c *client) writeAll() {
	defer func() { _ = c.conn.SetReadDeadline(time.Now().Add(flushWait)) }()
	defer c.untap()
	var buffer []byte
	for {
		select {
		case <-c.gone:
			return
		case <-c.ready:
		}
		first, output, d := c.take(buffer)
		if !c.write(first, output, d) {
			return
		}
		buffer = output
	}
}

// write sends one batch. With a dump due, the output before it is not wanted.
func (c *client) write(first, output []byte, d due) bool {
	if len(first) > 0 && !c.put(first) {
		return false
	}
	if d.dump && !c.dump() || !d.dump && len(output) > 0 && !c.put(output) {
		return false
	}
	if d.info && !c.put(frameOf(kindInfo, c.server.tell())) {
		return false
	}
	return !d.exit || c.put(frameOf(kindExit, c.server.tell()))
}

func (c *client) put(b []byte) bool {
	_, err := c.conn.Write(b)
	return err == nil
}

// dump begins to follow the terminal anew, and sends what to begin with. A dump
// that is larger than a frame may be has less of the scrollback.
func (c *client) dump() bool {
	c.untap()
	c.mu.Lock()
	c.output, c.due.dump = c.output[:0], false
	c.mu.Unlock()
	history := c.server.history
	if c.glances.Load() {
		history = 0
	}
	for ; ; history /= 4 {
		c.tap = c.server.program.Tap(history, c.follow)
		if len(c.tap.Dump) < maxFromHost-headerLen || history == 0 {
			break
		}
		c.untap()
	}
	dump := c.tap.Dump
	c.tap.Dump = nil // as long as the tap there is no need of it
	size := sizeBytes(c.tap.Columns, c.tap.Rows)
	return c.put(append(header(kindDump, len(size)+len(dump)), size...)) && c.put(dump)
}

func (c *client) untap() {
	if c.tap != nil {
		c.tap.Close()
		c.tap = nil
	}
}

// readAll does what the other side asks for, until it says what makes no sense or
// goes.
func (c *client) readAll() {
	defer c.close()
	_ = c.conn.SetDeadline(time.Now().Add(patience))
	if _, err := c.conn.Write(frameOf(kindHello, hello{Protocol: Protocol, Info: c.server.tell()})); err != nil {
		return
	}
	f := newFrames(c.conn, maxFromViewer)
	h, err := readHello(f)
	if err != nil {
		return
	}
	_ = c.conn.SetDeadline(time.Time{})
	for {
		k, payload, err := f.next()
		if err != nil || !c.common(k, payload) && (h.Protocol != Protocol || !c.command(k, payload)) {
			return
		}
	}
}

// common does what can be asked for in every protocol.
func (c *client) common(k kind, payload []byte) bool {
	switch {
	case k == kindStop && len(payload) == 4:
		grace := time.Duration(binary.LittleEndian.Uint32(payload)) * time.Millisecond
		c.stops.Store(true)
		c.server.running.Go(func() { c.stop(grace) })
	case k == kindRead:
		c.server.readExit()
	case k == kindEvent:
		c.server.hear(payload)
	default:
		return false
	}
	return true
}

// stop ends the agent, and tells how that went.
func (c *client) stop(grace time.Duration) {
	if err := c.server.program.Stop(grace); err != nil {
		c.refuse(err)
		return
	}
	if c.server.exited() { // else it is told when it is known
		c.owe(due{exit: true})
	}
}

func (c *client) refuse(err error) { c.answer(appendFrame(nil, kindRefuse, []byte(err.Error()))) }

// answer sends a frame. A client that asks without an end and does not listen is
// not served.
func (c *client) answer(frame []byte) {
	const unread = 64 << 10
	c.mu.Lock()
	c.first = append(c.first, frame...)
	tooMany := len(c.first) > unread
	c.mu.Unlock()
	if tooMany {
		c.close()
	}
	c.wake()
}

// command does what can be asked for in this protocol.
func (c *client) command(k kind, payload []byte) bool {
	switch k {
	case kindInput:
		c.typed(payload)
	case kindView:
		return c.view(payload)
	case kindSize:
		columns, rows, rest, err := readSize(payload)
		if err != nil || len(rest) != 0 {
			return false
		}
		c.resize(columns, rows)
	case kindRebind:
		if err := c.server.rebind(string(payload)); err != nil {
			c.refuse(err)
		} else {
			c.owe(due{info: true})
		}
	default:
		return false
	}
	return true
}

// view makes the client look on. One of no size gives the terminal none, and what
// the agent had for others is still to be seen.
func (c *client) view(payload []byte) bool {
	columns, rows, rest, err := readSize(payload)
	if err != nil || len(rest) != 0 || c.views.Swap(true) {
		return false
	}
	info := c.server.tell()
	if columns == 0 && rows == 0 {
		c.glances.Store(true)
	} else {
		c.resize(columns, rows)
		info = c.server.noteSeen()
	}
	c.answer(frameOf(kindInfo, info))
	c.owe(due{dump: true})
	c.shown.Store(true)
	c.owe(due{exit: c.server.tell().Exit != nil})
	return true
}

// resize gives the terminal the size of this client's pane: who resized or typed
// last decides.
func (c *client) resize(columns, rows int) {
	c.columns, c.rows = columns, rows
	c.server.program.Resize(columns, rows)
}

// typed hands input to the agent.
func (c *client) typed(p []byte) {
	c.server.wasTyped()
	if c.columns > 0 && c.rows > 0 {
		var columns, rows int
		c.server.program.Terminal().Look(func(v terminal.View) { columns, rows = v.Size() })
		if columns != c.columns || rows != c.rows {
			c.server.program.Resize(c.columns, c.rows)
		}
	}
	if !c.server.program.Send(p) {
		c.server.lost(len(p))
	}
}
