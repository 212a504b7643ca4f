package doctor_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"coppice/session/doctor"
	"coppice/session/fork"
	"coppice/session/sessiontest"
	"coppice/transcript/transcripttest/cases"
)

// mended examines a transcript, and where a fork would mend it makes that fork:
// it must not be damaged, and the client drops nothing of it but what no fork can
// give it.
func mended(t *testing.T, root sessiontest.Root, n int, data []byte) {
	t.Helper()
	id := sessiontest.ID(n)
	path := root.WriteFile(t, filepath.Join("projects", "-src-app", id+".jsonl"), string(data))
	r := examine(t, path, id)
	o, err := doctor.Look(t.Context(), path)
	if err != nil || o.Lost != r.Lost || o.Lost < o.Mended || (o.Lost > 0) != (o.Why != "") {
		t.Errorf("outlook %+v, report %+v, %v", o, r, err)
	}
	if !r.Mendable() {
		return
	}
	made, err := fork.Fork(t.Context(), fork.Request{
		Source: path, SourceID: id, ID: sessiontest.ID(n + 1<<20), Folder: filepath.Dir(path), Dir: "/src/app", Name: "mended", Now: time.Now(),
	})
	if err != nil {
		t.Errorf("%+v: %v", r, err)
		return
	}
	again := examine(t, made.Path, made.ID)
	if again.Mendable() || again.Lost > o.Lost-o.Mended {
		t.Errorf("of %+v\nthe fork is %+v", r, again)
	}
}

// A repaired fork of each observed case is whole (observed A).
func TestObservedCasesAreMended(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	all := cases.All()
	if len(all) == 0 {
		t.Fatal("no cases")
	}
	// A fork keeps a compaction's record as it is, and the client goes by that.
	unlike := map[string]bool{"preserved messages, one not there": true}
	for n, c := range all {
		if unlike[c.Name] {
			continue
		}
		t.Run(c.Name, func(t *testing.T) { mended(t, root, n+1, c.Transcript()) })
	}
}

// So is one of any transcript that a generator breaks.
func TestRandomTranscriptsAreMended(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	for seed := range 100 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { mended(t, root, seed+1, cases.Random(uint64(seed))) })
	}
}
