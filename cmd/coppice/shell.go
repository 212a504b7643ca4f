package main

import (
	"cmp"
	"strings"
)

// shell is the command line of the person's shell.
func (a *app) shell() []string { return []string{cmp.Or(a.env.Getenv("SHELL"), "/bin/sh")} }

// editor is the command line of the person's editor, empty where none is named.
// Its arguments are cut at blanks, as no shell reads them.
func (a *app) editor() []string {
	return strings.Fields(cmp.Or(a.env.Getenv("VISUAL"), a.env.Getenv("EDITOR")))
}
