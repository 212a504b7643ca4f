package session

import (
	"testing"
	"time"

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

// The first repositories wait for the late facts of a usual store, and not long
// for those of a large one.
func TestRepositoriesWait(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(r *run, f *file, clock chan<- time.Time){
		"until the facts are in": func(r *run, f *file, _ chan<- time.Time) { f.want = workNone },
		"or for a while":         func(_ *run, _ *file, clock chan<- time.Time) { clock <- time.Now() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := NewStore(Options{Root: "/c"})
			clock := make(chan time.Time, 1)
			stopped := 0
			store.SetTick(func(every time.Duration) (<-chan time.Time, func()) {
				if every != repoGrace {
					return nil, func() {}
				}
				return clock, func() { stopped++ }
			})
			r := newRun(store, func(Update) {})
			r.desk.want("/r/.git", "/r")
			r.see(found{path: "/c/projects/-w/" + idA + ".jsonl", stamp: stamp{Size: 1, ModTime: 1, Ino: 1}})
			f := r.queue.head()
			tell := func() {
				r.marked, r.due = true, true
				r.flush(t.Context())
			}
			tell() // no row yet
			if r.grace.c != nil {
				t.Fatal("the time runs already")
			}
			r.take(f, result{job: jobOf(f), state: &transcript.State{}, opened: true})
			f.want = workScan
			tell()
			if jobs, _ := r.desk.next(); jobs != nil {
				t.Fatal("a repository is opened though facts are missing")
			}
			end(r, f, clock)
			if f.want == workNone {
				tell()
			} else {
				f.busy = true
				r.step(t.Context())
			}
			if jobs, j := r.desk.next(); jobs == nil || j.common != "/r/.git" || stopped != 1 {
				t.Errorf("job %+v, clock stopped %d times", j, stopped)
			}
		})
	}
}
