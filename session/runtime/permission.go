package runtime

// The permission modes, in the spelling of transcripts and settings. People read
// and write manual for ModeManual; every version of the client understands both.
const (
	ModePlan   = "plan"
	ModeManual = "default"
	ModeEdits  = "acceptEdits"
	ModeDeny   = "dontAsk"
	ModeAuto   = "auto"
	ModeBypass = "bypassPermissions"

	wordManual = "manual"
)

// Strictness orders the modes, the strictest highest; -1 for a word that is no
// mode (DESIGN "Permission mode at resume").
func Strictness(mode string) int {
	switch mode {
	case ModePlan:
		return 4
	case ModeManual, wordManual:
		return 3
	case ModeEdits, ModeDeny:
		return 2
	case ModeAuto:
		return 1
	case ModeBypass:
		return 0
	}
	return -1
}

// SpellMode returns the word for a mode that people read.
func SpellMode(mode string) string {
	if mode == ModeManual {
		return wordManual
	}
	return mode
}

// storedMode returns the spelling of transcripts.
func storedMode(mode string) string {
	if mode == wordManual {
		return ModeManual
	}
	return mode
}

// RestoreMode applies the rule of DESIGN "Permission mode at resume" to the
// stored mode and to the one that a new session starts in, which counts as
// manual when it is no mode. It returns the mode, what an agent has to be told
// ("" when it starts in it by itself) and the reason.
func RestoreMode(stored, fresh string) (mode, pass, reason string) {
	stored, fresh = storedMode(stored), storedMode(fresh)
	if Strictness(fresh) < 0 {
		fresh = ModeManual
	}
	switch {
	case stored == "":
		return fresh, "", "none is recorded; new sessions start in it"
	case Strictness(stored) < 0:
		return fresh, "", "the recorded one is not known here; new sessions start in it"
	case stored == fresh:
		return fresh, "", "recorded, and new sessions start in it"
	case stored == ModeBypass:
		return fresh, "", "it has to be asked for; new sessions start in " + SpellMode(fresh)
	case stored == ModeAuto && Strictness(fresh) < Strictness(ModeAuto):
		return ModeManual, ModeManual, "auto comes back only where new sessions start in it"
	case stored == ModeAuto:
		return fresh, "", "auto comes back only where new sessions start in it; here that is " + SpellMode(fresh)
	case Strictness(stored) >= Strictness(fresh):
		return stored, stored, "recorded, and not laxer than " + SpellMode(fresh) + ", in which new sessions start"
	}
	return fresh, "", "new sessions start in " + SpellMode(fresh) + ", which is stricter"
}

// permission decides the permission mode.
func permission(stored string, env Environment) Fact {
	if Strictness(env.Mode) >= 0 {
		return fact(storedMode(env.Mode), storedMode(stored), "asked for")
	}
	mode, _, reason := RestoreMode(stored, env.DefaultMode)
	if mode == storedMode(stored) {
		reason = ""
	}
	return fact(mode, storedMode(stored), reason)
}

// fact returns a value and, where it is another one, what was stored.
func fact(value, stored, reason string) Fact {
	if value == stored {
		return Fact{Value: value, Reason: reason}
	}
	return Fact{Value: value, Stored: stored, Reason: reason}
}
