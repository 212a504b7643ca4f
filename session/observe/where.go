package observe

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"coppice/session/proc"
)

// Finder finds out where agents run that are not ours.
type Finder struct {
	Proc string // the /proc file system, "" where there is none
	Tmux string // the tmux program, "" for none
}

// Limits of what is asked for one process.
const (
	tmuxWait    = 500 * time.Millisecond
	tmuxMax     = 1 << 20 // bytes of a list of panes
	environMax  = 1 << 20 // bytes
	generations = 64      // from a process up to its pane's
)

// Where says where a process runs: its pane of tmux, or else its terminal; "" when
// neither is known. It may take a moment, and bounds it.
func (f Finder) Where(ctx context.Context, pid int) string {
	if f.Proc == "" || pid <= 0 {
		return ""
	}
	if pane := f.pane(ctx, pid); pane != "" {
		return fmt.Sprintf("tmux %s (pid %d)", pane, pid)
	}
	if tty, err := os.Readlink(f.of(pid, "fd/0")); err == nil && strings.HasPrefix(tty, "/dev/") && tty != os.DevNull {
		return fmt.Sprintf("%s (pid %d)", line(strings.TrimPrefix(tty, "/dev/")), pid)
	}
	return ""
}

func (f Finder) of(pid int, name string) string {
	return filepath.Join(f.Proc, strconv.Itoa(pid), name)
}

// pane returns the pane of tmux that a process runs in, "session:window.pane": the
// one whose process is among its parents. What the environment of the process says
// would name the pane, too, but is inherited by what runs elsewhere; only which
// server to ask is taken from it.
func (f Finder) pane(ctx context.Context, pid int) string {
	socket := f.socket(pid)
	if f.Tmux == "" || socket == "" {
		return ""
	}
	panes := f.panes(ctx, socket)
	for range generations {
		if name, ok := panes[pid]; ok {
			return name
		}
		p, ok := proc.Of(f.Proc, pid)
		if !ok {
			return ""
		}
		pid = p.Parent
	}
	return ""
}

// socket returns the socket of the tmux server that a process was started in, ""
// for none.
func (f Finder) socket(pid int) string {
	file, err := os.Open(f.of(pid, "environ"))
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	data := make([]byte, environMax)
	n, _ := file.Read(data)
	for entry := range bytes.SplitSeq(data[:n], []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte("TMUX=")); ok {
			socket, _, _ := strings.Cut(string(value), ",")
			if info, err := os.Stat(socket); filepath.IsAbs(socket) && err == nil && info.Mode()&os.ModeSocket != 0 {
				return socket
			}
		}
	}
	return ""
}

// panes returns the panes of a server by the processes in them.
func (f Finder) panes(ctx context.Context, socket string) map[int]string {
	ctx, cancel := context.WithTimeout(ctx, tmuxWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, f.Tmux, "-u", "-S", socket, "list-panes", "-a",
		"-F", "#{pane_pid} #{session_name}:#{window_index}.#{pane_index}")
	cmd.Env = []string{} // it needs none, and asks the server that the socket names
	cmd.WaitDelay = tmuxWait
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	panes := map[int]string{}
	for row := range strings.Lines(string(out[:min(len(out), tmuxMax)])) {
		pid, name, _ := strings.Cut(row, " ")
		if n, err := strconv.Atoi(pid); err == nil {
			panes[n] = line(name)
		}
	}
	return panes
}
