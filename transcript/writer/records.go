package writer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"coppice/transcript"
)

// ErrNotARecord is returned for bytes that are not one JSON object.
var ErrNotARecord = errors.New("not one JSON object")

// The constructors below return records that have no place in the tree, with the
// members, order and spelling of the client's own (observed 0). A session is
// named by transcript.TitleRecords.

// Raw returns a record of a kind that is passed on as it is (attribution
// snapshots, whatever another version wrote), compact and in valid UTF-8. The
// error is ErrNotARecord.
func Raw(record json.RawMessage) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, valid(record)); err != nil || out.Len() == 0 || out.Bytes()[0] != '{' {
		return nil, ErrNotARecord
	}
	return out.Bytes(), nil
}

// setting is a record of one value.
func setting(kind, member, value, sessionID string) []byte {
	out := fmt.Appendf(nil, `{"type":"%s","%s":`, kind, member)
	out = append(out, transcript.Encode(value)...)
	out = append(out, `,"sessionId":`...)
	return append(append(out, transcript.Encode(sessionID)...), '}')
}

// Tag returns the record that tags a session; "" takes the tag away.
func Tag(sessionID, tag string) []byte { return setting("tag", "tag", tag, sessionID) }

// Color returns the record of a session's prompt colour.
func Color(sessionID, color string) []byte {
	return setting("agent-color", "agentColor", color, sessionID)
}

// AgentSetting returns the record of the agent definition that a session runs.
func AgentSetting(sessionID, agent string) []byte {
	return setting("agent-setting", "agentSetting", agent, sessionID)
}

// Mode returns the record of a session's mode, "normal" for the usual one.
func Mode(sessionID, mode string) []byte { return setting("mode", "mode", mode, sessionID) }

// PermissionMode returns the record of the permission mode that a resume takes
// up (observed K).
func PermissionMode(sessionID, mode string) []byte {
	return setting("permission-mode", "permissionMode", mode, sessionID)
}

// Relocated returns the record of the directory that a session moved to.
func Relocated(sessionID, dir string) []byte {
	return setting("relocated", "relocatedCwd", dir, sessionID)
}

// LastPrompt returns the record that names the newest prompt and the row at
// which the conversation ends (observed A.1). Either is left out when it is empty.
func LastPrompt(sessionID, prompt, leaf string) []byte {
	return transcript.Encode(struct {
		Type      string `json:"type"`
		Prompt    string `json:"lastPrompt,omitempty"`
		Leaf      string `json:"leafUuid,omitempty"`
		SessionID string `json:"sessionId"`
	}{"last-prompt", prompt, leaf, sessionID})
}

// QueueOperation returns the record of a change to the queue of prompts:
// "enqueue", "dequeue", "remove" or "popAll". Empty content is left out.
func QueueOperation(sessionID, operation, content string, at time.Time) []byte {
	return transcript.Encode(struct {
		Type      string `json:"type"`
		Operation string `json:"operation"`
		Time      string `json:"timestamp"`
		SessionID string `json:"sessionId"`
		Content   string `json:"content,omitempty"`
	}{"queue-operation", operation, stampTime(at), sessionID, content})
}

// PR returns the record that links a session to a pull request.
func PR(sessionID string, pr transcript.PR, at time.Time) []byte {
	return transcript.Encode(struct {
		Type       string `json:"type"`
		SessionID  string `json:"sessionId"`
		Number     int    `json:"prNumber"`
		URL        string `json:"prUrl"`
		Repository string `json:"prRepository"`
		Time       string `json:"timestamp"`
	}{"pr-link", sessionID, pr.Number, pr.URL, pr.Repository, stampTime(at)})
}

// WorktreeState returns the record that binds a session to a worktree; nil
// clears the binding.
func WorktreeState(sessionID string, w *transcript.Worktree) []byte {
	type binding struct {
		Dir       string `json:"originalCwd"`
		Entered   string `json:"preEnterOriginalCwd"`
		Path      string `json:"worktreePath"`
		Name      string `json:"worktreeName"`
		Branch    string `json:"worktreeBranch"`
		Original  string `json:"originalBranch"`
		Commit    string `json:"originalHeadCommit"`
		SessionID string `json:"sessionId"`
	}
	record := struct {
		Type      string   `json:"type"`
		Worktree  *binding `json:"worktreeSession"`
		SessionID string   `json:"sessionId"`
	}{Type: "worktree-state", SessionID: sessionID}
	if w != nil {
		record.Worktree = &binding{
			w.OriginalDir, w.OriginalDir, w.Path, w.Name, w.Branch, w.OriginalBranch, w.OriginalCommit, sessionID,
		}
	}
	return transcript.Encode(record)
}

// Cost is what a session cost so far.
type Cost struct {
	USD          float64
	API          time.Duration // waiting for the model
	APIOnce      time.Duration // the same without what had to be asked again
	Tools        time.Duration
	Total        time.Duration
	Added        int // lines
	Removed      int // lines
	Start        time.Time
	Models       json.RawMessage // modelUsage, an object by model; nil for none
	UnknownModel bool            // a model of unknown price was used
}

// CostState returns the record of a session's cost. The error is ErrNotARecord
// for Models that are no JSON object.
func CostState(sessionID string, c Cost) ([]byte, error) {
	models := json.RawMessage("{}")
	if c.Models != nil {
		var err error
		if models, err = Raw(c.Models); err != nil {
			return nil, err
		}
	}
	return encode(struct {
		Type      string          `json:"type"`
		SessionID string          `json:"sessionId"`
		USD       float64         `json:"totalCostUSD"`
		API       int64           `json:"totalAPIDuration"`
		APIOnce   int64           `json:"totalAPIDurationWithoutRetries"`
		Tools     int64           `json:"totalToolDuration"`
		Added     int             `json:"totalLinesAdded"`
		Removed   int             `json:"totalLinesRemoved"`
		Total     int64           `json:"totalDuration"`
		Start     int64           `json:"startTime"`
		Models    json.RawMessage `json:"modelUsage"`
		Unknown   bool            `json:"hasUnknownModelCost"`
	}{
		"cost-state", sessionID, c.USD, c.API.Milliseconds(), c.APIOnce.Milliseconds(), c.Tools.Milliseconds(),
		c.Added, c.Removed, c.Total.Milliseconds(), c.Start.UnixMilli(), models, c.UnknownModel,
	})
}

// Replacement is an oversized result and what stands for it in requests.
type Replacement struct{ CallID, Text string }

// Replacements returns the record of replaced results.
func Replacements(sessionID string, list []Replacement) []byte {
	type entry struct {
		Kind   string `json:"kind"`
		CallID string `json:"toolUseId"`
		Text   string `json:"replacement"`
	}
	entries := make([]entry, len(list))
	for i, r := range list {
		entries[i] = entry{"tool-result", r.CallID, r.Text}
	}
	return transcript.Encode(struct {
		Type      string  `json:"type"`
		SessionID string  `json:"sessionId"`
		List      []entry `json:"replacements"`
	}{"content-replacement", sessionID, entries})
}

// Backup is one kept version of a file.
type Backup struct {
	Name    string // below file-history; "" when the file did not exist
	Version int
	Time    time.Time
	Dir     string // the real directory that the tracked path is in; "" is left out
}

type backup struct {
	Name    *string `json:"backupFileName"`
	Version int     `json:"version"`
	Time    string  `json:"backupTime"`
	Dir     string  `json:"realParentDir,omitempty"`
}

func (b Backup) record() backup {
	out := backup{Version: b.Version, Time: stampTime(b.Time), Dir: b.Dir}
	if b.Name != "" {
		out.Name = &b.Name
	}
	return out
}

// FileSnapshot returns the record of a checkpoint: the tracked files by path as
// they were before the message (the uuid of a prompt's row) was answered. update
// marks a checkpoint that replaces the earlier one of that message.
func FileSnapshot(messageID string, files map[string]Backup, at time.Time, update bool) []byte {
	type snapshot struct {
		MessageID string            `json:"messageId"`
		Files     map[string]backup `json:"trackedFileBackups"`
		Time      string            `json:"timestamp"`
	}
	all := make(map[string]backup, len(files))
	for path, b := range files {
		all[path] = b.record()
	}
	return transcript.Encode(struct {
		Type      string   `json:"type"`
		MessageID string   `json:"messageId"`
		Snapshot  snapshot `json:"snapshot"`
		Update    bool     `json:"isSnapshotUpdate"`
	}{"file-history-snapshot", messageID, snapshot{messageID, all, stampTime(at)}, update})
}

// FileDelta returns the record of one more file in the checkpoint of the prompt
// whose row is snapshotID: the file at path before the assistant row messageID
// changed it.
func FileDelta(messageID, snapshotID, path string, b Backup, at time.Time) []byte {
	return transcript.Encode(struct {
		Type       string `json:"type"`
		MessageID  string `json:"messageId"`
		SnapshotID string `json:"snapshotMessageId"`
		Path       string `json:"trackingPath"`
		Backup     backup `json:"backup"`
		Time       string `json:"timestamp"`
	}{"file-history-delta", messageID, snapshotID, path, b.record(), stampTime(at)})
}
