package runtime

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"coppice/transcript"
)

// detached is the branch that is recorded where none was checked out.
const detached = "HEAD"

// check compares what the transcript says with itself and with what is there.
func (l *loader) check() error {
	sum := &l.out.Summary
	if sum.SessionID != "" && !strings.EqualFold(sum.SessionID, l.id) {
		l.find(CheckID, "the rows name the session %s, the file %s", plain(sum.SessionID), plain(l.id))
	}
	if b := sum.Branch; b != "" && b != detached && l.env.Branch != "" && b != l.env.Branch {
		l.find(CheckBranch, "the session was last on the branch %s; checked out is %s", plain(sum.Branch), plain(l.env.Branch))
	}
	if n := l.records.unknownKinds; n > 0 {
		l.find(CheckReplacement, "replacements of a kind that is not known, %d in number: their results are sent whole", n)
	}
	if l.source != FromStore {
		return nil
	}
	if keeps := l.settings.Retention(); transcript.Expiring(l.modified, l.env.Now, keeps) {
		l.find(CheckRetention, "the transcript was last written on %s: the agent deletes those older than %d days",
			l.modified.UTC().Format("2006-01-02"), keeps/day)
	}
	l.checkSideFiles()
	return l.checkBinding()
}

// checkBinding looks at the worktree that the session is bound to.
func (l *loader) checkBinding() error {
	w := l.out.Summary.Worktree
	if w == nil || l.env.Fork {
		return nil
	}
	if !filepath.IsAbs(w.Path) || !isDir(w.Path) {
		l.find(CheckWorktree, "the session is bound to the worktree %s, which is gone", plain(w.Path))
	}
	data, err := l.records.bytes(l.records.worktree)
	if err != nil {
		return err
	}
	if other := gjson.GetBytes(data, "worktreeSession.sessionId").Str; other != "" && !strings.EqualFold(other, l.id) {
		l.find(CheckBinding, "the binding to the worktree %s names the session %s", plain(w.Path), plain(other))
	}
	return nil
}

// checkSideFiles looks for the files that hold results which were too long for
// the transcript. Paths are recorded absolute and never rewritten (observed A.6),
// so the same name in the session's own folder counts as well.
func (l *loader) checkSideFiles() {
	own, ok := l.root.below(l.path)
	if !ok {
		return
	}
	own = filepath.Join(strings.TrimSuffix(own, filepath.Ext(own)), "tool-results")
	var gone, moved []string
	seen := map[string]bool{}
	for _, path := range l.walker.sideFiles {
		if seen[path] {
			continue
		}
		seen[path] = true
		if name, ok := l.root.below(filepath.Clean(path)); ok && l.root.regular(name) {
			continue
		}
		if base := filepath.Base(path); plainName(base) && l.root.regular(filepath.Join(own, base)) {
			moved = append(moved, path)
		} else {
			gone = append(gone, path)
		}
	}
	if len(gone) > 0 {
		l.find(CheckSideFile, "texts of results are gone, %d in number: %s is the first file", len(gone), plain(gone[0]))
	}
	if len(moved) > 0 {
		l.find(CheckSidePath, "texts of results are in the session's own folder, not where the rows say, %d in number: %s is the first file", len(moved), plain(moved[0]))
	}
}

func (l *loader) find(check Check, format string, args ...any) {
	l.out.Findings = append(l.out.Findings, Finding{check, fmt.Sprintf(format, args...)})
}

// maxPlain bounds recorded text in a sentence of ours, in characters.
const maxPlain = 300

// plain makes recorded text harmless in a sentence of ours.
func plain(s string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		switch n++; {
		case n == maxPlain:
			return '…'
		case n > maxPlain:
			return -1
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
