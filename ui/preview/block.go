package preview

import (
	"strings"

	"coppice/transcript"
	"coppice/ui/text"
)

// Lines shown of what is folded.
const (
	outputLines  = 6
	summaryLines = 3
)

// blocks lays out the blocks of a message. Blocks without text are left out
// (reports A18, A20).
func (p *page) blocks(blocks []transcript.Block) {
	for _, b := range blocks {
		switch b.Kind {
		case transcript.BlockText:
			p.words(b)
		case transcript.BlockThinking:
			p.thinking(b)
		case transcript.BlockCall:
			p.call(b)
		case transcript.BlockResult:
			p.answer(transcript.Result{Text: b.Text, Cut: b.Cut, Lines: countLines(b.Text)})
		case transcript.BlockCommand:
			p.hang(p.margin(), text.Line{{Text: orElse(firstLine(b.Text), "/"), Role: text.Code}})
		case transcript.BlockShell:
			p.hang(p.margin(), text.Line{{Text: "! ", Role: text.Dim}, {Text: firstLine(b.Text), Role: text.Code}})
		case transcript.BlockOutput:
			p.fold(text.Span{Text: indent}, b.Text, b.Cut, outputLines, text.Dim)
		case transcript.BlockImage:
			p.hang(p.margin(), text.Line{{Text: "[image]", Role: text.Dim}})
		case transcript.BlockOther:
			p.hang(p.margin(), text.Line{{Text: "[" + orElse(firstLine(b.Text), "unknown block") + "]", Role: text.Dim}})
		}
	}
}

// words lays out what a person or the agent said.
func (p *page) words(b transcript.Block) {
	if blank(b.Text) {
		return
	}
	first := p.margin()
	if p.markdown {
		p.renderMarkdown(first, b.Text)
	} else {
		p.wrap(first, b.Text, text.Default)
	}
	if b.Cut > 0 {
		p.cut(text.Span{Text: strings.Repeat(" ", first.Width())}, b.Cut)
	}
}

// thinking lays out a thought: its first line, or all of it when expanded.
func (p *page) thinking(b transcript.Block) {
	if blank(b.Text) {
		return
	}
	name := text.Line{{Text: indent + "~ thinking: ", Role: text.Dim}}
	if !p.opt.Expanded {
		p.add(join(name, text.Line{{Text: firstLine(b.Text), Role: text.Dim}}))
		return
	}
	p.add(name)
	p.wrap(text.Line{{Text: indent + indent}}, b.Text, text.Dim)
	if b.Cut > 0 {
		p.cut(text.Span{Text: indent + indent}, b.Cut)
	}
}

// call lays out a tool call and its answer: a line each, more when expanded.
func (p *page) call(b transcript.Block) {
	l := text.Line{{Text: indent + "▸ ", Role: text.Dim}, {Text: orElse(firstLine(b.Tool), "tool"), Role: text.Strong}}
	if in := firstLine(b.Input); in != "" {
		l = append(l, text.Span{Text: " " + in, Role: text.Tool})
	}
	p.add(l)
	if b.Answer == nil {
		p.add(text.Line{{Text: indent + "… no answer", Role: text.Dim}})
		return
	}
	p.answer(*b.Answer)
}

// answer lays out what a tool answered.
func (p *page) answer(r transcript.Result) {
	sign, role := text.Span{Text: indent + "✓ ", Role: text.Good}, text.Dim
	said := firstLine(r.Text)
	switch {
	case r.Error:
		sign, role = text.Span{Text: indent + "✗ ", Role: text.Bad}, text.Bad
		said = strings.TrimSpace("error " + said)
	case said == "":
		said = "no output"
	case r.Lines > 1:
		said = text.Plural(r.Lines, "line")
	}
	p.add(text.Line{sign, {Text: said, Role: role}})
	if p.opt.Expanded && (r.Lines > 1 || r.Cut > 0) {
		p.fold(text.Span{Text: indent + indent}, r.Text, r.Cut, 0, text.Dim)
	}
}

// summary lays out what a compaction left, which nobody said (report A14).
func (p *page) summary(m transcript.Message) {
	p.rule("earlier, summarised", text.Heading)
	for _, b := range m.Blocks {
		if !p.opt.Expanded {
			p.fold(text.Span{}, b.Text, b.Cut, summaryLines, text.Dim)
			continue
		}
		p.wrap(nil, b.Text, text.Dim)
		if b.Cut > 0 {
			p.cut(text.Span{}, b.Cut)
		}
	}
}

// countLines returns the number of lines of s, a last one without a line feed
// included.
func countLines(s string) int {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// orElse returns s, or other when s is empty.
func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
