package term

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/gdamore/tcell/v2"

	"coppice/session/terminal"
)

// linkBytes is how many bytes of addresses one frame sends to the screen. A
// program can give each cell a long link of its own; what goes beyond is drawn
// without.
const linkBytes = 64 << 10

// linked returns a style with a link, if the person's terminal may have it. Its
// id is not the program's, so that it means nothing but itself there.
func linked(s tcell.Style, l terminal.Link) tcell.Style {
	s = s.Url(l.Address)
	if l.ID == "" {
		return s
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(l.ID + "\x00" + l.Address)) // never fails
	return s.UrlId(strconv.FormatUint(h.Sum64(), 36))
}

// passes reports whether the person's terminal may have an address: one of the
// web, of a file or of mail, in the characters of RFC 3986. Among those that are
// not is "<": after "$" tcell takes it for a time to wait.
func passes(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	if !ok {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "file", "mailto":
	default:
		return false
	}
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	return true
}
