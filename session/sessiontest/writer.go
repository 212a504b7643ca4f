package sessiontest

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// profile is what one generated session is like.
type profile struct {
	talk                          Talk
	size                          int
	named, titled, damaged, empty bool
}

// snapshotSize is what the client's notes of a first request take: most of a
// short transcript is not conversation (observed 0).
const snapshotSize = 140 << 10

// writer writes generated transcripts.
type writer struct {
	rng    *rand.Rand
	filler string
}

func newWriter(rng *rand.Rand) *writer {
	g := &writer{rng: rng}
	var b strings.Builder
	for b.Len() < 64<<10 {
		b.WriteString(g.sentence())
		b.WriteString(` \"quoted\" C:\\dir\\file \u00e9\n`)
	}
	g.filler = b.String()
	return g
}

func (g *writer) uuid() string {
	a, b := g.rng.Uint64(), g.rng.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", uint32(a>>32), uint16(a>>16), a&0xfff, b>>52, b&0xffffffffffff)
}

// words are enough for prompts, answers and titles that differ.
func words() []string {
	return strings.Fields(`parser tokenizer index branch worktree cache merge rename retry timeout socket
		window pane scroll colour theme column cursor search filter session label header footer release
		config schema column field value number buffer stream worker queue batch signal handler router
		fix add drop split move check measure explain simplify document cover guard trace replay`)
}

func (g *writer) sentence() string {
	w := words()
	n := 5 + g.rng.IntN(10)
	parts := make([]string, n)
	for i := range parts {
		parts[i] = w[g.rng.IntN(len(w))]
	}
	return strings.Join(parts, " ") + ". "
}

// write writes one session and returns its size. Its mtime is that of its last row.
func (g *writer) write(root string, p profile) (int64, error) {
	dir := folder(root, p.talk.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	path := filepath.Join(dir, p.talk.ID+".jsonl")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	out := &counter{w: bufio.NewWriterSize(f, 1<<20)}
	if !p.empty {
		g.session(out, p)
	}
	err = out.w.Flush()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return out.n, err
	}
	at := p.talk.At.Add(time.Duration(p.talk.rows+1) * time.Minute)
	return out.n, os.Chtimes(path, at, at)
}

// counter counts what goes through it.
type counter struct {
	w *bufio.Writer
	n int64
}

// line writes one record. Errors stay in the bufio.Writer until Flush.
func (c *counter) line(s string) {
	_, _ = c.w.WriteString(s)
	_ = c.w.WriteByte('\n')
	c.n += int64(len(s)) + 1
}

func (g *writer) session(out *counter, p profile) {
	k := &p.talk
	out.line(k.Mode())
	out.line(k.meta("permission-mode", "permissionMode", "default"))
	out.line(fmt.Sprintf(`{"type":"file-history-snapshot","messageId":%q,"snapshot":{"trackedFileBackups":{}},"isSnapshotUpdate":false}`, g.uuid()))
	out.line(k.User(g.sentence()))
	if p.size > 2*snapshotSize {
		g.snapshot(out, k)
	}
	for turn := 0; out.n < int64(p.size); turn++ {
		g.turn(out, k, turn)
		if turn == 3 && p.titled {
			out.line(k.AITitle(strings.TrimSpace(g.sentence())))
		}
		if turn == 5 && p.named {
			out.line(k.Title(strings.TrimSpace(g.sentence())))
		}
		if turn == 6 && p.damaged {
			out.line(k.User(g.sentence())[:120])
			out.line(strings.Repeat("\x00", 300))
		}
	}
	out.line(k.LastPrompt(g.sentence()))
	out.line(k.Mode())
}

// snapshot writes the records that come with a first request.
func (g *writer) snapshot(out *counter, k *Talk) {
	out.line(k.row("attachment", fmt.Sprintf(
		`"attachment":{"type":"environment","snapshot":{"workingDirectory":%q,"additionalWorkingDirectories":[]}}`, k.Dir)))
	for _, kind := range []string{
		"model", "deferred_tools_delta", "agent_listing_delta", "skill_listing", "auto_mode", "session_context", "date", "remote_session_change", "prompt_snapshot",
	} {
		out.line(k.row("attachment", fmt.Sprintf(`"attachment":{"type":%q,"content":"%s"}`, kind, g.some(6<<10))))
	}
	for range 8 {
		out.line(fmt.Sprintf(`{"type":"api-request-blob","blob":"%s","sessionId":%q}`, g.some(10<<10), k.ID))
	}
}

// turn is a prompt, a tool call with its result, and an answer.
func (g *writer) turn(out *counter, k *Talk, turn int) {
	if turn > 0 {
		out.line(k.User(g.sentence()))
	}
	call := fmt.Sprintf("toolu_%s_%d", k.ID[:8], turn)
	out.line(k.row("assistant", fmt.Sprintf(
		`"message":{"id":"msg_%s_%d","type":"message","role":"assistant","model":"model-%c","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"grep -rn \"%s\" ."}}],"usage":{"input_tokens":%d,"output_tokens":40}}`,
		k.ID[:8], turn, 'a'+turn/100%3, call, words()[turn%40], 1000+turn)))
	size := 200 << g.rng.IntN(8)
	out.line(k.row("user", fmt.Sprintf(
		`"message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":"%s","is_error":false}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}`,
		call, g.some(size), g.some(size))))
	out.line(k.Assistant(g.sentence() + "\n\n" + g.sentence()))
}

// some returns about n bytes of filler that are whole escapes.
func (g *writer) some(n int) string {
	n = min(n, len(g.filler)-200)
	start := g.rng.IntN(len(g.filler) - n - 100)
	from := start + strings.Index(g.filler[start:], `\n`) + 2
	if end := strings.LastIndex(g.filler[from:min(from+n, len(g.filler))], `\n`); end >= 0 {
		return g.filler[from : from+end+2]
	}
	return "short"
}
