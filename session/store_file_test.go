package session

import (
	"testing"

	"coppice/transcript"
)

// F9 what was read of a file that was removed says nothing about another one that
// has its name by then.
func TestDoneOfRemovedFile(t *testing.T) {
	t.Parallel()
	r := newRun(NewStore(Options{Root: "/c"}), func(Update) {})
	n := found{path: "/c/projects/-w/" + idA + ".jsonl", stamp: stamp{Size: 1, ModTime: 1, Ino: 1}}
	take := func(n found) job {
		t.Helper()
		r.see(n)
		f := r.queue.head()
		if f == nil {
			t.Fatal("no work")
		}
		j := jobOf(f)
		r.queue.pop()
		f.want, f.busy = workNone, true
		r.working++
		return j
	}
	result := func(j job, n found, title string) result {
		sum := transcript.Summary{CustomTitle: title, HasMain: true, Records: 1, Complete: true}
		j.read = n.stamp
		return result{job: j, state: &transcript.State{Summary: sum}, opened: true}
	}
	old := take(n)
	r.idx.drop(n.path)
	again := n
	again.stamp = stamp{Size: 2, ModTime: 2, Ino: 2}
	now := take(again)
	r.done(result(now, again, "now"))
	r.done(result(old, n, "old"))
	if rows, _ := r.idx.take(); len(rows) != 1 || rows[0].Title != "now" || rows[0].Copies[0].Size != 2 {
		t.Errorf("rows %+v", rows)
	}
	if r.working != 0 || r.busy() {
		t.Errorf("%d files are being read", r.working)
	}
}
