// Command coppice shows every repository, worktree and branch of a machine
// beside the agent sessions that ran in them, and resumes any session where it
// belongs.
//
// This package parses the command line, wires the other packages together,
// prints, and maps errors to exit codes. It alone reads the environment, the
// home directory and the configuration.
package main

import "os"

func main() { os.Exit(run(processEnv())) }
