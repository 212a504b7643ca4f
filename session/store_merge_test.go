package session_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	const other = "0c7bd3a2-5f7e-4f0a-9d55-000000000002"
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	registered := session.Live{
		Status: session.Status{State: session.StateWorking, Since: now, Source: "registry"}, PID: 40, Where: "pid 40", Name: "n", Dir: "/d",
	}
	hosted := session.Live{
		Status: session.Status{State: session.StateWaiting, Since: now, Source: "hook"}, Host: "aaaabbbb", PID: 40, Where: "host aaaabbbb",
	}
	at := func(l session.Live, d time.Duration) session.Live {
		l.Since = l.Since.Add(d)
		return l
	}
	both := func(l session.Live, status session.Status) session.Live {
		l.Status, l.Host, l.Where = status, hosted.Host, hosted.Where
		return l
	}
	foreign := registered
	foreign.PID, foreign.Where = 41, "pid 41"
	twice := hosted
	twice.Reason = "also open in pid 41"
	type live = map[string]session.Live
	tests := []struct {
		name                     string
		registered, hosted, want live
	}{
		{"nothing", nil, nil, live{}},
		{"only registered", live{liveID: registered}, nil, live{liveID: registered}},
		{"only in a host", nil, live{liveID: hosted}, live{liveID: hosted}},
		{"the host knows more", live{liveID: registered}, live{liveID: hosted}, live{liveID: both(registered, hosted.Status)}},
		{
			"the registry is ahead of the host",
			live{liveID: at(registered, time.Second)},
			live{liveID: hosted},
			live{liveID: both(registered, at(registered, time.Second).Status)},
		},
		{
			"the agent went on with another session",
			live{other: registered},
			live{liveID: hosted},
			live{other: both(registered, registered.Status)},
		},
		{"F1: another process has it, too", live{liveID: foreign}, live{liveID: hosted}, live{liveID: twice}},
		{"each its own", live{other: foreign}, live{liveID: hosted}, live{other: foreign, liveID: hosted}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, session.Merge(tt.registered, tt.hosted)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
