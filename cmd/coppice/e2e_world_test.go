package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"coppice/session/host"
	"coppice/session/sessiontest"
	"coppice/transcript/transcripttest"
	"coppice/ui/screentest"
	"coppice/worktree/worktreetest"
)

// world is all that a run of the program can see: a home with a configuration, a
// store, and directories to work in. The default agent is the scripted one.
type world struct {
	t    *testing.T
	bin  string            // programs
	home string            // symlinks resolved
	root sessiontest.Root  // config root of the agent
	env  map[string]string // of the program
}

// newWorld returns a world without sessions.
func newWorld(t *testing.T, bin string) *world {
	t.Helper()
	return worldAt(t, bin, worktreetest.Dir(t))
}

// worldAt returns a world whose home is a directory that exists and is empty.
func worldAt(t *testing.T, bin, home string) *world {
	t.Helper()
	w := &world{t: t, bin: bin, home: home, root: sessiontest.Root(filepath.Join(home, ".claude"))}
	worktreetest.MkdirAll(t, w.root.Projects())
	worktreetest.MkdirAll(t, w.src())
	worktreetest.MkdirAll(t, w.path("races"))
	w.env = map[string]string{
		"PATH":                   os.Getenv("PATH"),
		"HOME":                   home,
		"TERM":                   "xterm-256color",
		"COLORTERM":              "truecolor",
		"LANG":                   "C.UTF-8",
		"GIT_CONFIG_GLOBAL":      os.DevNull,
		"GIT_CONFIG_NOSYSTEM":    "1",
		"GORACE":                 "atexit_sleep_ms=0 log_path=" + w.path("races", "race"),
		"FAKEAGENT_LOG":          w.path("starts"),
		"FAKEAGENT_SCRIPT":       w.path("script"),
		"CLAUDECODE":             "1", // as started by an agent: none of it may reach the next one
		"CLAUDE_CODE_SESSION_ID": "99999999-9999-4999-8999-999999999999",
		"GIT_DIR":                w.path("nowhere"),
	}
	worktreetest.WriteFile(t, w.path(".local", "state", "coppice", "run"), "") // no hosts: agents run in the foreground
	w.configure("[agents.claude]\ncommand = [" + sessiontest.Quote(filepath.Join(bin, "fakeagent")) + "]\n")
	t.Cleanup(func() {
		races, err := filepath.Glob(w.path("races", "*"))
		if err != nil {
			t.Error(err)
		}
		for _, race := range races {
			text, err := os.ReadFile(race)
			t.Errorf("data race (%v):\n%s", err, text)
		}
	})
	return w
}

// behind lets agents run behind the window. They are ended with the test.
func (w *world) behind() host.Dirs {
	w.t.Helper()
	run, err := os.MkdirTemp("", "run") // short, as the names of sockets must be
	if err != nil {
		w.t.Fatal(err)
	}
	w.env["XDG_RUNTIME_DIR"] = run
	dirs := host.Dirs{Runtime: filepath.Join(run, "coppice"), State: w.path(".local", "state", "coppice")}
	w.t.Cleanup(func() {
		all, err := host.List(context.Background(), dirs)
		for _, h := range all {
			if h.State == host.Running {
				_, err = host.Stop(context.Background(), dirs, h.Host)
			}
		}
		if err != nil {
			w.t.Error(err)
		}
		_ = os.RemoveAll(run)
	})
	return dirs
}

// path returns the path of a file in the home.
func (w *world) path(elem ...string) string {
	return filepath.Join(append([]string{w.home}, elem...)...)
}

// src is where the repositories lie.
func (w *world) src(elem ...string) string { return w.path(append([]string{"src"}, elem...)...) }

// configure writes the configuration.
func (w *world) configure(text string) {
	w.t.Helper()
	worktreetest.WriteFile(w.t, w.path(".config", "coppice", "config.toml"), text)
}

// script tells the next agents what to do: NAME=value without the prefix.
func (w *world) script(settings ...string) {
	w.t.Helper()
	worktreetest.WriteFile(w.t, w.path("script"), "FAKEAGENT_"+strings.Join(settings, "\nFAKEAGENT_")+"\n")
}

// command returns a run of coppice that has not started.
func (w *world) command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(w.bin, "coppice"), args...)
	cmd.Dir, cmd.Env = dir, w.environ()
	return cmd
}

func (w *world) environ() []string {
	var env []string
	for name, value := range w.env {
		env = append(env, name+"="+value)
	}
	sort.Strings(env)
	return env
}

// open opens the dashboard in a directory on a terminal of its own.
func (w *world) open(width, height int, dir string, args ...string) *screentest.Process {
	w.t.Helper()
	return screentest.Start(w.t, width, height, w.command(dir, args...))
}

// repo makes a repository with one commit on main.
func (w *world) repo(name string) worktreetest.Repo {
	w.t.Helper()
	return worktreetest.New(w.t, w.src(name))
}

// talk is what a session of a world is written with: a builder whose first row is
// as old as said.
func (w *world) talk(n int, dir, branch string, age time.Duration) *transcripttest.Builder {
	b := transcripttest.New(sessiontest.ID(n))
	b.Dir, b.Branch, b.Time = dir, branch, time.Now().Add(-age)
	return b
}

// save writes a session where its directory says, as old as its last row, and
// returns the path.
func (w *world) save(b *transcripttest.Builder) string {
	w.t.Helper()
	path := w.root.Path(b.Dir, b.SessionID)
	worktreetest.WriteFile(w.t, path, string(b.Bytes()))
	if err := os.Chtimes(path, b.Time, b.Time); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// session writes a short session with a title.
func (w *world) session(n int, dir, branch string, age time.Duration, title string) string {
	w.t.Helper()
	return w.save(w.talk(n, dir, branch, age).User("please " + title).
		Assistant(transcripttest.Text("I will " + title + ".")).Title(title))
}

// agentStart is how an agent was started.
type agentStart struct {
	PID  int
	Cwd  string
	Args []string
	Env  map[string]string
}

// starts returns how the agents were started so far.
func (w *world) starts() []agentStart {
	w.t.Helper()
	f, err := os.Open(w.path("starts"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []agentStart
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s agentStart
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			w.t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// register writes the file by which an agent process says that it has a session
// open.
func (w *world) register(pid int, id, status, waitingFor string, since time.Duration) {
	w.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		w.t.Skip("needs /proc")
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	at := time.Now().Add(-since).UnixMilli()
	w.root.WriteFile(w.t, filepath.Join("sessions", fmt.Sprint(pid)+".json"), fmt.Sprintf(
		`{"pid":%d,"sessionId":%q,"procStart":%q,"kind":"interactive","status":%q,"waitingFor":%q,"statusUpdatedAt":%d,"updatedAt":%[6]d}`,
		pid, id, fields[19], status, waitingFor, at))
}

// leaves presses the key that quits and checks that nothing is left behind.
func leaves(t *testing.T, p *screentest.Process, keys ...string) {
	t.Helper()
	p.Press(keys...)
	if code := p.Exit(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.Snapshot().Text())
	}
	restored(t, p)
}

// restored checks that an ended program has left the terminal as it was (report
// G9).
func restored(t *testing.T, p *screentest.Process) {
	t.Helper()
	if left := p.Left(); len(left) > 0 {
		t.Errorf("left on: %q", left)
	}
}

// chosen waits until the session with this title is under the cursor. Only the
// beginning of the title has to show.
func chosen(p *screentest.Process, title string) *screentest.Snapshot {
	return p.Wait("the cursor on "+title, func(s *screentest.Snapshot) bool {
		for y := range s.Height {
			_, row, ok := strings.Cut(s.Line(y), "▸")
			for ok {
				if strings.HasPrefix(strings.TrimLeft(row, " ✗!●◌?├└│─▾▸"), title) {
					return true
				}
				_, row, ok = strings.Cut(row, "▸")
			}
		}
		return false
	})
}

// box returns the words in the box with this title, without regard to lines. It
// is not ok unless the box has straight sides.
func box(s *screentest.Snapshot, title string) (words string, ok bool) {
	x, y, ok := s.Find(title)
	left, right := x-2, x // "┌▸title"
	if !ok || left < 0 {
		return "", false
	}
	for right < s.Width-1 && s.Cells[y][right].Text != "┐" {
		right++
	}
	for y++; y < s.Height && s.Cells[y][left].Text == "│" && s.Cells[y][right].Text == "│"; y++ {
		for _, c := range s.Cells[y][left+1 : right] {
			words += c.Text
		}
		words += " "
	}
	ok = y < s.Height && s.Cells[y][left].Text == "└" && s.Cells[y][right].Text == "┘"
	return strings.Join(strings.Fields(words), " "), ok
}

// says waits until the box with this title says all of this.
func says(p *screentest.Process, title string, all ...string) *screentest.Snapshot {
	return p.Wait(title+": "+strings.Join(all, " … "), func(s *screentest.Snapshot) bool {
		words, ok := box(s, title)
		for _, want := range all {
			ok = ok && strings.Contains(words, want)
		}
		return ok
	})
}
