package observe

import "time"

// Glimpse is what the host of an agent sees of its screen; zero times for never.
type Glimpse struct {
	Output time.Time // when the agent last wrote
	Active time.Time // when it began to, without a pause
	Input  time.Time // when a person last typed
	Bell   time.Time // when it last rang the bell or notified
	Notice string    // what it notified of, foreign text
}

// Quiet is how long a screen does not change when nothing goes on.
const Quiet = 1500 * time.Millisecond

// echo is how long after a key the output can be its echo.
const echo = 300 * time.Millisecond

// Wrote notes output.
func (g *Glimpse) Wrote(now time.Time) {
	if now.Sub(g.Output) > Quiet {
		g.Active = now
	}
	g.Output = now
}

// Rang notes a bell, or a notice.
func (g *Glimpse) Rang(now time.Time, notice string) { g.Bell, g.Notice = now, line(notice) }

// Status guesses what an agent does that says nothing: it works while its screen
// changes by itself, and a bell that nobody answered by typing needs a person.
func (g Glimpse) Status(now time.Time) Status {
	s := Status{Source: Screen, Since: g.Output.UTC()}
	typed := g.Output.Sub(g.Input) < echo && !g.Output.Before(g.Input)
	switch {
	case g.Output.IsZero():
		return Status{}
	case g.Bell.Sub(g.Input) >= echo:
		s.State, s.Since, s.Reason = Waiting, g.Bell.UTC(), g.Notice
		if s.Reason == "" {
			s.Reason = "it rang the bell"
		}
	case now.Sub(g.Output) < Quiet && !typed:
		s.State, s.Since = Working, g.Active.UTC()
	default:
		s.State, s.Reason = Idle, "its screen does not change"
	}
	return s
}
