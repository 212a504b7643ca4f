// Package carry takes files from one place to another so that they are whole
// there or not there at all: copied and synced in a stage, then put under their
// final names without replacing anything, compared before an original goes.
//
// It never follows a symbolic link, never waits for a pipe or a device, and knows
// nothing of what the files hold.
package carry
