// Package transcripttest writes transcripts for tests: rows with the members,
// order and spelling of the real client's, and every kind of damage.
package transcripttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Builder writes one transcript, row by row. Set the fields, then call the
// methods; each returns the builder. The fields may change on the way. A Builder
// is deterministic: equal calls write equal bytes.
type Builder struct {
	SessionID  string
	Dir        string
	Branch     string
	Version    string
	Entrypoint string
	Model      string
	Mode       string // permission mode of typed prompts
	Sidechain  bool
	TeamName   string
	ForkedFrom string        // session id; each row then names it
	Time       time.Time     // of the next row
	Step       time.Duration // by which Time moves on with each row

	buf    bytes.Buffer
	rows   int
	ids    int
	parent string
	msg    string
}

// New returns a builder for an ordinary interactive session.
func New(sessionID string) *Builder {
	return &Builder{
		SessionID: sessionID, Dir: "/home/sam/app", Branch: "main", Version: "2.1.332", Entrypoint: "cli",
		Model: "claude-opus-5-5", Mode: "default",
		Time: time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC), Step: 2 * time.Second,
	}
}

// Bytes returns what was written so far.
func (b *Builder) Bytes() []byte { return bytes.Clone(b.buf.Bytes()) }

// Len returns how many bytes were written so far.
func (b *Builder) Len() int { return b.buf.Len() }

// Reset forgets what was written but not the session, so that a long transcript
// can be written in parts.
func (b *Builder) Reset() { b.buf.Reset() }

// Raw writes bytes as they are, without a line feed.
func (b *Builder) Raw(s string) *Builder {
	b.buf.WriteString(s)
	return b
}

// Line writes one line as it is.
func (b *Builder) Line(s string) *Builder { return b.Raw(s + "\n") }

// Parent makes the next row hang below the row with this uuid ("" for a root).
func (b *Builder) Parent(uuid string) *Builder {
	b.parent = uuid
	return b
}

// Last returns the uuid of the row written last.
func (b *Builder) Last() string { return b.parent }

// UUID returns the n-th made-up uuid of this session.
func (b *Builder) UUID(n int) string {
	prefix := b.SessionID
	if len(prefix) < 8 {
		prefix += "00000000"
	}
	return fmt.Sprintf("%s-%04x-4%03x-8000-%012x", prefix[:8], n>>12&0xffff, n&0xfff, n)
}

// Quote returns s as a JSON string, compact and without HTML escapes.
func Quote(s string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
}

// stamp returns the time of the next row and moves on.
func (b *Builder) stamp() string {
	at := b.Time
	b.Time = at.Add(b.Step)
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}

// row writes one row of the conversation's tree: head stands before uuid and
// timestamp, tail behind them.
func (b *Builder) row(head, tail string) *Builder {
	b.rows++
	uuid, parent := b.UUID(b.rows), "null"
	if b.parent != "" {
		parent = Quote(b.parent)
	}
	fmt.Fprintf(&b.buf, `{"parentUuid":%s,"isSidechain":%t,`, parent, b.Sidechain)
	if b.TeamName != "" {
		fmt.Fprintf(&b.buf, `"teamName":%s,`, Quote(b.TeamName))
	}
	fmt.Fprintf(&b.buf, `%s,"uuid":"%s","timestamp":"%s"%s,"userType":"external"`, head, uuid, b.stamp(), tail)
	if b.Entrypoint != "" {
		fmt.Fprintf(&b.buf, `,"entrypoint":%s`, Quote(b.Entrypoint))
	}
	fmt.Fprintf(&b.buf, `,"cwd":%s,"sessionId":"%s","version":"%s"`, Quote(b.Dir), b.SessionID, b.Version)
	if b.Branch != "" {
		fmt.Fprintf(&b.buf, `,"gitBranch":%s`, Quote(b.Branch))
	}
	if b.ForkedFrom != "" {
		fmt.Fprintf(&b.buf, `,"forkedFrom":{"sessionId":"%s","messageUuid":"%s"}`, b.ForkedFrom, uuid)
	}
	b.buf.WriteString("}\n")
	b.parent = uuid
	return b
}

// User writes a typed prompt.
func (b *Builder) User(text string) *Builder { return b.UserContent(Quote(text), "") }

// UserContent writes a typed prompt with this JSON content; extra members, each
// beginning with a comma, follow the timestamp.
func (b *Builder) UserContent(content, extra string) *Builder {
	b.msg = ""
	return b.row(`"promptId":"`+b.UUID(b.rows+1<<16)+`","type":"user","message":{"role":"user","content":`+content+`}`,
		`,"permissionMode":"`+b.Mode+`","origin":{"kind":"human"},"promptSource":"typed","turnOrigin":"human","turnPosition":{"promptIndex":1,"turnIndex":1}`+extra)
}

// Meta writes a user row that the client wrote by itself (isMeta).
func (b *Builder) Meta(text string) *Builder {
	return b.row(`"type":"user","message":{"role":"user","content":`+Quote(text)+`},"isMeta":true,"rowSource":"harness"`, "")
}

// Command writes a slash command, name with its slash; output, when not empty,
// is what the client printed for a local one.
func (b *Builder) Command(name, args, output string) *Builder {
	b.local("<command-name>" + name + "</command-name>\n            <command-message>" + name[1:] +
		"</command-message>\n            <command-args>" + args + "</command-args>")
	if output != "" {
		b.local("<local-command-stdout>" + output + "</local-command-stdout>")
	}
	return b
}

// Shell writes a "!" command and its output.
func (b *Builder) Shell(command, output string) *Builder {
	b.local("<bash-input>" + command + "</bash-input>")
	return b.local("<bash-stdout>" + output + "</bash-stdout><bash-stderr></bash-stderr>")
}

func (b *Builder) local(text string) *Builder {
	return b.row(`"type":"user","message":{"role":"user","content":`+Quote(text)+`}`, `,"rowSource":"local"`)
}

// Result writes the answer to a tool call.
func (b *Builder) Result(callID, text string) *Builder { return b.ResultRow(callID, text, false) }

// ResultRow writes the answer to a tool call, failed or not.
func (b *Builder) ResultRow(callID, text string, failed bool) *Builder {
	return b.row(`"type":"user","message":{"role":"user","content":[{"tool_use_id":"`+callID+
		`","type":"tool_result","content":`+Quote(text)+`,"is_error":`+fmt.Sprint(failed)+`}]}`,
		`,"toolUseResult":{"stdout":`+Quote(text)+`,"stderr":"","interrupted":false,"isImage":false},"sandboxed":false,"sourceToolAssistantUUID":"`+b.parent+`"`)
}

// Assistant writes one row with these JSON content blocks. Rows that follow each
// other belong to one message until a user row or Next comes between.
func (b *Builder) Assistant(blocks ...string) *Builder {
	if b.msg == "" {
		b.ids++
		b.msg = fmt.Sprintf("msg_%s%08d", b.SessionID[:min(8, len(b.SessionID))], b.ids)
	}
	return b.AssistantID(b.msg, blocks...)
}

// AssistantID is Assistant with a message id.
func (b *Builder) AssistantID(id string, blocks ...string) *Builder {
	b.msg = id
	return b.row(`"message":{"id":"`+id+`","type":"message","role":"assistant","model":"`+b.Model+`","content":[`+join(blocks)+
		`],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":120,"cache_creation_input_tokens":0,"cache_read_input_tokens":4100,"output_tokens":37,`+
		`"output_tokens_details":{"thinking_tokens":0},"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard",`+
		`"cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0}},"stop_details":null},"apiBlockIndex":0,"requestRef":"`+b.UUID(b.rows+1<<20)+
		`","requestedModel":"`+b.Model+`","promptCacheRequested":"5m","type":"assistant"`,
		`,"effort":"medium","perTurnEffort":"medium","madeBy":"model"`)
}

// Next ends the present assistant message.
func (b *Builder) Next() *Builder {
	b.msg = ""
	return b
}

func join(blocks []string) string {
	var s bytes.Buffer
	for i, block := range blocks {
		if i > 0 {
			s.WriteByte(',')
		}
		s.WriteString(block)
	}
	return s.String()
}
