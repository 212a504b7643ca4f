package transcript

import "bytes"

// salvage calls each for the records on a line that is more or less than one
// record: whole ones one after the other, the whole one behind a part of
// another, and those between NUL bytes. It reports whether there were any.
func salvage(w *walker, b []byte, each func(record []byte)) bool {
	var rec record
	found := false
	for b = bytes.Trim(trim(b), "\x00"); len(b) > 0; {
		w.begin(&rec)
		n := w.feed(b)
		if object, ok := w.finish(); ok {
			if object {
				each(b[:n])
				found = true
			}
			b = bytes.Trim(trim(b[n:]), "\x00")
			continue
		}
		if b = behind(w, b, n); b == nil {
			break
		}
	}
	return found
}

// behind finds a record behind a torn one that is valid up to n. Where the torn
// one ends, the first quote of the next closes a string of it or stands where no
// string can, so the error is close to the border; if not, the keys that records
// begin with are tried.
func behind(w *walker, b []byte, n int) []byte {
	const tries = 8
	if i := bytes.LastIndex(b[:min(n+2, len(b))], []byte(`{"`)); i > 0 && opens(w, b[i:]) {
		return b[i:]
	}
	for _, mark := range []string{`{"parentUuid"`, `{"type"`} {
		at := 1
		for range tries {
			i := bytes.Index(b[min(at, len(b)):], []byte(mark))
			if i < 0 {
				break
			}
			if at += i; opens(w, b[at:]) {
				return b[at:]
			}
			at++
		}
	}
	return nil
}

// opens says whether b begins with a whole record with nothing but records
// behind it, as far as one look can tell.
func opens(w *walker, b []byte) bool {
	var rec record
	w.begin(&rec)
	n := w.feed(b)
	if _, ok := w.finish(); !ok || !rec.seen.has(fType) {
		return false
	}
	rest := bytes.Trim(trim(b[n:]), "\x00")
	return len(rest) == 0 || rest[0] == '{'
}
