package cases

import (
	"bytes"

	tt "coppice/transcript/transcripttest"
)

// pruned writes a compaction with this metadata, and a branch from before it.
func pruned(metadata func(b *tt.Builder) string) builder {
	return func(b *tt.Builder) []byte {
		compacted(b, metadata(b))
		return after(b.Parent(b.UUID(2)))
	}
}

// Once a compaction preserves rows, the rows before the newest one that it does
// not preserve are gone, and what hung on them hangs on the last preserved row.
func pruneCases() []Case {
	return []Case{
		{"branch from before a compaction that preserves rows", "A.5", pruned(func(b *tt.Builder) string { return segment(b.UUID(3), b.UUID(6), b.UUID(4)) })},
		{"branch from before a compaction with a head that is not there", "A.5", pruned(func(b *tt.Builder) string { return segment(b.Gone(1), b.UUID(6), b.UUID(4)) })},
		{"branch from before a compaction with an anchor that is not there", "A.5", pruned(func(b *tt.Builder) string { return segment(b.UUID(3), b.Gone(1), b.UUID(4)) })},
		{"branch from before a compaction that preserves no messages", "A.5", pruned(func(b *tt.Builder) string { return preserved(b.UUID(6)) })},
		{"branch from before a compaction with a message that is not there", "A.5", pruned(func(b *tt.Builder) string { return preserved(b.UUID(6), b.UUID(3), b.Gone(1)) })},
		{"branch from between a compaction that preserves rows and another", "A.5", func(b *tt.Builder) []byte {
			return between(b, segment(b.UUID(3), b.UUID(6), b.UUID(4)))
		}},
		{"branch from between a compaction with a head that is not there and another", "A.5", func(b *tt.Builder) []byte {
			return between(b, segment(b.Gone(1), b.UUID(6), b.UUID(4)))
		}},
		{"branch at a preserved row", "A.5", func(b *tt.Builder) []byte {
			compacted(b, segment(b.UUID(1), b.UUID(6), b.UUID(4)))
			return after(b.Parent(b.UUID(2)))
		}},
		{"prompt behind the preserved rows", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			b.User("and print it").Parent("").Boundary(b.UUID(5), segment(b.UUID(3), b.UUID(7), b.UUID(4))).Summary("a list was sorted and reversed")
			return b.Bytes()
		}},
		{"preserved rows without a summary", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return b.Parent("").Boundary(b.UUID(4), segment(b.UUID(3), b.UUID(6), b.UUID(4))).Bytes()
		}},
		{"pointer on a row that a compaction does not preserve", "A.5", func(b *tt.Builder) []byte {
			compacted(b, segment(b.UUID(3), b.UUID(6), b.UUID(4)))
			return b.PointAt(b.UUID(2), false).Bytes()
		}},
		{"preserved rows below a boundary that names them as its parent", "A.5", func(b *tt.Builder) []byte {
			talk(b)
			return b.Boundary(b.UUID(4), segment(b.UUID(3), b.UUID(6), b.UUID(4))).Summary("a list was sorted and reversed").Bytes()
		}},
	}
}

// between writes two compactions, the first with this metadata, and a branch from
// between them.
func between(b *tt.Builder, metadata string) []byte {
	compacted(b, metadata)
	turn(b, "and save it", "it is saved") // rows 7 and 8
	b.Parent("").Boundary(b.UUID(8), "").Summary("a list was saved")
	return after(b.Parent(b.UUID(8)))
}

// The rows of a turn with parallel calls stand in the order of the file.
func orderCases() []Case {
	return []Case{
		{"parallel calls, the results on two branches", "A.2", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			two := b.Answer(second, "toolu_two", "made two").Last()
			b.Answer(first, "toolu_one", "made one").Next().Parent(two)
			return after(b)
		}},
		{"parallel calls, a result far behind", "A.2", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			b.Answer(second, "toolu_two", "made two").Next()
			last := turn(b, "and print it", "it is printed")
			b.Answer(first, "toolu_one", "made one").Next().Parent(last)
			turn(b, "and save it", "it is saved")
			return b.Bytes()
		}},
		{"parallel calls, a queued prompt below the result beside the chain", "A.2", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			queued(b.Answer(first, "toolu_one", "made one"), "and count them").Answer(second, "toolu_two", "made two")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls, a queued prompt between the results", "A.2", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			note := queued(b.Answer(second, "toolu_two", "made two"), "and count them").Last()
			return b.Answer(first, "toolu_one", "made one").Next().Parent(note).Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls, each line with its result below the text", "A.2", func(b *tt.Builder) []byte {
			text := b.User("run both").Assistant(tt.Text("running both")).Last()
			b.Assistant(tt.Bash("toolu_one", "make one")).Result("toolu_one", "made one")
			b.Parent(text).Assistant(tt.Bash("toolu_two", "make two")).Result("toolu_two", "made two")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls below the text, the chain through the first", "A.2", func(b *tt.Builder) []byte {
			text := b.User("run both").Assistant(tt.Text("running both")).Last()
			first := b.Assistant(tt.Bash("toolu_one", "make one")).Last()
			second := b.Parent(text).Assistant(tt.Bash("toolu_two", "make two")).Last()
			one := b.Answer(first, "toolu_one", "made one").Last()
			return b.Answer(second, "toolu_two", "made two").Next().Parent(one).Assistant(tt.Text("both are made")).Bytes()
		}},
		{"rows of a message beside the chain, one of them in front of it", "A.2", func(b *tt.Builder) []byte {
			prompt := b.User("sort both").Last()
			b.Assistant(tt.Text("the first is sorted")).Parent(prompt).Assistant(tt.Text("so is the second")).Assistant(tt.Text("and done"))
			return after(b)
		}},
		{"parallel calls, a prompt beside the chain below a result", "A.2", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			b.Answer(first, "toolu_one", "made one").Next().User("and print it")
			return b.Answer(second, "toolu_two", "made two").Next().Assistant(tt.Text("both are made")).Bytes()
		}},
	}
}

// A compaction behind a pointer ends what was pointed to.
func endedCases() []Case {
	ended := func(explicit bool, more func(b *tt.Builder) []byte) builder {
		return func(b *tt.Builder) []byte {
			_, old := branched(b) // rows 1 to 6
			b.PointAt(old, explicit).Parent("").Boundary(b.UUID(6), "").Summary("a list was shuffled")
			return more(b)
		}
	}
	return []Case{
		{"pointer on the other branch, then a compaction", "A.1", ended(false, (*tt.Builder).Bytes)},
		{"explicit pointer on the other branch, then a compaction", "A.1", ended(true, (*tt.Builder).Bytes)},
		{"pointer on the other branch, then a compaction and a turn", "A.1", ended(false, after)},
		{"pointer on the other branch, then a summary without boundary", "A.1", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.PointAt(old, false).Parent("").Summary("a list was shuffled").Bytes()
		}},
		{"pointer on an ancestor, then a compaction that preserves rows", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			b.PointAt(fork, true).Parent("").Boundary(b.UUID(4), segment(b.UUID(3), b.UUID(6), b.UUID(4))).Summary("a list was sorted and reversed")
			return b.Bytes()
		}},
		{"pointer on the other branch, then a boundary without summary", "A.5", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.PointAt(old, false).Parent("").Boundary(old, "").Bytes()
		}},
		{"compaction, then a boundary without summary that preserves rows", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "") // rows 1 to 6
			return b.Parent("").Boundary(b.UUID(6), preserved(b.UUID(7), b.UUID(1), b.UUID(2))).Bytes()
		}},
		{"compaction, then a boundary without summary", "A.5", func(b *tt.Builder) []byte {
			compacted(b, "")
			return b.Parent("").Boundary(b.UUID(6), "").Bytes()
		}},
		{"parent of a sidechain row in the chain missing", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			sidechain(b.Parent(b.Gone(1)))
			return after(b)
		}},
	}
}

// After an explicit pointer on nothing the row written last is the end, also
// where others hang below it.
func passedCases() []Case {
	again := func(b *tt.Builder) []byte {
		line := lines(b.Bytes())[len(lines(b.Bytes()))-1]
		b.Next().Assistant(tt.Text("it is printed"))
		return append(b.Bytes(), bytes.Clone(line)...)
	}
	return []Case{
		{"explicit pointer on nothing, then a prompt that comes twice", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return again(b.PointAt(nilUUID, true).User("and print it"))
		}},
		{"pointer on nothing, then a prompt that comes twice", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return again(b.PointAt(nilUUID, false).User("and print it"))
		}},
		{"explicit pointer on nothing, then an attachment that comes twice", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			b.PointAt(nilUUID, true).User("and print it").Node("attachment", `"attachment":{"type":"sundial"}`)
			return again(b)
		}},
		{"explicit pointer on nothing, then rows out of order", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			b.PointAt(nilUUID, true)
			turn(b, "and print it", "it is printed")
			return reorder(b.Bytes(), 0, 1, 2, 3, 4, 6, 5)
		}},
		{"explicit pointer on nothing, then a sidechain", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			sidechain(b.PointAt(nilUUID, true).Parent(""))
			return b.Bytes()
		}},
		{"explicit pointer on nothing, then a branch and a system row", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			b.PointAt(nilUUID, true).Parent(fork)
			return b.System("turn_duration", `"durationMs":10,"messageCount":2`).Bytes()
		}},
		{"pointer on no row, then a prompt that comes twice", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return again(b.PointAt(b.Gone(1), true).User("and print it"))
		}},
		{"explicit pointer on an ancestor, then a prompt that comes twice", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			return again(b.PointAt(fork, true).User("and print it"))
		}},
	}
}
