package main

import (
	"fmt"
	"strings"

	"coppice/session/owner"
	"coppice/ui/text"
	"coppice/worktree"
	"coppice/worktree/change"
)

// The shapes of --json of worktrees.

// worktreeJSON is a row of `worktree ls`.
type worktreeJSON struct {
	Name       string     `json:"name"`
	Path       string     `json:"path"`
	Repository string     `json:"repository"`
	Branch     string     `json:"branch"`
	State      string     `json:"state"`
	Detail     string     `json:"detail"`
	Main       bool       `json:"main"`
	Locked     bool       `json:"locked"`
	LockReason string     `json:"lockReason"`
	Users      []userJSON `json:"users"`
}

// userJSON is a session that refers to a worktree.
type userJSON struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Live  bool   `json:"live"`
	Owner bool   `json:"owner"`
}

func toWorktreeJSON(r worktree.Repository, w worktree.Worktree, users []owner.User) worktreeJSON {
	return worktreeJSON{
		Name: w.Name, Path: w.Path, Repository: r.CommonDir, Branch: w.Branch, State: string(w.State), Detail: w.Detail,
		Main: w.Main, Locked: w.Locked, LockReason: w.LockReason, Users: toUsersJSON(users),
	}
}

func toUsersJSON(users []owner.User) []userJSON {
	return list(users, func(u owner.User) userJSON { return userJSON{ID: u.ID, Title: u.Title, Live: u.Live, Owner: u.Owner} })
}

// line is a row of `worktree ls` for a person.
func (w worktreeJSON) line() string {
	notes := []string{}
	add := func(s string) { notes = append(notes, text.Clean(s)) }
	if w.State != string(worktree.Present) {
		add(w.State)
	}
	if w.Locked {
		add("locked" + bracketed(w.LockReason))
	}
	for _, u := range w.Users {
		s := owner.User{ID: u.ID, Title: u.Title}.String()
		switch {
		case u.Owner && u.Live:
			s += ", owner, live"
		case u.Owner:
			s += ", owner"
		case u.Live:
			s += ", live"
		}
		add(s)
	}
	branch := w.Branch
	if branch == "" {
		branch = "(no branch)"
	}
	fields := append([]string{text.Clean(w.Name), text.Clean(branch), text.Clean(w.Path)}, strings.Join(notes, "; "))
	return strings.TrimRight(strings.Join(fields, "\t"), "\t") + "\n"
}

func bracketed(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", s)
}

// createdJSON is `worktree add` and `worktree restore`.
type createdJSON struct {
	Path   string   `json:"path"`
	Branch string   `json:"branch"`
	Base   string   `json:"base"`
	Commit string   `json:"commit"`
	Notes  []string `json:"notes"`
}

func toCreatedJSON(c change.Created) createdJSON {
	return createdJSON{Path: c.Path, Branch: c.Branch, Base: c.Base, Commit: c.Head, Notes: append([]string{}, c.Notes...)}
}

// removedJSON is `worktree rm`, and a row of `worktree rm --merged`.
type removedJSON struct {
	Path    string     `json:"path"`
	Branch  string     `json:"branch"`
	Merged  string     `json:"merged"`
	Removed bool       `json:"removed"`
	Kept    []string   `json:"kept"`
	Users   []userJSON `json:"users"`
}
