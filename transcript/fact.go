package transcript

import (
	"strconv"
	"strings"
)

// meta applies a record that sets one fact.
func (f *fold) meta(r *record) {
	s := &f.sum
	switch string(r.raw(fType)) {
	case "custom-title":
		setFact(&s.CustomTitle, r, fCustomTitle)
		if r.raw(fCustomTitle) != nil {
			s.TitleCleared = strings.TrimSpace(s.CustomTitle) == ""
		}
	case "agent-name":
		setFact(&s.AgentName, r, fAgentName)
	case "ai-title":
		setFact(&s.AITitle, r, fAITitle)
	case "last-prompt":
		setFact(&s.LastPrompt, r, fLastPrompt)
		s.LeafUUID = cut(r.str(fLeafUUID), maxFact)
	case "summary":
		setFact(&s.LegacyTitle, r, fSummary)
	case "tag":
		setFact(&s.Tag, r, fTag)
	case "mode":
		setFact(&s.Mode, r, fMode)
	case "permission-mode":
		setFact(&s.PermissionMode, r, fPermissionMode)
	case "agent-setting":
		setFact(&s.Agent, r, fAgentSetting)
	case "relocated":
		setFact(&s.Relocated, r, fRelocated)
	case "pr-link":
		s.PR = readPR(r)
	case "worktree-state":
		readWorktree(s, r)
	}
}

// setFact replaces a fact when the record names it at all.
func setFact(to *string, r *record, f field) {
	if raw := r.raw(f); raw != nil && string(raw) != *to {
		*to = cut(unescape(raw), maxFact)
	}
}

func readPR(r *record) *PR {
	n, err := strconv.Atoi(string(r.raw(fPRNumber)))
	if err != nil || n < 0 {
		n = 0
	}
	return &PR{Number: n, URL: cut(r.str(fPRURL), maxFact), Repository: cut(r.str(fPRRepository), maxFact)}
}

func readWorktree(s *Summary, r *record) {
	switch string(r.raw(fWorktree)) {
	case "null":
		s.Left, s.Worktree = s.Worktree, nil
	case string(openBrace):
		s.Left = nil
		s.Worktree = &Worktree{
			Path:           cut(r.str(fWorktreePath), maxFact),
			Name:           cut(r.str(fWorktreeName), maxFact),
			Branch:         cut(r.str(fWorktreeBranch), maxFact),
			OriginalDir:    cut(r.str(fOriginalDir), maxFact),
			OriginalBranch: cut(r.str(fOriginalBranch), maxFact),
			OriginalCommit: cut(r.str(fOriginalCommit), maxFact),
		}
	}
}
