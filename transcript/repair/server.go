package repair

import "strings"

// serverCall reports whether a type is that of a call which the provider runs
// itself: its result stands in the same message.
func serverCall(typ string) bool { return typ == "server_tool_use" || typ == "mcp_tool_use" }

// serverResults returns the calls that results in an assistant message answer.
func serverResults(parts []part) map[string]bool {
	var ids map[string]bool
	for i := range parts {
		if p := &parts[i]; strings.HasSuffix(p.Type, "_tool_result") {
			if ids == nil {
				ids = map[string]bool{}
			}
			members(p.JSON, func(key, v []byte) {
				if string(key) == "tool_use_id" {
					ids[unquoted(v)] = true
				}
			})
		}
	}
	return ids
}
