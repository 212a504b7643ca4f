package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/session"
	"coppice/ui/text"
	"coppice/worktree"
)

// printSessions prints rows: a table as wide as the terminal, or whole values
// between tabs.
func (a *app) printSessions(rows []session.Session) error {
	var b strings.Builder
	if a.env.OutTerminal {
		a.table(&b, rows)
	} else {
		for _, s := range rows {
			fmt.Fprintln(&b, strings.Join([]string{
				text.Clean(s.ID), stamp(s.Updated), stateWord(s), text.Clean(s.Summary.Branch), text.Clean(s.Dir), text.Clean(s.Title),
			}, "\t"))
		}
	}
	return a.print(b.String())
}

// column is a column of the table.
type column struct {
	head  string
	right bool
	max   int // widest it may get in cells; 0 for the one that takes what is left
	cell  func(session.Session) string
}

// table writes rows in columns. The title gets what the others leave.
func (a *app) table(b *strings.Builder, rows []session.Session) {
	if len(rows) == 0 {
		return
	}
	now := a.env.Now()
	columns := []column{
		{head: "ID", max: 8, cell: func(s session.Session) string { return s.ID }},
		{head: "TITLE", cell: func(s session.Session) string { return s.Title }},
		{head: "STATE", max: 10, cell: stateWord},
		{head: "BRANCH", max: 20, cell: func(s session.Session) string { return s.Summary.Branch }},
		{head: "WORKTREE", max: 20, cell: worktreeName},
		{head: "UPDATED", right: true, max: 7, cell: func(s session.Session) string { return text.Age(now, s.Updated) }},
		{head: "SIZE", right: true, max: 7, cell: func(s session.Session) string { return text.Bytes(size(s)) }},
	}
	cells := make([][]string, 0, len(rows)+1)
	heads := make([]string, len(columns))
	widths := make([]int, len(columns))
	for i, c := range columns {
		heads[i], widths[i] = c.head, text.Width(c.head)
	}
	cells = append(cells, heads)
	for _, s := range rows {
		line := make([]string, len(columns))
		for i, c := range columns {
			line[i] = text.Clean(c.cell(s))
			if i == 0 {
				line[i] = line[i][:min(8, len(line[i]))]
			}
			widths[i] = max(widths[i], min(c.max, text.Width(line[i])))
		}
		cells = append(cells, line)
	}
	left := a.env.Columns()
	for i, c := range columns {
		if c.max > 0 {
			left -= widths[i] + 2
		}
	}
	for i, c := range columns {
		if c.max == 0 {
			widths[i] = max(left, 12)
		}
	}
	for _, line := range cells {
		for i, c := range columns {
			if c.right {
				line[i] = text.PadLeft(line[i], widths[i])
			} else {
				line[i] = text.Pad(line[i], widths[i])
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(line, "  "), " ") + "\n")
	}
}

// stateWord says in one word what is special about a session, "" for nothing.
func stateWord(s session.Session) string {
	switch {
	case s.Live != nil:
		return string(s.Live.State)
	case s.Problem != "":
		return "unreadable"
	case s.NotReady != "":
		return "broken"
	case s.Summary.DamageCount > 0:
		return "damaged"
	case s.Hidden != "":
		return "hidden"
	}
	return ""
}

// worktreeName is the last part of the path of a session's checkout, with its
// state when that is not an ordinary one.
func worktreeName(s session.Session) string {
	dir := s.Place.Root
	if dir == "" {
		dir = s.Dir
	}
	if dir == "" {
		return ""
	}
	name := filepath.Base(dir)
	if !ordinary(s.Place.State) {
		name += " (" + string(s.Place.State) + ")"
	}
	return name
}

// ordinary reports whether a state needs no mention.
func ordinary(state worktree.State) bool {
	return slices.Contains([]worktree.State{"", worktree.Present, worktree.Plain, worktree.Bare, worktree.Unknown}, state)
}

// size is the size of the transcript in use.
func size(s session.Session) int64 {
	if len(s.Copies) > 0 {
		return s.Copies[0].Size
	}
	return s.Summary.Size
}

// stamp returns a time as JSON would have it, "" when it is not known.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
