package main

import (
	"errors"
	"fmt"

	"coppice/session"
)

// sessionHelp says how a session is named on the command line.
const sessionHelp = "A session is named by its id or the first 8 characters of it or more, by its exact\n" +
	"name, or by the path of its transcript."

// find returns the session that an argument names.
func (a *app) find(rows []session.Session, arg string) (session.Session, error) {
	s, err := session.Resolve(rows, arg)
	if errors.Is(err, session.ErrNotFound) {
		return s, fmt.Errorf("%w; `coppice ls --all --hidden` lists every session", err)
	}
	return s, err
}

// tellCandidates lists the sessions that an ambiguous name stands for.
func (a *app) tellCandidates(err *session.AmbiguousError) {
	a.warnf("%q stands for %d sessions; name one by its id:", err.Value, len(err.Candidates))
	for _, s := range err.Candidates {
		a.warnf("  %s  %s  %s  %s", s.ID, stamp(s.Updated), s.Dir, s.Title)
	}
}
