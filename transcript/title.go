package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf16"
)

// MaxTitle is the longest title that the client keeps, in UTF-16 units
// (observed J).
const MaxTitle = 200

// ErrEmptyTitle says that nothing of a title is visible.
var ErrEmptyTitle = errors.New("the name is empty once invisible characters are removed")

// CleanTitle returns a title as the client would store it: control and invisible
// characters become blanks, blanks at the ends go, and what is longer than
// MaxTitle is cut. The error is ErrEmptyTitle.
func CleanTitle(title string) (string, error) {
	title = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && !invisible(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(title, "\uFFFD"))
	title = strings.TrimSpace(title)
	units := 0
	for i, r := range title {
		if units += utf16.RuneLen(r); units > MaxTitle {
			title = strings.TrimSpace(title[:i])
			break
		}
	}
	if title == "" {
		return "", ErrEmptyTitle
	}
	return title, nil
}

// invisible names printable characters without ink.
func invisible(r rune) bool {
	switch r {
	case '\u115F', '\u1160', '\u3164', '\uFFA0', '\u2800', '\u034F', '\u17B4', '\u17B5':
		return true
	}
	return r >= 0xFE00 && r <= 0xFE0E || r >= 0xE0100 && r <= 0xE01EF
}

// TitleRecords returns the records that name a session, in the client's own
// spelling and order of members: custom-title, then agent-name (observed 0, J).
func TitleRecords(sessionID, title string) [][]byte {
	return [][]byte{
		encode(struct {
			Type        string `json:"type"`
			CustomTitle string `json:"customTitle"`
			SessionID   string `json:"sessionId"`
		}{"custom-title", title, sessionID}),
		encode(struct {
			Type      string `json:"type"`
			AgentName string `json:"agentName"`
			SessionID string `json:"sessionId"`
		}{"agent-name", title, sessionID}),
	}
}

// encode writes compact JSON as the client does: without escapes for HTML.
func encode(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("transcript: encode a record: " + err.Error()) // strings always encode
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
