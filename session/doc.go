// Package session owns what Coppice knows about sessions: the index of all
// transcripts under the agent's config root, which directory, worktree and
// repository each belongs to, which are live, what they are called, and the
// plan by which one is resumed.
//
// It never draws, never reads the environment by itself, and never writes to a
// transcript but by transcript.Append.
package session
