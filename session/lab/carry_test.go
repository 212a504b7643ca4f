//go:build lab

package lab_test

import (
	"encoding/json"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/transcript/repair"
	"coppice/transcript/transcripttest"
	"coppice/worktree/worktreetest"
)

// A turn that was interrupted is gone on with when the plan says so, and only
// then (client-behaviour 7.1).
func TestCarryOn(t *testing.T) {
	t.Parallel()
	for _, carry := range []bool{true, false} {
		r := newRoom(t)
		id := r.talk(r.repo, "a word: hazelnut")
		s := r.row(id)
		b := transcripttest.New(id)
		b.Dir, b.Time = r.repo, s.Summary.Updated.Add(b.Step)
		worktreetest.AppendFile(t, s.Path, string(b.Parent(s.Summary.LeafUUID).User("and the second word?").Bytes()))
		if look, err := doctor.Look(r.ctx(), s.Path); err != nil || look.Turn != repair.TurnPrompt {
			t.Fatalf("the outlook is %+v, %v", look, err)
		}

		p, plan := r.plan(id, session.Request{CarryOn: carry})
		count := len(r.endpoint.Requests())
		term := r.openAs(plan.Cwd, p.Environ(plan), plan.Command...)
		r.must(term.See(r.ctx(), "hazelnut"))
		if !carry {
			r.must(term.Enter(r.ctx(), "typed by hand"))
		}
		r.must(term.Wait(r.ctx(), "a request", func(string) bool { return len(r.endpoint.Requests()) > count }))
		sent, err := json.Marshal(r.endpoint.Requests()[count].Messages)
		r.must(err)
		if !strings.Contains(string(sent), "second word") || strings.Contains(string(sent), "typed by hand") == carry {
			t.Errorf("carry on %v: the first request is %s", carry, sent)
		}
		r.exit(term)
	}
}
