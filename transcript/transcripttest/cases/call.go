package cases

import tt "coppice/transcript/transcripttest"

// parallel writes a prompt, and one message with a text and two calls, each in a
// row of its own. It returns the rows of the calls.
func parallel(b *tt.Builder) (first, second string) {
	turn(b, "sort the list", "the list is sorted")
	b.User("run both").Assistant(tt.Text("running both"))
	first = b.Assistant(tt.Bash("toolu_one", "make one")).Last()
	return first, b.Assistant(tt.Bash("toolu_two", "make two")).Last()
}

// called writes a turn and a prompt that is answered by a call.
func called(b *tt.Builder) *tt.Builder {
	turn(b, "sort the list", "the list is sorted")
	return b.User("run it").Assistant(tt.Text("running it"), tt.Bash("toolu_one", "make one"))
}

func callCases() []Case {
	return []Case{
		{"call at the end", "A.4", func(b *tt.Builder) []byte { return called(b).Bytes() }},
		{"call in the middle", "A.4", func(b *tt.Builder) []byte {
			called(b)
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"call without text in the middle", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.User("run it").Assistant(tt.Bash("toolu_one", "make one"))
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"call in a row of its own in the middle", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.User("run it").Assistant(tt.Text("running it")).Assistant(tt.Bash("toolu_one", "make one"))
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"call in a row of its own at the end", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.User("run it").Assistant(tt.Text("running it")).Assistant(tt.Bash("toolu_one", "make one")).Bytes()
		}},
		{"result at the end", "A.4", func(b *tt.Builder) []byte {
			return called(b).Result("toolu_one", "made one").Bytes()
		}},
		{"failed result", "A.4", func(b *tt.Builder) []byte {
			called(b).ResultRow("toolu_one", "no rule for one", true)
			return b.Next().Assistant(tt.Text("it failed")).Bytes()
		}},
		{"parallel calls", "A.4", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			b.Answer(first, "toolu_one", "made one").Answer(second, "toolu_two", "made two")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls, answered the other way round", "A.4", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			b.Answer(second, "toolu_two", "made two").Answer(first, "toolu_one", "made one")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls, results in a line", "A.4", func(b *tt.Builder) []byte {
			parallel(b)
			b.Result("toolu_one", "made one").Result("toolu_two", "made two")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls, both below the text", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			text := b.User("run both").Assistant(tt.Text("running both")).Last()
			first := b.Assistant(tt.Bash("toolu_one", "make one")).Last()
			second := b.Parent(text).Assistant(tt.Bash("toolu_two", "make two")).Last()
			b.Answer(first, "toolu_one", "made one").Answer(second, "toolu_two", "made two")
			return b.Next().Assistant(tt.Text("both are made")).Bytes()
		}},
		{"parallel calls, both answered, nothing after", "A.4", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			return b.Answer(first, "toolu_one", "made one").Answer(second, "toolu_two", "made two").Bytes()
		}},
		{"parallel calls at the end, the second not answered", "A.4", func(b *tt.Builder) []byte {
			first, _ := parallel(b)
			return b.Answer(first, "toolu_one", "made one").Bytes()
		}},
		{"parallel calls at the end, the first not answered", "A.4", func(b *tt.Builder) []byte {
			_, second := parallel(b)
			return b.Answer(second, "toolu_two", "made two").Bytes()
		}},
		{"parallel calls at the end, none answered", "A.4", func(b *tt.Builder) []byte {
			parallel(b)
			return b.Bytes()
		}},
		{"parallel calls, the second not answered, turns after", "A.4", func(b *tt.Builder) []byte {
			first, _ := parallel(b)
			b.Answer(first, "toolu_one", "made one").Next().Assistant(tt.Text("one is made"))
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"parallel calls, the first not answered, turns after", "A.4", func(b *tt.Builder) []byte {
			_, second := parallel(b)
			b.Answer(second, "toolu_two", "made two").Next().Assistant(tt.Text("two is made"))
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"parallel calls in one row, one not answered, turns after", "A.4", func(b *tt.Builder) []byte {
			b.User("run both").Assistant(tt.Text("running both"), tt.Bash("toolu_one", "make one"), tt.Bash("toolu_two", "make two"))
			b.Result("toolu_two", "made two").Next().Assistant(tt.Text("two is made"))
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"parallel calls in one row at the end, one not answered", "A.4", func(b *tt.Builder) []byte {
			b.User("run both").Assistant(tt.Text("running both"), tt.Bash("toolu_one", "make one"), tt.Bash("toolu_two", "make two"))
			return b.Result("toolu_two", "made two").Bytes()
		}},
		{"parallel calls, a branch below the first result", "A.4", func(b *tt.Builder) []byte {
			first, second := parallel(b)
			one := b.Answer(first, "toolu_one", "made one").Last()
			b.Answer(second, "toolu_two", "made two").Next().Assistant(tt.Text("both are made")).Parent(one)
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"call, then a prompt in place of the result", "A.4", func(b *tt.Builder) []byte {
			return called(b).User("leave it").Bytes()
		}},
		{"result without call", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Result("toolu_none", "made none")
			return b.Next().Assistant(tt.Text("all right")).Bytes()
		}},
		{"result without call at the end", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.Result("toolu_none", "made none").Bytes()
		}},
		{"result without call beside a text", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.UserContent(`[`+tt.ToolResult("toolu_none", "made none")+`,`+tt.Text("and go on")+`]`, "")
			return b.Assistant(tt.Text("all right")).Bytes()
		}},
		{"result without call at the very beginning", "A.4", func(b *tt.Builder) []byte {
			b.Result("toolu_none", "made none").Next().Assistant(tt.Text("all right"))
			turn(b, "sort the list", "the list is sorted")
			return b.Bytes()
		}},
		{"call id twice", "A.4", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "made one").Next().Assistant(tt.Bash("toolu_one", "make one again"))
			b.Result("toolu_one", "made one again")
			return b.Next().Assistant(tt.Text("made twice")).Bytes()
		}},
		{"result twice", "A.4", func(b *tt.Builder) []byte {
			called(b).Result("toolu_one", "made one").Result("toolu_one", "made one again")
			return b.Next().Assistant(tt.Text("made")).Bytes()
		}},
		{"result before its call", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.Result("toolu_one", "made one").Next().Assistant(tt.Bash("toolu_one", "make one"))
			return b.Next().Assistant(tt.Text("made")).Bytes()
		}},
		{"result after a prompt", "A.4", func(b *tt.Builder) []byte {
			call := called(b).Last()
			b.User("hurry").Answer(call, "toolu_one", "made one")
			return b.Next().Assistant(tt.Text("made")).Bytes()
		}},
		{"result in the row of a prompt", "A.4", func(b *tt.Builder) []byte {
			called(b).UserContent(`[`+tt.ToolResult("toolu_one", "made one")+`,`+tt.Text("hurry")+`]`, "")
			return b.Assistant(tt.Text("made")).Bytes()
		}},
		{"prompt in front of a result in one row", "A.4", func(b *tt.Builder) []byte {
			called(b).UserContent(`[`+tt.Text("hurry")+`,`+tt.ToolResult("toolu_one", "made one")+`]`, "")
			return b.Assistant(tt.Text("made")).Bytes()
		}},
		{"interrupted at a call", "A.4", func(b *tt.Builder) []byte {
			called(b).ResultRow("toolu_one", "a person refused", true)
			return b.UserContent(`[`+tt.Text("[Request interrupted by user for tool use]")+`]`, "").Bytes()
		}},
		{"call of a server tool at the end", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			return b.User("search").Assistant(serverCall).Bytes()
		}},
		{"call of a server tool in the middle", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.User("search").Assistant(serverCall)
			turn(b, "leave it", "left")
			return b.Bytes()
		}},
		{"call of a server tool with its result", "A.4", func(b *tt.Builder) []byte {
			turn(b, "sort the list", "the list is sorted")
			b.User("search").Assistant(serverCall, `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_one","content":[]}`, tt.Text("nothing found"))
			return b.Bytes()
		}},
	}
}

const serverCall = `{"type":"server_tool_use","id":"srvtoolu_one","name":"web_search","input":{"query":"lists"}}`
