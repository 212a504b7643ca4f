package cases

import (
	"bytes"
	"regexp"
	"slices"
)

// lines returns the lines of a transcript, each with its line feed.
func lines(data []byte) [][]byte { return slices.Collect(bytes.Lines(data)) }

// without returns a transcript without some lines, counted from 0.
func without(data []byte, numbers ...int) []byte {
	var out []byte
	for i, line := range lines(data) {
		if !slices.Contains(numbers, i) {
			out = append(out, line...)
		}
	}
	return out
}

// edit returns a transcript with line n, counted from 0, changed.
func edit(data []byte, n int, change func(line []byte) []byte) []byte {
	all := lines(data)
	all[n] = change(all[n])
	return bytes.Join(all, nil)
}

// reorder returns the lines in another order.
func reorder(data []byte, order ...int) []byte {
	all := lines(data)
	var out []byte
	for _, n := range order {
		out = append(out, all[n]...)
	}
	return out
}

// replace replaces text everywhere in a transcript.
func replace(data []byte, old, with string) []byte {
	return bytes.ReplaceAll(data, []byte(old), []byte(with))
}

// noTimes takes the timestamps away.
func noTimes(data []byte) []byte {
	return regexp.MustCompile(`,"timestamp":"[^"]*"`).ReplaceAll(data, nil)
}

// noParents takes the parents away.
func noParents(data []byte) []byte {
	return regexp.MustCompile(`"parentUuid":[^,]*,`).ReplaceAll(data, nil)
}

// noUUID takes a row's own uuid away.
func noUUID(line []byte) []byte {
	return regexp.MustCompile(`,"uuid":"[^"]*"`).ReplaceAll(line, nil)
}
