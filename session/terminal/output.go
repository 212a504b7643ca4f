package terminal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Output is what a Terminal has for others. What a viewer can see at any time,
// such as the title, is not in it: it says only that it changed.
type Output struct {
	Replies   []byte // for the program's input, in the order of its questions; at most MaxReplies
	Bells     int
	Title     bool // the title changed
	Directory bool // the program's directory changed
	Progress  bool // the progress changed
	Notices   []Notice
	Clips     []Clip // wishes to write to a clipboard; there are none to read one
}

// Bounds of an Output and of the texts in it. What goes beyond is left out.
const (
	MaxReplies = 64 << 10 // bytes
	MaxNotices = 32       // the newest are kept
	MaxClip    = 768 << 10

	maxName   = 64   // runes of a program's name
	maxTitle  = 256  // runes of a title
	maxNotice = 1024 // runes of a notice's body
	maxPath   = 4096 // bytes of a directory's address
	maxStack  = 16   // titles and keyboard flags that can be pushed
)

// Notice is a message to the person (OSC 9, OSC 777). Its texts are one line
// each, without control and format characters.
type Notice struct {
	Title string
	Body  string
}

// Clip is text that the program wants on a clipboard (OSC 52). Whether it gets
// there is for others to decide.
type Clip struct {
	Selection string // letters of the selections meant; "c" or empty is the clipboard
	Data      []byte
}

// Progress is how far the program says it is (OSC 9;4).
type Progress struct {
	State   ProgressState
	Percent int // 0 to 100
}

// ProgressState is what a Progress means.
type ProgressState uint8

// The states of a progress, as the sequence numbers them.
const (
	NoProgress ProgressState = iota
	Running
	Failed
	Unknown // busy, for an unknown time
	Paused
)

// labels is what a program says of itself.
type labels struct {
	title     string
	stack     []string
	directory string
	progress  Progress
}

// reply adds an answer for the program. An answer is given whole or not at all.
func (t *Terminal) reply(format string, args ...any) {
	if len(t.out.Replies) >= MaxReplies {
		return
	}
	n := len(t.out.Replies)
	t.out.Replies = fmt.Appendf(t.out.Replies, format, args...)
	if len(t.out.Replies) > MaxReplies {
		t.out.Replies = t.out.Replies[:n]
	}
}

// notify adds a notice, unless it would be empty.
func (t *Terminal) notify(title, body string) {
	n := Notice{plainLabel(title, maxTitle), plainLabel(body, maxNotice)}
	if n == (Notice{}) {
		return
	}
	if len(t.out.Notices) == MaxNotices {
		t.out.Notices = slices.Delete(t.out.Notices, 0, 1)
	}
	t.out.Notices = append(t.out.Notices, n)
}

// clip adds a wish for the clipboard. A later one for the same selections takes
// the place of an earlier one, and there are few names of selections.
func (t *Terminal) clip(c Clip) {
	const selections = 4
	t.out.Clips = slices.DeleteFunc(t.out.Clips, func(old Clip) bool { return old.Selection == c.Selection })
	if len(t.out.Clips) < selections {
		t.out.Clips = append(t.out.Clips, c)
	}
}

// setTitle changes the title, which is one line of visible text.
func (t *Terminal) setTitle(s string) {
	s = plainLabel(s, maxTitle)
	t.out.Title = t.out.Title || s != t.labels.title
	t.labels.title = s
}

// plainLabel returns at most limit runes of s as one line: without control and
// format characters, separators of lines, surrogates and private characters, and
// with U+FFFD for what is not UTF-8.
func plainLabel(s string, limit int) string {
	s = s[:min(len(s), 8*limit)]
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			break
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co) {
			continue
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}
