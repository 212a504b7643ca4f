package session_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
)

// F1 a session that an agent has open says so, in which state, and no longer
// when the agent is gone, even when it was killed and could tell nobody.
func TestWatchLive(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	write(t, root, 1, "/w/app")
	agent := exec.CommandContext(t.Context(), "sleep", "600")
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() {
		_ = agent.Process.Kill()
		_ = agent.Wait()
	}
	t.Cleanup(kill)
	started := startOf(t, agent.Process.Pid)
	register := func(status string) {
		root.WriteFile(t, filepath.Join("sessions", fmt.Sprint(agent.Process.Pid, ".json")), fmt.Sprintf(
			`{"pid":%d,"procStart":%q,"sessionId":%q,"status":%q,"statusUpdatedAt":%d}`,
			agent.Process.Pid, started, sessiontest.ID(1), status, time.Now().UnixMilli()))
	}
	store := session.NewStore(options(root))
	c := newClock(store)
	w := watch(t, store)
	if s := w.complete(); s.rows[sessiontest.ID(1)].Live != nil || c.running(session.LiveEvery) != 0 {
		t.Fatal("live before anything runs")
	}
	is := func(want session.State) {
		t.Helper()
		w.until(string(want), func(s state) bool {
			live := s.rows[sessiontest.ID(1)].Live
			return live != nil && live.State == want && live.PID == agent.Process.Pid
		})
	}
	register("busy")
	is(session.StateWorking)
	register("idle")
	is(session.StateIdle)
	if n := c.running(session.LiveEvery); n != 1 {
		t.Errorf("%d tickers look at live agents", n)
	}
	kill()
	c.tick[session.LiveEvery] <- time.Now()
	w.until("its end", func(s state) bool { return s.rows[sessiontest.ID(1)].Live == nil })
	if n := c.running(session.LiveEvery); n != 0 {
		t.Errorf("%d tickers look at nothing", n)
	}
}

// startOf returns when a process started, in clock ticks after boot.
func startOf(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Skip("no /proc")
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	return fields[19]
}
