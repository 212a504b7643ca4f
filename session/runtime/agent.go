package runtime

import (
	"path/filepath"
	"strings"
)

// Bounds of the search for an agent's definition.
const (
	maxDefinitions = 256       // files of a folder that are looked at
	maxDefinition  = 256 << 10 // bytes of one that counts
)

// findAgent looks an agent up by the name in its definition's head: where the
// session ran if that is trusted, where it will run, below the config root
// (client-behaviour 7.4; the name is that of the head, whatever the file's).
func findAgent(name, ranIn string, dir, root place, trusted func(string) bool) Agent {
	if name == "" {
		return Agent{}
	}
	folder := filepath.Join(".claude", "agents")
	if ranIn != dir.dir && trusted != nil && trusted(ranIn) {
		ran := openPlace(ranIn)
		defer ran.close()
		if a, ok := searchAgents(ran, folder, name); ok {
			return a
		}
	}
	if a, ok := searchAgents(dir, folder, name); ok {
		return a
	}
	if a, ok := searchAgents(root, "agents", name); ok {
		return a
	}
	return Agent{Stored: name, Reason: "no definition of it was found: the default agent goes on"}
}

func searchAgents(p place, folder, name string) (Agent, bool) {
	for _, file := range p.list(folder, maxDefinitions) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		at := filepath.Join(folder, file)
		data, err := p.read(at, maxDefinition)
		if err != nil {
			continue
		}
		head, body, ok := splitHead(string(data))
		if !ok || head.text("name") != name {
			continue
		}
		return Agent{
			Name: name, Path: p.path(at), Prompt: body, Model: head.text("model"),
			Tools: toolLimit(head), Denied: head.list("disallowedTools"),
		}, true
	}
	return Agent{}, false
}

// toolLimit returns the tools that a definition allows, nil when it sets no
// limit. A list that says nothing readable allows none.
func toolLimit(h head) []string {
	if _, there := h["tools"]; !there {
		return nil
	}
	tools := h.list("tools")
	for _, tool := range tools {
		if tool == "*" {
			return nil
		}
	}
	if tools == nil {
		return []string{}
	}
	return tools
}

// head is the head of a definition: its keys with the lines of each value.
type head map[string][]string

// maxHead bounds the head of a definition, in lines.
const maxHead = 1000

// splitHead splits a definition into the head, between two lines of three
// hyphens, and the rest. Of YAML it understands what such heads hold: plain and
// quoted values, lists on one line or below their key. A head that nothing ends
// is none.
func splitHead(text string) (head, string, bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	h, key := head{}, ""
	for n := 0; n < maxHead; n++ {
		line, rest, found := strings.Cut(text, "\n")
		line = strings.TrimRight(line, "\r \t")
		text = rest
		switch {
		case n == 0 && line != "---":
			return nil, "", false
		case n > 0 && line == "---":
			return h, strings.TrimSpace(text), true
		case !found:
			return nil, "", false
		case n == 0 || line == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t' || line[0] == '-':
			if key != "" {
				h[key] = append(h[key], strings.TrimSpace(line))
			}
		default:
			name, value, ok := strings.Cut(line, ":")
			if key = ""; ok {
				key = strings.TrimSpace(name)
				h[key] = []string{strings.TrimSpace(value)}
			}
		}
	}
	return nil, "", false
}

// text returns a value that stands on one line.
func (h head) text(key string) string {
	if lines := h[key]; len(lines) > 0 {
		return unquote(lines[0])
	}
	return ""
}

// list returns a list: with commas, in brackets, or one item a line.
func (h head) list(key string) []string {
	lines := h[key]
	if len(lines) == 0 {
		return nil
	}
	first := strings.TrimSpace(lines[0])
	if first == "" {
		var items []string
		for _, line := range lines[1:] {
			if item, ok := strings.CutPrefix(line, "-"); ok {
				items = add(items, item)
			}
		}
		return items
	}
	joined := strings.Join(lines, " ")
	if inner, ok := strings.CutPrefix(joined, "["); ok {
		joined, _, _ = strings.Cut(inner, "]")
	} else {
		joined = unquote(joined)
	}
	var items []string
	for item := range splitItems(joined) {
		items = add(items, item)
	}
	return items
}

func add(items []string, item string) []string {
	if item = unquote(item); item != "" {
		items = append(items, item)
	}
	return items
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// splitItems splits at commas outside parentheses, as in "Bash(git log, git diff), Read".
func splitItems(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '(':
				depth++
			case ')':
				depth = max(depth-1, 0)
			case ',':
				if depth == 0 {
					if !yield(s[start:i]) {
						return
					}
					start = i + 1
				}
			}
		}
		yield(s[start:])
	}
}
