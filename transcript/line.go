package transcript

import "bytes"

var bom = []byte("\xEF\xBB\xBF")

// readLine folds one line, given without its line feed.
func (s *Scanner) readLine(b []byte) bool {
	if b == nil {
		s.walked(s.long)
		return true
	}
	if b = s.bare(b); len(b) > 0 {
		s.readRecord(b)
	}
	return true
}

// readLate folds what only a full reading of the newest rows tells.
func (s *Scanner) readLate(b []byte) bool {
	if b == nil {
		s.lateLong(s.long)
		return true
	}
	if b = s.bare(b); len(b) == 0 {
		return true
	}
	if s.ends.read(&s.rec, b, want{age: neverApplied}) {
		if k := s.rec.kind(); k != kindUser && k != kindAssistant {
			return true
		}
	}
	s.walk.begin(&s.rec)
	n := s.walk.feed(b)
	if _, ok := s.walk.finish(); ok && n == len(b) {
		s.fold.late(&s.rec, s.off)
	}
	return true
}

// bare takes off what does not belong to the record.
func (s *Scanner) bare(b []byte) []byte {
	if s.off == 0 {
		b = bytes.TrimPrefix(b, bom)
	}
	return trim(b)
}

func (s *Scanner) readRecord(b []byte) {
	if s.ends.read(&s.rec, b, s.fold.want()) {
		s.add()
		if !s.rec.again {
			s.ends.applied(s.fold.age)
		}
		return
	}
	if !s.exact(b) {
		s.recover(b)
	}
}

// trim takes the blanks off a line.
func trim(b []byte) []byte {
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (s *Scanner) add() { s.fold.add(&s.rec, s.off) }

// exact walks one value and folds it when it is all of b.
func (s *Scanner) exact(b []byte) bool {
	s.walk.begin(&s.rec)
	if s.walk.feed(b) < len(b) {
		return false
	}
	object, ok := s.walk.finish()
	if ok && object {
		s.add()
	}
	return ok
}

// recover folds what can still be read of a line that is not one record, and
// notes the damage once.
func (s *Scanner) recover(b []byte) {
	found := salvage(&s.walk, b, func(record []byte) {
		s.walk.begin(&s.rec)
		s.walk.feed(record)
		s.add()
	})
	switch {
	case b[0] == 0 || b[len(b)-1] == 0:
		s.damage(DamageNUL)
	case found:
		s.damage(DamageGlued)
	case s.torn:
		s.damage(DamageTorn)
	case bytes.IndexByte(b, 0) >= 0:
		s.damage(DamageNUL)
	default:
		s.damage(DamageGarbage)
	}
}

func (s *Scanner) damage(k DamageKind) { s.fold.damage(max(s.number, 0), s.off, k) }

func (s *Scanner) lateLong(l *longLine) {
	if _, ok := s.walk.finish(); ok && !l.failed {
		s.fold.late(&s.rec, s.off)
	}
}

// walked folds a line that the walker was shown in pieces.
func (s *Scanner) walked(l *longLine) {
	object, ok := s.walk.finish()
	ok = ok && !l.failed
	if l.nuls > 0 {
		s.damage(DamageNUL)
	}
	switch {
	case ok && object:
		s.add()
	case ok || l.nuls > 0:
	case s.torn:
		s.damage(DamageTorn)
	default:
		s.damage(DamageGarbage)
	}
}
