package cases

import tt "coppice/transcript/transcripttest"

func rowCases() []Case {
	return []Case{
		{"first row is an answer", "A.4", func(b *tt.Builder) []byte {
			b.Assistant(tt.Text("good morning"))
			turn(b, "sort the list", "the list is sorted")
			return b.Bytes()
		}},
		{"interrupted at the end", "A.4", func(b *tt.Builder) []byte {
			asked(b).Assistant(tt.Text("it is"))
			return b.UserContent(`[`+tt.Text("[Request interrupted by user]")+`]`, "").Bytes()
		}},
		{"interrupted in the middle", "A.4", func(b *tt.Builder) []byte {
			asked(b).Assistant(tt.Text("it is"))
			return after(b.UserContent(`[`+tt.Text("[Request interrupted by user]")+`]`, ""))
		}},
		{"rows with empty content", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.Plain("user", "[]", "").Assistant())
		}},
		{"answer with empty content", "A.4", func(b *tt.Builder) []byte {
			return after(asked(b).Assistant())
		}},
		{"answer with empty content at the end", "A.4", func(b *tt.Builder) []byte { return asked(b).Assistant().Bytes() }},
		{"prompt with empty content at the end", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Plain("user", "[]", "").Bytes()
		}},
		{"row without message", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.Node("user", ""))
		}},
		{"content is null", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Plain("user", "null", "").Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"answer with a string as content", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Plain("assistant", tt.Quote("it is reversed"), "").Bytes()
		}},
		{"failed answer at the end", "A.4", func(b *tt.Builder) []byte { return asked(b).APIError("the service is busy").Bytes() }},
		{"failed answer in the middle", "A.4", func(b *tt.Builder) []byte { return after(asked(b).APIError("the service is busy")) }},
		{"failed answer behind a call", "A.4", func(b *tt.Builder) []byte {
			return called(b).Result("toolu_one", "made one").APIError("the service is busy").Bytes()
		}},
		{"system row of a failure", "A.4", func(b *tt.Builder) []byte {
			asked(b).System("api_error", `"level":"error","error":{"status":529},"retryInMs":500,"retryAttempt":1,"maxRetries":10`)
			return b.Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"system row of a failure at the end", "A.4", func(b *tt.Builder) []byte {
			return asked(b).System("api_error", `"level":"error","error":{"status":529},"retryInMs":500,"retryAttempt":1,"maxRetries":10`).Bytes()
		}},
		{"slash command", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.Command("/model", "", "the model is set"))
		}},
		{"slash command at the end", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Command("/model", "", "the model is set").Bytes()
		}},
		{"shell command", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.Shell("ls", "list.txt"))
		}},
		{"slash command in a system row", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.System("local_command", `"content":"<command-name>/status</command-name>","level":"info"`))
		}},
		{"slash command in a system row at the end", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.System("local_command", `"content":"<local-command-stdout>fine</local-command-stdout>","level":"info"`).Bytes()
		}},
		{"meta rows", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			after(b.Meta("a note to the model"))
			return b.Meta("a note to the model at the end").Bytes()
		}},
		{"row for the screen only", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.Plain("user", tt.Quote("for the screen"), `,"isVisibleInTranscriptOnly":true`))
		}},
		{"queued prompt in the middle", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(queued(b, "and count them"))
		}},
		{"queued prompt behind a result", "A.4", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "made one")
			return queued(b, "and count them").Next().Assistant(tt.Text("there are nine")).Bytes()
		}},
		{"queued prompt between a call and its result", "A.4", func(b *tt.Builder) []byte {
			call := called(b).Last()
			queued(b, "and count them").Result("toolu_one", "made one")
			_ = call
			return b.Next().Assistant(tt.Text("there are nine")).Bytes()
		}},
		{"queued prompt behind an answer", "A.4", func(b *tt.Builder) []byte {
			asked(b).Assistant(tt.Text("it is reversed"))
			return queued(b, "and count them").Next().Assistant(tt.Text("there are nine")).Bytes()
		}},
		{"two queued prompts", "A.4", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "made one")
			queued(queued(b, "and count them"), "and weigh them")
			return b.Next().Assistant(tt.Text("there are nine")).Bytes()
		}},
		{"legacy attachments", "A.4", legacy},
		{"summary record", "A.4", func(b *tt.Builder) []byte {
			b.Line(`{"type":"summary","summary":"what it was about","leafUuid":"` + b.UUID(4) + `"}`)
			talk(b)
			return b.Bytes()
		}},
		{"records between the rows", "A.4", func(b *tt.Builder) []byte {
			b.Head()
			turn(b, "sort the list", "the list is sorted")
			b.System("turn_duration", `"durationMs":10,"messageCount":2`).Title("lists").Request(1000).Environment()
			turn(b, "now reverse it", "it is reversed")
			return b.LastPrompt("now reverse it").Modes("normal", "default").Bytes()
		}},
	}
}

func legacy(b *tt.Builder) []byte {
	turn(b, "sort the list", "the list is sorted")
	for _, a := range []string{
		`"type":"new_file","filename":"/home/sam/app/old.txt","content":{"type":"text","file":{"filePath":"/home/sam/app/old.txt","content":"old words","numLines":1,"startLine":1,"totalLines":1}},"displayPath":"old.txt"`,
		`"type":"new_directory","path":"/home/sam/app/old","content":"a\nb","displayPath":"old"`,
		`"type":"todo","content":[],"itemCount":0,"context":"post-compact"`,
		`"type":"queued_command","prompt":"and count them","commandMode":"prompt"`,
		`"type":"edited_text_file","filename":"/home/sam/app/old.txt","snippet":"1 old"`,
	} {
		b.Node("attachment", `"attachment":{`+a+`}`)
	}
	return after(b)
}
