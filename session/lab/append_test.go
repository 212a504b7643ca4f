//go:build lab

package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/session"
	"coppice/transcript"
	"coppice/transcript/ledger"
	"coppice/transcript/writer"
)

// appending is who appends to a transcript while the client does, and what.
type appending struct {
	name  string
	write func(n int) error
	lines func(n int) []string // what is in the transcript then, each a line of its own
}

// until appends again and again until ctx ends, and returns how often.
func (a appending) until(ctx context.Context) (count int, err error) {
	for ctx.Err() == nil {
		err := a.write(count)
		if errors.Is(err, transcript.ErrLocked) { // the others were faster for all that time: nothing was written
			continue
		}
		if err != nil {
			return count, fmt.Errorf("%s %d: %w", a.name, count, err)
		}
		count++
	}
	return count, nil
}

// appenders returns everyone of ours who writes to a session that is live.
func (r *room) appenders(id, path string) []appending {
	r.t.Helper()
	f, err := os.Open(path)
	r.must(err)
	r.t.Cleanup(func() { _ = f.Close() })
	info, err := f.Stat()
	r.must(err)
	l, err := ledger.Read(r.ctx(), f, info.Size())
	r.must(err)
	chain, err := l.Chain(ledger.Keep)
	r.must(err)
	w, err := writer.Adopt(path, writer.Stamp{SessionID: id, Dir: r.repo}, l, chain)
	r.must(err)
	renamer := session.Renamer{Root: r.Root, Now: time.Now, Live: r.opened}
	title := func(n int) string { return fmt.Sprintf("name %d", n) }
	tag := func(who string, n int) []byte { return writer.Tag(id, fmt.Sprintf("%s %d", who, n)) }
	return []appending{
		{
			"rename",
			func(n int) error {
				_, err := renamer.Rename(r.t.Context(), session.Session{ID: id, Path: path}, title(n))
				return err
			},
			func(n int) (lines []string) {
				for _, record := range transcript.TitleRecords(id, title(n)) {
					lines = append(lines, string(record))
				}
				return lines
			},
		},
		{
			"metadata",
			func(n int) error {
				return transcript.Append(path, [][]byte{tag("append", n)}, transcript.AppendOptions{Live: true})
			},
			func(n int) []string { return []string{string(tag("append", n))} },
		},
		{
			"writer",
			func(n int) error { return w.Side(tag("writer", n)) },
			func(n int) []string { return []string{string(tag("writer", n))} },
		},
	}
}

// The client and all of ours append to one transcript at the same time, through
// prompts, parallel calls and the end of the client: no row of either is lost,
// torn or glued to another, and the client resumes with the whole history.
func TestEverybodyAppendsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "the first word is maple")
	path := r.file(id)
	term := r.open(r.repo, "--resume", id, "--allowedTools", "Bash")
	r.must(term.See(r.ctx(), "maple"))
	r.registered(id)
	before, err := os.ReadFile(path)
	r.must(err)

	all := r.appenders(id, path)
	ctx, stop := context.WithCancel(t.Context())
	counts, errs := make([]int, len(all)), make([]error, len(all))
	var writing sync.WaitGroup
	for i, a := range all {
		writing.Go(func() { counts[i], errs[i] = a.until(ctx) })
	}
	words := []string{"maple"}
	for n := range 6 {
		word := fmt.Sprintf("rowan%d", n)
		words = append(words, "say "+word, "echo "+word+"-a", "echo "+word+"-b")
		r.say(term, "say "+word)
		asked := len(r.endpoint.Requests())
		r.must(term.Enter(r.ctx(), fmt.Sprintf("RUN:{echo %s-a} RUN:{echo %s-b}", word, word)))
		r.must(term.See(r.ctx(), fmt.Sprintf("Noted %d.", asked+2)))
	}
	r.exit(term)
	stop()
	writing.Wait()
	r.must(errors.Join(errs...))

	after, err := os.ReadFile(path)
	r.must(err)
	if !strings.HasPrefix(string(after), string(before)) {
		t.Error("what was there is not the beginning of the transcript")
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(after)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !json.Valid([]byte(line)) {
			t.Errorf("a line is no record: %.300q", line)
		}
		seen[line]++
	}
	for i, a := range all {
		for n := range counts[i] {
			for _, line := range a.lines(n) {
				if seen[line] < 1 {
					t.Errorf("%s %d is not there: %s", a.name, n, line)
				}
			}
		}
		t.Logf("%s: %d times", a.name, counts[i])
		if counts[i] < 50 {
			t.Errorf("%s: %d times are not many", a.name, counts[i])
		}
	}
	r.order(r.ask(r.repo, id, "the last word is willow"), append(words, "willow")...)
}
