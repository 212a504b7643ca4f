package host

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"coppice/session/agent"
	"coppice/session/observe"
	"coppice/session/pty"
)

// linger is how long a host whose agent has ended waits for a viewer that reads
// how.
const linger = 24 * time.Hour

// Memory of a host: mostly a scrollback, which hardly changes, so that it may be
// collected often.
const (
	gcPercent   = 400
	memoryLimit = 44 << 20 // bytes; from there on the collector works harder
)

// answer is what a host that begins tells who started it.
type answer struct {
	Info  Info   `json:"info,omitzero"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"` // of error; see kinds
	Held  string `json:"held,omitempty"` // the host that has the session
}

// Run is the body of a host's process. It reads a Spec from in, starts the agent,
// writes one line to out that says whether that went well, and serves until the
// agent has ended and a viewer has read how, or 24 hours after the end, or as long
// as the Spec says. SIGTERM and
// the end of ctx end the agent politely and then the host; SIGHUP and SIGINT are
// not for it. The process must be one of its own: its signals and its memory are
// set up for this.
func Run(ctx context.Context, d Dirs, in io.Reader, out io.Writer) error {
	signals := make(chan os.Signal, 16)
	// Caught, not ignored: the agent would inherit that. From now on SIGUSR1, which
	// says that the socket is missing, does not end the process.
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGTERM, syscall.SIGUSR1)
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
	s, err := begin(d, in)
	if err != nil {
		_ = json.NewEncoder(out).Encode(refusal(err))
		return err
	}
	_ = json.NewEncoder(out).Encode(answer{Info: s.tell()}) // who does not want to know has a host all the same
	return s.serve(ctx, signals)
}

// kinds are the errors that keep their identity on the way out of the process.
func kinds() map[string]error {
	return map[string]error{
		"live": ErrLive, "runtime": ErrRuntime,
		"no command": pty.ErrNoCommand, "no directory": pty.ErrNoDir, "no program": pty.ErrNoProgram,
	}
}

func refusal(err error) answer {
	a := answer{Error: err.Error()}
	var live *LiveError
	if errors.As(err, &live) {
		a.Held = live.Host
	}
	for kind, is := range kinds() {
		if errors.Is(err, is) {
			a.Kind = kind
		}
	}
	return a
}

// begin does what must be done before the agent runs, and starts it.
func begin(d Dirs, in io.Reader) (*server, error) {
	spec, err := readSpec(in)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(d.makeRuntime(), d.makeState()); err != nil {
		return nil, err
	}
	s := newServer(d, spec)
	if err := s.start(spec); err != nil {
		s.clear()
		return nil, err
	}
	s.save()
	return s, nil
}

// start takes the session, makes the socket and starts the agent.
func (s *server) start(spec Spec) (err error) {
	if s.lease, err = s.dirs.takeLease(spec.Root, spec.Session, spec.Host); err != nil {
		return err
	}
	if err := s.listen(); err != nil {
		return err
	}
	s.program, err = pty.Start(pty.Cmd{
		Args: s.observed(spec), Dir: spec.Dir, Env: spec.Env, Columns: spec.Columns, Rows: spec.Rows,
		Scrollback: spec.Scrollback, Name: spec.Program, Theme: spec.Theme,
	})
	if err != nil {
		return err
	}
	s.record.Started, s.record.PID = time.Now().UTC(), s.program.PID()
	s.record.AgentAt = thisProcess(s.record.PID)
	s.record.Status = observe.Status{State: observe.Starting, Since: s.record.Started, Source: observe.Host}
	return nil
}

// serve does everything until the host ends.
func (s *server) serve(ctx context.Context, signals <-chan os.Signal) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.running.Go(s.listenAll)
	s.running.Go(s.news)
	s.running.Go(func() { s.follow(ctx) })
	late := time.NewTimer(s.linger)
	late.Stop()
	done, end := s.program.Done(), ctx.Done()
	polite := false
	for {
		select {
		case <-done:
			done = nil
			cancel()
			s.agentEnded()
			if polite {
				return s.end()
			}
			late.Reset(s.linger)
		case <-s.seen:
			return s.end()
		case <-late.C:
			return s.end()
		case <-end:
			if end = nil; done != nil {
				polite = true
				s.running.Go(func() { _ = s.program.Stop(agent.DefaultGrace) })
			}
		case sig := <-signals:
			switch {
			case sig == syscall.SIGUSR1:
				s.relisten()
			case sig == syscall.SIGTERM && done == nil:
				return s.end()
			case sig == syscall.SIGTERM:
				cancel()
			}
		}
	}
}

// agentEnded writes down how the agent ended, gives the session free, and tells
// who looks on.
func (s *server) agentEnded() {
	s.saving.Lock()
	s.mu.Lock()
	s.record.Ended = time.Now().UTC()
	s.record.Exit = exitOf(s.program.Exit())
	s.record.Status = endedStatus(s.record.Info)
	s.lease.release()
	s.lease = lease{}
	s.mu.Unlock()
	_ = os.Remove(s.dirs.settings(s.record.Host))
	s.write()
	s.saving.Unlock()
	s.tellAll(due{exit: true})
}

// exited reports whether the agent has ended, which is written down by then.
func (s *server) exited() bool {
	s.saving.Lock()
	defer s.saving.Unlock()
	return s.tell().Exit != nil
}

// flushWait is how long viewers may take to read the end.
const flushWait = time.Second

// end ends the host.
func (s *server) end() error {
	s.clear()
	s.hangUp(time.Now().Add(flushWait))
	s.running.Wait()
	return nil
}

// clear removes what others could find of the host, but for its record.
func (s *server) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.listener != nil {
		_ = s.listener.Close()
		_ = os.Remove(s.record.Socket)
	}
	s.lease.release()
	s.lease = lease{}
	_ = os.Remove(s.dirs.settings(s.record.Host))
	if info, err := os.Stat(s.dirs.log(s.record.Host)); err == nil && info.Size() == 0 {
		_ = os.Remove(s.dirs.log(s.record.Host))
	}
}

// save writes the record, or makes it known that this could not be done.
func (s *server) save() {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.write()
}

// write is save for who holds saving.
func (s *server) write() {
	s.mu.Lock()
	r := s.record
	s.mu.Unlock()
	err := r.write(s.dirs)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsaved = err
}
