package owner

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"coppice/session/proc"
	"coppice/worktree"
)

// processesMax bounds how many processes are named.
const processesMax = 5

// processes names the processes whose working directory is in a worktree, but for
// this one, as far as the system tells. files is the /proc file system, "" where
// there is none.
func processes(files, path string) []string {
	var found []string
	for _, pid := range proc.IDs(files) {
		dir := filepath.Join(files, strconv.Itoa(pid))
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		if err != nil || pid == os.Getpid() || !worktree.Within(path, cwd) {
			continue
		}
		data, _ := os.ReadFile(filepath.Join(dir, "comm"))
		program := strings.TrimSpace(string(data))
		if p, _ := proc.Of(files, pid); program == "git" && p.Parent == os.Getpid() {
			continue // a question of our own, which ends by itself
		}
		found = append(found, fmt.Sprintf("process %d (%s)", pid, program))
		if len(found) == processesMax {
			break
		}
	}
	return found
}
