package ledger

import "bytes"

// maxSalvage is the size of the longest damaged line that is searched for whole
// records.
const maxSalvage = 64 << 20

// maxPieces is how many torn records of one line are looked behind.
const maxPieces = 64

// salvage files the records on a line that is more or less than one record, and
// notes the damage once: whole ones one after the other, the whole one behind a
// part of another, and those between NUL bytes. The client takes the one that a
// line begins with and drops all others (observed A.3).
func (d *reader) salvage(b []byte, off int64, ended bool) {
	nuls := b[0] == 0 || b[len(b)-1] == 0
	found, pieces, torn := 0, 0, false
	for at := clean(b, 0); at < len(b); {
		c := cursor{b: b[at:], mark: -1, base: off + int64(at)}
		if c.peek() == '{' && d.rec.read(&c) {
			if torn && !d.whole() {
				break // a part of the torn one
			}
			if d.rec.vals[fType].form == text {
				d.add(&c, span{off + int64(at), c.i}, add(0, c.b[:c.i]), at > 0)
				found++
			}
			at = clean(b, at+c.i)
			continue
		}
		d.stub(off + int64(at))
		n := d.behind(b, at, min(at+c.i, len(b)))
		if pieces++; n < 0 || pieces == maxPieces {
			break
		}
		at, torn = n, true
	}
	kind := "garbage"
	switch {
	case nuls:
		kind = "nul"
	case found > 0:
		kind = "glued"
	case !ended:
		kind = "torn"
	case bytes.IndexByte(b, 0) >= 0:
		kind = "nul"
	}
	d.damage(kind, found)
}

// damage notes that the line at hand is damaged.
func (d *reader) damage(kind string, found int) {
	d.l.DamageCount++
	if len(d.l.Damage) < MaxDamage {
		d.l.Damage = append(d.l.Damage, Damage{Line: d.line, Offset: d.off, Kind: kind, Salvaged: found})
	}
}

// stub notes what the record at hand says about itself as far as it was read.
func (d *reader) stub(off int64) {
	if r := &d.rec; r.vals[fParent].form == text && !r.isTrue(fSidechain) {
		d.l.stubs = append(d.l.stubs, stub{off: off, uuid: string(r.str(fUUID)), parent: string(r.str(fParent))})
	}
}

// whole says that the record at hand looks like one and not like a value in one.
func (d *reader) whole() bool {
	r := &d.rec
	return r.vals[fUUID].form == text && r.vals[fParent].form != absent || string(r.str(fType)) == "last-prompt"
}

// clean skips what may stand between two records on one line.
func clean(b []byte, i int) int {
	for i < len(b) && (b[i] == 0 || b[i] == ' ' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// behind finds a record behind a torn one that begins at start and is valid up
// to n, or returns -1. Where the torn one ends, the first quote of the next
// closes a string of it or stands where no string can, so the error is close to
// the border; a record that was torn behind a colon has swallowed the next one as
// a value, and the error is behind that. If neither, the keys that records begin
// with are tried.
func (d *reader) behind(b []byte, start, n int) int {
	border := min(n+2, len(b))
	if at := d.opening(b[:border], b, start+1, firstKey); at >= 0 {
		return at
	}
	if i := bytes.LastIndex(b[start:border], []byte(`{"`)); i > 0 && d.opens(b[start+i:]) {
		return start + i
	}
	for _, mark := range []string{firstKey, `{"type"`} {
		if at := d.opening(b, b, start+1, mark); at >= 0 {
			return at
		}
	}
	return -1
}

// firstKey is what a row of a conversation begins with.
const firstKey = `{"parentUuid"`

// opening finds the first of a few marks in part, the beginning of b, from at on,
// that opens a record, or returns -1.
func (d *reader) opening(part, b []byte, at int, mark string) int {
	const tries = 8
	for range tries {
		i := bytes.Index(part[min(at, len(part)):], []byte(mark))
		if i < 0 {
			break
		}
		if at += i; d.opens(b[at:]) {
			return at
		}
		at++
	}
	return -1
}

// opens says whether b begins with a whole record with nothing but records
// behind it, as far as one look can tell.
func (d *reader) opens(b []byte) bool {
	c := cursor{b: b, mark: -1}
	if !d.rec.read(&c) || d.rec.vals[fType].form != text {
		return false
	}
	i := clean(b, c.i)
	return i == len(b) || b[i] == '{'
}

// salvageLong is salvage for a line that is not in memory.
func (d *reader) salvageLong(off, end int64, ended bool) error {
	if end-off > maxSalvage {
		kind := "garbage"
		if !ended {
			kind = "torn"
		}
		d.damage(kind, 0)
		return nil
	}
	b := make([]byte, end-off)
	n, err := readAt(d.l.r, b, off, end)
	if err != nil || n == 0 {
		return err
	}
	d.salvage(b[:n], off, ended)
	return nil
}
