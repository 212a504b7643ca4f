package session

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"coppice/transcript"
)

// titleMax is the longest title of a row in characters, as in the client.
const titleMax = 200

// sidecarMax bounds what is read of a sidecar.
const sidecarMax = 64 << 10

// noPrompt is the title of a session in which nobody said anything.
const noPrompt = "(no prompt)"

// titleOf returns the title of a session and where it is from, the strongest
// source first (DESIGN "Which files are rows", report B4). sidecar is the
// title in custom-title.json, "" when there is none.
func titleOf(sum *transcript.Summary, sidecar string) (string, TitleSource) {
	if sum.TitleCleared {
		sidecar = "" // of the name that was cleared
	}
	candidates := [...]struct {
		text   string
		source TitleSource
	}{
		{sum.CustomTitle, TitleCustom},
		{sidecar, TitleSidecar},
		{sum.AITitle, TitleAI},
		{sum.LastPrompt, TitleLast},
		{sum.LegacyTitle, TitleLegacy},
		{sum.FirstPrompt, TitleFirst},
		{sum.FirstCommand, TitleCommand},
	}
	for _, c := range candidates {
		if text := oneLine(c.text); text != "" {
			return text, c.source
		}
	}
	return noPrompt, TitleNone
}

// oneLine folds white space to single blanks and cuts at titleMax characters.
// Everything else stays as stored; the screen makes it harmless.
func oneLine(s string) string {
	if len(s) > 8*titleMax { // more than can be shown, even as 4-byte characters with blanks between
		s = s[:8*titleMax]
	}
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= titleMax {
		return s
	}
	runes := 0
	for i := range s {
		if runes == titleMax {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}

// readSidecar returns the title in <id>/custom-title.json beside a transcript,
// or "" when there is none that can be read (observed J).
func readSidecar(path string) string {
	name := filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "custom-title.json")
	data, err := readBounded(name, sidecarMax)
	if err != nil {
		return ""
	}
	var side struct {
		CustomTitle string `json:"customTitle"`
	}
	if json.Unmarshal(data, &side) != nil {
		return ""
	}
	return side.CustomTitle
}
