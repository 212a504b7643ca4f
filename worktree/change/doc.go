// Package change makes, restores, fills, locks and removes worktrees, carries
// changes from one to another, and checks out another branch. Nothing unsaved is
// ever deleted without Force, and what fails or is cancelled is undone, or the
// error says what is left and where.
//
// It writes, by the git program or beside it: the directory of a worktree that
// it makes and that worktree's own entry in the repository; the branch made for
// it; what a fetch brings; the lock of a worktree; the two files by which a
// moved worktree and its repository find each other; the index and the files of
// the checkout that changes are carried to, and of a main checkout that gets
// another branch.
//
// It never prunes, collects garbage, repairs or forgets any entry but the one
// asked for (reports E17, E18), never resets or reuses what is there (report
// E16), never follows a symlink out of a checkout, and runs no hook of the
// repository, post-checkout included: what a new worktree needs is the set-up
// command of the person's own configuration. Content filters (Git LFS among
// them) run where a checkout needs them, and nowhere else. It knows nothing of
// sessions: who uses a worktree is told by the caller.
package change
