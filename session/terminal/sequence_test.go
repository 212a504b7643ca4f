package terminal_test

import (
	"strings"
	"testing"
)

// TestScreens feeds bytes to a screen of 10 columns and 4 rows and looks at its
// text and its cursor.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		at             [2]int
	}{
		{"text", "abc", "abc", [2]int{3, 0}},
		{"a line feed goes down only", "abc\nd", "abc\n   d", [2]int{4, 1}},
		{"new line mode", "\x1b[20habc\nd", "abc\nd", [2]int{1, 1}},
		{"carriage return", "abc\rd", "dbc", [2]int{1, 0}},
		{"backspace", "abc\b\bX", "aXc", [2]int{2, 0}},
		{"vertical tab and form feed", "a\vb\fc", "a\n b\n  c", [2]int{3, 2}},
		{"a wrap is pending", "0123456789", "0123456789", [2]int{9, 0}},
		{"and then done", "0123456789a", "0123456789\na", [2]int{1, 1}},
		{"backspace drops it", "0123456789\ba", "01234567a9", [2]int{9, 0}},
		{"so does a carriage return", "0123456789\ra", "a123456789", [2]int{1, 0}},
		{"a tab does not", "0123456789\ta", "0123456789\na", [2]int{1, 1}},
		{"EL erases nothing while it is pending", "0123456789\x1b[Ka", "0123456789\na", [2]int{1, 1}},
		{"ECH erases the last column then", "0123456789\x1b[Xa", "012345678a", [2]int{9, 0}},
		{"no wrap", "\x1b[?7l0123456789ab", "012345678b", [2]int{9, 0}},
		{"scrolling", "1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5", [2]int{1, 3}},

		{"CUP", "\x1b[2;3Hx", "\n  x", [2]int{3, 1}},
		{"CUP beyond", "\x1b[99;99Hx", "\n\n\n         x", [2]int{9, 3}},
		{"HVP with zeros", "\x1b[0;0fx", "x", [2]int{1, 0}},
		{"CUU CUD CUF CUB", "\x1b[3;5H\x1b[A\x1b[2C\x1b[2B\x1b[3Dx", "\n\n\n   x", [2]int{4, 3}},
		{"CNL CPL", "\x1b[2Ea\x1b[Fb", "\nb\na", [2]int{1, 1}},
		{"CHA HPA VPA HPR VPR", "\x1b[5Ga\x1b[2`b\x1b[3d\x1b[2ac\x1b[ed", " b  a\n\n    c\n     d", [2]int{6, 3}},
		{"cursor saved and restored", "\x1b[2;2H\x1b7\x1b[Hx\x1b8y", "x\n y", [2]int{2, 1}},
		{"SCOSC", "\x1b[2;2H\x1b[s\x1b[Hx\x1b[uy", "x\n y", [2]int{2, 1}},
		{"IND NEL RI", "a\x1bDb\x1bEc\x1bM\x1bMd", "ad\n b\nc", [2]int{2, 0}},

		{"ED 0", "0123456789abc\x1b[1;3H\x1b[J", "01", [2]int{2, 0}},
		{"ED 1", "0123456789abc\x1b[2;2H\x1b[1J", "\n  c", [2]int{1, 1}},
		{"ED 2", "abc\x1b[2Jd", "   d", [2]int{4, 0}},
		{"EL 0 1 2", "012345\x1b[3G\x1b[K\r\n012345\x1b[3G\x1b[1K\r\n012345\x1b[2K", "01\n   345", [2]int{6, 2}},
		{"ECH", "012345\x1b[2G\x1b[2X", "0  345", [2]int{1, 0}},
		{"ICH", "012345\x1b[2G\x1b[2@", "0  12345", [2]int{1, 0}},
		{"ICH pushes out", "0123456789\x1b[2G\x1b[2@", "0  1234567", [2]int{1, 0}},
		{"DCH", "012345\x1b[2G\x1b[2P", "0345", [2]int{1, 0}},
		{"IL", "1\r\n2\r\n3\r\n4\x1b[2H\x1b[2L", "1\n\n\n2", [2]int{0, 1}},
		{"DL", "1\r\n2\r\n3\r\n4\x1b[2;1H\x1b[2M", "1\n4", [2]int{0, 1}},
		{"SU SD", "1\r\n2\r\n3\r\n4\x1b[2S\x1b[T", "\n3\n4", [2]int{1, 3}},
		{"mouse highlighting is not SD", "1\x1b[1;2;3;4;5T", "1", [2]int{1, 0}},
		{"REP", "ab\x1b[3b", "abbbb", [2]int{5, 0}},
		{"REP stops at the margin", "ab\x1b[300b", "abbbbbbbbb", [2]int{9, 0}},
		{"REP repeats nothing after a move", "ab\r\x1b[3b", "ab", [2]int{0, 0}},
		{"IRM", "abc\r\x1b[4hX\x1b[4lY", "XYbc", [2]int{2, 0}},
		{"DECALN", "\x1b[2;3r\x1b#8", strings.Repeat("EEEEEEEEEE\n", 3) + "EEEEEEEEEE", [2]int{0, 0}},

		{"margins", "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\nx", "1\n3\nx\n4", [2]int{1, 2}},
		{"below the margins nothing scrolls", "\x1b[1;2r\x1b[4;1Ha\n\nb", "\n\n\nab", [2]int{2, 3}},
		{"margins beyond the screen", "\x1b[2;90r\x1b[4;1H1\r\n2", "\n\n1\n2", [2]int{1, 3}},
		{"margins of one row are none", "\x1b[2;2r\x1b[4;1H1\r\n2", "\n\n1\n2", [2]int{1, 3}},
		{"origin mode", "\x1b[2;3r\x1b[?6h\x1b[1;2Hx\x1b[9;1Hy", "\n x\ny", [2]int{1, 2}},
		{"IL outside the margins", "1\r\n2\x1b[2;3r\x1b[H\x1b[L", "1\n2", [2]int{0, 0}},

		{"tabs", "a\tb", "a       b", [2]int{9, 0}},
		{"own stops", "\x1b[3g\x1b[4G\x1bH\ra\tb\tc", "a  b     c", [2]int{9, 0}},
		{"a stop less", "\x1b[9G\x1b[0g\ra\tb", "a        b", [2]int{9, 0}},
		{"CHT CBT", "\x1b[Ia\x1b[2Zb", "b       a", [2]int{1, 0}},
		{"usual stops", "\x1b[3g\x1b[?5W\ta", "        a", [2]int{9, 0}},

		{"graphics", "\x1b(0lqk_\x1b(Bq", "┌─┐ q", [2]int{5, 0}},
		{"graphics by shift", "\x1b)0q\x0eq\x0fq", "q─q", [2]int{3, 0}},
		{"G2 and G3", "\x1b*0\x1b+A\x1bnq\x1bo#\x0f#", "─£#", [2]int{3, 0}},
		{"an unknown set is ASCII", "\x1b(Kq", "q", [2]int{1, 0}},

		{"a wide character", "漢x", "漢x", [2]int{3, 0}},
		{"at the edge it wraps", "123456789漢x", "123456789\n漢x", [2]int{3, 1}},
		{"without wrapping it is left out", "\x1b[?7l123456789漢x", "123456789x", [2]int{9, 0}},
		{"its right half is overwritten", "漢\bx", " x", [2]int{2, 0}},
		{"its left half is overwritten", "漢\rx", "x", [2]int{1, 0}},
		{"halves do not stay", "漢漢漢\x1b[2G\x1b[X\x1b[5G\x1b[P", "  漢", [2]int{4, 0}},
		{"a mark joins", "e\u0301x", "e\u0301x", [2]int{2, 0}},
		{"also in the last column", "123456789e\u0301x", "123456789e\u0301\nx", [2]int{1, 1}},
		{"a mark alone is nothing", "\u0301x", "x", [2]int{1, 0}},
		{"not after a move", "a\x1b[2G\u0301x", "ax", [2]int{2, 0}},
		{"a family", "👨\u200d👩\u200d👧x", "👨\u200d👩\u200d👧x", [2]int{3, 0}},
		{"skin", "👍🏽x", "👍🏽x", [2]int{3, 0}},
		{"a flag", "🇩🇪x", "🇩🇪x", [2]int{3, 0}},
		{"a selector does not widen", "❤\ufe0fx", "❤\ufe0fx", [2]int{2, 0}},
		{"unless it is told to", "\x1b[?2027h❤\ufe0fx", "❤\ufe0fx", [2]int{3, 0}},
		{"Jamo", "\u1112\u1161\u11abx", "\u1112\u1161\u11abx", [2]int{3, 0}},
		{"syllables do not join", "한한", "한한", [2]int{4, 0}},

		{"bytes that are not UTF-8", "a\xffb\xc3(\xe2\x82x\xf0\x9f", "a\ufffdb\ufffd(\ufffdx", [2]int{7, 0}},
		{"overlong and surrogate", "\xc0\x80\xed\xa0\x80", "\ufffd\ufffd\ufffd\ufffd\ufffd", [2]int{5, 0}},
		{"8-bit controls are none", "a\u009b5Cb\x9bc", "a5Cb\ufffdc", [2]int{6, 0}},
		{"DEL and NUL", "a\x7f\x00b", "ab", [2]int{2, 0}},
		{"controls inside a sequence", "a\x1b[2\rCb", "a b", [2]int{3, 0}},
		{"CAN and SUB cancel", "a\x1b[2\x18Cb\x1b]0;x\x1ay", "aCby", [2]int{4, 0}},
		{"ESC begins anew", "a\x1b[2\x1b[Cb", "a b", [2]int{3, 0}},
		{"unknown sequences are nothing", "a\x1b[5y\x1b[?5$z\x1b[>5z\x1b[!!5p\x1b%G\x1b[1?hb\x1b#3", "ab", [2]int{2, 0}},
		{"strings are nothing", "a\x1bPq#0~\x1b\\\x1b_Ga\x07b\x1b\\\x1b^x\x1b\\\x1bXy\x1b\\b", "ab", [2]int{2, 0}},
		{"0x9C is part of a title's character", "\x1b]0;✳ name\x07a", "a", [2]int{1, 0}},
		{"an escape ends a string", "\x1b]0;title\x1b[2Ca", "  a", [2]int{3, 0}},
		{"too many parameters", "\x1b[" + strings.Repeat("1;", 40) + "Ca", "a", [2]int{1, 0}},
		{"large parameters", "\x1b[99999999999999999999Ca", "         a", [2]int{9, 0}},

		{"RIS", "abc\x1b[2;3r\x1b[4h\x1bcx", "x", [2]int{1, 0}},
		{"DECSTR", "abc\x1b[4h\x1b[2;3r\x1b[!p\x1b[3G\r\x1b[Hx", "xbc", [2]int{1, 0}},
		{"DECCOLM erases", "abc\x1b[?3hx", "x", [2]int{1, 0}},
		{"CSI s never sets columns", "\x1b[?69h\x1b[3;5s\x1b[2;1Hab", "\nab", [2]int{2, 1}},

		{"protected", "a\x1b[1\"qb\x1b[0\"qc\x1b[?2K", " b", [2]int{3, 0}},
		{"SGR keeps the protection", "\x1b[1\"q\x1b[1m\x1b[mab\x1b[?2J", "ab", [2]int{2, 0}},
		{"EL does not know it", "\x1b[1\"qab\x1b[2K", "", [2]int{2, 0}},
		{"DECSEL 0 and 1", "a\x1b[1\"qb\x1b[2\"qcde\x1b[4G\x1b[?1K\x1b[?K", " b", [2]int{3, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newTerminal(10, 4, c.in)
			if got := screen(e); got != c.want {
				t.Errorf("the screen is\n%s\nnot\n%s", got, c.want)
			}
			if got := cursor(e); got != c.at {
				t.Errorf("the cursor is at %v, not %v", got, c.at)
			}
			for i := range len(c.in) + 1 { // cut anywhere, the same
				if again := newTerminal(10, 4, c.in[:i], c.in[i:]); state(again) != state(e) {
					t.Fatalf("cut after %d bytes it is\n%s\nnot\n%s", i, state(again), state(e))
				}
			}
		})
	}
}

// TestStyles looks at the cells of the first row.
func TestStyles(t *testing.T) {
	t.Parallel()
	const wide = "\x1b[?2027h"
	for _, c := range []struct{ name, in, want string }{
		{"attributes", "\x1b[1mb\x1b[2md\x1b[3mi\x1b[5mk\x1b[7mr\x1b[8mh\x1b[9ms\x1b[53mo", "b{a1}d{a3}i{a7}k{af}r{a1f}h{a3f}s{a7f}o{aff}"},
		{"and off", "\x1b[1;2;3;5;7;8;9;53mx\x1b[22my\x1b[23;25;27;28;29;55mz", "x{aff}y{afc}z"},
		{"underlines", "\x1b[4ma\x1b[21mb\x1b[4:3mc\x1b[4:0md\x1b[4:5me\x1b[24mf", "a{u1}b{u2}c{u3}de{u5}f"},
		{"palette", "\x1b[31;42ma\x1b[95;106mb\x1b[38;5;200;48;5;17mc\x1b[39;49md", "a{f1000001 b1000002}b{f100000d b100000e}c{f10000c8 b1000011}d"},
		{"true colour", "\x1b[38;2;1;2;3ma\x1b[48:2::4:5:6mb\x1b[0;38:2:7:8:9mc", "a{f2010203}b{f2010203 b2040506}c{f2070809}"},
		{"underline colour", "\x1b[4;58:5:9ma\x1b[58;2;1;2;3mb\x1b[59mc\x1b[58:5:1m\x1b[md", "a{u1 U1000009}b{u1 U2010203}c{u1}d"},
		{"no such colours", "\x1b[38;5;256ma\x1b[38;2;1;2;300mb\x1b[48:5:999mc", "abc"},
		{"broken colours", "\x1b[38ma\x1b[38;5mb\x1b[38:2:1mc\x1b[38;7md", "abcd"},
		{"colours with an end in sight", "\x1b[38;5;1;1ma\x1b[0;38:5:2;3mb", "a{f1000001 a1}b{f1000002 a4}"},
		{"SGR of intermediate", "\x1b[1 mx\x1b[?1mx\x1b[>4;1mx", "xxx"},
		{"erasing with a colour", "ab\x1b[41m\x1b[K", "ab" + strings.Repeat("·{b1000001}", 8)},
		{"links", "\x1b]8;id=1;http://a\x07x\x1b[1my\x1b[mz\x1b]8;;\x07w", "x{1@http://a}y{a1 1@http://a}z{1@http://a}w"},
		{"a link with control bytes is none", "\x1b]8;;http://\u202ea\x07x", "x"},
		{"a long link is none", "\x1b]8;;" + strings.Repeat("a", 3000) + "\x07x", "x"},
		{"wide", "漢", "漢><"},
		{"wide with a style", "\x1b[41m漢", "漢>{b1000001}<{b1000001}"},
		{"a flag takes both cells", "🇩🇪", "🇩🇪><"},
		{"a half keeps its ground", "\x1b[41m漢\x1b[m\rx", "x·{b1000001}"},
		{"emoji variant", wide + "❤\ufe0f", "❤\ufe0f><"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := styles(newTerminal(10, 4, c.in), 0); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
