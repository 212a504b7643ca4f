package agent

import "strings"

// Quote writes a command line the way a person would type it to a POSIX shell.
// Nothing here ever runs such a line: it is shown and copied.
func Quote(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = quoteWord(arg)
	}
	return strings.Join(words, " ")
}

// QuoteIn is Quote for a command that runs in a directory, "" for any.
func QuoteIn(dir string, args []string) string {
	if dir == "" {
		return Quote(args)
	}
	return "cd " + quoteWord(dir) + " && " + Quote(args)
}

// quoteWord quotes an argument where a shell would give a meaning to part of it.
func quoteWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
