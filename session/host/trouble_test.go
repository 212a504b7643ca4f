package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coppice/session/agent"
	"coppice/session/host"
	"coppice/transcript/faulttest"
)

func TestRuntimeDirectory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(w *world)
		says  string
	}{
		"others may use it": {func(w *world) { _ = os.Mkdir(w.Runtime, 0o700); _ = os.Chmod(w.Runtime, 0o755) }, "chmod 700"},
		"a link":            {func(w *world) { _ = os.Symlink("/tmp", w.Runtime) }, "is a link"},
		"a file":            {func(w *world) { _ = os.WriteFile(w.Runtime, nil, 0o600) }, "not a directory"},
		"too long":          {func(w *world) { w.Runtime = filepath.Join(w.Runtime, strings.Repeat("x", 90)) }, "shorter path"},
		"below a file":      {func(w *world) { _ = os.WriteFile(w.Runtime, nil, 0o600); w.Runtime += "/run" }, "XDG_RUNTIME_DIR"},
		"another's": {func(w *world) {
			_ = os.Mkdir(w.Runtime, 0o700)
			if os.Chown(w.Runtime, 12345, 12345) != nil {
				_ = os.Symlink("/tmp", w.Runtime) // only root can give it away
			}
		}, "another"},
	} {
		w := newWorld(t)
		c.spoil(w)
		if _, err := w.tryStart(w.shell("exit")); !errors.Is(err, host.ErrRuntime) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The directory of a login goes, and comes back empty: a host makes its socket
// again when somebody wants to connect.
func TestRuntimeDirectoryRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(answering)
	w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	if err := os.RemoveAll(w.Runtime); err != nil {
		t.Fatal(err)
	}
	v.Send([]byte("still here\r"))
	w.see(v, "<still here>")
	again := w.attach(spec.Host)
	w.see(again, "<still here>")
	if h := w.state(spec.Host); h.State != host.Running {
		t.Errorf("listed as %+v", h)
	}
	if err := os.RemoveAll(w.Runtime); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Runtime, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if h := w.state(spec.Host); h.State != host.Unreachable || !strings.Contains(h.Reason, w.Runtime) {
		t.Errorf("listed as %+v", h)
	}
	if info, err := host.Stop(t.Context(), w.Dirs, spec.Host); err != nil || info.Exit == nil {
		t.Errorf("stopped: %+v, %v", info, err)
	}
}

func TestStaleSocket(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(answering)
	info := w.start(spec)
	if err := syscall.Kill(info.HostPID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.until("the host is gone", func() bool { return w.state(spec.Host).State == host.Gone })
	if _, err := os.Stat(filepath.Join(w.Runtime, spec.Host+".sock")); err != nil {
		t.Fatal(err)
	}
	if _, err := host.Attach(t.Context(), w.Dirs, spec.Host, 80, 24); !errors.Is(err, host.ErrGone) {
		t.Errorf("attach: %v", err)
	}
	if err := os.Remove(filepath.Join(w.State, "hosts", spec.Host+".json")); err != nil {
		t.Fatal(err)
	}
	if h := w.state(spec.Host); h.State != "" {
		t.Errorf("a socket alone is listed as %+v", h)
	}
	if _, err := host.Attach(t.Context(), w.Dirs, spec.Host, 80, 24); !errors.Is(err, host.ErrUnknown) {
		t.Errorf("attach: %v", err)
	}
	if err := host.Forget(w.Dirs, spec.Host); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(w.Runtime); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// editRecord changes what the record of a host says.
func (w *world) editRecord(id string, change func(map[string]any)) {
	w.t.Helper()
	path := filepath.Join(w.State, "hosts", id+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	record := map[string]any{}
	if err := json.Unmarshal(data, &record); err != nil {
		w.t.Fatal(err)
	}
	change(record)
	if data, err = json.Marshal(record); err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// The id of a host's process may be that of another one now, and records come from
// other places.
func TestRecordOfAnotherProcess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key, value string
		want       host.State
	}{
		"pid reuse":       {"start", "1", host.Gone},
		"reboot":          {"boot", "an earlier one", host.Gone},
		"another machine": {"machine", "another one", host.Foreign},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			spec := w.shell(answering)
			info := w.start(spec)
			w.editRecord(spec.Host, func(r map[string]any) { r["process"].(map[string]any)[c.key] = c.value })
			if h := w.state(spec.Host); h.State != c.want || h.Reason == "" || h.Name != "a name" {
				t.Errorf("listed as %+v", h)
			}
			if _, err := host.Stop(t.Context(), w.Dirs, spec.Host); err == nil || !running(info.HostPID) {
				t.Errorf("the other process was ended: %v", err)
			}
		})
	}
}

func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(answering)
	w.start(spec)
	hosts := filepath.Join(w.State, "hosts")
	for name, text := range map[string]string{
		"empty000": "", "half0000": `{"host":"half0000","na`, "other000": `{"host":"../../x","socket":"/etc/passwd"}`,
		"newer000": `{"version":99,"host":"newer000"}`, "wrong000": `{"host":"wrong000","process":7}`, "list0000": `[]`,
	} {
		if err := os.WriteFile(filepath.Join(hosts, name+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if h := w.state(name); h.State != host.Unreachable || h.Reason == "" || h.Host != name {
			t.Errorf("%s is listed as %+v", text, h)
		}
	}
	if err := os.WriteFile(filepath.Join(hosts, spec.Host+".json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if h := w.state(spec.Host); h.State != host.Running || h.Name != "a name" {
		t.Errorf("it answers, and is listed as %+v", h)
	}
	w.see(w.attach(spec.Host), "ready")
}

// F4: a full disk costs the memory of it, not the session.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.program = w.as("host without records")
	spec := w.shell(`ulimit -f unlimited 2>/dev/null; ` + answering)
	spec.Root, spec.Session = w.State, "a-session"
	w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	if h := w.state(spec.Host); h.State != host.Running || !strings.Contains(h.Reason, "nobody will know") {
		t.Errorf("listed as %+v", h)
	}
	if id, held, err := host.Held(w.Dirs, spec.Root, spec.Session); !held || id != "" || err != nil {
		t.Errorf("held by %q: %v, %v", id, held, err)
	}
	v.Send([]byte{4})
	if err := w.ended(v); err != nil {
		t.Error(err)
	}
}

// Nobody else gets in, even where the directory would let them.
func TestForeignUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run a process of another user")
	}
	w := newWorld(t)
	spec := w.shell(answering)
	w.start(spec)
	socket := filepath.Join(w.Runtime, spec.Host+".sock")
	if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for path, mode := range map[string]os.FileMode{filepath.Dir(w.Runtime): 0o755, w.Runtime: 0o755, socket: 0o777} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(filepath.Dir(w.Runtime), "program") // where others can run it
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = faulttest.WriteProgram(program, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	connect := func(uid uint32) string {
		cmd := exec.Command(program)
		cmd.Dir, cmd.Env = "/", []string{"HOST_ROLE=connect " + socket}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if got := connect(12345); got != "0" {
		t.Errorf("another user got %s bytes", got)
	}
	if got := connect(0); got == "0" {
		t.Error("its own user got nothing")
	}
	if err := os.Chmod(w.Runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	w.see(w.attach(spec.Host), "ready")
}

// frame is one of a host or a viewer.
func frame(kind byte, payload string) []byte {
	n := len(payload)
	return append([]byte{kind, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}, payload...)
}

// A host of another version goes on, and can be ended.
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell("exit")
	if err := errors.Join(os.MkdirAll(w.Runtime, 0o700), os.MkdirAll(filepath.Join(w.State, "hosts"), 0o700)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(w.Runtime, spec.Host+".sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	sizes := make(chan int, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write(frame('H', fmt.Sprintf(`{"protocol":7,"new":[1],"info":{"host":%q,"name":"from then"}}`, spec.Host)))
			buf := make([]byte, 1000)
			for {
				n, err := conn.Read(buf)
				if err != nil {
					break
				}
				if strings.Contains(string(buf[:n]), "S\x04\x00\x00\x00") {
					_, _ = conn.Write(frame('Z', "what is new"))
					_, _ = conn.Write(frame('X', `{"exit":{"code":3}}`))
				}
				sizes <- n
			}
			_ = conn.Close()
		}
	}()
	if h := w.state(spec.Host); h.State != host.Version || !strings.Contains(h.Reason, "newer") || h.Protocol != 7 {
		t.Errorf("listed as %+v", h)
	}
	if _, err := host.Attach(t.Context(), w.Dirs, spec.Host, 80, 24); !errors.Is(err, host.ErrVersion) {
		t.Errorf("attach: %v", err)
	}
	var exit *agent.ExitError
	if info, err := host.Stop(t.Context(), w.Dirs, spec.Host); err != nil || !errors.As(info.Err(), &exit) || exit.Code != 3 {
		t.Errorf("stop: %+v, %v", info, err)
	}
}

// Whatever comes in by one connection costs that connection only.
func TestHostileConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(answering)
	w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	hello := string(frame('H', `{"protocol":1}`))
	for _, bytes := range []string{
		"", "G", "GET / HTTP/1.1\r\n\r\n", "H\xff\xff\xff\xff", "H\x00\x00\x00\x00", string(frame('H', `[]`)) + "?",
		string(frame('H', "{")), string(frame('H', `{"protocol":99}`)) + string(frame('V', "\x50\x00\x18\x00")),
		hello + "I\xff\xff\xff\x7f", hello + string(frame('V', "\x01")), hello + string(frame('V', "\x00\x00\x00\x00\x00")),
		hello + string(frame('R', "")), hello + string(frame('S', "\x00")), hello + string(frame('?', "")), hello + string(frame('D', "x")),
		hello + strings.Repeat(string(frame('B', "/")), 5000), hello + string(frame('A', "")) + string(frame('V', "\x00\x00\x00\x00")) + string(frame('V', "\x00\x00\x00\x00")),
	} {
		conn, err := net.Dial("unix", filepath.Join(w.Runtime, spec.Host+".sock"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(bytes))
		_ = conn.(*net.UnixConn).CloseWrite()
		buf := make([]byte, 4096)
		for err == nil {
			_, err = conn.Read(buf)
		}
		_ = conn.Close()
	}
	v.Resize(80, 24)
	v.Send([]byte("unharmed\r"))
	w.see(v, "<unharmed>")
}

// A host that does not answer is told from one that is gone, and does not hold up
// the others.
func TestStoppedHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stopped, fine := w.shell(answering), w.shell(answering)
	info := w.start(stopped)
	w.start(fine)
	if err := syscall.Kill(info.HostPID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	w.until("it does not answer", func() bool { // a signal takes its time
		h := w.state(stopped.Host)
		return h.State == host.Unreachable && h.Reason != ""
	})
	if h := w.state(fine.Host); h.State != host.Running {
		t.Errorf("listed as %+v", h)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := host.Attach(ctx, w.Dirs, stopped.Host, 80, 24); err == nil {
		t.Error("attached")
	}
	if err := syscall.Kill(info.HostPID, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	w.see(w.attach(stopped.Host), "ready")
}
