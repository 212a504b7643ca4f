package text

import (
	"strconv"
	"strings"
	"time"
)

// Age returns how long before now t was, in at most four cells: "now", "41m",
// "9h", "3d", "12w", "2y". A t in the future is "now", a zero one "—".
func Age(now, t time.Time) string {
	const day = 24 * time.Hour
	if t.IsZero() {
		return "—"
	}
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < day:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	case d < 14*day:
		return strconv.Itoa(int(d/day)) + "d"
	case d < 365*day:
		return strconv.Itoa(int(d/(7*day))) + "w"
	}
	return strconv.Itoa(min(int(d/(365*day)), 999)) + "y"
}

// Bytes returns a size in at most seven cells: "812 B", "168 KB", "2.7 GB",
// with a unit every 1024.
func Bytes(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(max(n, 0), 10) + " B"
	}
	v, unit := float64(n), -1
	for v >= 1023.5 && unit < 4 {
		v, unit = v/1024, unit+1
	}
	digits := 0
	if v < 9.95 {
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + string("KMGTP"[unit]) + "B"
}

// Count returns n with a comma every three digits: "1,204".
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > strings.Count(s[:1], "-"); i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural returns Count and the noun, with an s where n is not one: "1 line",
// "14 lines".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}
