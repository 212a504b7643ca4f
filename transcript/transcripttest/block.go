package transcripttest

import "strings"

// Text returns a text block.
func Text(s string) string { return `{"type":"text","text":` + Quote(s) + `}` }

// Thinking returns a thinking block.
func Thinking(s string) string {
	return `{"type":"thinking","thinking":` + Quote(s) + `,"signature":"c2lnbmVk"}`
}

// ToolUse returns a call; input is JSON.
func ToolUse(id, tool, input string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"` + tool + `","input":` + input + `}`
}

// Bash returns a call of a shell command.
func Bash(id, command string) string {
	return ToolUse(id, "Bash", `{"command":`+Quote(command)+`,"description":"run it"}`)
}

// Image returns an image block with about size bytes of data.
func Image(size int) string {
	return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("iVBORw0K", size/8) + `"}}`
}

// ToolResult returns a result block.
func ToolResult(id, text string) string {
	return `{"tool_use_id":"` + id + `","type":"tool_result","content":` + Quote(text) + `,"is_error":false}`
}
