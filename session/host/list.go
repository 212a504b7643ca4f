package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// State is what is known of a host.
type State string

// The states of a host.
const (
	Running     State = "running"     // it answers, and its agent runs
	Ended       State = "ended"       // its agent has ended, and how is known
	Gone        State = "gone"        // its process is no more, and nobody knows how its agent ended
	Unreachable State = "unreachable" // its process is there, or may be, but does not answer
	Version     State = "version"     // another version of the program started it; it can be ended, not shown
	Foreign     State = "foreign"     // it belongs to another user, machine or container
)

// Host is a host as it is seen from outside.
type Host struct {
	Info
	State  State
	Reason string // in words, "" where there is nothing to say
	Unread bool   // its agent has ended, and it waits for a viewer that reads how
}

// lookWait bounds the wait for the answer of one host.
const lookWait = time.Second

// List returns the hosts that run, and those that are known from their records,
// the oldest first. It changes nothing on disk. A host that cannot be looked at is
// listed with the reason.
func List(ctx context.Context, d Dirs) ([]Host, error) {
	ids, err := d.ids()
	if err != nil {
		return nil, err
	}
	hosts := make([]Host, len(ids))
	var looking sync.WaitGroup
	room := make(chan struct{}, 16)
	for i, id := range ids {
		looking.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			hosts[i] = d.look(ctx, id)
		})
	}
	looking.Wait()
	hosts = slices.DeleteFunc(hosts, func(h Host) bool { return h.State == "" })
	slices.SortStableFunc(hosts, func(a, b Host) int {
		return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.Host, b.Host))
	})
	return hosts, nil
}

// Known returns the hosts that their records say run, in no order, without asking
// them. It is quick, and as true as what they wrote last.
func Known(d Dirs) ([]Host, error) {
	ids, err := named(d.hosts(), ".json")
	if err != nil {
		return nil, fmt.Errorf("list hosts: %w", err)
	}
	var hosts []Host
	for _, id := range ids {
		if r, err := d.readRecord(id); err == nil && r.Exit == nil && r.Process.find() == alive {
			hosts = append(hosts, Host{Info: r.Info, State: Running})
		}
	}
	return hosts, nil
}

// look says what is known of one host. It has no state if only a socket is left of
// it.
func (d Dirs) look(ctx context.Context, id string) Host {
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	r, recordErr := d.readRecord(id)
	h := Host{Info: r.Info}
	p := r.Process.find()
	if p == alive || r.Process.PID == 0 {
		l, err := d.connect(ctx, r)
		if err == nil {
			_ = l.conn.Close()
			return answered(l.info)
		}
		h.State, h.Reason = Unreachable, err.Error()
		var version *VersionError
		switch {
		case errors.As(err, &version):
			_ = l.conn.Close()
			h.State, h.Protocol = Version, version.Protocol
		case errors.Is(err, errForeign):
			h.State = Foreign
		case p == alive && r.Process.find() != alive: // it was on its way out
			r, _ = d.readRecord(id)
			h.State, h.Reason = resting(r, dead)
		case p != alive && errors.Is(recordErr, ErrUnknown):
			return Host{}
		case p != alive:
			h.Reason = recordErr.Error()
		}
		return h
	}
	h.State, h.Reason = resting(r, p)
	return h
}

// answered is a host that answers.
func answered(info Info) Host {
	h := Host{Info: info, State: Running, Reason: info.Problem}
	if info.Exit != nil {
		h.State, h.Reason = ended(info)
		h.Unread = true
	}
	return h
}

func ended(info Info) (State, string) {
	if err := info.Err(); err != nil {
		return Ended, err.Error()
	}
	return Ended, ""
}

// resting is the state of a host whose process is not alive here.
func resting(r record, p presence) (State, string) {
	switch {
	case p == elsewhere:
		return Foreign, "it runs, or ran, on another machine or in a container"
	case r.Exit != nil:
		return ended(r.Info)
	case p == rebooted:
		return Gone, "the system was started anew while it was live"
	}
	return Gone, "its process was killed or crashed"
}
