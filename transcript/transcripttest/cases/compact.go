package cases

import tt "coppice/transcript/transcripttest"

// compacted writes two turns, and a compaction that keeps the second as segment
// says.
func compacted(b *tt.Builder, metadata string) {
	talk(b)
	b.Parent("").Boundary(b.UUID(4), metadata).Summary("a list was sorted and reversed")
}

// segment returns the metadata of preserved rows.
func segment(head, anchor, tail string) string {
	return `"preservedSegment":{"headUuid":"` + head + `","anchorUuid":"` + anchor + `","tailUuid":"` + tail + `"}`
}

// preserved returns the metadata of preserved rows, one by one.
func preserved(anchor string, uuids ...string) string {
	list := ""
	for i, uuid := range uuids {
		if i > 0 {
			list += ","
		}
		list += tt.Quote(uuid)
	}
	return `"preservedMessages":{"anchorUuid":"` + anchor + `","uuids":[` + list + `],"allUuids":[` + list + `]}`
}

// Rows of compacted: the first turn is 1 and 2, the second 3 and 4, the boundary
// 5, the summary 6.
func compactCases() []Case {
	cases := []Case{
		{"compaction", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return after(b)
		}},
		{"compaction at the end", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return b.Bytes()
		}},
		{"boundary without summary", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return after(b.Parent("").Boundary(b.UUID(4), ""))
		}},
		{"boundary at the end", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return b.Parent("").Boundary(b.UUID(4), "").Bytes()
		}},
		{"summary without boundary", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return after(b.Parent("").Summary("a list was sorted and reversed"))
		}},
		{"boundary that names a parent", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return after(b.Boundary("", "").Summary("a list was sorted and reversed"))
		}},
		{"two compactions", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			last := turn(b, "and print it", "it is printed")
			b.Parent("").Boundary(last, "").Summary("a list was printed")
			turn(b, "and save it", "it is saved")
			return b.Bytes()
		}},
		{"pointer on a row before the compaction", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return b.PointAt(b.UUID(4), false).Bytes()
		}},
		{"branch from before the compaction", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return after(b.Parent(b.UUID(2)))
		}},
		{"boundary of a small compaction", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return after(b.System("microcompact_boundary", `"content":"compacted a little","level":"info","microcompactMetadata":{"trigger":"auto","preTokens":1,"tokensSaved":1,"compactedToolIds":[],"clearedAttachmentUUIDs":[]}`))
		}},
		{"rows below the boundary and the summary", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			b.Command("/compact", "", "compacted").Environment()
			return after(b)
		}},
		{"compaction with a missing parent within 5 s", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return after(b.Parent(b.Gone(1)))
		}},
		{"summary whose boundary is missing", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return without(after(b), 4)
		}},
	}
	return append(cases, preservedCases()...)
}

func preservedCases() []Case {
	keep := func(metadata func(b *tt.Builder) string) builder {
		return func(b *tt.Builder) []byte {
			compacted(b, metadata(b))
			return after(b)
		}
	}
	return []Case{
		{"preserved segment below the summary", "A.5", keep(func(b *tt.Builder) string { return segment(b.UUID(3), b.UUID(6), b.UUID(4)) })},
		{"preserved segment below the boundary", "A.5", keep(func(b *tt.Builder) string { return segment(b.UUID(3), b.UUID(5), b.UUID(4)) })},
		{"preserved segment of rows that are not there", "A.5", keep(func(b *tt.Builder) string { return segment(b.Gone(1), b.Gone(2), b.Gone(3)) })},
		{"preserved segment with a head that is not there", "A.5", keep(func(b *tt.Builder) string { return segment(b.Gone(1), b.UUID(6), b.UUID(4)) })},
		{"preserved segment with an anchor that is not there", "A.5", keep(func(b *tt.Builder) string { return segment(b.UUID(3), b.Gone(1), b.UUID(4)) })},
		{"preserved segment with a tail that is not there", "A.5", keep(func(b *tt.Builder) string { return segment(b.UUID(3), b.UUID(6), b.Gone(1)) })},
		{"preserved segment the wrong way round", "A.5", keep(func(b *tt.Builder) string { return segment(b.UUID(4), b.UUID(6), b.UUID(3)) })},
		{"preserved segment of all rows", "A.5", keep(func(b *tt.Builder) string { return segment(b.UUID(1), b.UUID(6), b.UUID(4)) })},
		{"preserved messages below the summary", "A.5", keep(func(b *tt.Builder) string { return preserved(b.UUID(6), b.UUID(3), b.UUID(4)) })},
		{"preserved messages below the boundary", "A.5", keep(func(b *tt.Builder) string { return preserved(b.UUID(5), b.UUID(3), b.UUID(4)) })},
		{"preserved messages, not side by side", "A.5", keep(func(b *tt.Builder) string { return preserved(b.UUID(6), b.UUID(1), b.UUID(4)) })},
		{"preserved messages, one not there", "A.5", keep(func(b *tt.Builder) string { return preserved(b.UUID(6), b.UUID(3), b.Gone(1)) })},
		{"preserved messages, none", "A.5", keep(func(b *tt.Builder) string { return preserved(b.UUID(6)) })},
		{"preserved messages and a segment that differs", "A.5", keep(func(b *tt.Builder) string {
			return segment(b.UUID(1), b.UUID(6), b.UUID(4)) + "," + preserved(b.UUID(6), b.UUID(3), b.UUID(4))
		})},
		{"preserved messages at the end", "A.5", func(b *tt.Builder) []byte {
			compacted(b, preserved(b.UUID(6), b.UUID(3), b.UUID(4)))
			return b.Bytes()
		}},
		{"preserved messages, then another compaction", "A.5", func(b *tt.Builder) []byte {
			compacted(b, preserved(b.UUID(6), b.UUID(3), b.UUID(4)))
			last := turn(b, "and print it", "it is printed")
			b.Parent("").Boundary(last, "").Summary("a list was printed")
			turn(b, "and save it", "it is saved")
			return b.Bytes()
		}},
		{"preserved messages, also by another compaction", "A.5", func(b *tt.Builder) []byte {
			compacted(b, preserved(b.UUID(6), b.UUID(3), b.UUID(4)))
			last := turn(b, "and print it", "it is printed") // rows 7 and 8
			b.Parent("").Boundary(last, preserved(b.UUID(10), b.UUID(3), b.UUID(4), b.UUID(7), b.UUID(8))).Summary("a list was printed")
			turn(b, "and save it", "it is saved")
			return b.Bytes()
		}},
		{"preserved parallel calls", "A.5", func(b *tt.Builder) []byte {
			first, second := parallel(b) // rows 1 to 6
			b.Answer(first, "toolu_one", "made one").Answer(second, "toolu_two", "made two")
			last := b.Next().Assistant(tt.Text("both are made")).Last() // row 9; boundary 10, summary 11
			b.Parent("").Boundary(last, segment(b.UUID(3), b.UUID(11), b.UUID(9))).Summary("two were made")
			return after(b)
		}},
		{"preserved result of a call that is not", "A.5", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "made one") // row 5
			last := b.Next().Assistant(tt.Text("made")).Last()
			b.Parent("").Boundary(last, preserved(b.UUID(8), b.UUID(5), b.UUID(6))).Summary("one was made")
			return after(b)
		}},
	}
}

func replacementCases() []Case {
	const body = `"replacements":[{"kind":"tool-result","toolUseId":"toolu_one","replacement":"put in its place"}]`
	made := func(b *tt.Builder) *tt.Builder {
		return called(b).Result("toolu_one", tt.Filler(600)).Next().Assistant(tt.Text("made"))
	}
	return []Case{
		{"replacement at the end", "A.6", func(b *tt.Builder) []byte { return made(b).Record("content-replacement", body).Bytes() }},
		{"replacement in front", "A.6", func(b *tt.Builder) []byte { return made(b.Record("content-replacement", body)).Bytes() }},
		{"replacement with a uuid", "A.6", func(b *tt.Builder) []byte {
			return made(b).Record("content-replacement", `"uuid":"`+b.Gone(1)+`","timestamp":"2026-03-04T09:31:00.000Z",`+body).Bytes()
		}},
		{"result kept in a file that is gone", "A.6", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "<persisted-output>\nkept in /nowhere/x.txt\n</persisted-output>")
			return b.Next().Assistant(tt.Text("made")).Bytes()
		}},
	}
}
