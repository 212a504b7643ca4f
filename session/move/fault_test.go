package move_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"coppice/session"
	"coppice/session/move"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/faulttest"
)

// pair returns the request that brings the session from where it is to the other
// folder. Of two copies, which a killed Move leaves, the longer is the target.
func pair(root string) move.Request {
	a, b := filepath.Join(root, "projects", "-w-a"), filepath.Join(root, "projects", "-w-b")
	x, errX := os.Stat(filepath.Join(a, id+".jsonl"))
	y, errY := os.Stat(filepath.Join(b, id+".jsonl"))
	if errX != nil || errY == nil && y.Size() < x.Size() {
		a, b = b, a
	}
	return move.Request{ID: id, Source: filepath.Join(a, id+".jsonl"), Folder: b, Dir: "/w/" + b[len(b)-1:], Now: time.Now()}
}

// shuttle moves a session to and fro until it is killed.
func shuttle(root string) error {
	for {
		if _, err := move.Move(context.Background(), pair(root)); err != nil {
			return err
		}
	}
}

// A Move that is killed at any point leaves at least one whole transcript under
// its name and no part of one, and the next Move finishes the work.
func TestKilledMove(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w := newWorld(t, root)
	side := carrytest.Tree(t, filepath.Join(w.a, id))
	carrytest.Kill(t, "shuttle", root, 30*time.Millisecond, func(round int) {
		whole := 0
		for _, folder := range []string{w.a, w.b} {
			tree := carrytest.Tree(t, folder)
			if text, there := tree[id+".jsonl"]; there {
				if rest, ok := strings.CutPrefix(text, w.text); !ok || rest != "" && !strings.HasSuffix(rest, "\n") {
					t.Errorf("round %d: half a transcript of %d bytes", round, len(text))
				}
				whole++
			}
			for name, content := range tree {
				want, ours := side[strings.TrimPrefix(name, id+"/")]
				if strings.HasPrefix(name, id+"/") && name != id+"/" && (!ours || content != want) {
					t.Errorf("round %d: side file %q of %d bytes", round, name, len(content))
				}
			}
		}
		if whole == 0 {
			t.Fatalf("round %d: no transcript is left", round)
		}
		req := pair(root)
		if _, err := move.Move(t.Context(), req); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if diff := cmp.Diff(side, carrytest.Tree(t, filepath.Join(req.Folder, id))); diff != "" {
			t.Errorf("round %d: %s", round, diff)
		}
		if rest := carrytest.Tree(t, filepath.Join(filepath.Dir(req.Source), id)); len(rest) > 0 {
			t.Errorf("round %d: left behind: %v", round, rest)
		}
	})
}

// once moves the session with as little disk as the test left.
func once(root string) error {
	if limit := os.Getenv("COPPICE_LIMIT"); limit != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 700, Max: 700}); err != nil {
			return err
		}
	}
	_, err := move.Move(context.Background(), pair(root))
	switch {
	case errors.Is(err, syscall.EFBIG), errors.Is(err, os.ErrPermission):
		return nil
	case err == nil:
		return errors.New("the move went well")
	}
	return err
}

// F4: a full disk leaves no half file, and the original whole.
func TestMoveWithAFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	unmoved(t, w, func() {
		cmd := carrytest.Child(t, "once", w.root)
		cmd.Env = append(cmd.Env, "COPPICE_LIMIT=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// F8: what another user owns can be neither taken nor filled.
func TestMoveWithoutPermission(t *testing.T) {
	t.Parallel()
	for _, locked := range []string{"source", "target"} {
		t.Run(locked, func(t *testing.T) {
			t.Parallel()
			root := faulttest.OpenDir(t, 0o755)
			w := newWorld(t, root)
			carrytest.Write(t, filepath.Join(w.b, "x"), "")
			open := w.b
			if locked == "target" {
				open = w.a
			}
			if err := os.Chmod(open, 0o777); err != nil {
				t.Fatal(err)
			}
			unmoved(t, w, func() {
				cmd := carrytest.Child(t, "once", root)
				faulttest.AsNobody(t, cmd, root)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
		})
	}
}

// Names that are given while a session moves are at its new place, the last of
// them also beside it, or were refused; nothing is made at the old place.
func TestRenameWhileMoved(t *testing.T) {
	t.Parallel()
	for round := range 20 {
		w := newWorld(t, t.TempDir())
		r := session.Renamer{Root: w.root, Now: time.Now}
		var given []string
		var renaming sync.WaitGroup
		began := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		renaming.Go(func() {
			for n := 0; ; n++ {
				name := fmt.Sprintf("name %d", n)
				if _, err := r.Rename(ctx, session.Session{ID: id, Path: filepath.Join(w.a, id+".jsonl")}, name); err != nil {
					if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					break
				}
				if given = append(given, name); n == 0 {
					close(began)
				}
			}
		})
		<-began
		res, err := move.Move(t.Context(), w.request())
		if err != nil {
			cancel() // there is no end to the names otherwise
		}
		renaming.Wait()
		cancel()
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		data, err := os.ReadFile(res.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range given {
			if !strings.Contains(string(data), "\n"+`{"type":"custom-title","customTitle":"`+name+`",`) {
				t.Errorf("round %d: %q is not there", round, name)
			}
		}
		side := carrytest.Tree(t, w.b)[id+"/custom-title.json"]
		if !strings.Contains(side, `"`+given[len(given)-1]+`"`) {
			t.Errorf("round %d: the last name is %q, beside it lies %s", round, given[len(given)-1], side)
		}
		if rest := carrytest.Tree(t, w.a); len(rest) > 0 {
			t.Errorf("round %d: left behind: %v", round, rest)
		}
	}
}

func unmoved(t *testing.T, w world, try func()) {
	t.Helper()
	before, there := carrytest.Tree(t, w.a), carrytest.Tree(t, w.b)
	try()
	if diff := cmp.Diff(before, carrytest.Tree(t, w.a)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(there, carrytest.Tree(t, w.b)); diff != "" {
		t.Error(diff)
	}
}
