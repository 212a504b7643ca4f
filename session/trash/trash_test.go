package trash_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"coppice/session/move/carry"
	"coppice/session/move/carry/carrytest"
	"coppice/session/trash"
	"coppice/transcript/faulttest"
	"coppice/transcript/transcripttest"
)

const id = "7a5a0000-0000-4000-8000-000000000001"

func TestMain(m *testing.M) {
	carrytest.Main(m, map[string]func(string) error{"swing": swing, "once": once, "storm": storm, "die": die})
}

// world is a config root with one session, and a trash beside it.
type world struct {
	dir, root, path string
	trash           trash.Trash
}

func newWorld(t testing.TB, dir string) world {
	t.Helper()
	w := at(dir)
	carrytest.Write(t, w.path, string(transcripttest.New(id).Head().User("a word: willow").Assistant(transcripttest.Text("yes")).Bytes()))
	side := strings.TrimSuffix(w.path, ".jsonl")
	carrytest.Write(t, filepath.Join(side, "tool-results", "r1.txt"), transcripttest.Filler(40_000))
	carrytest.Write(t, filepath.Join(side, "custom-title.json"), "{}")
	carrytest.Write(t, filepath.Join(w.root, "file-history", id, "0123456789abcdef@v1"), "package main\n")
	carrytest.Write(t, filepath.Join(w.root, "file-history", "another", "0123456789abcdef@v1"), "not it\n")
	return w
}

func at(dir string) world {
	root := filepath.Join(dir, "root")
	return world{
		dir: dir, root: root, path: filepath.Join(root, "projects", "-w-a", id+".jsonl"),
		trash: trash.Trash{Dir: filepath.Join(dir, "state", "trash"), Now: time.Now},
	}
}

func (w world) take(t testing.TB) trash.Item {
	t.Helper()
	item, err := w.trash.Take(t.Context(), w.root, w.path, id, "willow")
	if err != nil {
		t.Fatal(err)
	}
	return item
}

func TestTakeAndRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	before := carrytest.Tree(t, w.root)
	item := w.take(t)
	want := map[string]string{"projects/": "", "projects/-w-a/": "", "file-history/": "", "file-history/another/": "", "file-history/another/0123456789abcdef@v1": "not it\n"}
	if diff := cmp.Diff(want, carrytest.Tree(t, w.root)); diff != "" {
		t.Error(diff)
	}
	items, err := w.trash.List()
	if err != nil || len(items) != 1 || items[0].ID != id || items[0].Title != "willow" || items[0].Path != w.path || !items[0].Taken.Equal(item.Taken) {
		t.Errorf("%+v, %v", items, err)
	}
	if info, err := os.Stat(w.trash.Dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if got, err := w.trash.Restore(t.Context(), ""); err != nil || got.ID != id {
		t.Errorf("%+v, %v", got, err)
	}
	if diff := cmp.Diff(before, carrytest.Tree(t, w.root)); diff != "" {
		t.Error(diff)
	}
	if rest := held(t, w); len(rest) > 0 {
		t.Errorf("left in the trash: %v", rest)
	}
}

// The newest of several comes back, and the folder is made again when it is gone.
func TestRestoreTheNewest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	now := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	w.trash.Now = func() time.Time { now = now.Add(time.Minute); return now }
	w.take(t)
	carrytest.Write(t, w.path, "{\"second\":1}\n")
	w.take(t)
	const other = "7a5a0000-0000-4000-8000-000000000002"
	path := filepath.Join(w.root, "projects", "-w-b", other+".jsonl")
	carrytest.Write(t, path, "{}\n")
	if _, err := w.trash.Take(t.Context(), w.root, path, other, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(w.path)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.trash.Restore(t.Context(), strings.ToUpper(id)); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(w.path); string(data) != "{\"second\":1}\n" {
		t.Errorf("%q, %v", data, err)
	}
	if got, err := w.trash.Restore(t.Context(), ""); err != nil || got.ID != other {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := w.trash.Restore(t.Context(), ""); !errors.Is(err, trash.ErrOccupied) {
		t.Errorf("the error is %v", err)
	}
}

func TestRestoreReplacesNothing(t *testing.T) {
	t.Parallel()
	side := strings.TrimSuffix(filepath.Join("projects", "-w-a", id+".jsonl"), ".jsonl")
	for _, name := range []string{
		side + ".jsonl", side + "/tool-results/r1.txt", side + "/tool-results", side, "file-history/" + id + "/0123456789abcdef@v1", "file-history/" + id,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir())
			w.take(t)
			carrytest.Write(t, filepath.Join(w.root, name), "something else")
			before, kept := carrytest.Tree(t, w.root), held(t, w)
			_, err := w.trash.Restore(t.Context(), id)
			if !errors.Is(err, trash.ErrOccupied) || !strings.Contains(err.Error(), filepath.Join(w.root, name)) {
				t.Errorf("the error is %v", err)
			}
			if diff := cmp.Diff(before, carrytest.Tree(t, w.root)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(kept, held(t, w)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRestoreErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	if _, err := w.trash.Restore(t.Context(), ""); !errors.Is(err, trash.ErrEmpty) {
		t.Errorf("the error is %v", err)
	}
	if _, err := w.trash.Restore(t.Context(), id); !errors.Is(err, trash.ErrNotFound) {
		t.Errorf("the error is %v", err)
	}
	w.take(t)
	if _, err := w.trash.Restore(t.Context(), "7a5a0000-0000-4000-8000-00000000ffff"); !errors.Is(err, trash.ErrNotFound) {
		t.Errorf("the error is %v", err)
	}
}

// An entry that cannot be read hides no other and is named.
func TestListWithDamage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	w.take(t)
	carrytest.Write(t, filepath.Join(w.trash.Dir, "damaged", "item.json"), "{")
	carrytest.Write(t, filepath.Join(w.trash.Dir, "newer", "item.json"), `{"id":"`+id+`","path":"/p","root":"/","version":2}`)
	carrytest.Write(t, filepath.Join(w.trash.Dir, "relative", "item.json"), `{"id":"`+id+`","path":"../../p","root":"/","version":1}`)
	carrytest.Write(t, filepath.Join(w.trash.Dir, "empty", "x"), "")
	if err := syscall.Mkfifo(filepath.Join(w.trash.Dir, "empty", "item.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	items, err := w.trash.List()
	if len(items) != 1 || !errors.Is(err, trash.ErrVersion) {
		t.Errorf("%+v, %v", items, err)
	}
	for _, name := range []string{"damaged", "newer", "relative", "empty"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
}

func TestTakeRefuses(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, tt := range []struct {
		name string
		live func(string) bool
		path func(w world) string
		want error
	}{
		{"live", func(string) bool { return true }, nil, trash.ErrLive},
		{"live in the last moment", func(string) bool { asked++; return asked > 1 }, nil, trash.ErrLive},
		{"missing", nil, func(w world) string { return filepath.Join(w.root, "projects", "-w-c", id+".jsonl") }, fs.ErrNotExist},
		{"a directory", nil, func(w world) string { return filepath.Join(w.root, "projects", "-w-b", id+".jsonl") }, carry.ErrNotRegular},
		{"no transcript", nil, func(w world) string { return filepath.Join(w.root, "settings.json") }, trash.ErrPlace},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, t.TempDir())
			w.trash.Live = tt.live
			path := w.path
			if tt.path != nil {
				path = tt.path(w)
			}
			carrytest.Write(t, filepath.Join(w.root, "projects", "-w-b", id+".jsonl", "x"), "")
			before := carrytest.Tree(t, w.root)
			if _, err := w.trash.Take(t.Context(), w.root, path, id, ""); !errors.Is(err, tt.want) {
				t.Errorf("the error is %v", err)
			}
			if diff := cmp.Diff(before, carrytest.Tree(t, w.root)); diff != "" {
				t.Error(diff)
			}
			if rest := held(t, w); len(rest) > 0 {
				t.Errorf("in the trash: %v", rest)
			}
		})
	}
}

// F5: a transcript that retention would take at once is written now when it is
// back; another keeps its time.
func TestRestoredTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		age  time.Duration
		keep bool
	}{{time.Hour, true}, {26 * 24 * time.Hour, true}, {28 * 24 * time.Hour, false}, {400 * 24 * time.Hour, false}} {
		w := newWorld(t, t.TempDir())
		written := time.Now().Add(-tt.age).Truncate(time.Second)
		if err := os.Chtimes(w.path, written, written); err != nil {
			t.Fatal(err)
		}
		w.take(t)
		if _, err := w.trash.Restore(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(w.path)
		if err != nil || info.ModTime().Equal(written) != tt.keep {
			t.Errorf("of %v: %v, %v", tt.age, info.ModTime(), err)
		}
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	now := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	w.trash.Now, w.trash.Keep = func() time.Time { return now }, 24*time.Hour
	w.take(t)
	now = now.Add(25 * time.Hour)
	carrytest.Write(t, w.path, "{}\n")
	w.take(t)
	items, err := w.trash.List()
	if err != nil || len(items) != 1 || !items[0].Taken.Equal(now) {
		t.Errorf("%+v, %v", items, err)
	}
}

// swing takes a session and brings it back until it is killed.
func swing(dir string) error {
	w := at(dir)
	for {
		if _, err := os.Lstat(w.path); err == nil {
			if _, err := w.trash.Take(context.Background(), w.root, w.path, id, "willow"); err != nil {
				return err
			}
		}
		if _, err := w.trash.Restore(context.Background(), id); err != nil {
			return err
		}
	}
}

// Killed at any point, a session is whole where it was, or whole in the trash.
func TestKilledTrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	whole := carrytest.Tree(t, w.root)
	carrytest.Kill(t, "swing", w.dir, 20*time.Millisecond, func(round int) {
		if _, err := os.Lstat(w.path); errors.Is(err, fs.ErrNotExist) {
			if _, err := w.trash.Restore(t.Context(), id); err != nil {
				t.Fatalf("round %d: neither here nor there: %v", round, err)
			}
		}
		got := carrytest.Tree(t, w.root)
		for name := range got {
			if strings.Contains(name, ".coppice-stage-") {
				delete(got, name)
			}
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("round %d: %s", round, diff)
		}
		w.take(t) // which tidies up
		if _, err := w.trash.Restore(t.Context(), ""); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if items, err := w.trash.List(); err != nil || len(items) > 0 {
			t.Errorf("round %d: %d entries, %v", round, len(items), err)
		}
	})
}

func once(dir string) error {
	w := at(dir)
	if os.Getenv("COPPICE_LIMIT") != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 100, Max: 100}); err != nil {
			return err
		}
	}
	_, err := w.trash.Take(context.Background(), w.root, w.path, id, "willow")
	if errors.Is(err, syscall.EFBIG) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return errors.Join(errors.New("not the error that was to come"), err)
}

// F4, F8: a full disk, and folders of another user.
func TestTakeFails(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"full disk", "another user"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := faulttest.OpenDir(t, 0o755)
			w := newWorld(t, dir)
			if err := errors.Join(os.MkdirAll(w.trash.Dir, 0o777), os.Chmod(w.trash.Dir, 0o777)); err != nil {
				t.Fatal(err)
			}
			before := carrytest.Tree(t, w.root)
			cmd := carrytest.Child(t, "once", dir)
			if name == "full disk" {
				cmd.Env = append(cmd.Env, "COPPICE_LIMIT=1")
			} else {
				faulttest.AsNobody(t, cmd, dir)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			if diff := cmp.Diff(before, carrytest.Tree(t, w.root)); diff != "" {
				t.Error(diff)
			}
			if rest := held(t, w); len(rest) > 0 {
				t.Errorf("in the trash: %v", rest)
			}
		})
	}
}

// Across file systems everything is copied, both ways.
func TestTrashOnAnotherDevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, t.TempDir())
	w.trash.Dir = filepath.Join(carrytest.OtherDevice(t), "trash")
	link := filepath.Join(strings.TrimSuffix(w.path, ".jsonl"), "tool-results", "link")
	if err := os.Symlink("r1.txt", link); err != nil {
		t.Fatal(err)
	}
	written := time.Now().Add(-90 * time.Minute).Truncate(time.Second)
	if err := os.Chtimes(w.path, written, written); err != nil {
		t.Fatal(err)
	}
	before := carrytest.Tree(t, w.root)
	w.take(t)
	if rest := carrytest.Tree(t, filepath.Dir(w.path)); len(rest) > 0 {
		t.Errorf("left behind: %v", rest)
	}
	if _, err := w.trash.Restore(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, carrytest.Tree(t, w.root)); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(w.path); err != nil || !info.ModTime().Equal(written) {
		t.Errorf("%v, %v", info.ModTime(), err)
	}
}
