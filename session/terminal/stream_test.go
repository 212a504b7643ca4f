package terminal_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// stream makes up what a program might send: n pieces of text and sequences, of
// all that the emulator knows and some that it does not.
func stream(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(piece(r))
	}
	return b.String()
}

// words are texts that lie in the way of a simple emulator.
var words = []string{
	"a", "hello ", "0123456789", "漢", "漢字仮名", "é", "e\u0301", "\u0301", "👍🏽", "👨\u200d👩\u200d👧", "🇩🇪", "🇩", "🇪🇫", "❤\ufe0f", "❤", "\ufe0f", "\u200d",
	"한", "\u1112\u1161", "\u1161", "कि", "ि", "\u3000", "\u00ad", "\u2e3b", "\u00a0", "┌─┐", "\xff", "\xe2\x9c", "\xf0\x9f", "q", "#", "_x~",
	"                    ", "the quick brown fox jumps over the lazy dog ",
}

// piece returns one piece of a stream.
func piece(r *rand.Rand) string {
	small := func() int { return r.IntN(12) }
	pick := func(s string) byte { return s[r.IntN(len(s))] }
	switch r.IntN(24) {
	case 0, 1, 2, 3, 4, 5:
		return words[r.IntN(len(words))]
	case 6, 7:
		return []string{"\r\n", "\n", "\r", "\b", "\t", "\x0e", "\x0f", "\v", "\a"}[r.IntN(9)]
	case 8:
		return fmt.Sprintf("\x1b[%d;%dH", small(), small()*2)
	case 9:
		return fmt.Sprintf("\x1b[%d%c", small(), pick("ABCDEFGdae`IZ"))
	case 10:
		return fmt.Sprintf("\x1b[%d%c", r.IntN(4), pick("JKXPL@MSTb"))
	case 11:
		return fmt.Sprintf("\x1b[?%d%c", r.IntN(3), pick("JK"))
	case 12:
		return fmt.Sprintf("\x1b[%dm", []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 21, 22, 24, 27, 31, 42, 53, 95, 106, 39, 49}[r.IntN(20)])
	case 13:
		return []string{"\x1b[38;5;200m", "\x1b[48:2::1:2:3m", "\x1b[4:3;58:5:9m", "\x1b[m", "\x1b[38;2;9;8;7m", "\x1b[59m", "\x1b[41m", "\x1b[m"}[r.IntN(8)]
	case 14:
		return fmt.Sprintf("\x1b[%d;%dr", small(), small())
	case 15:
		return "\x1b" + string(pick("78=>DEHMno")) + []string{"", "\x1b(0", "\x1b(B", "\x1b)0", "\x1b(A"}[r.IntN(5)]
	case 16, 17:
		modes := []int{1, 5, 6, 7, 12, 25, 47, 66, 1000, 1003, 1004, 1006, 1007, 1047, 1048, 1049, 1049, 2004, 2026, 2027, 2031, 2048}
		return fmt.Sprintf("\x1b[?%d%c", modes[r.IntN(len(modes))], pick("hl"))
	case 18:
		return fmt.Sprintf("\x1b[%d%c", []int{4, 4, 20}[r.IntN(3)], pick("hlll"))
	case 19:
		return []string{"\x1b]0;title\a", "\x1b]2;✳ x\x1b\\", "\x1b[22t", "\x1b[23t", "\x1b]8;id=1;http://a\a", "\x1b]8;;http://b\a", "\x1b]8;;\a", "\x1b]9;4;1;30\a", "\x1b]7;file:///x\a", "\x1b]52;c;aGk=\a", "\x1b]9;note\a"}[r.IntN(11)]
	case 20:
		return []string{"\x1b[>1u", "\x1b[<u", "\x1b[=1u", "\x1b[>4;2m", "\x1b[5 q", "\x1b[1\"q", "\x1b[0\"q", "\x1b[3g", "\x1b[g", "\x1b[?5W", "\x1bH"}[r.IntN(11)]
	case 21:
		return []string{"\x1b[c", "\x1b[6n", "\x1b[?7$p", "\x1b[?u", "\x1bP$qm\x1b\\", "\x1bP+q524742\x1b\\", "\x1b]11;?\a", "\x1b[?996n"}[r.IntN(8)]
	case 22:
		if r.IntN(10) > 0 {
			return "\r\n"
		}
		return []string{"\x1bc", "\x1b[!p", "\x1b#8", "\x1b[3J", "\x1b[?3h"}[r.IntN(5)]
	}
	return []string{"\x1b[1;2", "\x1b]0;cut", "\x1bPcut", "\x1b_cut", "\x1b", "\x1b[?", "\x1b[38:5", "\x1b[!!!", "\x18", "\x1b[1;2?3h", "\x1b   x", "\x1b]52;c;" + strings.Repeat("A", 3000)}[r.IntN(12)]
}

// mutate damages some bytes of a stream.
func mutate(r *rand.Rand, s string) []byte {
	b := []byte(s)
	for range len(b)/20 + 1 {
		b[r.IntN(len(b))] = byte(r.IntN(256))
	}
	return b
}
