package session

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// encodedMax is the length from which on the client shortens an encoded
// directory and adds a hash (observed H).
const encodedMax = 200

// Encode returns the name of the folder under projects/ in which the client
// keeps the transcripts of dir, an absolute path with symlinks resolved: every
// UTF-16 unit outside [A-Za-z0-9] becomes "-", and a name of more than 200
// units is cut and gets a hash of the raw path (observed H). Many directories
// have the same name, so it is never decoded (report B9).
func Encode(dir string) string {
	units := utf16.Encode([]rune(dir))
	name := make([]byte, len(units))
	var hash int32
	for i, u := range units {
		name[i] = '-'
		if u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z' {
			name[i] = byte(u)
		}
		hash = hash*31 + int32(u)
	}
	if len(name) <= encodedMax {
		return string(name)
	}
	return string(name[:encodedMax]) + "-" + strconv.FormatInt(max(int64(hash), -int64(hash)), 36)
}

// holds reports whether a project folder of that name can hold the transcripts
// of dir. Older clients used other hashes for long paths, so there only the
// prefix counts (report B10), and a path may be recorded in another Unicode
// form than the one that named the folder (report B11).
func holds(folder, dir string) bool {
	name := Encode(dir)
	if name == folder {
		return true
	}
	if len(name) > encodedMax && len(folder) > encodedMax {
		return strings.HasPrefix(folder, name[:encodedMax+1])
	}
	return !norm.NFC.IsNormalString(dir) && Encode(norm.NFC.String(dir)) == folder ||
		!norm.NFD.IsNormalString(dir) && Encode(norm.NFD.String(dir)) == folder
}
