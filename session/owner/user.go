package owner

import (
	"cmp"
	"path/filepath"
	"slices"

	"coppice/session"
	"coppice/transcript"
	"coppice/worktree"
)

// User is a session that refers to a worktree: its directory is in it, it is or
// was bound to it, or an agent of it runs there.
type User struct {
	ID    string
	Title string // foreign text; "" when no file of it is there yet
	Live  bool   // an agent has it open, or may have
	Owner bool   // the worktree was made for it
}

// Users returns the sessions that refer to the worktree at path, the owner first,
// then by age, as far as the sessions themselves tell. The owner is the oldest
// one that was bound to it and is no fork: a fork never owns the worktree of its
// source. Keeper.Users knows more.
func Users(rows []session.Session, path string) []User {
	return users(rows, path, "")
}

// Users returns who uses the worktree at path, the owner first: the sessions that
// refer to it, and live ones that run in it although no file of theirs is there
// yet.
func (k Keeper) Users(rows []session.Session, path string) []User {
	r, _ := k.read() // what cannot be read says nothing
	return users(k.now(rows), path, r.Worktrees[key(path)].Session)
}

// now returns rows as their sessions are live now, and a row for each live session
// that has none.
func (k Keeper) now(rows []session.Session) []session.Session {
	if k.Live == nil {
		return rows
	}
	live, seen := k.Live(), map[string]bool{}
	now := make([]session.Session, 0, len(rows)+len(live))
	for _, s := range rows {
		s.Live = nil
		seen[s.ID] = true
		if l, ok := live[s.ID]; ok {
			s.Live = &l
		}
		now = append(now, s)
	}
	for id, l := range live {
		if !seen[id] {
			now = append(now, session.Session{ID: id, Dir: l.Dir, Live: &l})
		}
	}
	return now
}

// users is Users for a worktree that was made for the session owner, "" when that
// is not known.
func users(rows []session.Session, path, owner string) []User {
	path = key(path)
	var using []session.Session
	for _, s := range rows {
		if uses(s, path) {
			using = append(using, s)
		}
	}
	slices.SortStableFunc(using, func(a, b session.Session) int {
		return cmp.Or(a.Summary.Created.Compare(b.Summary.Created), cmp.Compare(a.ID, b.ID))
	})
	if !slices.ContainsFunc(using, func(s session.Session) bool { return s.ID == owner }) {
		if i := slices.IndexFunc(using, func(s session.Session) bool { return s.Parent == "" && bound(s, path) }); i >= 0 {
			owner = using[i].ID
		}
	}
	var found []User
	for _, s := range using {
		u := User{ID: s.ID, Title: s.Title, Live: s.Live != nil, Owner: s.ID == owner}
		if u.Owner {
			found = slices.Insert(found, 0, u)
		} else {
			found = append(found, u)
		}
	}
	return found
}

// uses reports whether a session refers to the worktree at path. One that nothing
// can be resumed of does only while it is live.
func uses(s session.Session, path string) bool {
	if s.NotReady != "" && s.Live == nil {
		return false
	}
	return in(path, s.Dir) || in(path, s.Place.Resolved) || s.Summary.Worktree != nil && in(path, s.Summary.Worktree.Path) ||
		s.Live != nil && in(path, s.Live.Dir)
}

// bound reports whether a session is bound to the worktree at path, or was until
// its client dropped the binding as it ended there (observed D, "keep").
func bound(s session.Session, path string) bool {
	for _, w := range []*transcript.Worktree{s.Summary.Worktree, s.Summary.Left} {
		if w != nil && in(path, w.Path) {
			return true
		}
	}
	return false
}

// in reports whether dir, a path as it was recorded, is in the worktree at path.
func in(path, dir string) bool {
	return filepath.IsAbs(dir) && worktree.Within(path, filepath.Clean(dir))
}

// String names a user for a person: foreign text.
func (u User) String() string {
	const short = 8
	id := u.ID[:min(len(u.ID), short)]
	if u.Title == "" {
		return id
	}
	return u.Title + " (" + id + ")"
}
