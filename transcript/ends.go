package transcript

// How far a container is followed when a row is read from its ends.
const (
	maxSmall = 4 << 10 // while the row's type or core members are not known yet
	maxTiny  = 160     // afterwards
)

// ends reads the members of a record at depth one from the head of the line up
// to the first large value, and from the end of the line back to the last one.
// In valid JSON both directions are exact: a quote is a delimiter if and only if
// an even number of backslashes stands before it. A record that this does not
// settle has to be walked.
type ends struct {
	rec     *record
	line    []byte
	message int // offset of the message's value, 0 when not met
	text    int // where its content begins when that is a string, else 0

	templates []template
	latest    int // the one of the row before
	hit       int // the one of the line at hand, -1 for none
	tick      int

	// what was read of the line at hand
	head      int // everything before it
	headHoles []span
	tail      int // everything from it on
	tailHoles []span
}

// forget drops what was learnt from another transcript.
func (e *ends) forget() { e.templates, e.latest, e.hit, e.tick = e.templates[:0], 0, -1, 0 }

// want says what is known already and need not be read again.
type want struct {
	ignored bool // even records of no interest are read
	prompt  bool // the text of prompts
	fork    bool // forkedFrom
	age     int  // of the facts, see fold.age; never that of a template while they are unsettled
}

// read fills r from a line without blanks around it. False means that the line
// has to be walked.
func (e *ends) read(r *record, line []byte, w want) bool {
	r.reset()
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	e.rec, e.line, e.message, e.text = r, line, 0, 0
	if e.matched(w.age) {
		return true
	}
	e.headHoles, e.tailHoles = e.headHoles[:0], e.tailHoles[:0]
	stop := e.forward(w)
	if stop < 0 {
		return false
	}
	dismissed := !w.ignored && stop > 0 && r.seen == 1<<fType && r.kind() == kindIgnored
	whole, head := stop == len(line), e.head
	if !whole {
		var ok bool
		if whole, ok = e.backward(stop, dismissed); !ok {
			return false
		}
	}
	switch {
	case dismissed && !whole:
		e.learn(head, e.tail)
	case dismissed:
	case !e.settled(w, whole):
		return false
	case stop == len(line):
		e.learn(stop, stop)
	case !whole && e.head == head:
		e.learn(head, e.tail)
	case whole && r.plain && e.text > 0:
		e.learnPrompt()
	}
	return true
}

// settled decides whether enough was seen of the record.
func (e *ends) settled(w want, whole bool) bool {
	r := e.rec
	if !r.seen.has(fType) || w.fork && r.seen.has(fForkedFrom) {
		return false
	}
	seen := whole || r.seen.hasAll(coreSet)
	switch r.kind() {
	case kindIgnored:
		return seen
	case kindMeta:
		return whole && !r.seen.has(fWorktree)
	case kindUser:
		if e.message == 0 {
			return false
		}
		return r.results && seen || whole && (r.plain && !w.prompt || r.is(fMeta) || r.is(fCompact))
	case kindAssistant:
		return seen && e.message > 0 && r.seen.hasAll(1<<fMessageID|1<<fModel)
	case kindRow:
		if string(r.raw(fType)) == "attachment" {
			return seen && r.seen.has(fAttachmentType) && string(r.raw(fAttachmentType)) != "environment"
		}
	}
	return seen
}

// forward returns where it stopped: at the key of the first large value, behind
// the type of a record of no interest, at the end, or -1.
func (e *ends) forward(w want) int {
	b := e.line
	for i := 1; ; {
		i = blanks(b, i)
		if i == len(b)-1 {
			if i == 1 {
				return len(b)
			}
			return -1
		}
		key := i
		f, i2 := rootKey(b, i)
		if i2 < 0 {
			return -1
		}
		i = i2
		switch b[i] {
		case '"':
			end := closingQuote(b, i+1)
			if end < 0 {
				return -1
			}
			e.setString(f, b[i+1:end])
			if varies(f, end-i) {
				e.headHoles = append(e.headHoles, span{f: f, start: i + 1, end: end})
			}
			i = end + 1
		case '{', '[':
			n := -1
			e.head = i
			if !e.container(f, i) {
				n = skipForward(b[i:], maxSmall)
			}
			if n < 0 {
				return key
			}
			i += n
		default:
			end := literalEnd(b, i)
			if end == i {
				return -1
			}
			e.setLiteral(f, b[i:end])
			if f == fNone && allDigits(b[i:end]) {
				e.headHoles = append(e.headHoles, span{start: i, end: end, number: true})
			}
			i = end
		}
		if i >= len(b) {
			return -1
		}
		if i = blanks(b, i); i == len(b)-1 {
			return len(b)
		}
		if b[i] != ',' {
			return -1
		}
		i++
		if f == fType && key == 1 && !w.ignored && e.rec.kind() == kindIgnored {
			e.head = blanks(b, i)
			return e.head
		}
	}
}

// container notes a container at i and says whether it is one that is large.
func (e *ends) container(f field, i int) bool {
	switch f {
	case fMessage:
		if e.line[i] == '{' && e.message != i {
			e.message = i
			e.readMessage(i)
		}
		return true
	case fAttachment:
		e.readAttachment(i)
		return true
	case fLarge:
		return true
	case fForkedFrom, fWorktree:
		e.rec.set(f, nil)
	default:
	}
	return false
}

func (e *ends) setString(f field, raw []byte) {
	switch f {
	case fNone, fSidechain, fMeta, fCompact, fPRNumber, fWorktree, fMessage, fAttachment, fLarge, fForkedFrom:
	default:
		e.rec.set(f, raw)
	}
}

func (e *ends) setLiteral(f field, raw []byte) {
	switch f {
	case fSidechain, fMeta, fCompact, fPRNumber, fWorktree:
		e.rec.set(f, raw)
	default:
	}
}

// backward reads members from the end of the line down to the key at stop,
// where it has seen the whole record, or to a container that is too large; of a
// record of no interest, to any container and to a string that is too large.
// ok is false when the line is not what it seems.
func (e *ends) backward(stop int, dismissed bool) (whole, ok bool) {
	b, j := e.line, len(e.line)-2
	var seen fieldSet
	for {
		j = blanksBack(b, j)
		if j <= stop {
			return false, false
		}
		var start int
		c := b[j]
		switch c {
		case '"':
			low := stop
			if dismissed {
				low = max(stop, j-maxSmall)
			}
			if start = openingQuote(b, j, low); start < 0 && low > stop {
				e.tail = j + 1
				return false, true
			}
		case '}', ']':
			e.tail = j + 1
			if dismissed {
				return false, true
			}
			if start = skipBack(b, j, e.reach(stop, j)); start < 0 {
				return false, true
			}
		default:
			if start = literalStart(b, j); start > j {
				return false, false
			}
		}
		f, key := rootKeyBack(b, start, stop)
		if key < 0 {
			return false, false
		}
		if !seen.has(f) {
			e.setBack(f, start, j)
			seen.add(f)
		}
		switch {
		case c == '"' && varies(f, j-start):
			e.tailHoles = append(e.tailHoles, span{f: f, start: start + 1, end: j})
		case (c == '}' || c == ']') && start != e.message:
			e.inside(start, j, f == fNone || f == fLarge || f == fForkedFrom)
		case f == fNone && allDigits(b[start:j+1]):
			e.tailHoles = append(e.tailHoles, span{start: start, end: j + 1, number: true})
		}
		if key == stop {
			return true, true
		}
		if j = blanksBack(b, key-1); b[j] != ',' {
			return false, false
		}
		j--
	}
}

// inside notes the numbers in a container, which are likely to differ from row to
// row, and in one of which nothing is read the longer strings.
func (e *ends) inside(start, j int, unread bool) {
	for b := e.line; j > start; j-- {
		switch c := b[j]; {
		case c == '"':
			end := j
			if j = openingQuote(b, j, start); unread && end-j > minHole {
				e.tailHoles = append(e.tailHoles, span{start: j + 1, end: end})
			}
		case c >= '0' && c <= '9':
			end := j + 1
			for b[j-1] >= '0' && b[j-1] <= '9' {
				j--
			}
			e.tailHoles = append(e.tailHoles, span{start: j, end: end, number: true})
		}
	}
}

// reach is how far back a container that ends at j may begin. A row that answers
// a tool call ends with the tool's own result; once the usual members are seen
// nothing behind it matters.
func (e *ends) reach(stop, j int) int {
	r, n := e.rec, maxSmall
	switch {
	case r.results && r.seen.hasAll(coreSet|1<<fType|1<<fVersion|1<<fBranch|1<<fEntrypoint):
		n = 0
	case r.results && r.seen.hasAll(coreSet), r.seen.hasAll(coreSet | 1<<fType | 1<<fMessageID):
		n = maxTiny
	}
	return max(stop, j-n)
}

func (e *ends) setBack(f field, start, end int) {
	switch e.line[start] {
	case '"':
		e.setString(f, e.line[start+1:end])
	case '{', '[':
		e.container(f, start)
	default:
		e.setLiteral(f, e.line[start:end+1])
	}
}

// varies says whether the string of a member is likely to differ from row to row.
func varies(f field, size int) bool {
	return f == fNone && size > minHole || freeText.has(f) && size > 1
}
