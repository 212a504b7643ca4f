// Package repair turns the rows of a chain into the messages that a request may
// hold: rows of one message merged, calls and answers paired, what no request
// may hold taken out. It works in memory and names each thing it did.
//
// It never changes a transcript, never runs a tool again, and never builds more
// of a request than its messages: that is session/request's.
package repair
