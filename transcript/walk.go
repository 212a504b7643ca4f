package transcript

import "bytes"

// maxDepth is how deep values may nest; encoding/json draws the same line.
const maxDepth = 10000

// walker reads one record exactly, member by member, in pieces of any size and
// in bounded memory. It keeps what a record wants and validates the structure;
// it does not look for control characters inside strings.
type walker struct {
	rec   *record
	state walkState
	stack []frame
	arena []byte // the strings kept

	target field // of the value that comes next
	below  node  // of the container that comes next
	quoted bool  // inside a string: the last byte was an unpaired backslash
	start  int   // in arena, of the string being kept
	key    bool  // the string is a key
	lit    []byte
}

type frame struct {
	node  node
	array bool
}

var openBrace = []byte{'{'}

type walkState uint8

const (
	wValue  walkState = iota // a value must come
	wItem                    // a value or the end of an array
	wKey                     // a key must come
	wMember                  // a key or the end of an object
	wColon
	wNext // a comma or an end
	wString
	wLiteral
	wDone
)

func (w *walker) begin(r *record) {
	r.reset()
	if w.arena == nil {
		w.arena = make([]byte, 0, 4<<10)
	}
	*w = walker{rec: r, stack: w.stack[:0], arena: w.arena[:0], lit: w.lit[:0], below: nRoot}
}

// feed reads on. It returns how much of b it took: less than all of it when the
// record ended or an error came up; done tells the two apart.
func (w *walker) feed(b []byte) int {
	for i := 0; i < len(b); {
		switch w.state {
		case wDone:
			return i
		case wString:
			i += w.inString(b[i:])
		case wLiteral:
			if isLiteral(b[i]) {
				if len(w.lit) < maxRaw {
					w.lit = append(w.lit, b[i])
				}
				i++
			} else if !w.endLiteral() {
				return i
			}
		case wValue, wItem, wKey, wMember, wColon, wNext:
			if c := b[i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' && !w.structure(c) {
				return i
			}
			i++
		}
	}
	return len(b)
}

// finish ends the input and says whether it was one whole value. object is
// false for a value that is no record.
func (w *walker) finish() (object, ok bool) {
	if w.state == wLiteral && len(w.stack) == 0 {
		w.endLiteral()
	}
	return !w.rec.seen.has(fNone), w.state == wDone
}

// structure takes one byte between tokens.
func (w *walker) structure(c byte) bool {
	switch w.state {
	case wKey, wMember:
		if c == '"' {
			w.beginString(true)
			return true
		}
		return c == '}' && w.state == wMember && w.pop(false)
	case wColon:
		w.state = wValue
		return c == ':'
	case wNext:
		return w.next(c)
	case wItem:
		if c == ']' {
			return w.pop(true)
		}
		return w.value(c)
	case wValue:
		return w.value(c)
	case wString, wLiteral, wDone:
	}
	return false
}

func (w *walker) next(c byte) bool {
	top := w.stack[len(w.stack)-1]
	switch {
	case c == ',' && top.array:
		w.state = wValue
		w.element(top.node)
	case c == ',':
		w.state = wKey
	case c == '}':
		return w.pop(false)
	case c == ']':
		return w.pop(true)
	default:
		return false
	}
	return true
}

func (w *walker) value(c byte) bool {
	if len(w.stack) == 0 && c != '{' {
		w.rec.seen.add(fNone) // no record
		w.below = nSkip
	}
	switch {
	case c == '"':
		w.beginString(false)
	case c == '{' || c == '[':
		return w.push(c == '[')
	case isLiteral(c):
		w.state = wLiteral
		w.lit = append(w.lit[:0], c)
	default:
		return false
	}
	return true
}

func (w *walker) push(array bool) bool {
	if len(w.stack) == maxDepth {
		return false
	}
	n := w.below
	if array != (n == nContent || n == nDirs) {
		n = nSkip
	}
	w.stack = append(w.stack, frame{n, array})
	if w.target != fNone {
		w.rec.seen.remove(1 << w.target)
		w.rec.val[w.target] = nil
	}
	if n == nBlock && len(w.rec.blocks) < maxBlocks {
		w.rec.blocks = append(w.rec.blocks, block{})
	}
	switch n {
	case nDirs:
		w.rec.seen.add(fDirs)
	case nWorktree:
		w.rec.set(fWorktree, openBrace)
	default:
	}
	w.state = wMember
	if array {
		w.state = wItem
		w.element(n)
	}
	return true
}

// element prepares for the next value of an array at n.
func (w *walker) element(n node) {
	w.target, w.below = fNone, nSkip
	switch n {
	case nContent:
		w.below = nBlock
	case nDirs:
		w.target = fDirs
	default:
	}
}

func (w *walker) pop(array bool) bool {
	top := len(w.stack) - 1
	if w.stack[top].array != array {
		return false
	}
	w.stack = w.stack[:top]
	w.ended()
	return true
}

// ended goes on behind a value.
func (w *walker) ended() {
	w.state = wNext
	if len(w.stack) == 0 {
		w.state = wDone
	}
}

func (w *walker) beginString(key bool) {
	w.state, w.key, w.quoted, w.start = wString, key, false, len(w.arena)
}

func (w *walker) inString(b []byte) int {
	i := 0
	if w.quoted {
		w.quoted = false
		i = 1
	}
	for {
		n := bytes.IndexByte(b[i:], '"')
		end := i + n
		if n < 0 {
			end = len(b)
		}
		slashes := 0
		for j := end; j > i && b[j-1] == '\\'; j-- {
			slashes++
		}
		if n < 0 {
			w.quoted = slashes%2 == 1
			w.keep(b)
			return len(b)
		}
		if slashes%2 == 0 {
			w.keep(b[:end])
			w.endString()
			return end + 1
		}
		i = end + 1
	}
}

// keep stores a piece of the present string, if anyone wants it.
func (w *walker) keep(b []byte) {
	if !w.key && w.target == fNone {
		return
	}
	if room := maxRaw - (len(w.arena) - w.start); len(b) > room {
		b = b[:room]
	}
	w.arena = append(w.arena, b...)
}

func (w *walker) endString() {
	raw := w.arena[w.start:len(w.arena):len(w.arena)]
	if w.key {
		w.state = wColon
		w.arena = w.arena[:w.start]
		w.openMember(raw)
		return
	}
	if w.target != fNone {
		w.store(raw)
	}
	w.ended()
}

// openMember looks up the key and forgets an earlier member of the same name.
func (w *walker) openMember(raw []byte) {
	if bytes.IndexByte(raw, '\\') >= 0 {
		raw = []byte(unescape(raw))
	}
	w.target, w.below = member(w.stack[len(w.stack)-1].node, raw)
	if gone := under(w.below); gone != 0 {
		w.rec.seen.remove(gone)
		if gone.has(fText) {
			w.rec.blocks = w.rec.blocks[:0]
		}
		if gone.has(fDirs) {
			w.rec.dirs = w.rec.dirs[:0]
		}
	}
	if w.below == nContent {
		w.rec.blocks = w.rec.blocks[:0]
	}
	if w.target != fNone && w.target < fBlockType {
		w.rec.seen.remove(1 << w.target)
	}
}

// store files the value of a string under the field it belongs to.
func (w *walker) store(raw []byte) {
	r := w.rec
	switch w.target {
	case fDirs:
		if len(r.dirs) < maxDirs {
			r.dirs = append(r.dirs, raw)
		}
	case fBlockType, fBlockText, fBlockID, fBlockAnswers:
		if n := len(r.blocks); n > 0 {
			r.blocks[n-1].set(w.target, raw)
		}
	case fSidechain, fMeta, fCompact, fPRNumber, fWorktree: // only as a literal
	default:
		r.set(w.target, raw)
	}
}

func (b *block) set(f field, raw []byte) {
	switch f {
	case fBlockType:
		b.kind = raw
	case fBlockText:
		b.text = raw
	case fBlockID:
		b.id = raw
	case fBlockAnswers:
		b.answers = raw
	default:
	}
}

// endLiteral files a literal; numbers are not checked beyond their characters.
func (w *walker) endLiteral() bool {
	switch string(w.lit) {
	case "true", "false", "null":
	default:
		if c := w.lit[0]; c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	switch w.target {
	case fSidechain, fMeta, fCompact, fPRNumber, fWorktree:
		start := len(w.arena)
		w.arena = append(w.arena, w.lit...)
		w.rec.set(w.target, w.arena[start:len(w.arena):len(w.arena)])
	default:
	}
	w.ended()
	return true
}

func isLiteral(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}
