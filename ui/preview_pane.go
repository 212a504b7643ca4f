package ui

import (
	"context"
	"time"

	"coppice/session"
	"coppice/transcript"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// tailKey names one state of a transcript: a file that did not change is never
// read twice.
type tailKey struct {
	path  string
	size  int64
	mtime time.Time
}

// keyFor is the key of a session's transcript as it is known.
func keyFor(r *row) tailKey {
	return tailKey{path: r.Path, size: r.Summary.Size, mtime: r.ModTime}
}

// loadedTail is an end of a conversation, or why there is none.
type loadedTail struct {
	tail transcript.Tail
	err  error
}

// Bounds of the preview: how many conversations are kept, and how many are read
// at a time while a person runs through the list.
const (
	keptTails   = 32
	tailsAtOnce = 3
)

// previewPane is the pane that shows the selected conversation.
type previewPane struct {
	full     bool // it covers the other panes
	expanded bool // tool answers and the like are shown in full
	up       int  // lines scrolled up from the end
	down     int  // lines scrolled down in what is said of a node of the tree
	id       string

	tails   map[tailKey]loadedTail
	recent  []tailKey // of tails, the oldest first
	loading map[tailKey]bool
	drawn   *drawnTail
}

// drawnTail is the last conversation laid out: scrolling does not do it again.
type drawnTail struct {
	key      tailKey
	width    int
	expanded bool
	minute   time.Time
	lines    []text.Line
}

// newPreviewPane returns an empty pane.
func newPreviewPane() previewPane {
	return previewPane{tails: map[tailKey]loadedTail{}, loading: map[tailKey]bool{}, drawn: &drawnTail{}}
}

// want returns the work of reading the conversation of a row, nothing when it is
// known or being read. An earlier state stays on the screen until it is there.
func (p *previewPane) want(r *row, read func(context.Context, session.Session) (transcript.Tail, error)) []cmd {
	if r == nil {
		p.id = ""
		return nil
	}
	if r.ID != p.id {
		p.id, p.up, p.expanded = r.ID, 0, false
	}
	key := keyFor(r)
	if _, ok := p.tails[key]; ok || p.loading[key] || len(p.loading) >= tailsAtOnce {
		return nil // the end of a read asks again
	}
	p.loading[key] = true
	s := r.Session
	return background(func(ctx context.Context) msg {
		tail, err := read(ctx, s)
		return tailLoaded{key: key, tail: tail, err: err}
	})
}

// loaded keeps an answer and forgets the oldest.
func (p *previewPane) loaded(in tailLoaded) {
	delete(p.loading, in.key)
	if _, ok := p.tails[in.key]; !ok {
		p.recent = append(p.recent, in.key)
	}
	p.tails[in.key] = loadedTail{tail: in.tail, err: in.err}
	for len(p.recent) > keptTails {
		delete(p.tails, p.recent[0])
		p.recent = p.recent[1:]
	}
}

// find returns the newest known state of a row's conversation.
func (p *previewPane) find(r *row) (tailKey, loadedTail, bool) {
	if t, ok := p.tails[keyFor(r)]; ok {
		return keyFor(r), t, true
	}
	for i := len(p.recent) - 1; i >= 0; i-- {
		if k := p.recent[i]; k.path == r.Path {
			return k, p.tails[k], true
		}
	}
	return tailKey{}, loadedTail{}, false
}

// scroll moves by n lines towards the beginning; the drawing keeps it in bounds.
func (p *previewPane) scroll(n int) { p.up = max(p.up+n, 0) }

// scrollTo goes to the beginning (0) or the end.
func (p *previewPane) scrollTo(i int) {
	p.up = 0
	if i == 0 {
		p.up = 1 << 20
	}
}

// conversation returns the lines of a row's conversation for a width.
func (p *previewPane) conversation(r *row, width int, now time.Time) []text.Line {
	key, t, ok := p.find(r)
	switch {
	case !ok:
		return []text.Line{{{Text: "reading …", Role: text.Dim}}}
	case t.err != nil:
		return wrapped("this conversation cannot be read: "+t.err.Error(), width, text.Bad)
	}
	want := drawnTail{key: key, width: width, expanded: p.expanded, minute: now.Truncate(time.Minute)}
	d := p.drawn
	if d.lines == nil || d.key != want.key || d.width != want.width || d.expanded != want.expanded || !d.minute.Equal(want.minute) {
		want.lines = preview.Render(t.tail, preview.Options{Width: width, Expanded: p.expanded, Now: now})
		*d = want
	}
	return d.lines
}
