package preview

import (
	"strings"

	"coppice/ui/text"
)

// renderMarkdown lays out s after first as the light Markdown that agents write:
// headings, lists, quotes, fenced code, tables, bold and inline code. Code and
// tables are cut at the margin, not wrapped. Anything else, and anything
// malformed, is shown as it was written.
func (p *page) renderMarkdown(first text.Line, s string) {
	follow := text.Line{{Text: strings.Repeat(" ", first.Width())}}
	if first == nil {
		follow = nil
	}
	fence := ""
	for _, line := range paragraphs(s) {
		mark := fenceOf(line)
		switch {
		case fence == "" && mark != "":
			fence = mark
			continue
		case fence != "" && mark == fence && strings.TrimSpace(line) == fence:
			fence = ""
			continue
		case fence != "":
			p.add(join(first, text.Line{{Text: indent + line, Role: text.Code}}))
		case strings.HasPrefix(line, "|"): // a row of a table
			p.add(join(first, inline(line, text.Default)))
		default:
			lead, body := block(line)
			p.hang(join(first, lead), body)
		}
		first = follow
	}
}

// fenceOf returns the marker when line opens or closes a code fence, else "".
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range [...]string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// block returns what a line begins with, under which the rest of it is indented,
// and that rest, styled.
func block(line string) (lead, body text.Line) {
	rest := strings.TrimLeft(line, " ")
	pad := line[:len(line)-len(rest)]
	word, after, ok := strings.Cut(rest, " ")
	switch {
	case !ok:
	case len(word) <= 6 && strings.Trim(word, "#") == "":
		return nil, inline(after, text.Heading)
	case word == "-" || word == "*" || word == "+" || ordinal(word):
		return text.Line{{Text: pad + word + " ", Role: text.Dim}}, inline(after, text.Default)
	case word == ">":
		return text.Line{{Text: pad + "│ ", Role: text.Border}}, inline(after, text.Dim)
	}
	if pad == "" {
		return nil, inline(rest, text.Default)
	}
	return text.Line{{Text: pad}}, inline(rest, text.Default)
}

// ordinal reports whether word numbers a list item: "12." or "3)".
func ordinal(word string) bool {
	n := len(word) - 1
	return n > 0 && n < 4 && (word[n] == '.' || word[n] == ')') && strings.Trim(word[:n], "0123456789") == ""
}

// inline returns s with what stands between backquotes or double asterisks in
// roles of their own. A marker that has no partner is ordinary text.
func inline(s string, role text.Role) text.Line {
	var out text.Line
	plain := 0 // where the text not yet added begins
	for i := 0; i < len(s); i++ {
		mark, inner := "", text.Code
		switch {
		case s[i] == '`':
			mark = "`"
		case strings.HasPrefix(s[i:], "**"):
			mark, inner = "**", text.Strong
		default:
			continue
		}
		n := strings.Index(s[i+len(mark):], mark)
		if n < 1 {
			i += len(mark) - 1
			continue
		}
		if plain < i {
			out = append(out, text.Span{Text: s[plain:i], Role: role})
		}
		i += len(mark)
		out = append(out, text.Span{Text: s[i : i+n], Role: inner})
		plain = i + n + len(mark)
		i = plain - 1
	}
	if plain < len(s) || len(out) == 0 {
		out = append(out, text.Span{Text: s[plain:], Role: role})
	}
	return out
}
