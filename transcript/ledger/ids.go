package ledger

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/google/uuid"
)

// ID stands for a string that rows share: a uuid, the id of a message, a subtype.
// In one Ledger a string has one ID, whose text Ledger.Text returns; the IDs of
// two Ledgers have nothing to do with one another. The zero ID is no string.
type ID uint32

// ids numbers strings. Neither it nor the rows that hold the numbers have
// pointers, so collections of garbage do not go through them.
type ids struct {
	seed  maphash.Seed
	slots []ID   // by hash, a power of two of them, a quarter of which are free
	text  []byte // the strings one behind the other, uuids as 16 bytes
	ends  []int  // of each string in text
}

// spelled is set in the ID of a string that is not kept as 16 bytes.
const spelled = 1

func (id ID) number() int { return int(id >> 1) }

// number returns the ID of a string, a new one where it has none.
func (t *ids) number(raw []byte) ID {
	if len(raw) == 0 {
		return 0
	}
	var u uuid.UUID
	if pack(&u, raw) {
		return t.put(u[:], 0)
	}
	return t.put(raw, spelled)
}

// put is number for a string as it is kept.
func (t *ids) put(b []byte, form ID) ID {
	if len(t.ends) >= len(t.slots)/4*3 {
		t.grow(len(t.ends) + 1)
	}
	slot := t.find(b, form)
	if t.slots[slot] == 0 {
		t.text = append(t.text, b...)
		t.ends = append(t.ends, len(t.text))
		t.slots[slot] = ID(len(t.ends))<<1 | form
	}
	return t.slots[slot]
}

// again reports whether a string is that of an ID.
func (t *ids) again(id ID, raw []byte) bool {
	if id == 0 {
		return false
	}
	kept := t.kept(id)
	if id&spelled != 0 {
		return string(kept) == string(raw)
	}
	var u uuid.UUID
	return pack(&u, raw) && string(u[:]) == string(kept)
}

// find returns the slot of a string, or the free one that it belongs in.
func (t *ids) find(b []byte, form ID) int {
	mask := len(t.slots) - 1
	slot := int(maphash.Bytes(t.seed, b)) & mask
	for t.slots[slot] != 0 && (t.slots[slot]&spelled != form || !bytes.Equal(t.kept(t.slots[slot]), b)) {
		slot = (slot + 1) & mask
	}
	return slot
}

// grow makes space for n strings.
func (t *ids) grow(n int) {
	was, size := t.slots, max(len(t.slots), 64)
	for size/4*3 < n {
		size *= 2
	}
	if size == len(was) {
		return
	}
	if was == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]ID, size)
	for _, id := range was {
		if id != 0 {
			t.slots[t.find(t.kept(id), id&spelled)] = id
		}
	}
}

// kept returns a string as it is kept.
func (t *ids) kept(id ID) []byte {
	n, from := id.number(), 0
	if n > 1 {
		from = t.ends[n-2]
	}
	return t.text[from:t.ends[n-1]]
}

func (t *ids) clone() ids {
	return ids{seed: t.seed, slots: slices.Clone(t.slots), text: slices.Clone(t.text), ends: slices.Clone(t.ends)}
}

// join numbers the strings of others, too, and returns their IDs by the others'
// numbers.
func (t *ids) join(others *ids) []ID {
	now := make([]ID, len(others.ends)+1)
	for _, id := range others.slots {
		if id != 0 {
			now[id.number()] = t.put(others.kept(id), id&spelled)
		}
	}
	return now
}

// pack turns a uuid into its 16 bytes. It returns false for what is not spelled as
// String spells it.
func pack(u *uuid.UUID, raw []byte) bool {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(raw) != len(form) || raw[8] != '-' || raw[13] != '-' || raw[18] != '-' || raw[23] != '-' {
		return false
	}
	var bad uint8
	for n, at := 0, 0; n < len(u); n++ {
		if raw[at] == '-' {
			at++
		}
		high, low := digits[raw[at]], digits[raw[at+1]]
		bad |= high | low
		u[n] = high<<4 | low
		at += 2
	}
	return bad <= 0xF
}

// digits says of each byte which hexadecimal digit it is, 0xFF for none.
var digits = func() (of [256]uint8) {
	for i := range of {
		of[i] = uint8(bytes.IndexByte([]byte("0123456789abcdef"), byte(i)))
	}
	return of
}()

// Text returns the string of an ID.
func (l *Ledger) Text(id ID) string {
	switch {
	case id == 0:
		return ""
	case id&spelled != 0:
		return string(l.ids.kept(id))
	}
	return uuid.UUID(l.ids.kept(id)).String()
}

// ID returns the ID of a string, 0 where no row has it.
func (l *Ledger) ID(s string) ID {
	if len(s) == 0 || len(l.ids.slots) == 0 {
		return 0
	}
	var u uuid.UUID
	if pack(&u, []byte(s)) {
		return l.ids.slots[l.ids.find(u[:], 0)]
	}
	return l.ids.slots[l.ids.find([]byte(s), spelled)]
}

// names makes one string of each of a few that come again and again.
type names map[string]string

func (n names) name(raw []byte) string {
	s, ok := n[string(raw)]
	if ok {
		return s
	}
	s = string(raw)
	if len(n) < 256 {
		n[s] = s
	}
	return s
}
