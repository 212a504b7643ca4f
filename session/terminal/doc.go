// Package terminal is a terminal without a screen: bytes of a program go in;
// cells, changes of state and replies come out.
//
// It owns what one program has drawn: both screens, the scrollback, the cursor,
// the modes, and what the program asked the outside for. It never draws, never
// starts a program, never reads from one or writes to one, never calls back, and
// imports nothing that knows of a real terminal. Whatever the bytes and whatever
// the size, it does not fail, panic or wait, and every table, string and queue in
// it has a bound.
//
// Two kinds of owners are meant. A host feeds a Terminal from a pseudo-terminal,
// writes Output.Replies back to it, and hands Dump to whoever attaches later.
// A viewer feeds another Terminal with that dump and with what follows it, drops
// the replies, since the host has given them, and copies visible rows from View.
//
// terminal.go is the type and output.go what it has for others; parser.go and the
// other parser_ files turn bytes into calls; control.go, csi.go, mode.go, sgr.go,
// osc.go and report.go are the sequences; print.go, edit.go and resize.go change
// cells; cell.go, line.go, history.go, table.go and width.go keep them; view.go,
// text.go and search.go are what others read; dump.go and dump_state.go write a
// Terminal down.
package terminal
