package fork

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// paths rewrites the absolute paths of side files in copied rows: what lay in the
// side directory of the source has a copy in that of the fork (reports A.6, C7).
type paths struct {
	id      string   // of the source
	folders []string // that hold the source, in each spelling
	to      string   // the fork's side directory, inside of a JSON string
	copied  func(name string) bool
}

func newPaths(req Request, side string, copied func(name string) bool) *paths {
	p := &paths{id: req.SourceID, to: inside(side), copied: copied}
	folder := filepath.Dir(req.Source)
	p.folders = append(p.folders, folder)
	if real, err := filepath.EvalSymlinks(folder); err == nil && real != folder {
		p.folders = append(p.folders, real)
	}
	return p
}

// inside returns s as it is written inside of a JSON string.
func inside(s string) string {
	q := quote(s)
	return string(q[1 : len(q)-1])
}

// rewrite returns b with the paths of side files changed. own says that the path
// of the source's transcript is to become the fork's too: a summary points the
// model to it (observed A.5). b itself is not changed.
func (p *paths) rewrite(b []byte, own bool) []byte {
	var out []byte
	done := 0
	var folders []string
	for i := 0; ; {
		hit := bytes.Index(b[i:], []byte(p.id))
		if hit < 0 {
			break
		}
		at := i + hit
		i = at + len(p.id)
		if !names(b[i:], own) {
			continue
		}
		if folders == nil {
			folders = slices.Concat(p.folders, p.learn(b))
		}
		for _, folder := range folders {
			if start := spelledBefore(b, at, folder+"/"); start >= done {
				out = append(append(out, b[done:start]...), p.to...)
				done = i
				break
			}
		}
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

// names says whether what follows the id names a side directory that is copied,
// or the transcript.
func names(behind []byte, own bool) bool {
	if own && bytes.HasPrefix(behind, []byte(".jsonl")) {
		return true
	}
	behind = bytes.TrimPrefix(behind, []byte(`\`)) // a slash may be escaped
	for _, name := range sideNames() {
		if bytes.HasPrefix(behind, []byte("/"+name)) {
			return true
		}
	}
	return false
}

// stored is the key of the path of a result that is too large for the transcript.
const stored = `"persistedOutputPath":`

// elsewhere reports whether a toolUseResult, its paths rewritten, names a result
// that is not with the fork: of another session, or lost. The client writes the
// path behind the beginning of the result that it keeps, so only the end is read.
func (p *paths) elsewhere(result []byte) bool {
	const end = 8 << 10
	_, path, ok := bytes.Cut(result[max(0, len(result)-end):], []byte(stored+`"`))
	return ok && !bytes.HasPrefix(path, []byte(p.to))
}

// learn returns the folders under which a row names results of the source that
// have a copy: it was moved since (observed A.6, D).
func (p *paths) learn(b []byte) []string {
	var folders []string
	for {
		_, rest, ok := bytes.Cut(b, []byte(stored))
		if !ok {
			return folders
		}
		b = rest
		if len(b) == 0 || b[0] != '"' {
			continue
		}
		end := skipString(b, 0)
		var path string
		if end < 0 || json.Unmarshal(b[:end], &path) != nil {
			continue
		}
		folder, name, ok := strings.Cut(path, "/"+p.id+"/")
		if ok && filepath.IsAbs(folder) && filepath.IsLocal(name) && p.copied(name) {
			folders = append(folders, folder)
		}
	}
}

// spelledBefore returns where text begins that ends at position end of the inside
// of a JSON string, in any spelling that JSON has for it, or -1.
func spelledBefore(b []byte, end int, text string) int {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		n := spelling(b[:end], r)
		if n == 0 {
			return -1
		}
		end -= n
	}
	return end
}

// spelling returns how many bytes at the end of b spell r, 0 for none.
func spelling(b []byte, r rune) int {
	low := bytes.ToLower(b[max(0, len(b)-12):])
	escape := fmt.Sprintf(`\u%04x`, r)
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		escape = fmt.Sprintf(`\u%04x\u%04x`, hi, lo)
	}
	switch plain := inside(string(r)); {
	case r == '/' && bytes.HasSuffix(b, []byte(`\/`)):
		return 2
	case bytes.HasSuffix(b, []byte(plain)):
		return len(plain)
	case bytes.HasSuffix(low, []byte(escape)):
		return len(escape)
	}
	return 0
}
