// Package preview lays out what is shown of one session: its facts and the end
// of its conversation, as lines of spans.
//
// It is pure: transcripts and sessions in, lines out; no screen, no clock, no
// cache. A message's lines depend on the message and the Options alone, so a
// caller may keep them by (uuid, width, expanded). All text of a transcript is
// foreign and goes through package text.
package preview
