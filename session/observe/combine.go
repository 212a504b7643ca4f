package observe

import "time"

// Seen is what each source says of one agent; a zero Status where one is silent.
type Seen struct {
	Registry   Status
	Hook       Status // after the last event that tells
	Transcript Status
	Calls      bool // the transcript ends in a call of a tool that nothing answers
	Screen     Status
	Host       Status // Starting since the agent was started, or Ended
}

const (
	// lead is how long an event counts that the registry does not confirm: an agent
	// tells its hooks a moment before it registers that it waits. Later the registry
	// is right: another hook has answered.
	lead = 3 * time.Second
	// settle is how long an agent that says nothing may be at its beginning.
	settle = 2 * time.Second
)

// Combine decides which source is right at a time. An end is one, whoever says
// otherwise; the registry is next, since the agent keeps it up to date itself; where
// it is silent, the newer of the last event and the transcript's end is right; and
// only where both are, too, the screen. A transcript that is silent says nothing: an
// agent at work can be silent for long (report A27).
func Combine(s Seen, now time.Time) Status {
	switch {
	case s.Host.State == Ended:
		return s.Host
	case s.Registry.State != "" && s.Registry.State != Unknown:
		return s.registered(now)
	}
	told := s.told()
	switch {
	case told.State != "":
		return told
	case s.Host.State == Starting && (s.Screen.State == "" || now.Sub(s.Host.Since) < settle):
		return s.Host
	case s.Screen.State != "":
		return s.Screen
	case s.Registry.State == Unknown:
		return s.Registry
	}
	return Status{State: Unknown, Reason: "nothing tells what it does"}
}

// LeadEnds returns when Combine may decide otherwise although nothing new was seen;
// zero for never.
func LeadEnds(s Seen) time.Time {
	if s.leads() {
		return s.Hook.Since.Add(lead)
	}
	return time.Time{}
}

// leads reports whether an event tells of a wait that the registry does not.
func (s Seen) leads() bool {
	return s.Hook.State == Waiting && s.Registry.State != Waiting && s.Hook.Since.After(s.Registry.Since)
}

// registered is the status of an agent that registers what it does.
func (s Seen) registered(now time.Time) Status {
	if s.leads() && now.Sub(s.Hook.Since) < lead {
		return s.Hook
	}
	status := s.Registry
	late := status.Since.Sub(s.Hook.Since)
	if status.State == Waiting && s.Hook.State == Waiting && status.Need == s.Hook.Need && s.Hook.Reason != "" && -lead < late && late < lead {
		status.Reason = s.Hook.Reason // which says what for
	}
	return status
}

// told is what events and transcript say, a zero Status for nothing.
func (s Seen) told() Status {
	waits := s.Hook.State == Waiting
	switch {
	case waits && (s.Calls || !s.Transcript.Since.After(s.Hook.Since)):
		return s.Hook // the call that is unanswered is the one that waits
	case s.Calls:
		return s.unanswered()
	case s.Transcript.Since.After(s.Hook.Since):
		return s.Transcript
	case s.Hook.State != "":
		return s.Hook
	}
	return s.Transcript
}

// unanswered tells a tool that runs from one that waits for permission: an agent at
// work moves on its screen.
func (s Seen) unanswered() Status {
	switch s.Screen.State {
	case Working, Waiting:
		status := s.Screen
		status.Reason = s.Transcript.Reason
		return status
	case Starting, Idle, Background, Ended, Unknown:
	}
	if s.Transcript.State == Waiting {
		return s.Transcript
	}
	return Status{
		State: Unknown, Since: s.Transcript.Since, Source: Transcript,
		Reason: "a call of a tool has no answer: the tool is silent, or waits for permission",
	}
}
