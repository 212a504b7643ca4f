package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"
)

// MaxTitle is the longest title that the client keeps, in characters (observed J).
const MaxTitle = 200

// ErrEmptyTitle says that nothing of a title is visible.
var ErrEmptyTitle = errors.New("the name is empty once invisible characters are removed")

// CleanTitle returns a title as the client would store it: control and format
// characters and line separators become blanks, blanks at the ends go, and what
// is longer than MaxTitle is cut. The error is ErrEmptyTitle.
func CleanTitle(title string) (string, error) {
	title = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(title, "\uFFFD"))
	title = strings.TrimSpace(title)
	n := 0
	for i := range title {
		if n == MaxTitle {
			title = strings.TrimSpace(title[:i])
			break
		}
		n++
	}
	if strings.TrimFunc(title, invisible) == "" {
		return "", ErrEmptyTitle
	}
	return title, nil
}

// invisible says whether a character has no ink.
func invisible(r rune) bool {
	switch r {
	case '\u115F', '\u1160', '\u3164', '\uFFA0', '\u2800', '\u034F', '\u17B4', '\u17B5':
		return true
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Variation_Selector, r)
}

// TitleRecords returns the records that name a session, in the client's own
// spelling and order of members: custom-title, then agent-name (observed 0, J).
func TitleRecords(sessionID, title string) [][]byte {
	return [][]byte{
		Encode(struct {
			Type        string `json:"type"`
			CustomTitle string `json:"customTitle"`
			SessionID   string `json:"sessionId"`
		}{"custom-title", title, sessionID}),
		Encode(struct {
			Type      string `json:"type"`
			AgentName string `json:"agentName"`
			SessionID string `json:"sessionId"`
		}{"agent-name", title, sessionID}),
	}
}

// TitleSidecar returns what the copy of a name beside the transcript,
// <id>/custom-title.json, holds (observed J).
func TitleSidecar(title string, at time.Time) []byte {
	return Encode(struct {
		Title string `json:"customTitle"`
		By    string `json:"by"`
		At    string `json:"at"`
	}{title, "user", at.UTC().Format("2006-01-02T15:04:05.000Z")})
}

// Encode writes compact JSON as the client does, without escapes for HTML. It is
// for what always encodes: strings, numbers and structs of them.
func Encode(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("transcript: encode a record: " + err.Error())
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
