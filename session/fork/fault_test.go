package fork_test

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
	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"coppice/session/fork"
	"coppice/session/move/carry"
	"coppice/session/move/carry/carrytest"
	"coppice/transcript/faulttest"
	"coppice/transcript/ledger"
	"coppice/transcript/transcripttest"
)

func TestMain(m *testing.M) {
	carrytest.Main(m, map[string]func(string) error{"breed": breed, "once": once})
}

// furnished is a session with side files and a file history.
func furnished(t testing.TB, root string) world {
	t.Helper()
	b := transcripttest.New(source).Head()
	for n := range 40 {
		b.User(fmt.Sprint("prompt ", n)).Assistant(transcripttest.Text(transcripttest.Filler(3000))).Next()
	}
	w := newWorld(t, root, text(b))
	carrytest.Write(t, filepath.Join(w.side, "tool-results", "r1.txt"), transcripttest.Filler(60_000))
	carrytest.Write(t, filepath.Join(w.side, "subagents", "agent-1.jsonl"), transcripttest.Filler(9_000))
	carrytest.Write(t, filepath.Join(w.root, "file-history", source, "0123456789abcdef@v1"), transcripttest.Filler(5_000))
	return w
}

// breed forks until it is killed.
func breed(root string) error {
	for {
		w := at(root)
		w.req.ID, w.req.Name = uuid.NewString(), "fork"
		if _, err := fork.Fork(context.Background(), w.req); err != nil {
			return err
		}
	}
}

// A fork that is killed at any point is not there or whole, with all of its side
// files, and its source is what it was.
func TestKilledFork(t *testing.T) {
	t.Parallel()
	w := furnished(t, t.TempDir())
	before := carrytest.Tree(t, filepath.Dir(w.path))
	w.req.Name = "fork"
	start := time.Now()
	res, _ := w.fork(t)
	took := time.Since(start)
	model, err := os.ReadFile(res.Path)
	if err != nil {
		t.Fatal(err)
	}
	side := carrytest.Tree(t, filepath.Join(w.req.Folder, forked))
	history := carrytest.Tree(t, filepath.Join(w.root, "file-history", source))
	seen := 0
	carrytest.Kill(t, "breed", w.root, 3*took, func(round int) {
		entries, err := os.ReadDir(w.req.Folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			id, isTranscript := strings.CutSuffix(e.Name(), ".jsonl")
			path := filepath.Join(w.req.Folder, e.Name())
			switch {
			case id == forked || strings.HasPrefix(e.Name(), "."):
			case isTranscript:
				seen++
				if data, err := os.ReadFile(path); string(data) != strings.ReplaceAll(string(model), forked, id) {
					t.Errorf("round %d: half a fork of %d bytes, %v", round, len(data), err)
				}
				if diff := cmp.Diff(history, carrytest.Tree(t, filepath.Join(w.root, "file-history", id))); diff != "" {
					t.Errorf("round %d: %s", round, diff)
				}
				if _, err := os.Lstat(filepath.Join(w.req.Folder, id)); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			default:
				got := carrytest.Tree(t, path)
				delete(got, "custom-title.json") // tells the time
				want := map[string]string{}
				for name, content := range side {
					if want[name] = content; name == "custom-title.json" {
						delete(want, name)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("round %d: %s", round, diff)
				}
			}
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), forked) {
				_ = os.RemoveAll(filepath.Join(w.req.Folder, e.Name()))
			}
		}
	})
	if seen == 0 {
		t.Error("no fork was ever finished: the children were killed too early")
	}
	if diff := cmp.Diff(before, carrytest.Tree(t, filepath.Dir(w.path))); diff != "" {
		t.Errorf("the source changed: %s", diff)
	}
}

func once(root string) error {
	w := at(root)
	if limit := os.Getenv("COPPICE_LIMIT"); limit != "" {
		var bytes uint64
		if _, err := fmt.Sscan(limit, &bytes); err != nil {
			return err
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: bytes}); err != nil {
			return err
		}
	}
	_, err := fork.Fork(context.Background(), w.req)
	if errors.Is(err, syscall.EFBIG) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return errors.Join(errors.New("not the error that was to come"), err)
}

// F4, F8: without space or permission nothing is left behind, whichever of the
// files it fails at.
func TestForkFails(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"100", "70000", ""} {
		t.Run("limit "+limit, func(t *testing.T) {
			t.Parallel()
			root := faulttest.OpenDir(t, 0o755)
			w := furnished(t, root)
			if err := os.MkdirAll(w.req.Folder, 0o755); err != nil {
				t.Fatal(err)
			}
			before := carrytest.Tree(t, root)
			cmd := carrytest.Child(t, "once", root)
			if cmd.Env = append(cmd.Env, "COPPICE_LIMIT="+limit); limit == "" {
				faulttest.AsNobody(t, cmd, root)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			after := carrytest.Tree(t, root)
			delete(after, "program.test")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// F9: a source that grows, is cut off, replaced or overwritten under our hands is
// forked as it was, or not at all.
func TestForkOfAMovingTarget(t *testing.T) {
	t.Parallel()
	for name, meddle := range map[string]func(path string, data []byte) error{
		"grows": func(path string, _ []byte) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString(`{"type":"user","uuid":"aaaaaaaa-0000-4000-8000-000000000001","message":{"content":"late"}}` + "\n")
			return errors.Join(err, f.Close())
		},
		"is cut off": func(path string, data []byte) error { return os.Truncate(path, int64(len(data)/3)) },
		"is replaced": func(path string, data []byte) error {
			return errors.Join(os.WriteFile(path+".new", data[:len(data)/2], 0o600), os.Rename(path+".new", path))
		},
		"is overwritten": func(path string, data []byte) error {
			return os.WriteFile(path, append([]byte("{}\n"), data...), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := furnished(t, t.TempDir())
			data, err := os.ReadFile(w.path)
			if err != nil {
				t.Fatal(err)
			}
			want := messages(t, w.path, ledger.Keep)
			var meddling sync.WaitGroup
			var failed error
			meddling.Go(func() { failed = meddle(w.path, data) })
			res, err := fork.Fork(t.Context(), w.req)
			if meddling.Wait(); failed != nil {
				t.Fatal(failed)
			}
			switch {
			case errors.Is(err, carry.ErrChanged), errors.Is(err, ledger.ErrChanged), errors.Is(err, ledger.ErrNoConversation):
				if rest := carrytest.Tree(t, w.req.Folder); len(rest) > 0 {
					t.Errorf("left behind: %v", rest)
				}
			case err != nil:
				t.Error(err)
			default:
				got := messages(t, res.Path, ledger.Client)
				if name == "grows" && len(got) == len(want)+1 {
					got = got[:len(want)]
				}
				// What is cut off before it is written again is for a moment a shorter file.
				if n := min(len(got), len(want)); !cmp.Equal(got[:n], want[:n]) || name == "grows" && len(got) != len(want) {
					t.Errorf("%d rows of %d", len(got), len(want))
				}
			}
		})
	}
}
