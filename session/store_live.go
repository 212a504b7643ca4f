package session

import (
	"context"
	"maps"
)

// followHosts hears of what our hosts keep live.
func (r *run) followHosts(ctx context.Context) {
	if r.opt.Hosted == nil {
		return
	}
	r.group.Go(func() {
		_ = r.opt.Hosted(ctx, true, func(live map[string]Live) {
			r.post(ctx, func() {
				r.hosted = live
				r.readLive(ctx)
			})
		}) // without it the registry has to do
	})
}

// readLive reads which sessions are live now, and keeps looking while any is.
func (r *run) readLive(ctx context.Context) {
	live := Merge(ReadLive(r.opt.Root, r.opt.Proc), r.hosted)
	r.locate(ctx, live)
	r.idx.setLive(live)
	switch {
	case r.emit == nil:
	case len(r.idx.live) == 0:
		r.pulse.halt()
		r.pulse = ticker{}
	case r.pulse.c == nil:
		r.pulse = r.store.outside.tick(liveEvery)
	}
	r.mark()
}

// locate says of each agent that runs elsewhere where that is, as far as it is
// known, and has it found out for new ones.
func (r *run) locate(ctx context.Context, live map[string]Live) {
	if r.opt.Where == nil {
		return
	}
	known := r.wheres
	r.wheres = make(map[int]string, len(live))
	for id, l := range live {
		if l.Host != "" || l.PID == 0 || l.State == StateUnknown || l.Where != pidName(l.PID) {
			continue
		}
		where, found := known[l.PID]
		r.wheres[l.PID] = where
		switch {
		case where != "":
			l.Where = where
			live[id] = l
		case !found:
			r.errand(ctx, func() func() {
				where := r.opt.Where(ctx, l.PID)
				return func() { r.located(l.PID, where) }
			})
		}
	}
}

// located takes where a process runs.
func (r *run) located(pid int, where string) {
	if _, asked := r.wheres[pid]; !asked || where == "" {
		return
	}
	r.wheres[pid] = where
	live := maps.Clone(r.idx.live)
	for id, l := range live {
		if l.PID == pid && l.Where == pidName(pid) {
			l.Where = where
			live[id] = l
		}
	}
	r.idx.setLive(live)
	r.mark()
}

// Merge returns the sessions that are live by the registry or in our hosts. A host
// knows more of its agent than the registry, but for a moment after the agent went
// on with another session; the newer status counts.
func Merge(registered, hosted map[string]Live) map[string]Live {
	live, by := map[string]Live{}, map[int]string{}
	for id, l := range registered {
		live[id], by[l.PID] = l, id
	}
	for id, h := range hosted {
		of, same := by[h.PID]
		if !same {
			if other, twice := live[id]; twice {
				h.Reason = join(h.Reason, "also open in "+other.Where)
			}
			live[id] = h
			continue
		}
		l := live[of]
		l.Host, l.Where = h.Host, h.Where
		if of == id && h.State != "" && !l.Since.After(h.Since) {
			l.Status = h.Status
		}
		live[of] = l
	}
	return live
}
