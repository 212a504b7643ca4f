package cases

import (
	"time"

	tt "coppice/transcript/transcripttest"
)

// talk writes two turns and returns the uuid of the first answer.
func talk(b *tt.Builder) (fork string) {
	fork = turn(b, "sort the list", "the list is sorted")
	turn(b, "now reverse it", "it is reversed")
	return fork
}

// turn writes a prompt and its answer, and returns the uuid of the answer.
func turn(b *tt.Builder, prompt, answer string) string {
	return b.User(prompt).Assistant(tt.Text(answer)).Last()
}

// branched writes two turns, and another second turn beside the second.
func branched(b *tt.Builder) (fork, old string) {
	fork = talk(b)
	old = b.Last()
	b.Parent(fork)
	turn(b, "rather shuffle it", "it is shuffled")
	return fork, old
}

func leafCases() []Case {
	return []Case{
		{"one turn", "A.0", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Bytes()
		}},
		{"a lone prompt", "A.4", func(b *tt.Builder) []byte { return b.User("sort the list").Bytes() }},
		{"two branches", "A.1", func(b *tt.Builder) []byte {
			branched(b)
			return b.Bytes()
		}},
		{"two branches, the first with later times", "A.1", func(b *tt.Builder) []byte {
			fork := turn(b, "sort the list", "the list is sorted")
			b.Wait(time.Hour)
			turn(b, "now reverse it", "it is reversed")
			b.Wait(-time.Hour).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			return b.Bytes()
		}},
		{"two branches, equal times", "A.1", func(b *tt.Builder) []byte {
			b.Step = 0
			branched(b)
			return b.Bytes()
		}},
		{"two branches, no times", "A.1", func(b *tt.Builder) []byte {
			branched(b)
			return noTimes(b.Bytes())
		}},
		{"a branch that ends on a prompt", "A.1", func(b *tt.Builder) []byte {
			b.Parent(talk(b))
			return b.User("rather shuffle it").Bytes()
		}},
		{"a branch that ends on a system row", "A.1", func(b *tt.Builder) []byte {
			b.Parent(talk(b))
			return b.System("informational", `"content":"a note to the person","level":"info"`).Bytes()
		}},
		{"a queued prompt at the end", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return queued(b, "and count them").Bytes()
		}},
		{"a third branch below a prompt", "A.1", func(b *tt.Builder) []byte {
			fork, _ := branched(b)
			prompt := b.Parent(fork).User("rather count it").Last()
			b.Assistant(tt.Text("there are nine"))
			return b.Next().Parent(prompt).Assistant(tt.Text("there are ten")).Bytes()
		}},
	}
}

// queued writes a prompt that was typed while the model worked.
func queued(b *tt.Builder, prompt string) *tt.Builder {
	return b.Node("attachment", `"attachment":{"type":"queued_command","prompt":`+tt.Quote(prompt)+`,"commandMode":"prompt"}`)
}

const nilUUID = "00000000-0000-0000-0000-000000000000"

func pointerCases() []Case {
	return []Case{
		{"pointer on the other branch", "A.1", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.PointAt(old, false).Bytes()
		}},
		{"pointer on the other branch, newer rows behind it", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			b.PointAt(b.Last(), false).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			return b.Bytes()
		}},
		{"pointer on the other branch, newer rows on both", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			old := b.Last()
			b.PointAt(old, false).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			b.Parent(old)
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"pointer on an ancestor", "A.1", func(b *tt.Builder) []byte {
			return b.PointAt(talk(b), false).Bytes()
		}},
		{"pointer on an ancestor, rows behind it", "A.1", func(b *tt.Builder) []byte {
			b.PointAt(turn(b, "sort the list", "the list is sorted"), false)
			turn(b, "now reverse it", "it is reversed")
			return b.Bytes()
		}},
		{"pointer on the ancestor of two branches", "A.1", func(b *tt.Builder) []byte {
			fork, _ := branched(b)
			return b.PointAt(fork, false).Bytes()
		}},
		{"pointer on a prompt of the other branch", "A.1", func(b *tt.Builder) []byte {
			fork := turn(b, "sort the list", "the list is sorted")
			prompt := b.User("now reverse it").Last()
			b.Assistant(tt.Text("it is reversed")).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			return b.PointAt(prompt, false).Bytes()
		}},
		{"pointer on a prompt of the other branch, newer rows behind it", "A.1", func(b *tt.Builder) []byte {
			fork := turn(b, "sort the list", "the list is sorted")
			prompt := b.User("now reverse it").Last()
			b.Assistant(tt.Text("it is reversed")).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			b.PointAt(prompt, false)
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"two pointers", "A.1", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.PointAt(b.Last(), false).PointAt(old, false).Bytes()
		}},
		{"pointer on no row", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return b.PointAt(b.Gone(1), false).Bytes()
		}},
		{"pointer without a uuid", "A.1", func(b *tt.Builder) []byte {
			branched(b)
			return b.Point("").Bytes()
		}},
		{"pointer that is null", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return b.Point(`"leafUuid":null`).Bytes()
		}},
		{"pointer of another session", "A.1", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.Line(`{"type":"last-prompt","lastPrompt":"x","leafUuid":` + tt.Quote(old) + `,"sessionId":"` + b.Gone(2) + `"}`).Bytes()
		}},
		{"pointer on a sidechain", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			b.Parent("").Sidechain = true
			return b.PointAt(turn(b, "look it up", "looked up"), false).Bytes()
		}},
		{"explicit pointer on an ancestor", "A.1", func(b *tt.Builder) []byte {
			return b.PointAt(talk(b), true).Bytes()
		}},
		{"explicit pointer on an ancestor, rows go on", "A.1", func(b *tt.Builder) []byte {
			b.PointAt(talk(b), true)
			turn(b, "and print it", "it is printed")
			return b.Bytes()
		}},
		{"explicit pointer on the other branch", "A.1", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.PointAt(old, true).Bytes()
		}},
		{"explicit pointer on nothing", "A.1", func(b *tt.Builder) []byte {
			talk(b)
			return b.PointAt(nilUUID, true).Bytes()
		}},
		{"pointer, then an explicit one on nothing", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			b.PointAt(b.Last(), false).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			return b.PointAt(nilUUID, true).Bytes()
		}},
		{"pointer, then one on nothing", "A.1", func(b *tt.Builder) []byte {
			fork := talk(b)
			b.PointAt(b.Last(), false).Parent(fork)
			turn(b, "rather shuffle it", "it is shuffled")
			return b.PointAt(nilUUID, false).Bytes()
		}},
		{"explicit pointer on nothing, then one on the other branch", "A.1", func(b *tt.Builder) []byte {
			_, old := branched(b)
			return b.PointAt(nilUUID, true).PointAt(old, false).Bytes()
		}},
	}
}
