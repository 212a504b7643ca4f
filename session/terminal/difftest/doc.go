// Package difftest compares package terminal with other terminals, cell by cell:
// a real tmux, and with the build tag lab xterm.js. The streams are recorded from
// real programs when the tests run. The package has no code of its own.
//
// deliberate_test.go lists the differences that are meant, with reasons.
package difftest
