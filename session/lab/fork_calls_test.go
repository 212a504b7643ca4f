//go:build lab

package lab_test

import (
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"coppice/session/request/validate"
	"coppice/transcript/transcripttest"
	"coppice/worktree/worktreetest"
)

// A4, A6, A21: what is odd about calls and results is in a fork, too. The client
// resumes each, and sends what the API takes.
func TestForksWithOddCallsAreResumed(t *testing.T) {
	t.Parallel()
	call := func(id string) string { return transcripttest.Bash(id, "ls") }
	said := transcripttest.Text
	for name, build := range map[string]func(b *transcripttest.Builder){
		"an id again in another message": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1")).Result("toolu_1", "one").Next()
			b.Assistant(call("toolu_1")).Result("toolu_1", "two").Next().Assistant(said("both"))
		},
		"an id three times, twice in one message": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1")).Result("toolu_1", "one").Next()
			b.Assistant(call("toolu_1"), call("toolu_1")).Result("toolu_1", "two").Result("toolu_1", "three").Next().Assistant(said("all"))
		},
		"an id again, at the end": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1")).Result("toolu_1", "one").Next().Assistant(call("toolu_1"))
		},
		"two results of a call": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1")).Result("toolu_1", "one").Result("toolu_1", "two").Next().Assistant(said("done"))
		},
		"a result long behind its call": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1")).User("hurry").Assistant(said("wait")).Result("toolu_1", "late").Next().Assistant(said("there"))
		},
		"a late result at the end": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1")).User("hurry").Assistant(said("wait")).Result("toolu_1", "late")
		},
		"a late result below its call": func(b *transcripttest.Builder) {
			b.Assistant(call("toolu_1"))
			asked := b.Last()
			b.User("hurry").Assistant(said("wait")).Parent(asked).Result("toolu_1", "late")
		},
		"a call that nothing answers": func(b *transcripttest.Builder) {
			b.Assistant(said("looking"), call("toolu_1")).User("never mind").Assistant(said("fine"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			id := uuid.NewString()
			b := transcripttest.New(id).User("the first word is maple")
			build(b)
			worktreetest.WriteFile(t, filepath.Join(r.folder(r.repo), id+".jsonl"), string(b.Bytes()))
			res := r.fork(id, r.repo, "", "")
			sent := r.ask(r.repo, res.ID, "the last word is rowan")
			r.order(sent, "maple", "rowan")
			requests := r.endpoint.Requests()
			var messages []validate.Message
			for _, m := range requests[len(requests)-1].Messages {
				if m.Role == "system" { // the client's own, of any session: one has no content
					continue
				}
				messages = append(messages, validate.Message{Role: m.Role, Content: m.Content})
			}
			for _, p := range validate.History(messages) {
				t.Error(p)
			}
		})
	}
}
