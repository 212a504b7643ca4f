// Package agent owns how an agent program is started: its command line from the
// configuration, and the environment that it gets.
//
// It never decides whether or where a session may run (that is session's plan),
// and never goes through a shell.
package agent
