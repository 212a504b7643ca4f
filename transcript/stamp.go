package transcript

import (
	"encoding/binary"
	"time"
)

// stampForm is how the client writes times.
const stampForm = "2006-01-02T15:04:05.000Z"

// stamp holds a timestamp that is known to be one but is not decoded yet. Only
// the last of many is of interest.
type stamp struct {
	raw  [len(stampForm)]byte
	late time.Time // instead of raw, for other forms
	some bool
}

// set takes a raw value; it returns false and keeps what it had when that is no
// time.
func (s *stamp) set(raw []byte) bool {
	if plainStamp(raw) {
		copy(s.raw[:], raw)
		s.late, s.some = time.Time{}, true
		return true
	}
	at, ok := parseTime(raw)
	if ok {
		s.late, s.some = at, true
	}
	return ok
}

func (s *stamp) time() (time.Time, bool) {
	if !s.some || !s.late.IsZero() {
		return s.late, s.some
	}
	return parseTime(s.raw[:])
}

// plainStamp says whether raw has the client's form and is a time for sure. It
// takes eight bytes at a time: what is no digit must be the form's, and a digit
// is a byte whose upper half is 3 both before and after 6 is added.
func plainStamp(raw []byte) bool {
	if len(raw) != len(stampForm) {
		return false
	}
	for i := 0; i < len(stampForm); i += 8 {
		const threes, sixes, upper = 0x3030303030303030, 0x0606060606060606, 0xF0F0F0F0F0F0F0F0
		got, form := binary.LittleEndian.Uint64(raw[i:]), stampWords[i/8]
		digits := got&form.digits | threes&^form.digits
		if got&^form.digits != form.marks || digits&upper != threes || (digits+sixes)&upper != threes {
			return false
		}
	}
	month, day := two(raw[5:]), two(raw[8:])
	return month >= 1 && month <= 12 && day >= 1 && day <= 28 && two(raw[11:]) < 24 && two(raw[14:]) < 60 && two(raw[17:]) < 60
}

// stampWords is stampForm in words: which bytes are digits, and the others.
var stampWords = func() (words [len(stampForm) / 8]struct{ digits, marks uint64 }) {
	for i := range len(stampForm) {
		shift := i % 8 * 8
		if c := stampForm[i]; c >= '0' && c <= '9' {
			words[i/8].digits |= 0xFF << shift
		} else {
			words[i/8].marks |= uint64(c) << shift
		}
	}
	return words
}()

func two(b []byte) int { return int(b[0]-'0')*10 + int(b[1]-'0') }

// parseTime reads a timestamp in any of the forms of RFC 3339.
func parseTime(raw []byte) (time.Time, bool) {
	if len(raw) == 0 || len(raw) > 64 {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(raw))
	return at.UTC(), err == nil
}
