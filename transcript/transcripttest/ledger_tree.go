package transcripttest

import (
	"fmt"
	"strings"
	"time"
)

// Tree writes rows that hang together in a given way, from a notation with one
// word for each record, divided by blanks:
//
//	u1        a user row whose uuid and text come from its name u1, below nothing
//	a1<u1     an assistant row below u1; a parent that no word writes is missing
//	c1<a1 r1<c1   a tool call, and the answer to call 1
//	y p m t v     a system row, progress, a row of an unknown type, an attachment,
//	              a user row without content
//	b1>a1 s1<b1   a compaction after a1, and its summary
//
// The kind is the name's first letter; these may follow:
//
//	@1500     1500 ms after the builder's time; @- has no time. Without it each
//	          row is a second after the one before.
//	#m        message.id m; #- has none. Without it each assistant row has its own.
//	~c2       the answer names the row of call 2, whatever its parent
//	!side !meta !team !free (no parentUuid at all)
//	=s1:u2,a2 the compaction preserves the messages u2 and a2 below s1
//	=s1:u2..a2    the same as a segment
//
// Records without uuid: "->u2" is a last-prompt that names u2, "=>u2" one of a
// person who went back there, "->0" one that names nobody, "->" one without a
// leaf. "{" to "}" is a line as it stands, without blanks.
func (b *Builder) Tree(notation string) *Builder {
	for _, word := range strings.Fields(notation) {
		switch {
		case strings.HasPrefix(word, "->"):
			b.pointer(word[2:], "")
		case strings.HasPrefix(word, "=>"):
			b.pointer(word[2:], `,"explicit":true`)
		case strings.ContainsAny(word[:1], "{[\"0123456789"):
			b.Line(word)
		default:
			b.Line(b.TreeRow(word))
		}
	}
	return b
}

// Name is the uuid of the row with this name in a Tree.
func (b *Builder) Name(name string) string {
	if name == "0" {
		return "00000000-0000-0000-0000-000000000000"
	}
	return fmt.Sprintf("%s-4e61-4d65-8000-%012x", b.UUID(0)[:8], name)
}

func (b *Builder) pointer(leaf, more string) {
	members := `"lastPrompt":"on"` + more
	if leaf != "" {
		members += `,"leafUuid":` + Quote(b.Name(leaf))
	}
	b.Record("last-prompt", members)
}

// TreeRow is the row of one word of a Tree, without line feed.
func (b *Builder) TreeRow(word string) string {
	name, marks := word, ""
	if i := strings.IndexAny(word, "<@#~!>="); i >= 0 {
		name, marks = word[:i], word[i:]
	}
	n := treeRow{b: b, name: name, stamp: b.stamp(), message: "msg_" + name, parent: "null"}
	for marks != "" {
		end := len(marks)
		if i := strings.IndexAny(marks[1:], "<@#~!>="); i >= 0 {
			end = i + 1
		}
		n.mark(marks[0], marks[1:end])
		marks = marks[end:]
	}
	return n.line()
}

type treeRow struct {
	b                    *Builder
	name, stamp, message string
	parent, source, more string
	side, free           bool
}

func (n *treeRow) mark(k byte, value string) {
	switch k {
	case '<':
		n.parent = Quote(n.b.Name(value))
	case '@':
		n.stamp = ""
		var ms int
		if _, err := fmt.Sscan(value, &ms); err == nil {
			n.stamp = n.b.Time.Truncate(time.Hour).Add(time.Duration(ms) * time.Millisecond).UTC().Format("2006-01-02T15:04:05.000Z")
		}
	case '#':
		n.message = strings.TrimPrefix(value, "-")
	case '~':
		n.source = n.b.Name(value)
	case '>':
		n.more += `,"logicalParentUuid":` + Quote(n.b.Name(value))
	case '=':
		n.preserve(value)
	case '!':
		switch value {
		case "side":
			n.side = true
		case "free":
			n.free = true
		case "meta":
			n.more += `,"isMeta":true`
		case "team":
			n.more += `,"teamName":"crew"`
		}
	}
}

func (n *treeRow) preserve(value string) {
	anchor, list, _ := strings.Cut(value, ":")
	if head, tail, ok := strings.Cut(list, ".."); ok {
		n.more += fmt.Sprintf(`,"compactMetadata":{"trigger":"manual","preservedSegment":{"headUuid":%q,"anchorUuid":%q,"tailUuid":%q}}`,
			n.b.Name(head), n.b.Name(anchor), n.b.Name(tail))
		return
	}
	var uuids []string
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		uuids = append(uuids, Quote(n.b.Name(name)))
	}
	n.more += fmt.Sprintf(`,"compactMetadata":{"trigger":"manual","preservedMessages":{"anchorUuid":%q,"uuids":[%s],"allUuids":[%[2]s]}}`,
		n.b.Name(anchor), strings.Join(uuids, ","))
}

func (n *treeRow) line() string {
	var s strings.Builder
	s.WriteByte('{')
	if !n.free {
		s.WriteString(`"parentUuid":` + n.parent + `,`)
	}
	fmt.Fprintf(&s, `"isSidechain":%t,%s,"uuid":%q`, n.side, n.kind(), n.b.Name(n.name))
	if n.stamp != "" {
		fmt.Fprintf(&s, `,"timestamp":%q`, n.stamp)
	}
	fmt.Fprintf(&s, `%s,"userType":"external","entrypoint":"cli","cwd":%s,"sessionId":%q,"version":%q,"gitBranch":"main"}`,
		n.more, Quote(n.b.Dir), n.b.SessionID, n.b.Version)
	return s.String()
}

// kind returns the members that make a row what it is.
func (n *treeRow) kind() string {
	call := "toolu_" + n.name[1:]
	switch n.name[0] {
	case 'a':
		return n.assistant(Text(n.name))
	case 'c':
		return n.assistant(Bash(call, n.name))
	case 'r':
		source := n.source
		if source == "" {
			source = n.b.Name("c" + n.name[1:])
		}
		return `"type":"user","message":{"role":"user","content":[` + ToolResult(call, n.name) + `]},"sourceToolAssistantUUID":"` + source + `"`
	case 'y':
		return `"type":"system","subtype":"informational","content":` + Quote(n.name) + `,"level":"info"`
	case 'b':
		return `"type":"system","subtype":"compact_boundary","content":"compacted","level":"info"`
	case 's':
		return `"type":"user","message":{"role":"user","content":` + Quote(n.name) + `},"isVisibleInTranscriptOnly":true,"isCompactSummary":true`
	case 't':
		return `"type":"attachment","attachment":{"type":"queued_command","prompt":` + Quote(n.name) + `,"commandMode":"prompt"}`
	case 'p':
		return `"type":"progress","data":{"type":"hook_progress"},"toolUseID":"toolu_p"`
	case 'm':
		return `"type":"martian","payload":{"type":"user","uuid":"inner"}`
	case 'v':
		return `"type":"user","message":{"role":"user","content":null}`
	}
	return `"type":"user","message":{"role":"user","content":` + Quote(n.name) + `}`
}

func (n *treeRow) assistant(block string) string {
	id := ""
	if n.message != "" {
		id = `"id":` + Quote(n.message) + `,`
	}
	return `"type":"assistant","message":{` + id + `"type":"message","role":"assistant","model":"` + n.b.Model + `","content":[` + block +
		`],"stop_reason":"end_turn","usage":{"input_tokens":12,"output_tokens":3}}`
}
