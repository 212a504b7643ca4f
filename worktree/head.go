package worktree

import (
	"os"
	"path/filepath"
	"strings"
)

const branchPrefix = "refs/heads/"

// invalid is what HEAD names where refs are not kept in files (reftable): the
// file is there for old programs only (report E3).
const invalid = "refs/heads/.invalid"

// head is what a checkout's HEAD says.
type head struct {
	branch string // short name, "" when detached
	hash   string // when detached
}

// readHead reads the HEAD of a git directory. Nothing is known of a HEAD that
// cannot be read, or that is a stub.
func readHead(dir string) head {
	file := filepath.Join(dir, "HEAD")
	line, err := readLine(file)
	if target, errLink := os.Readlink(file); errLink == nil {
		line, err = "ref: "+target, nil // the form of git before 2005, still read
	}
	if err != nil {
		return head{}
	}
	if ref, ok := strings.CutPrefix(line, "ref:"); ok {
		ref = strings.TrimSpace(ref)
		if branch, ok := strings.CutPrefix(ref, branchPrefix); ok && ref != invalid {
			return head{branch: branch}
		}
		return head{}
	}
	if isHash(line) {
		return head{hash: line}
	}
	return head{}
}

// isHash reports whether s is an object name: 40 or 64 hexadecimal digits.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// operation says what is under way in a checkout, by the files that git keeps
// of it in its git directory, and the branch that will be checked out again
// when it ends: HEAD names none meanwhile.
func operation(dir string) (name, branch string) {
	has := func(file string) bool { return exists(filepath.Join(dir, file)) }
	line := func(file string) string {
		text, _ := readLine(filepath.Join(dir, file))
		return text
	}
	switch {
	case has("rebase-merge"):
		return "rebase", trimBranch(line("rebase-merge/head-name"))
	case has("rebase-apply/applying"):
		return "am", ""
	case has("rebase-apply"):
		return "rebase", trimBranch(line("rebase-apply/head-name"))
	case has("BISECT_LOG"):
		if start := line("BISECT_START"); !isHash(start) {
			return "bisect", strings.TrimPrefix(start, branchPrefix)
		}
		return "bisect", ""
	case has("MERGE_HEAD"):
		return "merge", ""
	case has("CHERRY_PICK_HEAD"):
		return "cherry-pick", ""
	case has("REVERT_HEAD"):
		return "revert", ""
	}
	return "", ""
}

// trimBranch returns the short name of a branch, "" for anything else.
func trimBranch(ref string) string {
	branch, ok := strings.CutPrefix(ref, branchPrefix)
	if !ok {
		return ""
	}
	return branch
}
