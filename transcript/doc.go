// Package transcript owns the bytes of a session's transcript: the JSON Lines
// ledger that the agent writes. It reads summaries and the end of a
// conversation, and appends records of its own.
//
// It never decodes what it does not need, never rewrites or re-encodes a byte
// that it did not write, holds no line-length limit, and knows nothing of
// directories full of transcripts, repositories or screens: a transcript is an
// io.ReaderAt of some size.
package transcript
