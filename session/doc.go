// Package session owns what Coppice knows about sessions: the index of all
// transcripts under the agent's config root, which directory, worktree and
// repository each belongs to, which are live, what they are called, and the
// plan by which one is resumed.
//
// It never draws, never reads the environment by itself, and never writes to a
// transcript but by transcript.Append.
//
// What a row is stands in session.go, and what it says in place.go, title.go,
// hidden.go and live.go. store.go is the index as others see it; store_run.go is
// the loop that keeps it, the other store_ files are the parts of the loop, and
// index.go and index_row.go turn what it knows into rows. list.go and watch.go
// look at the disk. plan.go begins a plan, the other plan_ files decide one thing
// each. names.go finds sessions and rename.go names them.
package session
