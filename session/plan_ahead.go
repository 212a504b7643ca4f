package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"coppice/session/runtime"
	"coppice/transcript"
)

// carryOnVariable makes the client go on with a turn that was interrupted
// (client-behaviour 7.1).
const carryOnVariable = "CLAUDE_CODE_RESUME_INTERRUPTED_TURN"

// outlookWait bounds how long a plan looks into the transcript: some gigabytes.
const outlookWait = planWait * 3 / 5

// lookAhead says what the agent will make of the transcript: messages that it
// leaves out, a turn that was interrupted.
func (d *draft) lookAhead() {
	d.checkRetention()
	if d.planner.Outlook == nil || len(d.plan.Blockers) > 0 {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, outlookWait)
	defer cancel()
	look, err := d.planner.Outlook(ctx, d.session.Path)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		d.plan.Notes = append(d.plan.Notes, "the transcript is too large to see in time whether the agent would drop a part of it: "+
			"`coppice doctor "+d.session.ID+"` tells")
		return
	case err != nil:
		d.warn(fmt.Sprintf("what the agent will make of the transcript could not be found out: %v", err))
		return
	}
	d.plan.Dropped, d.plan.Mended, d.plan.Interrupted = look.Dropped, look.Mended, look.Interrupted
	if n := look.Dropped; n > 0 {
		text := fmt.Sprintf("the agent would drop %d %s: %s", n, plural(n, "message", "messages"), look.Why)
		switch {
		case look.Mended == n:
			text += fmt.Sprintf("; `coppice resume --fork %s` resumes a repaired copy, which has %s", d.session.ID, plural(n, "it", "them"))
		case look.Mended > 0:
			text += fmt.Sprintf("; `coppice resume --fork %s` resumes a repaired copy, which has %d of them", d.session.ID, look.Mended)
		}
		d.warn(text)
	}
	if text := interruptedText(look.Interrupted); text != "" {
		d.warn(text + ": nothing is run again, and files and tasks may have changed since")
		if !d.request.CarryOn {
			d.plan.Notes = append(d.plan.Notes, fmt.Sprintf("`coppice resume --carry-on %s` asks the agent to go on where it was interrupted", d.session.ID))
		}
	} else if d.request.CarryOn {
		d.plan.Notes = append(d.plan.Notes, "its last turn was not interrupted: there is nothing to carry on with")
	}
}

// interruptedText says how a turn broke off.
func interruptedText(how string) string {
	switch how {
	case "calls":
		return "its last turn was interrupted while a tool ran"
	case "results":
		return "its last turn was interrupted before the agent saw what a tool answered"
	case "prompt":
		return "its last prompt was never answered"
	}
	return ""
}

// checkRetention says that the client is about to remove the transcript, which it
// does by the time of the file (report F5).
func (d *draft) checkRetention() {
	if d.session.ModTime.IsZero() || d.planner.Root == "" {
		return
	}
	settings := runtime.ReadSettings(d.planner.Root, "")
	keeps, file := settings.Retention(), filepath.Join(d.planner.Root, "settings.json")
	source := "cleanupPeriodDays in " + file
	if settings.CleanupDays == 0 {
		source = "the default; cleanupPeriodDays in " + file + " sets another"
	}
	now := time.Now
	if d.planner.Now != nil {
		now = d.planner.Now
	}
	const day = 24 * time.Hour
	if at := now(); transcript.Expiring(d.session.ModTime, at, keeps) {
		d.plan.Notes = append(d.plan.Notes, fmt.Sprintf(
			"nothing was written to it for %d days, and the agent removes transcripts after %d (%s): resuming it keeps it",
			at.Sub(d.session.ModTime)/day, keeps/day, source))
	}
}

// checkModel says when the recorded model is not the one that goes on.
func (d *draft) checkModel() {
	stored := d.session.Summary.Model
	model := runtime.RestoreModel(stored, runtime.Environment{Model: d.askedModel(), Getenv: d.getenv})
	if stored != "" && model.Value != stored {
		d.lose(fmt.Sprintf("the model %s: %s", stored, modelText(model)))
		d.plan.Model = model.Value
	}
}

// modelText says what is in the place of a model.
func modelText(model runtime.Fact) string {
	if model.Value == "" {
		return model.Reason
	}
	return model.Value + " is " + model.Reason
}

// askedModel returns the model that the arguments of the agent name.
func (d *draft) askedModel() string {
	asked := ""
	for i, arg := range d.request.Args {
		if value, ok := strings.CutPrefix(arg, "--model="); ok {
			asked = value
		} else if arg == "--model" && i+1 < len(d.request.Args) {
			asked = d.request.Args[i+1]
		}
	}
	return asked
}

// getenv looks a variable up in the environment of the agent.
func (d *draft) getenv(name string) string {
	value := ""
	for _, entry := range d.planner.Env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}
