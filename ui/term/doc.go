// Package term is a pane: one program's terminal shown in a part of the screen,
// and what a person does in it passed on.
//
// It owns the way from the cells of a terminal.Terminal to those of a screen, the
// copy mode, and who gets a key or a movement of the mouse: the program or the
// copy mode. It never starts, feeds or ends a program, never sets a title or a
// clipboard, and draws nothing outside its rectangle whatever the program says.
//
// pane.go is the type; frame.go copies what is visible, held.go tells when,
// style.go, glyph.go and link.go translate cells, draw.go puts them on the screen.
// copy.go is the copy mode, copy_keys.go its keys, move.go, selection.go and
// search.go what they do. mouse.go is the mouse, status.go the line for the frame.
package term
