// Command coppice shows every repository, worktree and branch of a machine
// beside the agent sessions that ran in them, and resumes any session where it
// belongs.
//
// This package parses the command line, wires the other packages together,
// prints, and maps errors to exit codes. It alone reads the environment, the
// home directory and the configuration.
package main

import (
	"os"
	"runtime/debug"
)

// gcPercent lets the heap, some 13 MB with 2,000 sessions, grow to five times
// its size between two collections: a start takes a fifth less time, and the
// program stays at half of the 100 MB that it may have. GOGC overrides it.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run(processEnv()))
}
