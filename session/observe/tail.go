package observe

import (
	"bytes"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// tailMax is how much of a transcript's end is read.
const tailMax = 256 << 10 // bytes

// Tail says what the end of a transcript tells, and whether it ends in a call of a
// tool that nothing answers. A zero Status: it tells nothing, as when there is no
// such file or its last record is larger than what is read.
func Tail(path string) (status Status, calls bool) {
	data, err := readEnd(path)
	if err != nil {
		return Status{}, false
	}
	for row := range rowsBackwards(data) {
		if s, calls, ok := told(row); ok {
			return s, calls
		}
	}
	return Status{}, false
}

// rowsBackwards are the lines of data, the last one first.
func rowsBackwards(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(data) > 0 {
			at := bytes.LastIndexByte(data, '\n')
			if !yield(data[at+1:]) {
				return
			}
			data = data[:max(at, 0)]
		}
	}
}

// readEnd reads the end of a regular file, from the beginning of a line on.
func readEnd(path string) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	from := max(size-tailMax, 0)
	data, err := io.ReadAll(io.NewSectionReader(f, from, tailMax))
	if from > 0 {
		_, data, _ = bytes.Cut(data, []byte{'\n'})
	}
	return data, err
}

// told says what one record tells of the turn. It is not ok for one that tells
// nothing: a damaged one, one of a subagent, one beside the conversation.
func told(row []byte) (s Status, calls, ok bool) {
	if row = bytes.TrimSpace(row); len(row) == 0 || row[0] != '{' || !gjson.ValidBytes(row) {
		return s, false, false
	}
	r := gjson.ParseBytes(row)
	at, err := time.Parse(time.RFC3339, r.Get("timestamp").Str)
	if err != nil || r.Get("isSidechain").Bool() {
		return s, false, false
	}
	s = Status{Since: at.UTC(), Source: Transcript, State: Idle}
	switch r.Get("type").Str {
	case "system":
		return s, false, r.Get("subtype").Str == "turn_duration"
	case "assistant":
		tool := lastCall(r.Get("message.content"))
		switch {
		case questions(tool):
			s.State, s.Need, s.Reason = Waiting, Question, line(tool)
		case tool != "":
			s.State, s.Reason = Working, line(tool)
		case r.Get("message.stop_reason").Str == "tool_use":
			s.State = Working // the call is in a record that follows
		}
		return s, tool != "", true
	case "user":
		if r.Get("isMeta").Bool() || local(r.Get("message.content")) {
			return s, false, false
		}
		if !interrupted(r.Get("message.content")) {
			s.State = Working
		}
		return s, false, true
	}
	return s, false, false
}

// lastCall returns the tool that the blocks of a message call last, "" for none.
func lastCall(content gjson.Result) (tool string) {
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "tool_use" {
			tool = block.Get("name").Str
		}
		return true
	})
	return tool
}

// text returns what a message says first.
func text(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	return content.Get(`#(type=="text").text`).Str
}

// local reports whether a prompt is a command that the agent carried out itself, or
// what that printed: no turn follows.
func local(content gjson.Result) bool {
	said := strings.TrimSpace(text(content))
	return strings.HasPrefix(said, "<command-") || strings.HasPrefix(said, "<local-command-") || strings.HasPrefix(said, "<bash-")
}

// interrupted reports whether a row marks that a person broke the turn off.
func interrupted(content gjson.Result) bool {
	return strings.HasPrefix(text(content), "[Request interrupted")
}

// TranscriptOf returns the path of the newest transcript of a session below a config
// root, "" for none.
func TranscriptOf(root, session string) string {
	if session == "" || strings.ContainsAny(session, `/\*?[`) {
		return ""
	}
	found, _ := filepath.Glob(filepath.Join(escape(root), "projects", "*", session+".jsonl"))
	newest, at := "", time.Time{}
	for _, path := range found {
		if info, err := os.Lstat(path); err == nil && (newest == "" || info.ModTime().After(at)) {
			newest, at = path, info.ModTime()
		}
	}
	return newest
}

// escape makes a path that a pattern takes as it is.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
