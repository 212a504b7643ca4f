package session_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
)

const (
	liveID  = "0c7bd3a2-5f7e-4f0a-9d55-000000000001"
	otherID = "0c7bd3a2-5f7e-4f0a-9d55-000000000002"
)

// fakeProc is a /proc with the processes of a test: pid → stat.
func fakeProc(t *testing.T, stats map[int]string) string {
	t.Helper()
	proc := t.TempDir()
	for pid, stat := range stats {
		writeFile(t, filepath.Join(proc, strconv.Itoa(pid), "stat"), stat)
	}
	if err := os.MkdirAll(filepath.Join(proc, "self", "ns"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pid:[77]", filepath.Join(proc, "self", "ns", "pid")); err != nil {
		t.Fatal(err)
	}
	return proc
}

// stat returns the line of a process.
func stat(pid int, name, state string, start int) string {
	return fmt.Sprintf("%d (%s) %s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %d 20 21", pid, name, state, start)
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ownDomain names our process ids as the client does, with the namespace of
// fakeProc.
func ownDomain(t *testing.T) string {
	t.Helper()
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		t.Skip("this machine has no id")
	}
	return "linux:" + strings.TrimSpace(string(machine)) + ":pid:[77]"
}

func TestReadLiveStates(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	live := func(state session.State, reason string) *session.Live {
		return &session.Live{PID: 40, Status: session.Status{State: state, Since: since, Source: "registry", Reason: reason}, Where: "pid 40"}
	}
	needs := func(l *session.Live, need session.Need) *session.Live {
		l.Need = need
		return l
	}
	at := `"statusUpdatedAt":` + strconv.FormatInt(since.UnixMilli(), 10)
	record := func(rest string) string {
		return `{"pid":40,"sessionId":"` + liveID + `","procStart":"123",` + at + `,` + rest + `}`
	}
	tests := []struct {
		name, stat, file string
		want             *session.Live
	}{
		{"idle", stat(40, "claude", "S", 123), record(`"status":"idle"`), live(session.StateIdle, "")},
		{"busy", stat(40, "claude", "R", 123), record(`"status":"busy"`), live(session.StateWorking, "")},
		{
			"waiting", stat(40, "claude", "S", 123), record(`"status":"waiting","waitingFor":"permission prompt"`),
			needs(live(session.StateWaiting, "permission prompt"), session.NeedPermission),
		},
		{"background shell", stat(40, "claude", "S", 123), record(`"status":"shell"`), live(session.StateBackground, "")},
		{
			"a status of a newer client", stat(40, "claude", "S", 123), record(`"status":"dreaming\u001b[31m"`),
			live(session.StateUnknown, `the registry says "dreaming [31m"`),
		},
		{"no status", stat(40, "claude", "S", 123), record(`"kind":"x"`), live(session.StateUnknown, "the registry does not say what it does")},
		{"a status of another type", stat(40, "claude", "S", 123), record(`"status":7`), live(session.StateUnknown, "the registry does not say what it does")},
		{"name with parentheses and blanks", stat(40, "a) S 1 (b) R", "S", 123), record(`"status":"idle"`), live(session.StateIdle, "")},
		{"start time as a number", stat(40, "claude", "S", 123), strings.Replace(record(`"status":"idle"`), `"123"`, `123`, 1), live(session.StateIdle, "")},
		{"F1 the id was used again", stat(40, "vim", "S", 124), record(`"status":"idle"`), nil},
		{"the process is gone", "", record(`"status":"idle"`), nil},
		{"a zombie", stat(40, "claude", "Z", 123), record(`"status":"idle"`), nil},
		{"stat cut off", "40 (claude) S 1 2", record(`"status":"idle"`), nil},
		{
			"no start time", stat(40, "claude", "S", 123), strings.Replace(record(`"status":"busy"`), `"123"`, `null`, 1),
			live(session.StateUnknown, "the registry does not say when the process started, so it may be another one"),
		},
		{"no session", stat(40, "claude", "S", 123), `{"pid":40,"procStart":"123"}`, nil},
		{"a session that is none", stat(40, "claude", "S", 123), `{"pid":40,"procStart":"123","sessionId":"../../etc"}`, nil},
		{"another pid inside", stat(40, "claude", "S", 123), `{"pid":41,"procStart":"123","sessionId":"` + liveID + `"}`, nil},
		{"garbage", stat(40, "claude", "S", 123), "\x00\x00{", nil},
		{"a list", stat(40, "claude", "S", 123), "[]", nil},
		{"too large", stat(40, "claude", "S", 123), record(`"status":"idle","x":"` + strings.Repeat("x", 64<<10) + `"`), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			writeFile(t, filepath.Join(root, "sessions", "40.json"), tt.file)
			stats := map[int]string{}
			if tt.stat != "" {
				stats[40] = tt.stat
			}
			want := map[string]session.Live{}
			if tt.want != nil {
				want[liveID] = *tt.want
			}
			if diff := cmp.Diff(want, session.ReadLive(root, fakeProc(t, stats))); diff != "" {
				t.Errorf("ReadLive (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadLiveTimesAreOfOurAge(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"-1", "0", "1e300", `"soon"`, "99999999999999999"} {
		root := t.TempDir()
		writeFile(t, filepath.Join(root, "sessions", "40.json"),
			`{"sessionId":"`+liveID+`","procStart":"123","status":"idle","statusUpdatedAt":`+at+`}`)
		l := session.ReadLive(root, fakeProc(t, map[int]string{40: stat(40, "claude", "S", 123)}))[liveID]
		if !l.Since.IsZero() || l.State != session.StateIdle {
			t.Errorf("statusUpdatedAt %s: %+v", at, l)
		}
	}
}

func TestReadLiveOtherFiles(t *testing.T) {
	t.Parallel()
	good := `{"sessionId":"` + liveID + `","procStart":"123","status":"idle"}`
	root, outside := t.TempDir(), t.TempDir()
	dir := filepath.Join(root, "sessions")
	for _, name := range []string{"040.json", "-40.json", "0.json", "4194305.json", "x.json", "40.json.tmp", "99999999999999999999.json"} {
		writeFile(t, filepath.Join(dir, name), good)
	}
	writeFile(t, filepath.Join(outside, "f"), good)
	for name, make := range map[string]func(string) error{
		"41.json": func(name string) error { return os.Mkdir(name, 0o700) },
		"42.json": func(name string) error { return syscall.Mkfifo(name, 0o600) },
	} {
		if err := make(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	stats := map[int]string{}
	for _, pid := range []int{40, 41, 42} {
		stats[pid] = stat(pid, "claude", "S", 123)
	}
	if got := session.ReadLive(root, fakeProc(t, stats)); len(got) != 0 {
		t.Errorf("ReadLive = %v, want none", got)
	}
	if got := session.ReadLive(filepath.Join(root, "none"), fakeProc(t, stats)); len(got) != 0 {
		t.Errorf("ReadLive without a registry = %v", got)
	}
}

func TestReadLiveDomains(t *testing.T) {
	t.Parallel()
	record := func(domain string) string {
		return `{"sessionId":"` + liveID + `","procStart":"123","status":"idle","pidDomain":"` + domain + `"}`
	}
	read := func(t *testing.T, domain string) (session.Live, bool) {
		root := t.TempDir()
		writeFile(t, filepath.Join(root, "sessions", "40.json"), record(domain))
		l, ok := session.ReadLive(root, fakeProc(t, map[int]string{40: stat(40, "vim", "S", 9)}))[liveID]
		return l, ok
	}
	own := ownDomain(t)
	if l, ok := read(t, own); ok {
		t.Errorf("a used-again id of our own domain counts as live: %+v", l)
	}
	for _, domain := range []string{strings.Replace(own, "[77]", "[78]", 1), "linux:0000:pid:[77]"} {
		l, ok := read(t, domain)
		if !ok || l.State != session.StateUnknown || !strings.Contains(l.Reason, "cannot be looked at") || !strings.Contains(l.Where, "pid 40") {
			t.Errorf("domain %s: %v %+v", domain, ok, l)
		}
	}
}

// F1: two processes with one session are shown, not hidden.
func TestReadLiveTwice(t *testing.T) {
	t.Parallel()
	for _, newest := range []int{40, 41} {
		root := t.TempDir()
		stats := map[int]string{}
		for _, pid := range []int{40, 41} {
			updated := 1000
			if pid == newest {
				updated = 2000
			}
			stats[pid] = stat(pid, "claude", "S", 123)
			writeFile(t, filepath.Join(root, "sessions", strconv.Itoa(pid)+".json"), fmt.Sprintf(
				`{"sessionId":"%s","procStart":"123","status":"waiting","waitingFor":"x","updatedAt":%d}`, liveID, updated))
		}
		l := session.ReadLive(root, fakeProc(t, stats))[liveID]
		if want := fmt.Sprintf("x; also open in pid %d", 81-newest); l.PID != newest || l.Reason != want {
			t.Errorf("newest %d: got pid %d, %q", newest, l.PID, l.Reason)
		}
	}
}

// A real process, and another one that is said to have its id.
func TestReadLiveRealProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	kill := func() { _, _ = cmd.Process.Kill(), cmd.Wait() }
	t.Cleanup(kill)
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	start, err := strconv.Atoi(strings.Fields(string(data))[21]) // "sleep" holds no blank
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	file := filepath.Join(root, "sessions", strconv.Itoa(pid)+".json")
	record := func(start int) string {
		return fmt.Sprintf(`{"pid":%d,"sessionId":"%s","procStart":"%d","status":"idle"}`, pid, liveID, start)
	}
	writeFile(t, file, record(start))
	if l, ok := session.ReadLive(root, "/proc")[liveID]; !ok || l.State != session.StateIdle {
		t.Errorf("a running process: %v %+v", ok, l)
	}
	if l, ok := session.ReadLive(root, "")[liveID]; !ok || l.State != session.StateUnknown {
		t.Errorf("without /proc: %v %+v", ok, l)
	}
	writeFile(t, file, record(start-1))
	if l, ok := session.ReadLive(root, "/proc")[liveID]; ok {
		t.Errorf("an id that was used again counts as live: %+v", l)
	}
	writeFile(t, file, record(start))
	kill()
	for _, proc := range []string{"/proc", ""} {
		if l, ok := session.ReadLive(root, proc)[liveID]; ok {
			t.Errorf("a process that is gone counts as live with %q: %+v", proc, l)
		}
	}
}

func TestReadLiveName(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "sessions", "40.json"),
		`{"sessionId":"`+liveID+`","procStart":"1","status":"idle","name":"a\u202eb\u0007c","nameSource":"user"}`)
	writeFile(t, filepath.Join(root, "sessions", "41.json"),
		`{"sessionId":"`+otherID+`","procStart":"1","status":"idle","name":"repo-x1","nameSource":"derived"}`)
	live := session.ReadLive(root, fakeProc(t, map[int]string{40: stat(40, "c", "S", 1), 41: stat(41, "c", "S", 1)}))
	if live[liveID].Name != "a b c" || live[otherID].Name != "" {
		t.Errorf("names %q and %q", live[liveID].Name, live[otherID].Name)
	}
}
