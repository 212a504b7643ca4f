package host

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"coppice/session/agent"
)

// Errors of those who connect.
var (
	// ErrGone is returned for a host whose process is no more.
	ErrGone = errors.New("the host is no more: its session can be resumed")
	// ErrUnreachable is returned for a host that is there and does not answer.
	ErrUnreachable = errors.New("the host does not answer")

	errForeign = errors.New("it belongs to another user")
)

// link is a connection to a host.
type link struct {
	conn   *net.UnixConn
	frames *frames
	info   Info
}

// send sends frames.
func (l *link) send(frames []byte) error {
	_, err := l.conn.Write(frames)
	return err
}

// connect connects to a host that has a record, or a socket. A host whose socket
// was removed is asked to make it again. With a *VersionError the link is one that
// takes what every protocol has.
func (d Dirs) connect(ctx context.Context, r record) (*link, error) {
	l, err := dial(ctx, r)
	if !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, syscall.ENOTDIR) {
		return l, err
	}
	if err := d.makeRuntime(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if r.Process.signal(syscall.SIGUSR1) != nil {
		return nil, fmt.Errorf("host %s: %w", r.Host, ErrGone)
	}
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: its socket %s is missing, and it does not make it again", ErrUnreachable, r.Socket)
		case <-again.C:
		}
		if l, err = dial(ctx, r); err == nil || errors.Is(err, ErrVersion) {
			return l, err
		}
		if r.Process.find() != alive {
			return nil, fmt.Errorf("host %s: %w", r.Host, ErrGone)
		}
	}
}

// dial connects to a host.
func dial(ctx context.Context, r record) (*link, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", r.Socket)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	l := &link{conn: conn.(*net.UnixConn), frames: newFrames(conn, maxFromHost)}
	if err := l.greet(ctx, r.Host); err != nil && !errors.Is(err, ErrVersion) {
		_ = conn.Close()
		return nil, err
	} else if err != nil {
		return l, err
	}
	return l, nil
}

// greet exchanges hellos.
func (l *link) greet(ctx context.Context, id string) error {
	if uid, known := peer(l.conn); known && uid != os.Geteuid() {
		return fmt.Errorf("host %s: %w", id, errForeign)
	}
	deadline := time.Now().Add(patience)
	if at, ok := ctx.Deadline(); ok && at.Before(deadline) {
		deadline = at
	}
	_ = l.conn.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = l.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	err := l.send(frameOf(kindHello, hello{Protocol: Protocol}))
	var h hello
	if err == nil {
		h, err = readHello(l.frames)
	}
	if err != nil {
		return fmt.Errorf("host %s: %w: %w", id, ErrUnreachable, err)
	}
	if !stop() && ctx.Err() != nil {
		return ctx.Err()
	}
	_ = l.conn.SetDeadline(time.Time{})
	l.info = h.Info
	if h.Protocol != Protocol {
		return &VersionError{Host: id, Protocol: h.Protocol}
	}
	return nil
}

// find reads what is known of a host and connects to it.
func (d Dirs) find(ctx context.Context, id string) (*link, record, error) {
	if !validID(id) {
		return nil, record{}, fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	r, err := d.readRecord(id)
	if err == nil && r.Process.find() != alive {
		return nil, r, fmt.Errorf("host %s: %w", id, ErrGone)
	}
	l, dialErr := d.connect(ctx, r)
	if errors.Is(err, ErrUnknown) && l == nil {
		return nil, r, err
	}
	return l, r, dialErr
}

// Stop ends the agent of a host and returns how it ended: SIGTERM to its process
// groups, agent.DefaultGrace for its hooks, SIGKILL. An agent that has ended before
// is no error.
func Stop(ctx context.Context, d Dirs, id string) (Info, error) {
	l, r, err := d.find(ctx, id)
	switch {
	case l != nil:
		return l.stop(ctx)
	case r.Exit != nil && r.Process.find() != alive:
		return r.Info, nil
	case errors.Is(err, ErrUnreachable):
		return d.stopBySignal(ctx, r, err)
	}
	return r.Info, fmt.Errorf("stop: %w", err)
}

// stop asks for the end of the agent.
func (l *link) stop(ctx context.Context) (Info, error) {
	defer func() { _ = l.conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = l.conn.Close() })()
	grace := binary.LittleEndian.AppendUint32(nil, uint32(agent.DefaultGrace.Milliseconds()))
	if err := l.send(appendFrame(nil, kindStop, grace)); err != nil {
		return l.info, fmt.Errorf("stop: %w", err)
	}
	for {
		k, payload, err := l.frames.next()
		switch {
		case ctx.Err() != nil:
			return l.info, fmt.Errorf("stop: %w", ctx.Err())
		case err != nil:
			return l.info, fmt.Errorf("stop: %w: %w", ErrUnreachable, err)
		case k == kindRefuse:
			return l.info, fmt.Errorf("stop: %s", payload)
		case k == kindExit:
			_ = json.Unmarshal(payload, &l.info) // the agent has ended, whatever it says
			return l.info, l.send(appendFrame(nil, kindRead, nil))
		}
	}
}

// stopBySignal ends a host that does not talk to us. It ends its agent first.
func (d Dirs) stopBySignal(ctx context.Context, r record, reason error) (Info, error) {
	if err := r.Process.signal(syscall.SIGTERM); err != nil {
		return r.Info, fmt.Errorf("stop: %w", reason)
	}
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for r.Process.find() == alive {
		select {
		case <-ctx.Done():
			return r.Info, fmt.Errorf("stop: %w; kill -9 %d ends it, and hangs up its agent", reason, r.Process.PID)
		case <-again.C:
		}
	}
	r, _ = d.readRecord(r.Host)
	return r.Info, nil
}

// Rebind tells a host that its agent has another session open now, which has no
// lease yet. The host finds out by itself where the agent keeps a registry. The
// error matches ErrLive when another host has the session.
func Rebind(ctx context.Context, d Dirs, id, session string) error {
	l, _, err := d.find(ctx, id)
	if err != nil {
		if l != nil {
			_ = l.conn.Close()
		}
		return fmt.Errorf("rebind: %w", err)
	}
	defer func() { _ = l.conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = l.conn.Close() })()
	if err := l.send(appendFrame(nil, kindRebind, []byte(session))); err != nil {
		return fmt.Errorf("rebind: %w", err)
	}
	for {
		k, payload, err := l.frames.next()
		switch {
		case err != nil:
			return fmt.Errorf("rebind: %w", errors.Join(err, ctx.Err()))
		case k == kindRefuse:
			return fmt.Errorf("rebind: %s", payload)
		case k != kindInfo:
			continue
		}
		var info Info
		if err := json.Unmarshal(payload, &info); err != nil {
			return fmt.Errorf("rebind: %w", err)
		}
		if info.Contested != "" {
			return fmt.Errorf("rebind: %w", &LiveError{Session: session, Host: info.Contested})
		}
		return nil
	}
}
