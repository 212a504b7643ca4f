package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2"

	"coppice/session/observe"
	"coppice/session/terminal"
)

// watch is what a host saw of its agent, apart from the agent's files.
type watch struct {
	event   observe.Event // the last one
	at      time.Time     // when it came
	glimpse observe.Glimpse
}

// watched returns what was seen.
func (s *server) watched() (observe.Event, time.Time, observe.Glimpse) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watch.event, s.watch.at, s.watch.glimpse
}

// hear takes an event that the agent's hook tells of.
func (s *server) hear(payload []byte) {
	var e observe.Event
	if json.Unmarshal(payload, &e) != nil {
		return
	}
	e, ok := e.Clean()
	if !ok {
		return
	}
	s.mu.Lock()
	s.watch.event, s.watch.at = e, time.Now()
	s.mu.Unlock()
	poke(s.told)
}

// drew notes that the agent wrote on its screen, and what it had for others.
func (s *server) drew(out terminal.Output) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch.glimpse.Wrote(now)
	if len(out.Notices) > 0 {
		s.watch.glimpse.Rang(now, out.Notices[len(out.Notices)-1].Body)
	} else if out.Bells > 0 {
		s.watch.glimpse.Rang(now, "")
	}
}

// wasTyped notes that a person typed.
func (s *server) wasTyped() {
	s.mu.Lock()
	s.watch.glimpse.Input = time.Now()
	s.mu.Unlock()
}

// does decides what the agent does, and tells it if that is new.
func (s *server) does(seen observe.Seen, now time.Time) {
	s.mu.Lock()
	if s.record.Exit != nil || s.closed {
		s.mu.Unlock()
		return
	}
	seen.Host = observe.Status{State: observe.Starting, Since: s.record.Started, Source: observe.Host}
	status, before := observe.Combine(seen, now), s.record.Status
	same := status.State == before.State && status.Need == before.Need && status.Source == before.Source && status.Reason == before.Reason
	if same && (status.Source == observe.Screen || status.Since.Equal(before.Since)) {
		s.mu.Unlock()
		return
	}
	s.record.Status = status
	s.mu.Unlock()
	s.save()
	s.tellAll(due{info: true})
}

// endedStatus is the last status of an agent.
func endedStatus(i Info) observe.Status {
	s := observe.Status{State: observe.Ended, Since: i.Ended, Source: observe.Host, Code: i.Exit.Code}
	if i.Exit.Signal != 0 {
		const bySignal = 128 // as shells count
		s.Code = bySignal + int(i.Exit.Signal)
	}
	if err := i.Err(); err != nil {
		s.Reason = err.Error()
	}
	return s
}

// observed returns the command line that is run: the one of the spec, with an
// observer where one is wanted and the agent's settings can be read. Without one the
// registry and the transcript tell what the agent does.
func (s *server) observed(spec Spec) []string {
	if len(spec.Observer) == 0 {
		return spec.Args
	}
	hook := observe.Command(append(slices.Clone(spec.Observer), s.record.Socket)...)
	args, err := observe.Hooked(spec.Args, spec.ObserverAt, spec.Dir, hook, func(settings []byte) (string, error) {
		path := s.dirs.settings(spec.Host)
		return path, renameio.WriteFile(path, settings, 0o600, renameio.WithTempDir(s.dirs.Runtime))
	})
	if err != nil {
		return spec.Args
	}
	return args
}

// settings is the file that holds the settings of an agent with an observer.
func (d Dirs) settings(id string) string { return filepath.Join(d.Runtime, id+".settings.json") }

// tellWait bounds the time for telling an event: the agent waits for its hooks.
const tellWait = 400 * time.Millisecond

// Tell hands an event to the host that listens on a socket.
func Tell(ctx context.Context, socket string, e observe.Event) error {
	ctx, cancel := context.WithTimeout(ctx, tellWait)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("tell an event: %w", err)
	}
	defer func() { _ = conn.Close() }()
	l := &link{conn: conn.(*net.UnixConn), frames: newFrames(conn, maxFromHost)}
	if err := l.greet(ctx, filepath.Base(socket)); err != nil && !errors.Is(err, ErrVersion) {
		return fmt.Errorf("tell an event: %w", err)
	}
	return l.send(frameOf(kindEvent, e))
}
