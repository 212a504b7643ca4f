// Package owner says who made a worktree and who uses it, and makes, keeps and
// removes worktrees by that: the end of one session never takes the directory
// from under another.
//
// It owns which session a worktree was made for (one file in the state
// directory) and git's lock on a worktree that several sessions share. It never
// decides where a session runs, and deletes nothing itself: worktree/change does,
// by its own rules.
package owner
