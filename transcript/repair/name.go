package repair

import (
	"strings"
	"unicode"
)

// maxName bounds an id in a repair's detail, in bytes.
const maxName = 80

// name returns an id as a repair's detail may hold it: one short line.
func name(id string) string {
	if id == "" {
		return "without an id"
	}
	id = strings.Map(func(c rune) rune {
		if !unicode.IsGraphic(c) || unicode.Is(unicode.Bidi_Control, c) {
			return '?'
		}
		return c
	}, strings.ToValidUTF8(id, "?"))
	if len(id) > maxName {
		id = strings.ToValidUTF8(id[:maxName], "") + "…"
	}
	return id
}

// maxNames bounds how many ids a detail lists.
const maxNames = 5

// calls names the calls among the parts.
func calls(parts []part) string {
	var ids []string
	n := 0
	for i := range parts {
		if !parts[i].call() {
			continue
		}
		if n++; n <= maxNames {
			ids = append(ids, name(parts[i].id))
		}
	}
	list := strings.Join(ids, ", ")
	if n > maxNames {
		list += ", …"
	}
	if n == 1 {
		return "call " + list
	}
	return "calls " + list
}
