package trash_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"coppice/session/move"
	"coppice/session/move/carry/carrytest"
	"coppice/session/trash"
)

// held returns what lies in the trash, but for its lock.
func held(t testing.TB, w world) map[string]string {
	t.Helper()
	tree := carrytest.Tree(t, w.trash.Dir)
	delete(tree, ".lock")
	return tree
}

// atOnce runs a work several times at once and returns the errors.
func atOnce(work func() error) (done int, failed []error) {
	errs := make([]error, 8)
	var wait sync.WaitGroup
	start := make(chan struct{})
	for i := range errs {
		wait.Go(func() {
			<-start
			errs[i] = work()
		})
	}
	close(start)
	wait.Wait()
	for _, err := range errs {
		if err == nil {
			done++
		} else {
			failed = append(failed, err)
		}
	}
	return done, failed
}

// Of many who take or restore one session at once, one does it, and the others
// are told that it is done.
func TestOneSessionAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	whole := carrytest.Tree(t, w.root)
	for round := range 10 {
		done, failed := atOnce(func() error {
			_, err := w.trash.Take(context.Background(), w.root, w.path, id, "willow")
			return err
		})
		for _, err := range failed {
			if !errors.Is(err, trash.ErrTaken) {
				t.Errorf("round %d: take: %v", round, err)
			}
		}
		if items, err := w.trash.List(); err != nil || len(items) != 1 || done != 1 {
			t.Fatalf("round %d: taken %d times, %d entries, %v", round, done, len(items), err)
		}
		done, failed = atOnce(func() error {
			_, err := w.trash.Restore(context.Background(), id)
			return err
		})
		for _, err := range failed {
			if !errors.Is(err, trash.ErrNotFound) {
				t.Errorf("round %d: restore: %v", round, err)
			}
		}
		if diff := cmp.Diff(whole, carrytest.Tree(t, w.root)); diff != "" || done != 1 || len(held(t, w)) > 0 {
			t.Fatalf("round %d: restored %d times, left %v: %s", round, done, held(t, w), diff)
		}
	}
}

// Of a session that is deleted and moved at once, to two places, one does it; the
// others find nothing, and it is there once and whole.
func TestTakeAndMoveAtOnce(t *testing.T) {
	t.Parallel()
	for round := range 40 {
		w := newWorld(t, t.TempDir())
		text, err := os.ReadFile(w.path)
		if err != nil {
			t.Fatal(err)
		}
		folders := []string{filepath.Join(w.root, "projects", "-w-b"), filepath.Join(w.root, "projects", "-w-c")}
		turn := make(chan int, 8)
		for i := range cap(turn) {
			turn <- (round + i) % 3
		}
		done, failed := atOnce(func() error {
			i := <-turn
			if i == len(folders) {
				_, err := w.trash.Take(context.Background(), w.root, w.path, id, "willow")
				return err
			}
			_, err := move.Move(context.Background(), move.Request{ID: id, Source: w.path, Folder: folders[i], Dir: "/w", Now: time.Now()})
			return err
		})
		for _, err := range failed {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, trash.ErrTaken) {
				t.Errorf("round %d: %v", round, err)
			}
		}
		copies := 0
		for name, content := range carrytest.Tree(t, w.dir) {
			if !strings.HasSuffix(name, ".jsonl") {
				continue
			}
			if copies++; !strings.HasPrefix(content, string(text)) {
				t.Errorf("round %d: %s has %d bytes of %d", round, name, len(content), len(text))
			}
			side := strings.TrimSuffix(name, ".jsonl")
			if filepath.Base(name) == "transcript.jsonl" {
				side = filepath.Join(filepath.Dir(name), "side")
			}
			if n := len(carrytest.Tree(t, filepath.Join(w.dir, side))); n != 3 {
				t.Errorf("round %d: %d side files in %s", round, n, side)
			}
		}
		if copies != 1 || done == 0 {
			t.Fatalf("round %d: %d copies, done %d times: %v", round, copies, done, failed)
		}
	}
}

// storm takes and restores a session many times among others who do so.
func storm(dir string) error {
	w := at(dir)
	for range 15 {
		_, err := w.trash.Take(context.Background(), w.root, w.path, id, "willow")
		if err != nil && !errors.Is(err, trash.ErrTaken) {
			return err
		}
		_, err = w.trash.Restore(context.Background(), "")
		if err != nil && !errors.Is(err, trash.ErrNotFound) && !errors.Is(err, trash.ErrEmpty) {
			return err
		}
	}
	return nil
}

// However many processes take and restore a session at once, it is there once
// and whole.
func TestStormOfProcesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	whole := carrytest.Tree(t, w.root)
	var cmds []*exec.Cmd
	for range 4 {
		cmd := carrytest.Child(t, "storm", w.dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	items, err := w.trash.List()
	if err != nil || len(items) > 1 {
		t.Fatalf("%d entries, %v", len(items), err)
	}
	if _, err := os.Lstat(w.path); (err == nil) == (len(items) == 1) {
		t.Fatalf("%d entries, and at the old place: %v", len(items), err)
	}
	if len(items) == 1 {
		if _, err := w.trash.Restore(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(whole, carrytest.Tree(t, w.root)); diff != "" {
		t.Error(diff)
	}
}

// Where another program removes or replaces the original in the last moment, the
// entry may be the last copy: it stays.
func TestOriginalGoneMeanwhile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(path string) error{
		"removed":  os.Remove,
		"moved":    func(path string) error { return os.Rename(path, path+".moved") },
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		for _, live := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, t.TempDir())
				want, err := os.ReadFile(w.path)
				if err != nil {
					t.Fatal(err)
				}
				asked := 0
				w.trash.Live = func(string) bool {
					if asked++; asked == 2 {
						if err := lose(w.path); err != nil {
							t.Error(err)
						}
					}
					return live && asked == 2
				}
				item, err := w.trash.Take(t.Context(), w.root, w.path, id, "")
				if err == nil || item.ID != id || !strings.Contains(err.Error(), w.path) || errors.Is(err, trash.ErrLive) != live {
					t.Errorf("%+v, %v", item, err)
				}
				items, err := w.trash.List()
				if err != nil || len(items) != 1 {
					t.Fatalf("%d entries, %v", len(items), err)
				}
				if err := os.Remove(w.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				if _, err := w.trash.Restore(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(w.path); string(got) != string(want) {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			})
		}
	}
}

// Whoever has the lock is waited for, but not for ever.
func TestBusyTrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	w.take(t)
	w.trash.Wait = 20 * time.Millisecond
	lock, err := os.OpenFile(filepath.Join(w.trash.Dir, ".lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	before := carrytest.Tree(t, w.dir)
	if _, err := w.trash.Restore(t.Context(), id); !errors.Is(err, trash.ErrBusy) {
		t.Errorf("restore: %v", err)
	}
	if _, err := w.trash.Take(t.Context(), w.root, w.path, id, ""); !errors.Is(err, trash.ErrBusy) {
		t.Errorf("take: %v", err)
	}
	if items, err := w.trash.List(); len(items) != 1 || err != nil {
		t.Errorf("list: %v, %v", items, err)
	}
	w.trash.Wait = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.trash.Restore(ctx, id); !errors.Is(err, context.Canceled) {
		t.Errorf("restore: %v", err)
	}
	if diff := cmp.Diff(before, carrytest.Tree(t, w.dir)); diff != "" {
		t.Error(diff)
	}
	w.trash.Wait = 0
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.trash.Restore(t.Context(), id); err != nil {
		t.Error(err)
	}
}

// An entry says where it goes. One that names another place than that of a
// transcript goes nowhere.
func TestRestoreToAStrangePlace(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]func(w world) string{
		"outside":        func(w world) string { return filepath.Join(w.dir, "x", id+".jsonl") },
		"beside":         func(w world) string { return filepath.Join(w.root, "projectsx", "-w-a", id+".jsonl") },
		"climbing":       func(w world) string { return w.root + "/projects/../../x/" + id + ".jsonl" },
		"not clean":      func(w world) string { return w.root + "/projects//-w-a/" + id + ".jsonl" },
		"relative":       func(world) string { return "projects/-w-a/" + id + ".jsonl" },
		"another name":   func(w world) string { return filepath.Join(w.root, "projects", "-w-a", "settings.json") },
		"another id":     func(w world) string { return strings.Replace(w.path, "0001.jsonl", "0002.jsonl", 1) },
		"another ending": func(w world) string { return w.path + "x" },
		"nothing":        func(world) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir())
			w.take(t)
			file, err := filepath.Glob(filepath.Join(w.trash.Dir, "*", "item.json"))
			if err != nil || len(file) != 1 {
				t.Fatal(file, err)
			}
			data, err := json.Marshal(trash.Item{ID: id, Path: path(w), Root: w.root, Taken: time.Now(), Version: 1})
			if err != nil {
				t.Fatal(err)
			}
			carrytest.Write(t, file[0], string(data))
			before := carrytest.Tree(t, w.dir)
			if _, err := w.trash.Restore(t.Context(), id); !errors.Is(err, trash.ErrPlace) {
				t.Errorf("the error is %v", err)
			}
			if diff := cmp.Diff(before, carrytest.Tree(t, w.dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
