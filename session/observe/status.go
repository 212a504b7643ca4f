package observe

import "time"

// Status is what an agent does, and who says so. It is plain data.
type Status struct {
	State  State     `json:"state,omitempty"`
	Need   Need      `json:"need,omitempty"`   // of a waiting agent: what it needs a person for, "" when that is not known
	Code   int       `json:"code,omitempty"`   // of one that has ended: its exit code, 128 and the signal's number for a signal
	Since  time.Time `json:"since,omitzero"`   // when State began, UTC; zero when not known
	Source Source    `json:"source,omitempty"` // who says so; "" when nobody does
	Reason string    `json:"reason,omitempty"` // why the state is what it is, in words; may hold foreign text
}

// State is what an agent does.
type State string

// The states of an agent.
const (
	Starting   State = "starting"
	Working    State = "working"
	Waiting    State = "waiting" // for a person, see Need
	Idle       State = "idle"
	Background State = "background" // its turn is over, and something that it started runs
	Ended      State = "ended"
	Unknown    State = "unknown"
)

// Need is what a waiting agent needs a person for.
type Need string

// What a person is needed for.
const (
	Permission Need = "permission"
	Question   Need = "question" // an answer or a choice
)

// Source names who says what an agent does, the one that knows best first.
type Source string

// The sources of a Status.
const (
	Registry   Source = "registry"   // the agent's own register of live sessions
	Hook       Source = "hook"       // an event of the observer that our host gave it
	Transcript Source = "transcript" // the end of its transcript
	Screen     Source = "screen"     // what it wrote on its terminal, as its host saw it
	Host       Source = "host"       // the process that keeps it: when it began, that it has ended
)
