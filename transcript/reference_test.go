package transcript_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"coppice/transcript"
)

// reference is a second reading of the rules, by encoding/json, line by line and
// in full. It knows nothing of damage: the input has only whole lines.
type reference struct {
	sum    transcript.Summary
	begun  bool
	dated  bool
	lastID string
	open   map[string]bool
}

type object map[string]json.RawMessage

func decode(raw []byte) (object, bool) {
	var o object
	err := json.Unmarshal(raw, &o)
	return o, err == nil && o != nil
}

func (o object) has(key string) bool { _, ok := o.text(key); return ok }

func (o object) text(key string) (string, bool) {
	var s *string
	if err := json.Unmarshal(o[key], &s); err != nil || s == nil {
		return "", false
	}
	return *s, true
}

func (o object) str(key string) string { s, _ := o.text(key); return s }

func (o object) flag(key string) bool { return string(o[key]) == "true" }

func (o object) list(key string) (list []json.RawMessage) {
	if json.Unmarshal(o[key], &list) != nil {
		return nil
	}
	return list
}

func (o object) object(key string) object { sub, _ := decode(o[key]); return sub }

// refer summarises a transcript.
func refer(data []byte) transcript.Summary {
	r := reference{}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if o, ok := decode(bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))); ok && o.has("type") {
			r.add(o)
		}
	}
	r.sum.Size, r.sum.Complete = int64(len(data)), true
	r.sum.Interrupted = len(r.open) > 0
	return r.sum
}

func (r *reference) add(o object) {
	s := &r.sum
	s.Records++
	if s.SessionID == "" {
		s.SessionID = o.str("sessionId")
	}
	typ := o.str("type")
	conv := typ == "user" || typ == "assistant"
	at, err := time.Parse(time.RFC3339Nano, o.str("timestamp"))
	if err == nil && !r.dated && (s.Created.IsZero() || at.Before(s.Created)) {
		s.Created = at
	}
	if err == nil && conv {
		s.Updated, r.dated = at, true
	}
	if !conv && typ != "attachment" && typ != "system" && typ != "progress" {
		r.meta(typ, o)
		return
	}
	r.row(o)
	if conv {
		if !r.begun {
			r.begun, s.Sidechain = true, o.flag("isSidechain")
		}
		s.HasMain = s.HasMain || !o.flag("isSidechain")
		s.Team = s.Team || o.str("teamName") != ""
	}
	switch typ {
	case "user":
		r.user(o)
	case "assistant":
		r.assistant(o)
	case "attachment":
		if a := o.object("attachment"); a.str("type") == "environment" {
			if list, ok := a.object("snapshot")["additionalWorkingDirectories"]; ok && list[0] == '[' {
				s.AddedDirs = nil
				for _, raw := range a.object("snapshot").list("additionalWorkingDirectories") {
					var dir *string
					if json.Unmarshal(raw, &dir) == nil && dir != nil {
						s.AddedDirs = append(s.AddedDirs, *dir)
					}
				}
			}
		}
	}
}

func (r *reference) row(o object) {
	s := &r.sum
	take(&s.Dir, o, "cwd")
	if s.Dir != "" && len(s.Dirs) < transcript.MaxDirs && !slices.Contains(s.Dirs, s.Dir) {
		s.Dirs = append(s.Dirs, s.Dir)
	}
	take(&s.Branch, o, "gitBranch")
	take(&s.Version, o, "version")
	take(&s.Kind, o, "sessionKind")
	if s.Entrypoint == "" {
		s.Entrypoint = o.str("entrypoint")
	}
	if s.ForkedFrom == "" {
		s.ForkedFrom = o.object("forkedFrom").str("sessionId")
	}
}

func take(to *string, o object, key string) {
	if s, ok := o.text(key); ok {
		*to = s
	}
}

func (r *reference) assistant(o object) {
	if o.flag("isSidechain") {
		return
	}
	s, m := &r.sum, o.object("message")
	if id := m.str("id"); id == "" || id != r.lastID {
		s.Messages++
		r.lastID, r.open = id, map[string]bool{}
	}
	if model := m.str("model"); model != "" && model[0] != '<' {
		s.Model = model
	}
	s.Prompted = s.Prompted || s.FirstCommand != ""
	for _, raw := range m.list("content") {
		if b, _ := decode(raw); b.str("type") == "tool_use" && b.has("id") {
			r.open[b.str("id")] = true
		}
	}
}

func (r *reference) user(o object) {
	take(&r.sum.PermissionMode, o, "permissionMode")
	if o.flag("isSidechain") {
		return
	}
	m := o.object("message")
	var texts []string
	typed := false
	if text, ok := m.text("content"); ok {
		texts = append(texts, text)
	}
	for _, raw := range m.list("content") {
		b, ok := decode(raw)
		if !ok {
			continue
		}
		if b.str("type") == "tool_result" || b.has("tool_use_id") {
			for _, raw := range m.list("content") {
				b, _ := decode(raw)
				delete(r.open, b.str("tool_use_id"))
			}
			return
		}
		typed = typed || b.str("type") == "image" || b.str("type") == "document"
		if b.str("type") == "text" {
			texts = append(texts, b.str("text"))
		}
	}
	if o.flag("isMeta") || o.flag("isCompactSummary") {
		return
	}
	for _, text := range texts {
		typed = r.text(strings.TrimSpace(text)) || typed
	}
	if typed {
		r.sum.Messages++
		r.sum.Prompted = true
	}
}

var (
	refCommand = regexp.MustCompile(`(?s)^<command-.*?<command-name>(.*?)</command-name>`)
	refName    = regexp.MustCompile(`(?s)^<command-name>(.*?)</command-name>`)
	refArgs    = regexp.MustCompile(`(?s)<command-args>(.*?)</command-args>`)
	refShell   = regexp.MustCompile(`(?s)^<bash-input>(.*?)</bash-input>`)
	refTag     = regexp.MustCompile(`^<[a-z][a-zA-Z0-9_-]*(\s[^>]*)?>`)
)

func (r *reference) text(text string) bool {
	s := &r.sum
	for _, re := range []*regexp.Regexp{refName, refCommand} {
		if m := re.FindStringSubmatch(text); m != nil {
			args := ""
			if a := refArgs.FindStringSubmatch(text); a != nil {
				args = a[1]
			}
			if s.FirstCommand == "" {
				s.FirstCommand = line(strings.TrimSpace(m[1]) + " " + strings.TrimSpace(args))
			}
			return false
		}
	}
	if m := refShell.FindStringSubmatch(text); m != nil {
		if text = strings.TrimSpace(m[1]); text == "" {
			return false
		}
		text = "! " + text
	} else if refTag.MatchString(text) || strings.HasPrefix(text, "[Request interrupted by user") {
		return false
	}
	if text = line(text); text == "" {
		return false
	}
	if s.FirstPrompt == "" {
		s.FirstPrompt = text
	}
	return true
}

func line(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if unicode.IsControl(r) {
			runes[i] = ' '
		}
	}
	s = strings.TrimSpace(string(runes))
	if runes = []rune(s); len(runes) > 200 {
		return strings.TrimSpace(string(runes[:200])) + "…"
	}
	return s
}

func (r *reference) meta(typ string, o object) {
	s := &r.sum
	switch typ {
	case "custom-title":
		take(&s.CustomTitle, o, "customTitle")
		if _, ok := o.text("customTitle"); ok {
			s.TitleCleared = strings.TrimSpace(s.CustomTitle) == ""
		}
	case "agent-name":
		take(&s.AgentName, o, "agentName")
	case "ai-title":
		take(&s.AITitle, o, "aiTitle")
	case "last-prompt":
		take(&s.LastPrompt, o, "lastPrompt")
		s.LeafUUID = o.str("leafUuid")
	case "summary":
		take(&s.LegacyTitle, o, "summary")
	case "tag":
		take(&s.Tag, o, "tag")
	case "mode":
		take(&s.Mode, o, "mode")
	case "permission-mode":
		take(&s.PermissionMode, o, "permissionMode")
	case "agent-setting":
		take(&s.Agent, o, "agentSetting")
	case "relocated":
		take(&s.Relocated, o, "relocatedCwd")
	case "pr-link":
		s.PR = &transcript.PR{URL: o.str("prUrl"), Repository: o.str("prRepository")}
		_ = json.Unmarshal(o["prNumber"], &s.PR.Number)
	case "worktree-state":
		if string(o["worktreeSession"]) == "null" {
			s.Left, s.Worktree = s.Worktree, nil
		} else if w := o.object("worktreeSession"); w != nil {
			s.Left = nil
			s.Worktree = &transcript.Worktree{
				Path: w.str("worktreePath"), Name: w.str("worktreeName"), Branch: w.str("worktreeBranch"),
				OriginalDir: w.str("originalCwd"), OriginalBranch: w.str("originalBranch"), OriginalCommit: w.str("originalHeadCommit"),
			}
		}
	}
}
