package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"coppice/session"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	"coppice/ui/text"
)

// showMarkdown prints the whole conversation, what was compacted included.
func (a *app) showMarkdown(ctx context.Context, s session.Session) error {
	f, l, err := openLedger(ctx, s)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	chain, err := l.Chain(ledger.Keep)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	chain.Rows = slices.Concat(chain.Before, chain.Rows)
	c, err := repair.New(l, chain, repair.Options{})
	if err != nil {
		return fmt.Errorf("read %s: %w", s.Path, err)
	}
	d := document{ledger: l}
	d.head(s)
	for _, m := range c.Messages {
		d.message(m)
	}
	out := strings.TrimRight(d.b.String(), "\n") + "\n"
	if a.env.OutTerminal {
		out = text.CleanLines(out)
	}
	return a.print(out)
}

// document is a conversation in Markdown.
type document struct {
	b       strings.Builder
	ledger  *ledger.Ledger
	speaker string // of the last heading
}

// head writes what is known of the session.
func (d *document) head(s session.Session) {
	d.b.WriteString("# " + inline(s.Title) + "\n\n")
	fact := func(name, value string) {
		if value != "" {
			d.b.WriteString("- " + name + ": " + code(value) + "\n")
		}
	}
	fact("session", s.ID)
	fact("directory", s.Dir)
	fact("branch", s.Summary.Branch)
	fact("started", stamp(s.Summary.Created))
	fact("updated", stamp(s.Updated))
	d.b.WriteString("\n")
}

// message writes one message. Answers of tools stand with the agent's words.
func (d *document) message(m repair.Message) {
	for _, b := range m.Blocks {
		var row ledger.Row
		if b.Row >= 0 {
			row = d.ledger.Rows[b.Row]
		}
		switch {
		case b.Made == repair.MadeOutcome:
			d.fence("result", "(nothing answered; the outcome is not known)")
		case b.Made != repair.Recorded, row.Meta, m.Role == "system":
		case b.Type == "tool_result":
			d.fence("result", resultText(b.JSON))
		default:
			d.speak(m.Role, row)
			d.block(b)
		}
	}
}

// speak writes a heading where another one begins to speak.
func (d *document) speak(role string, row ledger.Row) {
	who := "Agent"
	switch {
	case row.Summary:
		who = "Summary of what came before"
	case role == "user":
		who = "You"
	}
	if who == d.speaker && role != "user" {
		return
	}
	d.speaker = who
	d.b.WriteString("## " + who)
	if row.Time != 0 {
		d.b.WriteString(" · " + time.UnixMilli(row.Time).UTC().Format("2006-01-02 15:04"))
	}
	d.b.WriteString("\n\n")
}

// block writes a block that somebody said.
func (d *document) block(b repair.Block) {
	var in struct {
		Text     string          `json:"text"`
		Thinking string          `json:"thinking"`
		Name     string          `json:"name"`
		Input    json.RawMessage `json:"input"`
	}
	_ = json.Unmarshal(b.JSON, &in) // what fits is set
	switch b.Type {
	case "text":
		d.said(in.Text)
	case "thinking":
		if strings.TrimSpace(in.Thinking) != "" {
			d.fence("thinking", in.Thinking)
		}
	case "tool_use", "server_tool_use":
		d.fence(in.Name, inputText(in.Input))
	case "redacted_thinking":
	default:
		d.b.WriteString("*(" + inline(b.Type) + ")*\n\n")
	}
}

// said writes text, which is Markdown as it is, as a quotation: whatever it leaves
// open ends with that.
func (d *document) said(s string) {
	s = strings.TrimSpace(lineEnds.Replace(strings.ToValidUTF8(s, "\uFFFD")))
	if command := commandText(s); command != "" {
		s = code(command)
	}
	if s == "" {
		return
	}
	fence := ""
	for line := range strings.SplitSeq(s, "\n") {
		if fence = fenced(fence, line); fence == "" {
			line = tags.ReplaceAllString(line, `\<$1`)
		}
		d.b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	d.b.WriteString("\n")
}

// lineEnds makes line feeds of what ends a line in Markdown too.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// tags finds what begins HTML. It would be obeyed by what shows the document, and
// one that nothing ends goes on behind a quotation.
var tags = regexp.MustCompile(`<([A-Za-z/!?])`)

// fence writes text between fences that are longer than any run of backticks in
// it.
func (d *document) fence(info, s string) {
	s = lineEnds.Replace(strings.ToValidUTF8(strings.TrimRight(s, "\r\n"), "\uFFFD"))
	mark := strings.Repeat("`", max(longest(s, '`')+1, 3))
	info = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, info)
	d.b.WriteString(mark + info + "\n" + s + "\n" + mark + "\n\n")
}

// longest returns the length of the longest run of c.
func longest(s string, c byte) int {
	most, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != c {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

// leader is what may stand before a fence that opens: blanks, and the marks of
// quotations and list items.
var leader = regexp.MustCompile(`^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`)

// fenced returns the fence that is open behind a line, "" for none.
func fenced(open, line string) string {
	trimmed := strings.TrimLeft(line, " \t>")
	if open == "" {
		trimmed = line[len(leader.FindString(line)):]
	}
	if trimmed == "" {
		return open
	}
	run := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
	rest := strings.TrimSpace(trimmed[len(run):])
	switch {
	case len(run) < 3 || run[0] != '`' && run[0] != '~':
	case open == "" && (run[0] == '~' || !strings.Contains(rest, "`")):
		return run
	case open != "" && run[0] == open[0] && len(run) >= len(open) && rest == "":
		return ""
	}
	return open
}

// code returns text of one line as code.
func code(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	mark := strings.Repeat("`", longest(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return mark + s + mark
}

// inline returns text of one line in which nothing is a sign of Markdown.
func inline(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	return regexp.MustCompile("[\\\\`*_\\[\\]<>#|~&]").ReplaceAllString(s, `\$0`)
}

// commandText returns a slash command as it was typed, "" for any other text.
func commandText(s string) string {
	tag := func(name string) string {
		m := regexp.MustCompile(`(?s)<` + name + `>(.*?)</` + name + `>`).FindStringSubmatch(s)
		if m == nil {
			return ""
		}
		return strings.TrimSpace(m[1])
	}
	if !strings.HasPrefix(s, "<command-") {
		return ""
	}
	return strings.TrimSpace(tag("command-name") + " " + tag("command-args"))
}

// inputText returns the input of a call: a command alone as it is, else the JSON.
func inputText(in json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(in, &fields) == nil {
		if command, ok := fields["command"].(string); ok {
			return command
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, in, "", "  ") != nil {
		return string(in)
	}
	return b.String()
}

// resultText returns the text of a tool's answer.
func resultText(block json.RawMessage) string {
	var r struct {
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(block, &r)
	var s string
	if json.Unmarshal(r.Content, &s) == nil {
		return s
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	_ = json.Unmarshal(r.Content, &parts)
	var out []string
	for _, p := range parts {
		if p.Type == "text" {
			out = append(out, p.Text)
		} else {
			out = append(out, "("+p.Type+")")
		}
	}
	return strings.Join(out, "\n")
}
