package repair

import "encoding/json"

// The words of what is made. They are ours; the client has its own.
const (
	outcomeText   = "The session ended before the result of this call was recorded. Nobody knows whether it ran, or how far: look before you rely on it or repeat it."
	closingText   = "(This message was not answered.)"
	noContentText = "(nothing)"
	brokenText    = "(A tool call stood here that cannot be repeated.)"
	carryOnText   = "The session was interrupted before this was finished. Go on from where it stopped. Files, processes and tasks may have changed since: check first."
	openingText   = "(The beginning of this conversation is not recorded.)"
)

// madeText returns a text of our own.
func madeText(kind Made, text string) part {
	return part{Block: Block{Type: "text", JSON: textBlock(quote(text)), Made: kind, Row: -1}}
}

// madeResult returns the result of a call that nothing answered.
func madeResult(id string) part {
	raw := append([]byte(`{"type":"tool_result","tool_use_id":`), quote(id)...)
	raw = append(append(raw, `,"content":`...), quote(outcomeText)...)
	raw = append(raw, `,"is_error":true}`...)
	return part{Block: Block{Type: "tool_result", JSON: raw, Made: MadeOutcome, Row: -1}, id: id}
}

// textBlock returns a text block around a JSON string.
func textBlock(text []byte) json.RawMessage {
	raw := make([]byte, 0, len(text)+len(`{"type":"text","text":}`))
	raw = append(append(raw, `{"type":"text","text":`...), text...)
	return append(raw, '}')
}
