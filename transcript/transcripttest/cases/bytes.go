package cases

import (
	"bytes"
	"strings"

	tt "coppice/transcript/transcripttest"
)

// damaged is a conversation of three turns, changed.
func damaged(change func(data []byte) []byte) builder {
	return func(b *tt.Builder) []byte {
		talk(b)
		turn(b, "and print it", "it is printed")
		return change(b.Bytes())
	}
}

func byteCases() []Case {
	half := func(line []byte) []byte { return append(bytes.Clone(line[:len(line)/2]), '\n') }
	open := func(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\n")) }
	return []Case{
		{"last line cut off", "A.3", damaged(func(d []byte) []byte { return d[:len(d)-40] })},
		{"no line feed at the end", "A.3", damaged(func(d []byte) []byte { return d[:len(d)-1] })},
		{"blank lines", "A.3", damaged(func(d []byte) []byte { return replace(d, "\n", "\n\n  \n") })},
		{"carriage returns", "A.3", damaged(func(d []byte) []byte { return replace(d, "\n", "\r\n") })},
		{"byte order mark", "A.3", damaged(func(d []byte) []byte { return append([]byte("\ufeff"), d...) })},
		{"line of NULs", "A.3", damaged(func(d []byte) []byte {
			return edit(d, 2, func(line []byte) []byte { return append([]byte(strings.Repeat("\x00", 4096)+"\n"), line...) })
		})},
		{"NULs in front of a row", "A.3", damaged(func(d []byte) []byte {
			return edit(d, 2, func(line []byte) []byte { return append(make([]byte, 100), line...) })
		})},
		{"NULs at the end", "A.3", damaged(func(d []byte) []byte { return append(d, make([]byte, 3000)...) })},
		{"NULs behind a row", "A.3", damaged(func(d []byte) []byte {
			return edit(d, 2, func(line []byte) []byte { return append(append(open(line), make([]byte, 9)...), '\n') })
		})},
		{"invalid UTF-8", "A.3", damaged(func(d []byte) []byte { return replace(d, "reverse", "re\xff\xfeverse \xc3") })},
		{"cut-off UTF-8 sequence", "A.3", damaged(func(d []byte) []byte { return replace(d, "reverse", "re\xe2\x82 verse \xf0\x9f\x98.") })},
		{"lone surrogates", "A.3", damaged(func(d []byte) []byte { return replace(d, "reverse", `re\ud83dverse \udc00 x`) })},
		{"pair of surrogates", "A.3", damaged(func(d []byte) []byte { return replace(d, "reverse", `re\ud83d\ude00verse`) })},
		{"escaped NUL and line separators", "A.3", damaged(func(d []byte) []byte { return replace(d, "reverse", `re\u0000verse \u2028`) })},
		{"lines that are no objects", "A.3", damaged(func(d []byte) []byte {
			return edit(d, 2, func(line []byte) []byte {
				return append([]byte("[]\n42\n\"s\"\nnull\n{}\n{\"type\":null}\n"), line...)
			})
		})},
		{"half of a prompt's row", "A.3", damaged(func(d []byte) []byte { return edit(d, 2, half) })},
		{"half of an answer's row", "A.3", damaged(func(d []byte) []byte { return edit(d, 3, half) })},
		{"two rows on one line", "A.3", damaged(func(d []byte) []byte { return edit(d, 2, open) })},
		{"torn row and a row on one line", "A.3", damaged(func(d []byte) []byte {
			return edit(d, 2, func(line []byte) []byte { return line[:150] })
		})},
		{"record and a row on one line", "A.3", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Raw(`{"type":"mode","mode":"normal","sessionId":"` + b.SessionID + `"}`)
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"text behind a row", "A.3", damaged(func(d []byte) []byte {
			return edit(d, 2, func(line []byte) []byte { return append(open(line), " and more\n"...) })
		})},
		{"member twice", "A.3", damaged(func(d []byte) []byte {
			return replace(d, `"content":"now reverse it"`, `"content":"not this","content":"now reverse it"`)
		})},
		{"blanks between members", "A.3", damaged(func(d []byte) []byte { return replace(replace(d, `":`, `" : `), `,"`, ` , "`) })},
		{"empty file", "A.3", func(*tt.Builder) []byte { return nil }},
		{"only metadata", "A.3", func(b *tt.Builder) []byte { return b.Title("a title").Modes("normal", "default").Bytes() }},
		{"only a summary record", "A.3", func(b *tt.Builder) []byte {
			return b.Line(`{"type":"summary","summary":"what it was about","leafUuid":"` + b.Gone(1) + `"}`).Bytes()
		}},
		{"no JSON at all", "A.3", func(b *tt.Builder) []byte { return b.Line("these are words").Line("{{{{").Bytes() }},
		{"only a system row", "A.3", func(b *tt.Builder) []byte {
			return b.System("informational", `"content":"a note to the person","level":"info"`).Bytes()
		}},
		{"only an attachment", "A.3", func(b *tt.Builder) []byte { return queued(b, "and count them").Bytes() }},
		{"only a sidechain", "A.3", func(b *tt.Builder) []byte {
			sidechain(b)
			return b.Bytes()
		}},
		{"only a meta row", "A.3", func(b *tt.Builder) []byte { return b.Meta("a note to the model").Bytes() }},
	}
}
