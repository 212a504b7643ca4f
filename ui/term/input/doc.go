// Package input turns what a person did into the bytes that a program in a pane
// gets: keys, pasted text, the mouse and the focus, each in the form that the
// program has asked for.
//
// It owns the encodings and nothing else: it never reads a terminal, never sends,
// and never decides whether an event is the program's. It keeps no state but the
// buttons of a Mouse. Whatever the event, the result is well-formed, or nil when
// the event has no form there.
//
// stroke.go says which key an event of tcell means; key.go chooses the protocol,
// legacy.go, other.go and kitty.go are the protocols; text.go is pasted text and
// the focus, mouse.go the mouse.
package input
