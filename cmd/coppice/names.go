package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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

// findOrFile returns the session that an argument names, which may also be a
// transcript file anywhere, or a copy that is not in use. outside is true for
// those.
func (a *app) findOrFile(ctx context.Context, rows []session.Session, arg string) (s session.Session, outside bool, err error) {
	s, err = a.find(rows, arg)
	if !errors.Is(err, session.ErrNotFound) || !looksLikeFile(arg) {
		return s, false, err
	}
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.env.Cwd, path)
	}
	switch info, statErr := os.Stat(path); {
	case errors.Is(statErr, os.ErrNotExist):
		return s, false, fmt.Errorf("there is no file %s: %w", path, session.ErrNotFound)
	case statErr == nil && info.IsDir():
		return s, false, usagef("%q is a directory; give a session or a transcript file", arg)
	}
	s, err = session.FromFile(ctx, path)
	return s, true, err
}

// looksLikeFile reports whether an argument can be meant as a path.
func looksLikeFile(arg string) bool {
	return strings.HasSuffix(arg, ".jsonl") || strings.ContainsRune(arg, filepath.Separator)
}

// tellCandidates lists the sessions that an ambiguous name stands for.
func (a *app) tellCandidates(err *session.AmbiguousError) {
	a.warnf("%q stands for %d sessions; name one by its id:", err.Value, len(err.Candidates))
	for _, s := range err.Candidates {
		a.warnf("  %s  %s  %s  %s", s.ID, stamp(s.Updated), s.Dir, s.Title)
	}
}
