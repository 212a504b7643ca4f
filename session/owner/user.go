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

// users is Users for a worktree that was made for the session owner, "" when that
// is not known.
func users(rows []session.Session, path, owner string) []User {
	var using []session.Session
	for _, s := range rows {
		if uses(s, path) {
			using = append(using, s)
		}
	}
	slices.SortStableFunc(using, func(a, b session.Session) int {
		return cmp.Or(a.Summary.Created.Compare(b.Summary.Created), cmp.Compare(a.ID, b.ID))
	})
	if owner == "" {
		if i := slices.IndexFunc(using, func(s session.Session) bool { return s.Parent == "" && bound(s, path) != nil }); i >= 0 {
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
	return in(path, s.Dir) || in(path, s.Place.Resolved) || bound(s, path) != nil
}

// bound returns the binding of a session to the worktree at path, also one that
// the client dropped as it ended there and kept the worktree; nil for none.
func bound(s session.Session, path string) *transcript.Worktree {
	if w := s.Summary.Worktree; w != nil && in(path, w.Path) {
		return w
	}
	return nil
}

// in reports whether dir, a path as it was recorded, is in the worktree at path.
func in(path, dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	if dir = filepath.Clean(dir); worktree.Within(path, dir) {
		return true
	}
	resolved, err := filepath.EvalSymlinks(dir)
	return err == nil && worktree.Within(path, resolved)
}

// LastUser reports whether nobody but the session with an id uses a worktree:
// only then may its removal be offered as that session ends.
func LastUser(users []User, id string) bool {
	return !slices.ContainsFunc(users, func(u User) bool { return u.ID != id })
}
