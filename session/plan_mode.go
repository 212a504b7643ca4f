package session

import (
	"encoding/json"
	"fmt"
	"path/filepath"
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
		if mode := readSettings(name).Permissions.DefaultMode; rank(mode) >= 0 {
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

// The permission modes. Transcripts and settings spell manual "default", as
// every version of the client understands it on its command line.
const (
	modePlan   = "plan"
	modeManual = "manual"
	modeEdits  = "acceptEdits"
	modeDeny   = "dontAsk"
	modeAuto   = "auto"
	modeBypass = "bypassPermissions"

	storedManual = "default"
)

// rank orders the modes by strictness, the strictest highest; -1 for a word that
// is no mode (DESIGN "Permission mode at resume").
func rank(mode string) int {
	switch mode {
	case modePlan:
		return 4
	case modeManual, storedManual:
		return 3
	case modeEdits, modeDeny:
		return 2
	case modeAuto:
		return 1
	case modeBypass:
		return 0
	}
	return -1
}

// decideMode sets the permission mode. Nobody's own rule is relied on: the
// client puts a mode of the settings in the place of a stricter stored one, and
// does not bring plan back by itself in every case (observed K, and run again
// with settings). So a stored mode that comes back is passed on, while a new
// session's mode is left to the client.
func (d *draft) decideMode() {
	stored, fresh := d.session.Summary.PermissionMode, ""
	if d.planner.DefaultMode != nil {
		fresh = d.planner.DefaultMode(d.plan.Cwd)
	}
	if rank(fresh) < 0 {
		fresh = modeAuto // where the observed client starts without settings
	}
	if stored == modeManual {
		stored = storedManual
	}
	if fresh == modeManual {
		fresh = storedManual
	}
	if asked := d.request.Mode; asked != "" {
		d.setMode(asked, asked, "asked for")
		return
	}
	mode, pass, reason := restored(stored, fresh)
	d.setMode(mode, pass, reason)
	if stored != "" && mode != stored {
		d.warn(fmt.Sprintf("the permission mode %s does not come back: %s", spell(stored), reason))
	}
}

// restored applies the rule to the stored mode and the one of a new session.
func restored(stored, fresh string) (mode, pass, reason string) {
	switch {
	case stored == "":
		return fresh, "", "none is recorded; new sessions start in it"
	case rank(stored) < 0:
		return fresh, "", "the recorded one is not known here; new sessions start in it"
	case stored == fresh:
		return fresh, "", "recorded, and new sessions start in it"
	case stored == modeBypass:
		return fresh, "", "it has to be asked for; new sessions start in " + spell(fresh)
	case stored == modeAuto && rank(fresh) < rank(modeAuto):
		return storedManual, storedManual, "auto comes back only where new sessions start in it"
	case stored == modeAuto:
		return fresh, "", "auto comes back only where new sessions start in it; here that is " + spell(fresh)
	case rank(stored) >= rank(fresh):
		return stored, stored, "recorded, and not laxer than " + spell(fresh) + ", in which new sessions start"
	}
	return fresh, "", "new sessions start in " + spell(fresh) + ", which is stricter"
}

func (d *draft) setMode(mode, pass, reason string) {
	d.pass = pass
	d.plan.Permission = PlanPermission{Mode: spell(mode), Reason: reason}
}

// spell returns the word for a mode that people read.
func spell(mode string) string {
	if mode == storedManual {
		return modeManual
	}
	return mode
}
