package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/session/host"
	"coppice/session/observe"
	"coppice/session/sessiontest"
)

// testStatus: what an agent does, as it registers it and as its hook tells, is on
// its row, in `ls`, in `ps` and in `status`, and there is one answer.
func testStatus(t *testing.T, bin string) {
	w := newWorld(t, bin)
	dirs := w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.script("REGISTER="+string(w.root), "WAIT=1")
	says := func(want string) {
		t.Helper()
		out, err := w.command(app.Dir, "status").Output()
		if err != nil || string(out) != want {
			t.Errorf("status says %q (%v), want %q", out, err, want)
		}
	}
	says("")

	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("Ctrl-] back") // the pane, not its preview
	p.WaitText("fakeagent waits")
	p.Press("Ctrl-]", "Esc")
	p.WaitText("Sessions")
	ps := func() psJSON {
		t.Helper()
		var rows []psJSON
		out, err := w.command(app.Dir, "ps", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &rows)
		}
		if err != nil || len(rows) != 1 {
			t.Fatalf("ps says %s, %v", out, err)
		}
		return rows[0]
	}
	is := func(state, need, source string) psJSON {
		t.Helper()
		var row psJSON
		until(t, fmt.Sprintf("ps says %s by %s", state, source), func() bool {
			row = ps()
			return row.State == state && row.Need == need && row.Source == source
		})
		return row
	}
	row := is("idle", "", "registry")
	says("1 live\n")
	agent := w.starts()[0]
	hook := strings.Join(agent.Args, " ")
	if !strings.Contains(hook, `"PermissionRequest"`) || !strings.Contains(hook, "observe") || strings.Contains(hook, "disableAllHooks") {
		t.Errorf("the agent was started with %s", hook)
	}

	tell := w.command(app.Dir, observeCommandName, filepath.Join(dirs.Runtime, row.Host+".sock"))
	tell.Stdin = strings.NewReader(`{"session_id":"x","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	if out, err := tell.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the hook says %q, %v", out, err)
	}
	if row := is("waiting", "permission", "hook"); row.Why != "Bash: ls" {
		t.Errorf("ps says %+v", row)
	}
	name := filepath.Join(string(w.root), "sessions", fmt.Sprint(agent.PID, ".json"))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	now := fmt.Sprintf(`"waiting","waitingFor":"permission prompt","statusUpdatedAt":%d,"x":0`, time.Now().UnixMilli())
	data = []byte(strings.Replace(strings.Replace(string(data), `"statusUpdatedAt"`, `"before"`, 1), `"idle"`, now, 1))
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	row = is("waiting", "permission", "registry")
	says("1 live · 1 needs you\n")
	p.WaitText("Bash: ls")
	var list []sessionJSON
	until(t, "ls says what ps does", func() bool { // a moment after the registry has it, the host has
		list = nil
		out, err := w.command(app.Dir, "ls", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &list)
		}
		if err != nil || len(list) != 1 || list[0].Live == nil {
			t.Fatalf("ls says %s, %v", out, err)
		}
		l := list[0].Live
		return l.Host == row.Host && l.State == "waiting" && l.Why == "Bash: ls"
	})
	if c := list[0].Context; c == nil || *c <= 0 || *c > 0.1 {
		t.Errorf("the context is %v", c)
	}
	if _, err := host.Stop(t.Context(), dirs, row.Host); err != nil {
		t.Error(err)
	}
	says("")
	leaves(t, p, "q")
}

// testHookAlone: the command of the hook says nothing and is well, whatever it is
// given and whoever is gone.
func testHookAlone(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app")
	for _, args := range [][]string{{}, {"/nowhere.sock"}, {app.Dir}, {"a", "b"}, {""}} {
		for _, in := range []string{"", "{", `{"hook_event_name":"SessionStart"}`, strings.Repeat("x", 1<<20)} {
			cmd := w.command(app.Dir, append([]string{observeCommandName}, args...)...)
			cmd.Stdin = strings.NewReader(in)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%q with %.40q says %q, %v", args, in, out, err)
			}
		}
	}
}

// testLiveByHost: an agent that keeps no register is live on its row by what its
// host says.
func testLiveByHost(t *testing.T, bin string) {
	w := newWorld(t, bin)
	w.behind()
	app := w.repo("app")
	w.session(1, app.Dir, "main", time.Hour, "prune the roses")
	w.script("WAIT=1")
	p := w.open(100, 30, app.Dir)
	chosen(p, "prune the roses")
	p.Press("Enter")
	p.WaitText("Ctrl-] back")
	p.WaitText("fakeagent waits")
	until(t, "ls says that it is live", func() bool {
		var list []sessionJSON
		out, err := w.command(app.Dir, "ls", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &list)
		}
		if err != nil || len(list) != 1 {
			t.Fatalf("ls says %s, %v", out, err)
		}
		l := list[0].Live
		return l != nil && l.Host != "" && l.State == string(observe.Idle) && l.Source == string(observe.Screen)
	})
	p.Type("\r")
	p.WaitText("back from the session")
	leaves(t, p, "q")
	if out, err := w.command(app.Dir, "ls", "--json", "--search", sessiontest.ID(1)[:8]).Output(); err != nil || strings.Contains(string(out), `"host"`) {
		t.Errorf("ls says %s, %v", out, err)
	}
}
