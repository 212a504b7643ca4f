package transcripttest

import "fmt"

// Record writes a record without uuid: its type, then members (JSON text), then
// the session id.
func (b *Builder) Record(typ, members string) *Builder {
	if members != "" {
		members += ","
	}
	return b.Line(fmt.Sprintf(`{"type":"%s",%s"sessionId":"%s"}`, typ, members, b.SessionID))
}

// Title writes a custom-title record.
func (b *Builder) Title(s string) *Builder {
	return b.Record("custom-title", `"customTitle":`+Quote(s))
}

// AgentName writes an agent-name record.
func (b *Builder) AgentName(s string) *Builder {
	return b.Record("agent-name", `"agentName":`+Quote(s))
}

// AITitle writes an ai-title record.
func (b *Builder) AITitle(s string) *Builder { return b.Record("ai-title", `"aiTitle":`+Quote(s)) }

// Tag writes a tag record.
func (b *Builder) Tag(s string) *Builder { return b.Record("tag", `"tag":`+Quote(s)) }

// LastPrompt writes a last-prompt record that names the row written last.
func (b *Builder) LastPrompt(s string) *Builder {
	return b.Record("last-prompt", `"lastPrompt":`+Quote(s)+`,"leafUuid":`+Quote(b.parent))
}

// Modes writes a mode and a permission-mode record.
func (b *Builder) Modes(mode, permission string) *Builder {
	b.Record("mode", `"mode":`+Quote(mode))
	return b.Record("permission-mode", `"permissionMode":`+Quote(permission))
}

// Head writes what an interactive session begins with.
func (b *Builder) Head() *Builder {
	return b.Modes("normal", b.Mode).Record("atis-latch", `"atis":""`).Snapshot(b.UUID(b.rows + 1))
}

// Snapshot writes a file-history-snapshot for the row with this uuid.
func (b *Builder) Snapshot(messageID string) *Builder {
	return b.Line(`{"type":"file-history-snapshot","messageId":"` + messageID + `","snapshot":{"messageId":"` + messageID +
		`","trackedFileBackups":{},"timestamp":"2020-01-01T00:00:00.000Z"},"isSnapshotUpdate":false}`)
}

// PR writes a pr-link record.
func (b *Builder) PR(number int, url, repository string) *Builder {
	return b.Line(fmt.Sprintf(`{"type":"pr-link","sessionId":"%s","prNumber":%d,"prUrl":%s,"prRepository":%s,"timestamp":"%s"}`,
		b.SessionID, number, Quote(url), Quote(repository), b.stamp()))
}

// Worktree writes a worktree-state record for a worktree of the repository at
// repo.
func (b *Builder) Worktree(repo, path, name, branch string) *Builder {
	return b.Record("worktree-state", fmt.Sprintf(`"worktreeSession":{"originalCwd":%s,"preEnterOriginalCwd":%[1]s,"worktreePath":%s,"worktreeName":%s,`+
		`"worktreeBranch":%s,"originalBranch":"main","originalHeadCommit":"4b825dc642cb6eb9a060e54bf8d69288fbee4904","sessionId":"%s"}`,
		Quote(repo), Quote(path), Quote(name), Quote(branch), b.SessionID))
}

// NoWorktree writes a worktree-state record that clears the binding.
func (b *Builder) NoWorktree() *Builder { return b.Record("worktree-state", `"worktreeSession":null`) }

// Relocated writes a relocated record.
func (b *Builder) Relocated(dir string) *Builder {
	return b.Record("relocated", `"relocatedCwd":`+Quote(dir))
}

// Request writes the request log of one turn, size bytes or more.
func (b *Builder) Request(size int) *Builder {
	b.Line(`{"type":"api-request-shape","sessionId":"` + b.SessionID + `","shapeHash":"aa11","timestamp":"` + b.stamp() +
		`","version":"` + b.Version + `","shape":{"system":[` + Text(Filler(size)) + `]}}`)
	return b.Line(`{"type":"api-request","sessionId":"` + b.SessionID + `","id":"` + b.UUID(1) + `","timestamp":"` + b.stamp() +
		`","version":"` + b.Version + `","querySource":"main","shapeHash":"aa11","params":{"model":"` + b.Model +
		`"},"keep":0,"tail":["bb22"],"cacheControl":[{"path":["system",0]}],"requestDigest":"cc33"}`)
}

// Environment writes the attachment that names the session's directories.
func (b *Builder) Environment(added ...string) *Builder {
	list := make([]string, len(added))
	for i, dir := range added {
		list[i] = Quote(dir)
	}
	return b.Attachment("environment", `"snapshot":{"workingDirectory":`+Quote(b.Dir)+
		`,"isWorktree":false,"isGitRepo":true,"additionalWorkingDirectories":[`+join(list)+`],"platform":"linux","shell":"bash"}`)
}

// Attachment writes an attachment row; members is JSON text or "".
func (b *Builder) Attachment(typ, members string) *Builder {
	if members != "" {
		members = "," + members
	}
	return b.row(`"attachment":{"type":"`+typ+`"`+members+`},"type":"attachment"`,
		`,"rendered":[{"content":"what the model is shown"}],"renderedRole":"system"`)
}

// System writes a system row; members is JSON text or "".
func (b *Builder) System(subtype, members string) *Builder {
	if members != "" {
		members = "," + members
	}
	return b.row(`"type":"system","subtype":"`+subtype+`"`+members, `,"isMeta":false`)
}

// Progress writes a row of the old kind that only a screen needs.
func (b *Builder) Progress() *Builder {
	return b.row(`"type":"progress","data":{"type":"hook_progress","hookName":"PreToolUse"},"toolUseID":"toolu_p"`, "")
}

// Compact writes a compaction: the boundary and its summary.
func (b *Builder) Compact(summary string) *Builder {
	old := b.parent
	b.Parent("").System("compact_boundary", `"content":"compacted","logicalParentUuid":`+Quote(old)+
		`,"compactMetadata":{"trigger":"manual","preTokens":14481,"postTokens":2883}`)
	return b.row(`"type":"user","message":{"role":"user","content":`+Quote(summary)+`},"isVisibleInTranscriptOnly":true,"isCompactSummary":true`, "")
}

// Filler returns size bytes of plain prose with a line feed and a quote here and
// there.
func Filler(size int) string {
	const words = "The parser keeps its place and reads on, \"line by line\", until nothing is left to read.\n"
	b := make([]byte, 0, size+len(words))
	for len(b) < size {
		b = append(b, words...)
	}
	return string(b[:size])
}
