package session

import (
	"fmt"

	"coppice/session/runtime"
)

// decideMode sets the permission mode. Nobody's own rule is relied on: the
// client puts a mode of the settings in the place of a stricter stored one, and
// does not bring plan back by itself in every case (observed K, and run again
// with settings). So a stored mode that comes back is passed on, while a new
// session's mode is left to the client.
func (d *draft) decideMode() {
	stored, fresh := d.session.Summary.PermissionMode, ""
	if d.planner.DefaultMode != nil {
		fresh = d.planner.DefaultMode(d.settled())
	}
	if runtime.Strictness(fresh) < 0 {
		fresh = runtime.ModeAuto // where the observed client starts without settings
	}
	if asked := d.request.Mode; asked != "" {
		d.setMode(asked, asked, "asked for")
		return
	}
	mode, pass, reason := runtime.RestoreMode(stored, fresh)
	d.setMode(mode, pass, reason)
	if stored != "" && runtime.SpellMode(mode) != runtime.SpellMode(stored) {
		d.warn(fmt.Sprintf("the permission mode %s does not come back: %s", runtime.SpellMode(stored), reason))
	}
}

func (d *draft) setMode(mode, pass, reason string) {
	d.pass = pass
	d.plan.Permission = PlanPermission{Mode: runtime.SpellMode(mode), Reason: reason}
}

// settled is the directory whose settings a new session would have: of a worktree
// that is not made yet, the checkout that it is made from.
func (d *draft) settled() string {
	if d.plan.Worktree.Action == TreeCreate {
		return d.plan.Worktree.From
	}
	return d.plan.Cwd
}
