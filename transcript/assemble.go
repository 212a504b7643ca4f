package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	maxText   = 64 << 10 // of a text block, in bytes
	maxResult = 4 << 10  // of a result
)

// part is a block before calls and results were brought together.
type part struct {
	Block
	call    string // id of a call
	answers string // id of the call that a result belongs to
	result  Result
}

// draft is a Message before that.
type draft struct {
	Message
	Blocks []part
	id     string
	output bool // nothing but the output of a command
}

func (d draft) onlyResults() bool {
	for _, p := range d.Blocks {
		if p.Kind != BlockResult {
			return false
		}
	}
	return true
}

// assemble makes messages of rows in file order.
func assemble(rows []row) []Message {
	drafts := join(rows)
	calls := map[string]bool{}
	results := map[string]*Result{}
	for _, d := range drafts {
		for _, p := range d.Blocks {
			if p.Kind == BlockCall {
				calls[p.call] = true
			}
		}
	}
	for i, d := range drafts {
		for j, p := range d.Blocks {
			if p.Kind == BlockResult && calls[p.answers] && results[p.answers] == nil {
				results[p.answers] = &drafts[i].Blocks[j].result
			}
		}
	}
	var messages []Message
	for _, d := range drafts {
		m := d.Message
		for _, p := range d.Blocks {
			switch {
			case p.Kind == BlockResult && calls[p.answers]:
				continue
			case p.Kind == BlockResult:
				p.Text, p.Cut = p.result.Text, p.result.Cut
			case p.Kind == BlockCall:
				p.Answer = results[p.call]
			}
			m.Blocks = append(m.Blocks, p.Block)
		}
		if len(m.Blocks) > 0 {
			messages = append(messages, m)
		}
	}
	return messages
}

// join joins the rows of one API message and puts a command's output to it.
func join(rows []row) []draft {
	var drafts []draft
	seen := map[string]bool{}
	assistant := -1 // the draft that further rows of its id join
	for _, r := range rows {
		if r.UUID != "" && seen[r.UUID] {
			continue
		}
		seen[r.UUID] = true
		d := build(r)
		if len(d.Blocks) == 0 {
			continue
		}
		switch n := len(drafts); {
		case d.Role == RoleAssistant && assistant >= 0 && d.id != "" && drafts[assistant].id == d.id:
			drafts[assistant].Blocks = append(drafts[assistant].Blocks, d.Blocks...)
			continue
		case d.output && n > 0 && drafts[n-1].startsCommand():
			drafts[n-1].Blocks = append(drafts[n-1].Blocks, d.Blocks...)
			continue
		case d.Role == RoleAssistant:
			assistant = n
		case !d.onlyResults():
			assistant = -1
		}
		drafts = append(drafts, d)
	}
	return drafts
}

func (d draft) startsCommand() bool {
	k := d.Blocks[0].Kind
	return k == BlockCommand || k == BlockShell
}

// build makes a draft of one row; without blocks when it has nothing to show.
func build(r row) draft {
	at, _ := parseTime([]byte(r.Timestamp))
	d := draft{Message: Message{UUID: r.UUID, Time: at, Role: RoleUser}, id: r.Message.ID}
	switch {
	case r.tooLong:
		d.Role = RoleNotice
		d.Blocks = []part{{Block: Block{Kind: BlockOther, Text: fmt.Sprintf("a record of more than %d MB", maxRow>>20)}}}
	case r.Type == "system":
		d.Role = RoleNotice
		d.Blocks = notice(r)
		if len(d.Blocks) > 0 && d.Blocks[0].Kind != BlockText {
			d.Role = RoleUser
		}
	case r.Compact:
		d.Role = RoleSummary
		d.Blocks = blocksOf(r.Message.Content, textPart)
	case r.Type == "assistant":
		d.Role, d.Model = RoleAssistant, r.Message.Model
		d.Blocks = blocksOf(r.Message.Content, textPart)
	default:
		d.Blocks = blocksOf(r.Message.Content, typedPart)
		d.output = len(d.Blocks) > 0
		for _, p := range d.Blocks {
			d.output = d.output && p.Kind == BlockOutput
		}
	}
	return d
}

// notice shows the system rows that say something to a person.
func notice(r row) []part {
	switch r.Subtype {
	case "local_command":
		return blocksOf(r.Content, typedPart)
	case "turn_duration", "stop_hook_summary", "init", "bridge_status":
		return nil
	}
	return blocksOf(r.Content, textPart)
}

// rawBlock is a content block as recorded.
type rawBlock struct {
	Type      string
	Text      string
	Thinking  string
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	Content   json.RawMessage
	IsError   bool `json:"is_error"`
}

// blocksOf reads a content, which is a string or a list of blocks.
func blocksOf(content json.RawMessage, text func(string) []part) []part {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return text(s)
	}
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		return nil
	}
	var parts []part
	for _, raw := range list {
		var b rawBlock
		_ = json.Unmarshal(raw, &b) // what does not fit stays empty
		parts = append(parts, b.parts(text)...)
	}
	return parts
}

func (b rawBlock) parts(text func(string) []part) []part {
	switch b.Type {
	case "text":
		return text(b.Text)
	case "thinking":
		p := textPart(b.Thinking)
		for i := range p {
			p[i].Kind = BlockThinking
		}
		return p
	case "tool_use", "server_tool_use":
		return []part{{Block: Block{Kind: BlockCall, Tool: b.Name, Input: telling(b.Input)}, call: b.ID}}
	case "tool_result":
		return []part{{Block: Block{Kind: BlockResult}, answers: b.ToolUseID, result: readResult(b)}}
	case "image":
		return []part{{Block: Block{Kind: BlockImage, Text: "[image]"}}}
	case "", "redacted_thinking":
		return nil
	}
	return []part{{Block: Block{Kind: BlockOther, Text: cut(b.Type, maxResult)}}}
}

func textPart(s string) []part {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return []part{{Block: newText(BlockText, s)}}
}

func newText(k BlockKind, s string) Block {
	short := cut(s, maxText)
	return Block{Kind: k, Text: short, Cut: len(s) - len(short)}
}

// typedPart reads a text of a user row: words, a command, or what one printed.
func typedPart(s string) []part {
	t := strings.TrimSpace(s)
	switch {
	case t == "" || strings.HasPrefix(t, "<local-command-caveat>"):
		return nil
	case strings.HasPrefix(t, "<command-"):
		if name, ok := element(t, "command-name"); ok {
			args, _ := element(t, "command-args")
			return []part{{Block: newText(BlockCommand, strings.TrimSpace(strings.TrimSpace(name)+" "+strings.TrimSpace(args)))}}
		}
	case strings.HasPrefix(t, "<bash-input>"):
		if shell, ok := element(t, "bash-input"); ok {
			return []part{{Block: newText(BlockShell, strings.TrimSpace(shell))}}
		}
	case strings.HasPrefix(t, "<local-command-std") || strings.HasPrefix(t, "<bash-std"):
		return output(t)
	}
	return textPart(s)
}

// output reads what a command printed; nothing when that is empty.
func output(t string) []part {
	var texts []string
	for _, name := range []string{"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"} {
		if text, ok := element(t, name); ok && strings.TrimSpace(text) != "" {
			texts = append(texts, strings.Trim(text, "\n"))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []part{{Block: newText(BlockOutput, strings.Join(texts, "\n"))}}
}
