package owner

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"coppice/worktree"
)

// processesMax bounds how many processes are named.
const processesMax = 5

// processes names the processes whose working directory is in a worktree, but for
// this one, as far as the system tells. proc is the /proc file system, "" where
// there is none.
func processes(proc, path string) []string {
	if proc == "" {
		return nil
	}
	dir, err := os.Open(proc)
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	var found []string
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		cwd, err := os.Readlink(filepath.Join(proc, name, "cwd"))
		if err != nil || !worktree.Within(path, cwd) {
			continue
		}
		data, _ := os.ReadFile(filepath.Join(proc, name, "comm"))
		program := strings.TrimSpace(string(data))
		if program == "git" && parent(proc, name) == os.Getpid() {
			continue // a question of our own, which ends by itself
		}
		found = append(found, fmt.Sprintf("process %d (%s)", pid, program))
		if len(found) == processesMax {
			break
		}
	}
	return found
}

// parent returns the process that started another, 0 when that is not known.
func parent(proc, pid string) int {
	stat, _ := os.ReadFile(filepath.Join(proc, pid, "stat"))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // behind a name that may hold anything
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.Atoi(fields[1])
	return id
}
