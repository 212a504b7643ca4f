package transcripttest

import "fmt"

// Color writes an agent-color record.
func (b *Builder) Color(s string) *Builder { return b.Record("agent-color", `"agentColor":`+Quote(s)) }

// AgentSetting writes an agent-setting record.
func (b *Builder) AgentSetting(name string) *Builder {
	return b.Record("agent-setting", `"agentSetting":`+Quote(name))
}

// Cost writes a cost-state record.
func (b *Builder) Cost(usd float64) *Builder {
	return b.Record("cost-state", fmt.Sprintf(`"totalCostUSD":%v,"totalAPIDuration":1500,"totalAPIDurationWithoutRetries":1400,"totalToolDuration":41,`+
		`"totalLinesAdded":12,"totalLinesRemoved":3,"totalDuration":730,"startTime":1772616600000,"modelUsage":{%s:{"inputTokens":249,"outputTokens":14,"costUSD":%[1]v}},"hasUnknownModelCost":false`,
		usd, Quote(b.Model)))
}

// Replacement writes a content-replacement record for one call.
func (b *Builder) Replacement(callID, text string) *Builder {
	return b.Line(`{"type":"content-replacement","sessionId":"` + b.SessionID + `","replacements":[{"kind":"tool-result","toolUseId":` +
		Quote(callID) + `,"replacement":` + Quote(text) + `}]}`)
}

// Backup returns a backup of a file history, as JSON: its name ("" for a file
// that did not exist) and version, and the real directory of the file.
func (b *Builder) Backup(name string, version int, dir string) string {
	quoted := "null"
	if name != "" {
		quoted = Quote(name)
	}
	return fmt.Sprintf(`{"backupFileName":%s,"version":%d,"backupTime":"%s","realParentDir":%s}`, quoted, version, b.stamp(), Quote(dir))
}

// Snapshots writes a file-history-snapshot for a prompt; files is the JSON text
// of its tracked backups.
func (b *Builder) Snapshots(messageID, files string, update bool) *Builder {
	return b.Line(fmt.Sprintf(`{"type":"file-history-snapshot","messageId":%s,"snapshot":{"messageId":%[1]s,"trackedFileBackups":%s,"timestamp":"%s"},"isSnapshotUpdate":%t}`,
		Quote(messageID), files, b.stamp(), update))
}

// Delta writes a file-history-delta that adds one file to the snapshot of a
// prompt.
func (b *Builder) Delta(snapshotID, path, backup string) *Builder {
	return b.Line(fmt.Sprintf(`{"type":"file-history-delta","messageId":%s,"snapshotMessageId":%s,"trackingPath":%s,"backup":%s,"timestamp":"%s"}`,
		Quote(b.parent), Quote(snapshotID), Quote(path), backup, b.stamp()))
}

// Goal writes the attachment of a goal that was set, or met.
func (b *Builder) Goal(text string, met bool) *Builder {
	return b.Attachment("goal_status", fmt.Sprintf(`"met":%t,"sentinel":true,"condition":%s`, met, Quote(text)))
}

// Skill writes the attachment with the state of one invoked skill that a
// compaction leaves.
func (b *Builder) Skill(name, content string) *Builder {
	return b.Attachment("invoked_skills", `"skills":[{"name":`+Quote(name)+`,"path":`+Quote("projectSettings:"+name)+`,"content":`+Quote(content)+`}]`)
}

// SkillBody writes the row in which an invoked skill tells the model its text.
func (b *Builder) SkillBody(callID, text string) *Builder {
	return b.row(`"type":"user","message":{"role":"user","content":[`+Text(text)+`]},"isMeta":true,"turnCompanion":true`, `,"sourceToolUseID":"`+callID+`"`)
}

// File writes the attachment of a file that a prompt mentions.
func (b *Builder) File(path, content string) *Builder {
	return b.Attachment("file", `"filename":`+Quote(path)+`,"content":{"type":"text","file":{"filePath":`+Quote(path)+
		`,"content":`+Quote(content)+`,"numLines":1,"startLine":1,"totalLines":1}},"displayPath":"file"`)
}

// Report writes the answer to a tool call with what the tool reports beside it,
// JSON text; slug, when not empty, is the name of the session's plan.
func (b *Builder) Report(callID, text, report, slug string) *Builder {
	tail := `,"toolUseResult":` + report + `,"sourceToolAssistantUUID":"` + b.parent + `"`
	if slug != "" {
		tail += `,"slug":` + Quote(slug)
	}
	return b.row(`"type":"user","message":{"role":"user","content":[{"tool_use_id":"`+callID+`","type":"tool_result","content":`+Quote(text)+`}]}`, tail)
}

// Shape writes an api-request-shape record with system blocks and tools, JSON
// text of two lists.
func (b *Builder) Shape(system, tools string) *Builder {
	return b.Line(`{"type":"api-request-shape","sessionId":"` + b.SessionID + `","shapeHash":"aa11","timestamp":"` + b.stamp() +
		`","version":"` + b.Version + `","shape":{"system":` + system + `,"tools":` + tools + `}}`)
}
