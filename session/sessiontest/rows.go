package sessiontest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Base is the time at which fixtures begin.
func Base() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }

// Talk writes the rows of one session. Each row comes a minute after the one
// before it.
type Talk struct {
	ID         string
	Dir        string
	Branch     string
	Entrypoint string // "" for "cli"
	ForkedFrom string
	At         time.Time // of the first row; the zero value means Base

	rows int
	last string
}

// User is a prompt that a person typed.
func (k *Talk) User(text string) string {
	return k.row("user", fmt.Sprintf(`"message":{"role":"user","content":%s}`, Quote(text)))
}

// Assistant is an answer.
func (k *Talk) Assistant(text string) string {
	return k.row("assistant", fmt.Sprintf(
		`"message":{"id":"msg_%04d","type":"message","role":"assistant","model":"model-a","content":[{"type":"text","text":%s}]}`,
		k.rows, Quote(text)))
}

// Sidechain is an agent's row.
func (k *Talk) Sidechain(text string) string {
	return strings.Replace(k.User(text), `"isSidechain":false`, `"isSidechain":true`, 1)
}

// Team is a prompt of an agent team.
func (k *Talk) Team(text string) string {
	return k.row("user", fmt.Sprintf(`"teamName":"blue","message":{"role":"user","content":%s}`, Quote(text)))
}

// Local is a local command, which is no conversation.
func (k *Talk) Local(name string) string {
	return k.row("user", fmt.Sprintf(`"message":{"role":"user","content":%s}`,
		Quote("<command-name>"+name+"</command-name>\n<command-message>"+name[1:]+"</command-message>\n<command-args></command-args>")))
}

func (k *Talk) row(kind, rest string) string {
	at := k.At
	if at.IsZero() {
		at = Base()
	}
	at = at.Add(time.Duration(k.rows) * time.Minute)
	k.rows++
	parent := "null"
	if k.last != "" {
		parent = Quote(k.last)
	}
	k.last = fmt.Sprintf("%08d-0000-4000-8000-%s", k.rows, k.ID[24:])
	entry := k.Entrypoint
	if entry == "" {
		entry = "cli"
	}
	fork := ""
	if k.ForkedFrom != "" {
		fork = fmt.Sprintf(`,"forkedFrom":{"sessionId":%s,"messageUuid":%s}`, Quote(k.ForkedFrom), Quote(k.last))
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"type":%q,%s,"uuid":%q,"timestamp":%q,"userType":"external","entrypoint":%q,"cwd":%s,"sessionId":%q,"version":"2.1.0","gitBranch":%s%s}`,
		parent, kind, rest, k.last, at.Format("2006-01-02T15:04:05.000Z"), entry, Quote(k.Dir), k.ID, Quote(k.Branch), fork)
}

// Title is a custom title.
func (k *Talk) Title(title string) string { return k.meta("custom-title", "customTitle", title) }

// AITitle is a generated title.
func (k *Talk) AITitle(title string) string { return k.meta("ai-title", "aiTitle", title) }

// LastPrompt is the newest prompt as the client notes it.
func (k *Talk) LastPrompt(text string) string { return k.meta("last-prompt", "lastPrompt", text) }

// Mode is a mode record, which says nothing.
func (k *Talk) Mode() string { return k.meta("mode", "mode", "normal") }

// Relocated says that the file was moved for another directory.
func (k *Talk) Relocated(dir string) string { return k.meta("relocated", "relocatedCwd", dir) }

// Bound binds the session to a worktree; an empty path ends that.
func (k *Talk) Bound(path, name, from string) string {
	if path == "" {
		return fmt.Sprintf(`{"type":"worktree-state","worktreeSession":null,"sessionId":%q}`, k.ID)
	}
	return fmt.Sprintf(`{"type":"worktree-state","worktreeSession":{"originalCwd":%s,"preEnterOriginalCwd":%s,"worktreePath":%s,"worktreeName":%s,"worktreeBranch":%s,"originalBranch":"main","sessionId":%q},"sessionId":%q}`,
		Quote(from), Quote(from), Quote(path), Quote(name), Quote("worktree-"+name), k.ID, k.ID)
}

func (k *Talk) meta(kind, key, value string) string {
	return fmt.Sprintf(`{"type":%q,%q:%s,"sessionId":%q}`, kind, key, Quote(value), k.ID)
}

// Quote returns s as a JSON string.
func Quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
