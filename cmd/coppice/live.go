package main

import (
	"context"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/observe"
)

// hosted tells which sessions our hosts keep live; see session.Options.
func (a *app) hosted(ctx context.Context, follow bool, emit func(map[string]session.Live)) error {
	root := a.dirs().Agent
	if follow {
		return host.Watch(ctx, a.hostDirs(), func(all []host.Host) { emit(hostedLive(all, root)) })
	}
	all, err := host.List(ctx, a.hostDirs())
	if err == nil {
		emit(hostedLive(all, root))
	}
	return err
}

// live are the sessions that agents have open now, here and elsewhere.
func (a *app) live() map[string]session.Live {
	all, _ := host.Known(a.hostDirs()) // what cannot be read says nothing
	return a.liveBy(all)
}

// liveBy is live by what hosts say and, of the others, the client's register.
func (a *app) liveBy(all []host.Host) map[string]session.Live {
	root := a.dirs().Agent
	return session.Merge(session.ReadLive(root, a.env.Proc), hostedLive(all, root))
}

// hostedLive are the sessions of a config root that hosts keep live.
func hostedLive(all []host.Host, root string) map[string]session.Live {
	live := map[string]session.Live{}
	for _, h := range all {
		if h.Root == root && h.Session != "" && (h.State == host.Running || h.State == host.Version) {
			live[h.Session] = toLive(h)
		}
	}
	return live
}

// toLive is the agent that a host keeps.
func toLive(h host.Host) session.Live {
	return session.Live{Status: statusOf(h), Host: h.Host, PID: h.PID, Where: "host " + h.Host, Name: h.Name, Dir: h.Dir}
}

// statusOf is what the agent of a host does.
func statusOf(h host.Host) observe.Status {
	if h.Status.State == "" {
		return observe.Status{State: observe.Unknown, Source: observe.Host, Reason: "its host was started by an older version, which does not tell"}
	}
	return h.Status
}

// finder finds out where agents run that are not ours.
func (a *app) finder() observe.Finder {
	tmux, err := a.env.LookPath("tmux")
	if err != nil {
		tmux = ""
	}
	return observe.Finder{Proc: a.env.Proc, Tmux: tmux}
}
