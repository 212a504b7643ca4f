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

// readTyped applies the client's rules for first prompts: texts that begin with
// a lower-case tag and interrupt markers are nobody's words, a shell line is
// shown with its "!", a slash command counts apart.
func readTyped(text string) typed {
	text = strings.TrimSpace(text)
	if name, ok := element(text, "command-name"); ok && strings.HasPrefix(text, "<command-") {
		args, _ := element(text, "command-args")
		return typed{command: oneLine(strings.TrimSpace(name) + " " + strings.TrimSpace(args))}
	}
	if shell, ok := element(text, "bash-input"); ok && strings.HasPrefix(text, "<bash-input>") {
		if shell = strings.TrimSpace(shell); shell != "" {
			return typed{prompt: oneLine("! " + shell)}
		}
		return typed{}
	}
	if strings.HasPrefix(text, "[Request interrupted by user") || lowerTag.MatchString(text) {
		return typed{}
	}
	return typed{prompt: oneLine(text)}
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
