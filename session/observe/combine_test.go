package observe_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/observe"
)

func TestCombine(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	says := func(source observe.Source, state observe.State, age time.Duration) observe.Status {
		return observe.Status{Source: source, State: state, Since: ago(age)}
	}
	asks := func(source observe.Source, need observe.Need, age time.Duration, reason string) observe.Status {
		return observe.Status{Source: source, State: observe.Waiting, Need: need, Since: ago(age), Reason: reason}
	}
	const min = time.Minute
	started := says(observe.Host, observe.Starting, min)
	tests := []struct {
		name string
		seen observe.Seen
		want observe.Status
	}{
		{"nothing is known", observe.Seen{}, observe.Status{State: observe.Unknown, Reason: "nothing tells what it does"}},
		{"just started", observe.Seen{Host: says(observe.Host, observe.Starting, 0)}, says(observe.Host, observe.Starting, 0)},
		{
			"the first output is no sign yet",
			observe.Seen{Host: says(observe.Host, observe.Starting, time.Second), Screen: says(observe.Screen, observe.Working, 0)},
			says(observe.Host, observe.Starting, time.Second),
		},
		{"it never says anything", observe.Seen{Host: started}, started},
		{"only the screen", observe.Seen{Host: started, Screen: says(observe.Screen, observe.Working, 0)}, says(observe.Screen, observe.Working, 0)},

		{
			"the registry is before all others",
			observe.Seen{
				Registry: says(observe.Registry, observe.Working, 2*min), Hook: says(observe.Hook, observe.Idle, min),
				Transcript: says(observe.Transcript, observe.Idle, 0), Screen: says(observe.Screen, observe.Idle, 0), Host: started,
			},
			says(observe.Registry, observe.Working, 2*min),
		},
		{
			"a stale event of permission, given since",
			observe.Seen{Registry: says(observe.Registry, observe.Working, 1*time.Second), Hook: asks(observe.Hook, observe.Permission, 2*time.Second, "Bash")},
			says(observe.Registry, observe.Working, 1*time.Second),
		},
		{
			"an event comes before the registry has it",
			observe.Seen{Registry: says(observe.Registry, observe.Working, min), Hook: asks(observe.Hook, observe.Permission, time.Second, "Bash")},
			asks(observe.Hook, observe.Permission, time.Second, "Bash"),
		},
		{
			"an event that the registry never confirms: another hook gave permission",
			observe.Seen{Registry: says(observe.Registry, observe.Working, min), Hook: asks(observe.Hook, observe.Permission, 3*time.Second, "Bash")},
			says(observe.Registry, observe.Working, min),
		},
		{
			"the event says what the permission is for",
			observe.Seen{Registry: asks(observe.Registry, observe.Permission, min, "permission prompt"), Hook: asks(observe.Hook, observe.Permission, min+time.Second, "Bash: ls")},
			asks(observe.Registry, observe.Permission, min, "Bash: ls"),
		},
		{
			"an earlier permission says nothing of this one",
			observe.Seen{Registry: asks(observe.Registry, observe.Permission, min, "permission prompt"), Hook: asks(observe.Hook, observe.Permission, 2*min, "Bash: ls")},
			asks(observe.Registry, observe.Permission, min, "permission prompt"),
		},
		{
			"a permission says nothing of a question",
			observe.Seen{Registry: asks(observe.Registry, observe.Question, min, "input needed"), Hook: asks(observe.Hook, observe.Permission, min+time.Second, "Bash: ls")},
			asks(observe.Registry, observe.Question, min, "input needed"),
		},
		{
			"a start while the registry says busy: a prompt came with it",
			observe.Seen{Registry: says(observe.Registry, observe.Working, 2*time.Second), Hook: says(observe.Hook, observe.Idle, time.Second)},
			says(observe.Registry, observe.Working, 2*time.Second),
		},
		{
			"a registry that makes no sense is passed over",
			observe.Seen{Registry: says(observe.Registry, observe.Unknown, 0), Transcript: says(observe.Transcript, observe.Idle, min), Host: started},
			says(observe.Transcript, observe.Idle, min),
		},
		{
			"a registry that makes no sense, and nothing else",
			observe.Seen{Registry: says(observe.Registry, observe.Unknown, 0)},
			says(observe.Registry, observe.Unknown, 0),
		},

		{
			"without a registry the newer of event and transcript: a prompt after the start",
			observe.Seen{Hook: says(observe.Hook, observe.Idle, min), Transcript: says(observe.Transcript, observe.Working, time.Second), Host: started},
			says(observe.Transcript, observe.Working, time.Second),
		},
		{
			"a start after the last turn",
			observe.Seen{Hook: says(observe.Hook, observe.Idle, time.Second), Transcript: says(observe.Transcript, observe.Working, min), Host: started},
			says(observe.Hook, observe.Idle, time.Second),
		},
		{
			"A27: a silent transcript and a still screen are no end of the turn",
			observe.Seen{Transcript: says(observe.Transcript, observe.Working, 30*min), Screen: says(observe.Screen, observe.Idle, 20*min), Host: started},
			says(observe.Transcript, observe.Working, 30*min),
		},
		{
			"permission is asked for the call that is recorded a moment later",
			observe.Seen{Hook: asks(observe.Hook, observe.Permission, 2*time.Second, "Bash"), Transcript: says(observe.Transcript, observe.Working, time.Second), Calls: true},
			asks(observe.Hook, observe.Permission, 2*time.Second, "Bash"),
		},
		{
			"permission was given: the call is answered",
			observe.Seen{Hook: asks(observe.Hook, observe.Permission, 2*time.Second, "Bash"), Transcript: says(observe.Transcript, observe.Working, time.Second)},
			says(observe.Transcript, observe.Working, time.Second),
		},
		{
			"an unanswered call, and the screen moves",
			observe.Seen{Transcript: says(observe.Transcript, observe.Working, min), Calls: true, Screen: says(observe.Screen, observe.Working, 0)},
			says(observe.Screen, observe.Working, 0),
		},
		{
			"an unanswered call, and the bell rang",
			observe.Seen{Transcript: says(observe.Transcript, observe.Working, min), Calls: true, Screen: says(observe.Screen, observe.Waiting, 0)},
			says(observe.Screen, observe.Waiting, 0),
		},
		{
			"an unanswered call, and nothing moves: nobody knows",
			observe.Seen{Transcript: says(observe.Transcript, observe.Working, min), Calls: true, Screen: says(observe.Screen, observe.Idle, min)},
			observe.Status{
				State: observe.Unknown, Source: observe.Transcript, Since: ago(min),
				Reason: "a call of a tool has no answer: the tool is silent, or waits for permission",
			},
		},
		{
			"a question is one, whatever moves not",
			observe.Seen{Transcript: asks(observe.Transcript, observe.Question, min, "AskUserQuestion"), Calls: true, Screen: says(observe.Screen, observe.Idle, min)},
			asks(observe.Transcript, observe.Question, min, "AskUserQuestion"),
		},
		{
			"an end is one, whatever the registry left behind",
			observe.Seen{Registry: says(observe.Registry, observe.Working, 0), Host: observe.Status{State: observe.Ended, Code: 143, Source: observe.Host, Since: now}},
			observe.Status{State: observe.Ended, Code: 143, Source: observe.Host, Since: now},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, observe.Combine(tt.seen, now)); diff != "" {
				t.Errorf("Combine (-want +got):\n%s", diff)
			}
		})
	}
}

// What an event says alone ends by itself, and it is known when.
func TestLeadEnds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	seen := observe.Seen{
		Registry: observe.Status{State: observe.Working, Since: now.Add(-time.Minute), Source: observe.Registry},
		Hook:     observe.Status{State: observe.Waiting, Since: now, Source: observe.Hook},
	}
	ends := observe.LeadEnds(seen)
	if got := observe.Combine(seen, ends.Add(-1)); got.State != observe.Waiting {
		t.Errorf("before it ends: %v", got)
	}
	if got := observe.Combine(seen, ends); got.State != observe.Working {
		t.Errorf("when it ends: %v", got)
	}
	seen.Registry.State = observe.Waiting
	if ends := observe.LeadEnds(seen); !ends.IsZero() {
		t.Errorf("the registry has confirmed it, and it ends at %v", ends)
	}
}

func TestGlimpse(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	later := func(d time.Duration) time.Time { return now.Add(d) }
	tests := []struct {
		name string
		act  func(g *observe.Glimpse)
		at   time.Duration
		want observe.Status
	}{
		{"nothing was written", func(*observe.Glimpse) {}, time.Second, observe.Status{}},
		{
			"it writes by itself", func(g *observe.Glimpse) { g.Wrote(now); g.Wrote(later(time.Second)) }, 2 * time.Second,
			observe.Status{State: observe.Working, Since: now},
		},
		{
			"it has stopped", func(g *observe.Glimpse) { g.Wrote(now) }, 2 * time.Second,
			observe.Status{State: observe.Idle, Since: now, Reason: "its screen does not change"},
		},
		{
			"an echo is no work", func(g *observe.Glimpse) { g.Input = now; g.Wrote(later(10 * time.Millisecond)) }, time.Second,
			observe.Status{State: observe.Idle, Since: later(10 * time.Millisecond), Reason: "its screen does not change"},
		},
		{
			"a bell", func(g *observe.Glimpse) { g.Input = now; g.Wrote(later(time.Second)); g.Rang(later(time.Second), "") }, 2 * time.Second,
			observe.Status{State: observe.Waiting, Since: later(time.Second), Reason: "it rang the bell"},
		},
		{
			"a bell for a key", func(g *observe.Glimpse) { g.Input = now; g.Wrote(now); g.Rang(now, "") }, 2 * time.Second,
			observe.Status{State: observe.Idle, Since: now, Reason: "its screen does not change"},
		},
		{
			"a notice, hostile", func(g *observe.Glimpse) { g.Wrote(now); g.Rang(now, "done\x1b]0;x\x07 \u202ehere") }, time.Second,
			observe.Status{State: observe.Waiting, Since: now, Reason: "done ]0;x here"},
		},
		{
			"a bell that was answered", func(g *observe.Glimpse) { g.Wrote(now); g.Rang(now, ""); g.Input = later(time.Second) }, 3 * time.Second,
			observe.Status{State: observe.Idle, Since: now, Reason: "its screen does not change"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var g observe.Glimpse
			tt.act(&g)
			if tt.want.State != "" {
				tt.want.Source = observe.Screen
			}
			if diff := cmp.Diff(tt.want, g.Status(later(tt.at))); diff != "" {
				t.Errorf("Status (-want +got):\n%s", diff)
			}
		})
	}
}
