// Package worktree owns what Coppice knows about git: repositories, their
// worktrees and branches, and the state of each checkout. go-git and plain
// file reads answer where they can; the git program answers the rest, with a
// scrubbed environment, no optional locks and no repository-configured program.
//
// This package never writes to a repository: package change below it does, by
// way of Git.Run, and says what. It never prunes, never runs on the caller's
// goroutine longer than its context allows, and knows nothing of sessions or
// screens.
package worktree
