package transcript

import (
	"regexp"
	"strings"
)

// typed is what a text of a user row turns out to be.
type typed struct {
	prompt  string // what a person typed, one line
	command string // a slash command with its arguments
}

// lowerTag is the start of a text that a program put into the conversation.
var lowerTag = regexp.MustCompile(`^<[a-z][\w-]*(\s[^>]*)?>`)

// readTyped sorts a text by the client's rules for first prompts; a slash command
// counts apart.
func readTyped(text string) typed {
	said, command, _ := Typed(text)
	if command {
		return typed{command: oneLine(said)}
	}
	return typed{prompt: oneLine(said)}
}

// Typed returns what a person typed in a text of a user row: a prompt, as it is,
// "! command", or (command) "/command arguments". ok is false for nobody's words:
// blank texts, interrupt markers, and what begins with a lower-case tag, which a
// program put there.
func Typed(text string) (said string, command, ok bool) {
	trimmed := strings.TrimSpace(text)
	if name, is := element(trimmed, "command-name"); is && strings.HasPrefix(trimmed, "<command-") {
		args, _ := element(trimmed, "command-args")
		return strings.TrimSpace(strings.TrimSpace(name) + " " + strings.TrimSpace(args)), true, true
	}
	if shell, is := element(trimmed, "bash-input"); is && strings.HasPrefix(trimmed, "<bash-input>") {
		if shell = strings.TrimSpace(shell); shell == "" {
			return "", false, false
		}
		return "! " + shell, false, true
	}
	if trimmed == "" || strings.HasPrefix(trimmed, "[Request interrupted by user") || lowerTag.MatchString(trimmed) {
		return "", false, false
	}
	return text, false, true
}

// element returns the inside of the first <name>…</name> of a text.
func element(text, name string) (string, bool) {
	_, rest, ok := strings.Cut(text, "<"+name+">")
	if !ok {
		return "", false
	}
	inside, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return "", false
	}
	return inside, true
}

// plainStart says that a raw text of a message, judged by its first bytes, is a
// typed prompt whatever follows. False means that it has to be read.
func plainStart(raw []byte) bool {
	if len(raw) == 0 {
		return false
	}
	c := raw[0]
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= firstPlainLead
}

// firstPlainLead is the first lead byte of UTF-8 behind which no white space is.
const firstPlainLead = 0xE4
