package main

import "strings"

// quoted returns a command line as a shell would read it.
func quoted(args []string) string {
	words := make([]string, 0, len(args))
	for _, a := range args {
		if a == "" || strings.ContainsFunc(a, special) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// special reports whether a shell may give a meaning to r.
func special(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("-_./:=@%+,", r)
}
