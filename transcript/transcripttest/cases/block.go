package cases

import tt "coppice/transcript/transcripttest"

// asked writes a turn and a prompt.
func asked(b *tt.Builder) *tt.Builder {
	turn(b, "sort the list", "the list is sorted")
	return b.User("now reverse it")
}

// after ends a transcript with one more turn.
func after(b *tt.Builder) []byte {
	turn(b, "and print it", "it is printed")
	return b.Bytes()
}

func blockCases() []Case {
	return []Case{
		{"thinking only at the end", "A.4", func(b *tt.Builder) []byte { return asked(b).Assistant(tt.Thinking("which way")).Bytes() }},
		{"thinking only in the middle", "A.4", func(b *tt.Builder) []byte { return after(asked(b).Assistant(tt.Thinking("which way"))) }},
		{"thinking and text", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Assistant(tt.Thinking("which way")).Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"thinking behind text", "A.4", func(b *tt.Builder) []byte {
			return after(asked(b).Assistant(tt.Text("it is reversed"), tt.Thinking("which way")))
		}},
		{"thinking behind text at the end", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Assistant(tt.Text("it is reversed"), tt.Thinking("which way")).Bytes()
		}},
		{"thinking between calls", "A.4", func(b *tt.Builder) []byte {
			b.User("run it").Assistant(tt.Thinking("which way")).Assistant(tt.Bash("toolu_one", "make one")).Result("toolu_one", "made one")
			return b.Next().Assistant(tt.Thinking("is it good")).Assistant(tt.Text("made")).Bytes()
		}},
		{"redacted thinking", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Assistant(`{"type":"redacted_thinking","data":"c2VjcmV0"}`).Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"thinking without signature", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Assistant(`{"type":"thinking","thinking":"which way","signature":""}`).Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"thinking of an unknown model", "A.4", func(b *tt.Builder) []byte {
			b.Model = unknownModel
			return asked(b).Assistant(tt.Thinking("which way")).Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"thinking of an unknown model, then a known one", "A.4", func(b *tt.Builder) []byte {
			known := b.Model
			b.Model = unknownModel
			asked(b).Assistant(tt.Thinking("which way")).Assistant(tt.Text("it is reversed"))
			b.Model = known
			b.User("and print it").Assistant(tt.Thinking("on paper")).Assistant(tt.Text("it is printed"))
			return b.Bytes()
		}},
		{"blank answer at the end", "A.4", func(b *tt.Builder) []byte { return asked(b).Assistant(tt.Text("\n\n  ")).Bytes() }},
		{"blank answer in the middle", "A.4", func(b *tt.Builder) []byte { return after(asked(b).Assistant(tt.Text(" \n"))) }},
		{"empty answer in the middle", "A.4", func(b *tt.Builder) []byte { return after(asked(b).Assistant(tt.Text(""))) }},
		{"blank text beside a text", "A.4", func(b *tt.Builder) []byte {
			return after(asked(b).Assistant(tt.Text("\n\n"), tt.Text("it is reversed"), tt.Text("")))
		}},
		{"blank text in front of a call", "A.4", func(b *tt.Builder) []byte {
			b.User("run it").Assistant(tt.Text("\n\n")).Assistant(tt.Bash("toolu_one", "make one")).Result("toolu_one", "made one")
			return b.Next().Assistant(tt.Text("made")).Bytes()
		}},
		{"blank around a text", "A.4", func(b *tt.Builder) []byte { return after(asked(b).Assistant(tt.Text("\n it is reversed \n\n"))) }},
		{"blank prompt", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.User(" \n"))
		}},
		{"empty prompt", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return after(b.User(""))
		}},
		{"message in two rows", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Assistant(tt.Text("it is ")).Assistant(tt.Text("reversed")).Bytes()
		}},
		{"message in two rows, a prompt between", "A.4", func(b *tt.Builder) []byte {
			asked(b).AssistantID("msg_split", tt.Text("it is "))
			return b.User("hurry").AssistantID("msg_split", tt.Text("reversed")).Bytes()
		}},
		{"message in two rows, an attachment between", "A.4", func(b *tt.Builder) []byte {
			asked(b).AssistantID("msg_split", tt.Text("it is "))
			return queued(b, "hurry").AssistantID("msg_split", tt.Text("reversed")).Bytes()
		}},
		{"message in two rows, a system row between", "A.4", func(b *tt.Builder) []byte {
			asked(b).AssistantID("msg_split", tt.Text("it is "))
			return b.System("informational", `"content":"a note to the person","level":"info"`).AssistantID("msg_split", tt.Text("reversed")).Bytes()
		}},
		{"message in two rows, its result between", "A.4", func(b *tt.Builder) []byte {
			b.User("run both").AssistantID("msg_split", tt.Bash("toolu_one", "make one")).Result("toolu_one", "made one")
			b.AssistantID("msg_split", tt.Bash("toolu_two", "make two")).Result("toolu_two", "made two")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"two answers", "A.4", func(b *tt.Builder) []byte {
			return asked(b).Assistant(tt.Text("it is reversed")).Next().Assistant(tt.Text("and done")).Bytes()
		}},
		{"two prompts", "A.4", func(b *tt.Builder) []byte {
			return asked(b).User("quickly").Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"two prompts at the end", "A.4", func(b *tt.Builder) []byte { return asked(b).User("quickly").Bytes() }},
		{"two prompts in blocks", "A.4", func(b *tt.Builder) []byte {
			asked(b).UserContent(`[`+tt.Text("quickly")+`,`+tt.Text("please")+`]`, "")
			return b.User("now").Assistant(tt.Text("it is reversed")).Bytes()
		}},
		{"image in a prompt", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.UserContent(`[`+picture+`,`+tt.Text("what is this")+`]`, "").Assistant(tt.Text("a dot")).Bytes()
		}},
		{"image in a result", "A.4", func(b *tt.Builder) []byte {
			called(b).UserContent(`[{"type":"tool_result","tool_use_id":"toolu_one","content":[`+tt.Text("a picture")+`,`+picture+`]}]`, "")
			return b.Assistant(tt.Text("a dot")).Bytes()
		}},
		{"image in a failed result", "A.4", func(b *tt.Builder) []byte {
			called(b).UserContent(`[{"type":"tool_result","tool_use_id":"toolu_one","is_error":true,"content":[`+tt.Text("a picture")+`,`+picture+`]}]`, "")
			return b.Assistant(tt.Text("a dot")).Bytes()
		}},
		{"result without content", "A.4", func(b *tt.Builder) []byte {
			called(b).UserContent(`[{"type":"tool_result","tool_use_id":"toolu_one"}]`, "")
			return b.Assistant(tt.Text("made")).Bytes()
		}},
		{"result with empty content", "A.4", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "")
			return b.Next().Assistant(tt.Text("made")).Bytes()
		}},
		{"blocks of unknown types", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.UserContent(`[`+tt.Text("look")+`,{"type":"hologram","data":"zz"}]`, "")
			return b.Assistant(tt.Text("seen"), `{"type":"mirror","id":"m1"}`).Bytes()
		}},
		{"text with the members of caches and citations", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.UserContent(`[{"type":"text","text":"now reverse it","cache_control":{"type":"ephemeral"}}]`, "")
			return b.Assistant(`{"type":"text","text":"it is reversed","citations":null}`).Bytes()
		}},
	}
}

const picture = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}`
