package cases

import tt "coppice/transcript/transcripttest"

// open writes a prompt and a call that nothing answers, then what between says,
// then another call with its result, at which the transcript ends: the model is
// at work.
func open(between func(b *tt.Builder)) builder {
	return func(b *tt.Builder) []byte {
		turn(b, "sort the list", "the list is sorted")
		b.User("run it").Assistant(tt.Text("running it"), tt.Bash("toolu_one", "make one")).Next()
		between(b)
		return b.Next().Assistant(tt.Bash("toolu_two", "make two")).Result("toolu_two", "made two").Bytes()
	}
}

// Calls that nothing answers are left out, unless results are the last word and
// no user row without results stands in between.
func unansweredCases() []Case {
	return []Case{
		{"call not answered, at work", "A.4", open(func(*tt.Builder) {})},
		{"call not answered, an answer, at work", "A.4", open(func(b *tt.Builder) { b.Assistant(tt.Text("it runs")) })},
		{"call not answered, a prompt, at work", "A.4", open(func(b *tt.Builder) { b.User("hurry") })},
		{"call not answered, a meta row, at work", "A.4", open(func(b *tt.Builder) { b.Meta("a note to the model") })},
		{"call not answered, a row with empty content, at work", "A.4", open(func(b *tt.Builder) { b.Plain("user", "[]", "") })},
		{"call not answered, a command in a system row, at work", "A.4", open(func(b *tt.Builder) {
			b.System("local_command", `"content":"<local-command-stdout>fine</local-command-stdout>","level":"info"`)
		})},
		{"call not answered, a result and a text in one row, at work", "A.4", open(func(b *tt.Builder) {
			b.UserContent(`[`+tt.ToolResult("toolu_none", "made none")+`,`+tt.Text("hurry")+`]`, "")
		})},
		{"call not answered, a queued prompt, at work", "A.4", open(func(b *tt.Builder) { queued(b, "hurry") })},
		{"parallel calls, one not answered, at work", "A.4", func(b *tt.Builder) []byte {
			first, _ := parallel(b)
			b.Answer(first, "toolu_one", "made one").Next().Assistant(tt.Bash("toolu_three", "make three"))
			return b.Result("toolu_three", "made three").Bytes()
		}},
		{"call not answered, at work, an attachment at the end", "A.4", func(b *tt.Builder) []byte {
			open(func(*tt.Builder) {})(b)
			return b.Node("attachment", `"attachment":{"type":"sundial","content":"seven"}`).Bytes()
		}},
		{"call not answered, at work, a failed answer at the end", "A.4", func(b *tt.Builder) []byte {
			open(func(*tt.Builder) {})(b)
			return b.APIError("the service is busy").Bytes()
		}},
		{"call not answered, at work, a command in a system row at the end", "A.4", func(b *tt.Builder) []byte {
			open(func(*tt.Builder) {})(b)
			return b.System("local_command", `"content":"<local-command-stdout>fine</local-command-stdout>","level":"info"`).Bytes()
		}},
		{"call not answered, then a result of no call at the end", "A.4", func(b *tt.Builder) []byte {
			called(b).Next().Assistant(tt.Text("it runs"))
			return b.Result("toolu_none", "made none").Bytes()
		}},
		{"only an attachment of an unknown type", "A.4", func(b *tt.Builder) []byte {
			return b.Node("attachment", `"attachment":{"type":"sundial","content":"seven"}`).Bytes()
		}},
		{"prompt with an attachment of an unknown type behind it", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Node("attachment", `"attachment":{"type":"sundial","content":"seven"}`).Bytes()
		}},
		{"prompt with a system row behind it", "A.4", func(b *tt.Builder) []byte {
			return asked(b).System("turn_duration", `"durationMs":10,"messageCount":2`).Bytes()
		}},
	}
}
