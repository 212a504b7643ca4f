package trash_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"coppice/session/move"
	"coppice/session/move/carry/carrytest"
	"coppice/session/trash"
)

// die takes a session and is killed right before the original goes.
func die(dir string) error {
	w := at(dir)
	asked := 0
	w.trash.Live = func(string) bool {
		if asked++; asked == 2 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return false
	}
	_, err := w.trash.Take(context.Background(), w.root, w.path, id, "willow")
	return err
}

// pending returns a world in which a Take was killed: the session is in its place
// and in the trash.
func pending(t *testing.T) world {
	t.Helper()
	w := newWorld(t, t.TempDir())
	_ = carrytest.Child(t, "die", w.dir).Run()
	if items, err := w.trash.List(); err != nil || len(items) != 1 || len(transcripts(t, w)) != 1 {
		t.Fatalf("%d entries, %v, %v", len(items), err, transcripts(t, w))
	}
	return w
}

func (w world) folder(name string) string { return filepath.Join(w.root, "projects", name) }

// move moves the session from one folder to another.
func (w world) move(from, to string) error {
	_, err := move.Move(context.Background(), move.Request{
		ID: id, Source: filepath.Join(w.folder(from), id+".jsonl"), Folder: w.folder(to), Dir: "/w", Now: time.Now(),
	})
	return err
}

// transcripts returns the folders of the projects that hold the session, and
// checks that it is whole there.
func transcripts(t *testing.T, w world) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(w.root, "projects", "*", id+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = filepath.Base(filepath.Dir(name))
		if n := len(carrytest.Tree(t, strings.TrimSuffix(name, ".jsonl"))); n != 3 {
			t.Errorf("%d side files in %s", n, names[i])
		}
	}
	return names
}

// A session that was moved, or went on, after a Take of it was killed is there
// once after an undo, with all that was said.
func TestRestoreAfterAKilledTake(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(w world) error
		in     string
	}{
		{"nothing happened", func(world) error { return nil }, "-w-a"},
		{"moved", func(w world) error { return w.move("-w-a", "-w-b") }, "-w-b"},
		{"moved twice", func(w world) error { return errors.Join(w.move("-w-a", "-w-b"), w.move("-w-b", "-w-c")) }, "-w-c"},
		{"gone on with", func(w world) error {
			f, err := os.OpenFile(w.path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("{\"said\":\"later\"}\n")
			return errors.Join(err, f.Close())
		}, "-w-a"},
		{"gone on with, in another file", func(w world) error {
			data, err := os.ReadFile(w.path)
			return errors.Join(err, os.Remove(w.path), os.WriteFile(w.path, append(data, "{\"said\":\"later\"}\n"...), 0o600))
		}, "-w-a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := pending(t)
			if err := tt.change(w); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(w.folder(tt.in), id+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			item, err := w.trash.Restore(t.Context(), id)
			if err != nil || item.Path != filepath.Join(w.folder(tt.in), id+".jsonl") {
				t.Fatalf("%s, %v", item.Path, err)
			}
			if got, err := os.ReadFile(item.Path); string(got) != string(want) {
				t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
			}
			if in := transcripts(t, w); len(in) != 1 || len(held(t, w)) > 0 {
				t.Errorf("it is in %q, and in the trash %v", in, held(t, w))
			}
		})
	}
}

// A copy elsewhere does not stand for a session that was taken.
func TestRestoreBesideACopy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	data, err := os.ReadFile(w.path)
	if err != nil {
		t.Fatal(err)
	}
	carrytest.Write(t, filepath.Join(w.folder("-w-b"), id+".jsonl"), string(data)+"{}\n")
	w.take(t)
	if item, err := w.trash.Restore(t.Context(), id); err != nil || item.Path != w.path {
		t.Errorf("%+v, %v", item, err)
	}
	if _, err := os.Stat(w.path); err != nil {
		t.Error(err)
	}
}

// A session that is moved to and fro while it is restored is there once.
func TestRestoreWhileMoved(t *testing.T) {
	t.Parallel()
	for round := range 15 {
		w := pending(t)
		var moving sync.WaitGroup
		moving.Go(func() {
			for n := range 6 {
				from, to := "-w-a", "-w-0"
				if n%2 == 1 {
					from, to = to, from
				}
				if err := w.move(from, to); err != nil {
					t.Errorf("round %d: %v", round, err)
					return
				}
			}
		})
		_, err := w.trash.Restore(t.Context(), id)
		moving.Wait()
		if err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if in := transcripts(t, w); len(in) != 1 || len(held(t, w)) > 0 {
			t.Fatalf("round %d: it is in %q, and in the trash %v", round, in, held(t, w))
		}
	}
}

// Whoever restores such a session waits for those who move some, not for ever.
func TestRestoreWaitsForMoves(t *testing.T) {
	t.Parallel()
	w := pending(t)
	w.trash.Wait = 20 * time.Millisecond
	moving, err := os.Open(filepath.Join(w.root, "projects"))
	if err == nil {
		err = syscall.Flock(int(moving.Fd()), syscall.LOCK_SH)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.trash.Restore(t.Context(), id); !errors.Is(err, trash.ErrBusy) {
		t.Errorf("the error is %v", err)
	}
	if err := w.move("-w-a", "-w-b"); err != nil {
		t.Error(err)
	}
	_ = moving.Close()
	w.trash.Wait = 0
	if _, err := w.trash.Restore(t.Context(), id); err != nil {
		t.Error(err)
	}
}
