package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coppice/session"
	"coppice/session/host"
)

// endedError says that what an argument names was live, and has ended. It is a
// session.ErrNotFound.
type endedError struct{ host host.Host }

func (e *endedError) Error() string {
	again := ""
	if e.host.Session != "" {
		again = fmt.Sprintf("; `coppice resume %s` resumes it", e.host.Session)
	}
	return fmt.Sprintf("%s %s%s", e.host.Host, ended(e.host.Reason), again)
}

// ended says that an agent has ended, and how, "" for well.
func ended(how string) string {
	if how == "" {
		return "has ended"
	}
	return "has ended: " + how
}

func (*endedError) Unwrap() error { return session.ErrNotFound }

// findLive returns the host that runs and that an argument names.
func (a *app) findLive(ctx context.Context, arg string) (host.Host, error) {
	all, err := host.List(ctx, a.hostDirs())
	if err != nil {
		return host.Host{}, fmt.Errorf("list live sessions: %w", err)
	}
	rows, _, err := a.load(ctx)
	if err != nil {
		return host.Host{}, err
	}
	return findHost(all, rows, arg)
}

// findHost returns the host that runs, or may, and that arg names: by its own id, or as a
// session is named. Of one that has ended the error is an *endedError.
func findHost(all []host.Host, rows []session.Session, arg string) (host.Host, error) {
	var live, over []host.Host
	for _, h := range all {
		switch h.State {
		case host.Running, host.Version, host.Unreachable, host.Foreign: // who cannot be spoken to says so when asked
			live = append(live, h)
		case host.Ended, host.Gone:
			over = append(over, h)
		}
	}
	found, err := resolveHost(live, rows, arg)
	if !errors.Is(err, session.ErrNotFound) {
		return found, err
	}
	for _, h := range slices.Backward(over) { // the newest first
		if _, err := resolveHost([]host.Host{h}, rows, arg); err == nil {
			return host.Host{}, &endedError{h}
		}
	}
	return host.Host{}, fmt.Errorf("%w: %q is not live behind the window; `coppice ps` lists what is", session.ErrNotFound, arg)
}

// resolveHost is findHost among hosts that are all alike.
func resolveHost(hosts []host.Host, rows []session.Session, arg string) (host.Host, error) {
	sessions := make([]session.Session, len(hosts))
	for i, h := range hosts {
		if h.Host == arg {
			return h, nil
		}
		sessions[i] = sessionOf(h, rows)
	}
	s, err := session.Resolve(sessions, arg)
	if err != nil {
		return host.Host{}, err
	}
	return hosts[slices.IndexFunc(sessions, func(r session.Session) bool { return r.ID == s.ID })], nil
}

// sessionOf is the session that a host has open. One without a transcript, or
// without a name in it, is called as it was started; an agent without sessions goes
// by the id of its host.
func sessionOf(h host.Host, rows []session.Session) session.Session {
	s := session.Session{ID: cmp.Or(h.Session, h.Host), Dir: h.Dir}
	for _, r := range rows {
		if h.Session != "" && r.ID == h.Session {
			s = r
		}
	}
	if !s.Named() && h.Name != "" {
		s.Title, s.TitleSource = h.Name, session.TitleCustom
	}
	return s
}
