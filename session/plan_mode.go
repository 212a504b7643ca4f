package session

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"coppice/session/runtime"
)

// settingsMax bounds what is read of a settings file.
const settingsMax = 1 << 20

// DefaultMode returns the permission mode in which a new session in dir starts
// by settings, "" when none says so: those of the directory, the local ones
// first, then those of the config root (as run with the client: the directory's
// win).
func DefaultMode(root, dir string) string {
	for _, name := range []string{
		filepath.Join(dir, ".claude", "settings.local.json"),
		filepath.Join(dir, ".claude", "settings.json"),
		filepath.Join(root, "settings.json"),
	} {
		if mode := readSettings(name).Permissions.DefaultMode; runtime.Strictness(mode) >= 0 {
			return mode
		}
	}
	return ""
}

// settings is what is used of a settings file.
type settings struct {
	Permissions struct {
		DefaultMode string `json:"defaultMode"`
	} `json:"permissions"`
	CleanupPeriodDays int `json:"cleanupPeriodDays"`
}

// readSettings reads a settings file. What is missing or of the wrong type is
// zero.
func readSettings(name string) settings {
	data, err := readBounded(name, settingsMax)
	if err != nil {
		return settings{}
	}
	var s settings
	_ = json.Unmarshal(data, &s) // the fields that fit are set in any case
	return s
}

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
