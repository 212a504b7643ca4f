package cases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	tt "coppice/transcript/transcripttest"
)

// Random returns a random transcript: turns, calls, branches, compactions, what
// else a client writes between them, and for some seeds damage. Equal seeds give
// equal bytes. Every text in it is unlike the others.
func Random(seed uint64) []byte {
	g := &generator{Builder: tt.New(SessionID), rand: rand.New(rand.NewPCG(seed, 11))}
	g.Step = time.Duration(1+g.rand.IntN(2)) * time.Second
	for range 3 + g.rand.IntN(10) {
		g.choose(g.grammar())
	}
	data := g.Bytes()
	if g.chance(40) {
		for range 1 + g.rand.IntN(2) {
			data = g.damage(data)
		}
	}
	return data
}

// generator writes a random transcript.
type generator struct {
	*tt.Builder
	rand  *rand.Rand
	count int
	rows  []string // uuids of rows to go back to
	calls []string // ids
}

// option is one of several ways to go on.
type option struct {
	weight int
	write  func()
}

func (g *generator) choose(options []option) {
	sum := 0
	for _, o := range options {
		sum += o.weight
	}
	n := g.rand.IntN(sum)
	for _, o := range options {
		if n -= o.weight; n < 0 {
			o.write()
			return
		}
	}
}

// chance is true in so many of a hundred times.
func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

// text returns a text that no other row has.
func (g *generator) text(what string) string {
	g.count++
	return fmt.Sprintf("%s number %d.", what, g.count)
}

// keep remembers the row written last.
func (g *generator) keep() { g.rows = append(g.rows, g.Last()) }

// any returns a row to go back to, "" when there is none.
func (g *generator) any() string {
	if len(g.rows) == 0 {
		return ""
	}
	return g.rows[g.rand.IntN(len(g.rows))]
}

func (g *generator) grammar() []option {
	return []option{
		{30, func() { g.turn() }},
		{25, func() { g.tools() }},
		{8, g.rewind},
		{4, g.point},
		{5, g.compact},
		{8, g.between},
		{4, func() {
			g.Meta(g.text("note"))
			g.keep()
		}},
		{3, g.side},
		{4, g.lose},
		{5, func() { g.Wait(time.Duration(g.rand.IntN(9000)) * time.Millisecond) }},
		{3, func() {
			g.User(g.text("unanswered"))
			g.keep()
		}},
		{2, func() { g.orphan() }},
	}
}

// turn writes a prompt and an answer.
func (g *generator) turn() {
	g.prompt()
	if g.chance(15) {
		g.between()
	}
	g.answer()
}

func (g *generator) prompt() {
	g.choose([]option{
		{70, func() { g.User(g.text("prompt")) }},
		{8, func() { g.UserContent("["+tt.Text(g.text("prompt"))+","+tt.Text(g.text("more"))+"]", "") }},
		{5, func() { g.UserContent("["+picture+","+tt.Text(g.text("look"))+"]", "") }},
		{4, func() { g.Command("/model", "", g.text("printed")) }},
		{4, func() { g.Shell("ls", g.text("listed")) }},
		{3, func() { g.System("local_command", `"content":`+tt.Quote(g.text("local"))+`,"level":"info"`) }},
		{3, func() { g.UserContent("["+tt.Text("[Request interrupted by user]")+"]", "") }},
		{2, func() { g.User(" \n") }},
		{1, func() { g.Plain("user", "[]", "") }},
	})
	g.Next()
	g.keep()
}

func (g *generator) answer() {
	g.choose([]option{
		{60, func() { g.Assistant(tt.Text(g.text("answer"))) }},
		{10, func() { g.Assistant(tt.Thinking(g.text("thought"))).Assistant(tt.Text(g.text("answer"))) }},
		{5, func() { g.Assistant(tt.Thinking(g.text("thought")), tt.Text(g.text("answer"))) }},
		{8, func() { g.Assistant(tt.Text(g.text("answer"))).Assistant(tt.Text(g.text("more"))) }},
		{4, func() { g.Assistant(tt.Thinking(g.text("thought"))) }},
		{4, func() { g.Assistant(tt.Text("\n ")) }},
		{2, func() { g.Assistant() }},
		{4, func() { g.APIError(g.text("failure")) }},
		{3, func() {
			g.Assistant(tt.Text(g.text("answer")))
			g.between()
			g.Assistant(tt.Text(g.text("more")))
		}},
	})
	g.Next()
	g.keep()
}

// tools writes a prompt, a message with calls, and their results.
func (g *generator) tools() {
	if g.chance(80) {
		g.prompt()
	}
	if g.chance(20) {
		g.Assistant(tt.Thinking(g.text("thought")))
	}
	layout, n := g.rand.IntN(4), 1+g.rand.IntN(3)
	text := ""
	if g.chance(60) {
		text = g.Assistant(tt.Text(g.text("calling"))).Last()
	}
	ids, rows, blocks := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		ids[i] = g.callID()
		blocks[i] = tt.Bash(ids[i], g.text("run"))
	}
	switch layout {
	case 0: // one row
		g.Assistant(blocks...)
		for i := range rows {
			rows[i] = g.Last()
		}
	default:
		for i := range n {
			if layout == 2 && text != "" {
				g.Parent(text) // all below the text
			}
			rows[i] = g.Assistant(blocks[i]).Last()
		}
	}
	g.keep()
	if g.chance(8) {
		g.between()
	}
	g.results(ids, rows, layout == 0 || layout == 3)
	g.Next()
	if g.chance(85) {
		g.answer()
	}
}

func (g *generator) callID() string {
	if len(g.calls) > 0 && g.chance(3) {
		return g.calls[g.rand.IntN(len(g.calls))]
	}
	g.count++
	id := fmt.Sprintf("toolu_%02d", g.count)
	g.calls = append(g.calls, id)
	return id
}

// results answers calls in any order, in a line or each below its call.
func (g *generator) results(ids, rows []string, line bool) {
	for _, i := range g.rand.Perm(len(ids)) {
		if g.chance(10) {
			continue // not answered
		}
		if !line {
			g.Parent(rows[i])
		}
		for range 1 + g.rand.IntN(40)/39 {
			g.ResultRow(ids[i], g.text("result"), g.chance(15))
		}
		if g.chance(10) {
			g.between()
		}
		g.keep()
	}
}

// orphan writes a result of no call.
func (g *generator) orphan() {
	g.Result("toolu_none", g.text("result")).Next()
	g.keep()
}

// between writes what stands in a chain and is no turn.
func (g *generator) between() {
	g.choose([]option{
		{4, func() { g.System("turn_duration", `"durationMs":10,"messageCount":2`) }},
		{3, func() { g.Progress() }},
		{2, func() { g.Node("sundial", `"hour":7`) }},
		{4, func() { queued(g.Builder, g.text("queued")) }},
		{2, func() { g.Node("attachment", `"attachment":{"type":"sundial","content":"seven"}`) }},
		{2, func() { g.Title(g.text("title")) }},
		{2, func() { g.System("informational", `"content":"a note to the person","level":"info"`) }},
		{1, func() {
			g.System("api_error", `"level":"error","error":{"status":529},"retryInMs":500,"retryAttempt":1,"maxRetries":10`)
		}},
	})
}

// rewind goes back to an earlier row.
func (g *generator) rewind() {
	row := g.any()
	if row == "" {
		return
	}
	g.Parent(row)
	if g.chance(50) {
		g.turn()
	}
	if g.chance(40) {
		g.PointAt(nilUUID, true)
	}
}

// point writes a pointer.
func (g *generator) point() {
	row := g.any()
	if row == "" {
		return
	}
	g.choose([]option{
		{6, func() { g.PointAt(row, false) }},
		{2, func() { g.PointAt(row, true) }},
		{2, func() { g.PointAt(g.Last(), false) }},
		{1, func() { g.PointAt(nilUUID, true) }},
		{1, func() { g.PointAt(g.Gone(1), false) }},
	})
}

// compact writes a compaction that keeps some rows or none.
func (g *generator) compact() {
	old := g.Last()
	if old == "" {
		return
	}
	boundary := g.NextUUID()
	summary := g.UUID(g.number(boundary) + 1)
	anchor := summary
	if g.chance(30) {
		anchor = boundary
	}
	metadata := ""
	from := g.rows[max(0, len(g.rows)-1-g.rand.IntN(6)):]
	switch {
	case len(from) == 0 || g.chance(40):
	case g.chance(50):
		metadata = segment(from[0], anchor, from[len(from)-1])
	default:
		metadata = preserved(anchor, from...)
	}
	if !g.chance(10) {
		g.Parent("")
	}
	g.Boundary(old, metadata)
	if !g.chance(6) {
		g.Summary(g.text("summary"))
	}
	g.keep()
}

// number returns the n for which UUID(n) is uuid.
func (g *generator) number(uuid string) int {
	n := 1
	for g.UUID(n) != uuid {
		n++
	}
	return n
}

// side writes the turn of another agent, beside the chain or in it.
func (g *generator) side() {
	last := g.Last()
	g.Sidechain = true
	g.choose([]option{{3, func() { g.Parent("") }}, {2, func() {}}})
	g.User(g.text("task")).Assistant(tt.Text(g.text("report"))).Next()
	g.Sidechain = false
	if !g.chance(15) {
		g.Parent(last)
	}
}

// lose makes the parent of the next row one that is not there.
func (g *generator) lose() {
	pauses := []int{-3000, 0, 1000, 4999, 5000, 5001, 20_000}
	g.Wait(-g.Step).Wait(time.Duration(pauses[g.rand.IntN(len(pauses))]) * time.Millisecond)
	g.Parent(g.Gone(1 + g.rand.IntN(100)))
}

// damage changes a transcript.
func (g *generator) damage(data []byte) []byte {
	all := lines(data)
	if len(all) < 2 {
		return data
	}
	n := g.rand.IntN(len(all) - 1)
	cut := func(line []byte) []byte { return line[:g.rand.IntN(len(line))] }
	g.choose([]option{
		{4, func() {
			data = edit(data, n, func(line []byte) []byte { return append(slices.Clone(cut(line)), '\n') })
		}},
		{4, func() { data = without(data, n) }},
		{2, func() { data = edit(data, n, func(line []byte) []byte { return line[:len(line)-1] }) }},
		{2, func() { data = edit(data, n, cut) }},
		{3, func() { data = data[:len(data)-1-g.rand.IntN(min(400, len(data)-1))] }},
		{3, func() { data = append(data, all[n]...) }},
		{3, func() { data = swap(data, n, min(len(all)-1, n+1+g.rand.IntN(4))) }},
		{1, func() { data = replace(data, "answer number", "answer\xe2\x82 number") }},
		{1, func() { data = edit(data, n, func(line []byte) []byte { return append(make([]byte, 9), line...) }) }},
		{1, func() { data = replace(data, "\n", "\n\n") }},
		{1, func() { data = noTimes(data) }},
	})
	return data
}

// swap exchanges two lines.
func swap(data []byte, i, j int) []byte {
	order := make([]int, len(lines(data)))
	for n := range order {
		order[n] = n
	}
	order[i], order[j] = j, i
	return reorder(data, order...)
}
