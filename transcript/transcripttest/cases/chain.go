package cases

import (
	"bytes"
	"time"

	tt "coppice/transcript/transcripttest"
)

func chainCases() []Case {
	return []Case{
		{"first row with a parent that is not there", "A.2", func(b *tt.Builder) []byte {
			b.Parent(b.Gone(1))
			talk(b)
			return b.Bytes()
		}},
		{"no parent in the middle", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			b.Parent("")
			turn(b, "begin anew", "begun anew")
			return b.Bytes()
		}},
		{"cycle of all rows", "A.2", func(b *tt.Builder) []byte {
			b.Parent(b.UUID(4))
			talk(b)
			return b.Bytes()
		}},
		{"row that is its own parent", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Parent(b.NextUUID())
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"cycle with a tail", "A.2", func(b *tt.Builder) []byte {
			b.Parent(b.UUID(2))
			talk(b)
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"rows out of order", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return reorder(b.Bytes(), 3, 1, 0, 2)
		}},
		{"rows out of order, the newest last", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return reorder(b.Bytes(), 1, 0, 2, 3)
		}},
		{"no row names a parent", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return noParents(b.Bytes())
		}},
		{"progress row in the chain", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Progress()
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"row of an unknown type in the chain", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Node("sundial", `"hour":7`)
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"row of an unknown type at the end", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Node("sundial", `"hour":7`).Bytes()
		}},
		{"progress row at the end", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Progress().Bytes()
		}},
		{"attachment of an unknown type", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Node("attachment", `"attachment":{"type":"sundial","content":"seven"}`)
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"row without uuid", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return edit(b.Bytes(), 2, noUUID)
		}},
		{"row twice", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return reorder(b.Bytes(), 0, 1, 2, 2, 3)
		}},
		{"row twice, changed the second time", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			changed := replace(lines(b.Bytes())[2], "now reverse it", "now reverse it, please")
			return append(b.Bytes(), changed...)
		}},
		{"all rows twice", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return bytes.Repeat(b.Bytes(), 2)
		}},
		{"rows of another session in front", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			other := func(line []byte) []byte { return replace(line, SessionID, "0ther000-1234-4abc-9def-0123456789ab") }
			return edit(edit(b.Bytes(), 0, other), 1, other)
		}},
		{"every row of another session", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			return replace(b.Bytes(), `"sessionId":"`+SessionID, `"sessionId":"`+"0ther000-1234-4abc-9def-0123456789ab")
		}},
		{"sidechain beside the chain", "A.2", func(b *tt.Builder) []byte {
			last := turn(b, "sort the list", "the list is sorted")
			sidechain(b.Parent(""))
			b.Parent(last)
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"sidechain in the chain", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			sidechain(b)
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"sidechain at the end", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			sidechain(b.Parent(""))
			return b.Bytes()
		}},
		{"sidechain below the chain at the end", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			sidechain(b)
			return b.Bytes()
		}},
		{"team row at the end", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.TeamName = "gardeners"
			turn(b, "water the list", "it is watered")
			return b.Bytes()
		}},
	}
}

// sidechain writes the turn of another agent.
func sidechain(b *tt.Builder) {
	b.Sidechain = true
	turn(b, "look it up", "looked up")
	b.Sidechain = false
}

// lost writes two turns, and a third whose parent is not there, after a pause of
// so many milliseconds between the two rows.
func lost(pause int) builder {
	return func(b *tt.Builder) []byte {
		talk(b)
		b.Wait(-b.Step).Wait(time.Duration(pause) * time.Millisecond).Parent(b.Gone(1))
		turn(b, "and print it", "it is printed")
		return b.Bytes()
	}
}

func gapCases() []Case {
	return []Case{
		{"parent missing, 0 ms", "A.2", lost(0)},
		{"parent missing, 4999 ms", "A.2", lost(4999)},
		{"parent missing, 5000 ms", "A.2", lost(5000)},
		{"parent missing, 5001 ms", "A.2", lost(5001)},
		{"parent missing, one hour", "A.2", lost(3_600_000)},
		{"parent missing, the row before is newer", "A.2", lost(-20_000)},
		{"parent missing, the row before is a little newer", "A.2", lost(-1000)},
		{"parent missing, no times", "A.2", func(b *tt.Builder) []byte { return noTimes(lost(2000)(b)) }},
		{"parent missing, the row before is an attachment", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			queued(b, "and count them").Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"parent missing, the row before is a sidechain", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			sidechain(b.Parent(""))
			b.Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"parent missing, only sidechain rows within 5 s", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			b.Wait(time.Minute)
			sidechain(b.Parent(""))
			b.Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"parent missing, the row before is of another branch", "A.2", func(b *tt.Builder) []byte {
			branched(b)
			b.Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"parent missing, another branch has the newest time", "A.2", func(b *tt.Builder) []byte {
			fork := turn(b, "sort the list", "the list is sorted")
			b.Wait(10 * time.Second)
			turn(b, "now reverse it", "it is reversed")
			b.Wait(-14 * time.Second).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			b.Wait(11 * time.Second).Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"parent missing, the row before stands behind it in the file", "A.2", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Wait(time.Minute)
			old := b.Last()
			b.Parent(old)
			turn(b, "now reverse it", "it is reversed")
			b.Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return reorder(b.Bytes(), 0, 1, 4, 2, 3, 5)
		}},
		{"parent missing, the row before is a system row", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			b.System("turn_duration", `"durationMs":10,"messageCount":2`).Parent(b.Gone(1))
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"second turn missing", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			turn(b, "and print it", "it is printed")
			return without(b.Bytes(), 2, 3)
		}},
		{"first turn missing", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			turn(b, "and print it", "it is printed")
			return without(b.Bytes(), 0, 1)
		}},
		{"two answers missing", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			turn(b, "and print it", "it is printed")
			turn(b, "and save it", "it is saved")
			return without(b.Bytes(), 3, 5)
		}},
		{"answer at the end is an orphan", "A.2", func(b *tt.Builder) []byte {
			talk(b)
			b.User("and print it").Parent(b.Gone(1)).Wait(time.Minute)
			return b.Assistant(tt.Text("it is printed")).Bytes()
		}},
	}
}
