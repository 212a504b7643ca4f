// Package worktreetest makes repositories for tests with the real git program:
// isolated from the person's configuration, with fixed names and times. A test
// that needs it is skipped where there is no git program.
package worktreetest
