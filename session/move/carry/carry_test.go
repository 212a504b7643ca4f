package carry_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session/move/carry"
	"coppice/session/move/carry/carrytest"
)

// hostile makes a side directory with everything that must not be followed.
func hostile(t *testing.T) (dir string) {
	t.Helper()
	base := t.TempDir()
	carrytest.Write(t, filepath.Join(base, "outside", "secret"), "not yours")
	dir = filepath.Join(base, "side")
	carrytest.Write(t, filepath.Join(dir, "tool-results", "a.txt"), "A")
	carrytest.Write(t, filepath.Join(dir, "tool-results", "two\nlines"), "N")
	carrytest.Write(t, filepath.Join(dir, "tool-results", "bad\xff\xfeutf8"), "U")
	carrytest.Write(t, filepath.Join(dir, "tool-results", "dir\xff", "b"), "D")
	carrytest.Write(t, filepath.Join(dir, "other", "c"), "C")
	for name, target := range map[string]string{"link": "../../outside/secret", "links": "../outside", "loop": "."} {
		if err := os.Symlink(target, filepath.Join(dir, "tool-results", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "tool-results", "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGather(t *testing.T) {
	t.Parallel()
	all := map[string]string{
		"tool-results/": "", "tool-results/a.txt": "A", "tool-results/two\nlines": "N", "tool-results/bad\xff\xfeutf8": "U",
		"tool-results/dir\xff/": "", "tool-results/dir\xff/b": "D",
	}
	links := map[string]string{
		"tool-results/link": "-> ../../outside/secret", "tool-results/links": "-> ../outside", "tool-results/loop": "-> .",
	}
	other := map[string]string{"other/": "", "other/c": "C"}
	for _, tt := range []struct {
		name string
		opt  carry.Options
		want []map[string]string
		left []string
	}{
		{"files", carry.Options{}, []map[string]string{all, other}, []string{"tool-results/link", "tool-results/links", "tool-results/loop", "tool-results/pipe"}},
		{"hard links", carry.Options{Link: true}, []map[string]string{all, other}, []string{"tool-results/link", "tool-results/links", "tool-results/loop", "tool-results/pipe"}},
		{"symbolic links", carry.Options{Symlinks: true}, []map[string]string{all, other, links}, []string{"tool-results/pipe"}},
		{
			"some",
			carry.Options{Symlinks: true, Only: func(name string) bool { return name == "tool-results" }},
			[]map[string]string{all, links},
			[]string{"tool-results/pipe"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src, dst := hostile(t), filepath.Join(t.TempDir(), "dst")
			got, err := carry.Gather(t.Context(), src, dst, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for _, part := range tt.want {
				for name, content := range part {
					want[name] = content
				}
			}
			if diff := cmp.Diff(want, carrytest.Tree(t, dst)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.left, got.Left); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGatherNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got, err := carry.Gather(t.Context(), filepath.Join(dir, "missing"), filepath.Join(dir, "dst"), carry.Options{})
	if _, stat := os.Lstat(filepath.Join(dir, "dst")); err != nil || got.Files != 0 || !errors.Is(stat, fs.ErrNotExist) {
		t.Errorf("%+v, %v, %v", got, err, stat)
	}
	if err := os.Symlink("/", filepath.Join(dir, "root")); err != nil {
		t.Fatal(err)
	}
	if _, err := carry.Gather(t.Context(), filepath.Join(dir, "root"), filepath.Join(dir, "dst"), carry.Options{}); err == nil {
		t.Error("a link in the place of the directory was followed")
	}
}

func TestSettleAndClear(t *testing.T) {
	t.Parallel()
	src := hostile(t)
	base := t.TempDir()
	staged, final := filepath.Join(base, "staged"), filepath.Join(base, "final")
	if _, err := carry.Gather(t.Context(), src, staged, carry.Options{Symlinks: true}); err != nil {
		t.Fatal(err)
	}
	carrytest.Write(t, filepath.Join(final, "tool-results", "a.txt"), "A") // of one that was killed
	carrytest.Write(t, filepath.Join(final, "tool-results", "mine"), "M")
	made, err := carry.Settle(t.Context(), staged, final)
	if err != nil {
		t.Fatal(err)
	}
	want := carrytest.Tree(t, staged)
	want["tool-results/mine"] = "M"
	if diff := cmp.Diff(want, carrytest.Tree(t, final)); diff != "" {
		t.Error(diff)
	}
	carrytest.Write(t, filepath.Join(src, "tool-results", "late"), "L")
	left, err := carry.Clear(t.Context(), src, final)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"tool-results/late", "tool-results/pipe"}, left); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"tool-results/": "", "tool-results/late": "L", "tool-results/pipe": "p---------"}, carrytest.Tree(t, src)); diff != "" {
		t.Error(diff)
	}
	made.Undo()
	if diff := cmp.Diff(map[string]string{"tool-results/": "", "tool-results/a.txt": "A", "tool-results/mine": "M"}, carrytest.Tree(t, final)); diff != "" {
		t.Error(diff)
	}
}

func TestSettleReplacesNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		make func(path string) error
	}{
		{"another file", func(path string) error { return os.WriteFile(path, []byte("B"), 0o600) }},
		{"a longer file", func(path string) error { return os.WriteFile(path, []byte("AA"), 0o600) }},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"a link", func(path string) error { return os.Symlink("/dev/null", path) }},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			carrytest.Write(t, filepath.Join(base, "staged", "d", "a"), "A")
			carrytest.Write(t, filepath.Join(base, "staged", "d", "0"), "0")
			if err := os.MkdirAll(filepath.Join(base, "final", "d"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := tt.make(filepath.Join(base, "final", "d", "a")); err != nil {
				t.Fatal(err)
			}
			before := carrytest.Tree(t, filepath.Join(base, "final"))
			made, err := carry.Settle(t.Context(), filepath.Join(base, "staged"), filepath.Join(base, "final"))
			if !errors.Is(err, carry.ErrConflict) || !errors.Is(err, fs.ErrExist) {
				t.Errorf("the error is %v", err)
			}
			made.Undo()
			if diff := cmp.Diff(before, carrytest.Tree(t, filepath.Join(base, "final"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlaceReplacesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	carrytest.Write(t, filepath.Join(dir, "staged"), "new")
	carrytest.Write(t, filepath.Join(dir, "there"), "old")
	carrytest.Write(t, filepath.Join(dir, "full", "x"), "old")
	carrytest.Write(t, filepath.Join(dir, "stagedDir", "y"), "new")
	for _, err := range []error{
		carry.Place(filepath.Join(dir, "staged"), filepath.Join(dir, "there")),
		carry.Place(filepath.Join(dir, "staged"), filepath.Join(dir, "full")),
		carry.PlaceDir(filepath.Join(dir, "stagedDir"), filepath.Join(dir, "full")),
		carry.PlaceDir(filepath.Join(dir, "stagedDir"), filepath.Join(dir, "there")),
	} {
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("the error is %v", err)
		}
	}
	if got := carrytest.Tree(t, dir); got["there"] != "old" || got["full/x"] != "old" || got["full/y"] != "" {
		t.Errorf("%v", got)
	}
	if err := carry.Place(filepath.Join(dir, "staged"), filepath.Join(dir, "free")); err != nil {
		t.Error(err)
	}
}

// A file that is cut off while it is copied is an error, and no copy is left.
func TestCopyOfShorterFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	carrytest.Write(t, filepath.Join(dir, "src"), "0123456789")
	f, err := carry.Open(filepath.Join(dir, "src"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := carry.Copy(t.Context(), filepath.Join(dir, "dst"), f, 11, 0o600); !errors.Is(err, carry.ErrChanged) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := carry.Copy(ctx, filepath.Join(dir, "dst"), f, 5, 0o600); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "dst")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a part is left: %v", err)
	}
	if err := carry.Copy(t.Context(), filepath.Join(dir, "dst"), f, 5, 0o640); err != nil {
		t.Error(err)
	}
	if got := carrytest.Tree(t, dir)["dst"]; got != "01234" {
		t.Errorf("the copy is %q", got)
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("0123456789abcdef"), 40_000)
	other := slices.Clone(long)
	other[len(other)-1]++
	for _, tt := range []struct {
		a, b []byte
		size int64
		want bool
	}{
		{nil, nil, 0, true},
		{long, long, int64(len(long)), true},
		{long, other, int64(len(long)), false},
		{long, other, int64(len(long)) - 1, true},
		{long, long[:len(long)-1], int64(len(long)), false},
		{long[:300_000], long, int64(len(long)), false},
	} {
		got, err := carry.Same(t.Context(), bytes.NewReader(tt.a), bytes.NewReader(tt.b), tt.size)
		if err != nil || got != tt.want {
			t.Errorf("%d and %d bytes, %d: %v, %v", len(tt.a), len(tt.b), tt.size, got, err)
		}
	}
}

func TestRetire(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	carrytest.Write(t, path, "known\nadded\n")
	f, err := carry.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, gone, err := carry.Retire(f, path, 100); gone || !errors.Is(err, carry.ErrChanged) {
		t.Errorf("a shorter file: %v, %v", gone, err)
	}
	if added, gone, err := carry.Retire(f, path, 6); string(added) != "added\n" || !gone || err != nil {
		t.Errorf("%q, %v, %v", added, gone, err)
	}
	carrytest.Write(t, path, "another file\n")
	if _, gone, err := carry.Retire(f, path, 6); gone || !errors.Is(err, carry.ErrChanged) {
		t.Errorf("another file: %v, %v", gone, err)
	}
}

// What a killed process leaves is removed later; what one still works on is not.
func TestStagesOfKilledProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	dead := filepath.Join(dir, ".coppice-stage-1")
	carrytest.Write(t, filepath.Join(dead, "sub", "f"), "half")
	carrytest.Write(t, filepath.Join(dir, ".coppice-stage-file"), "no stage")
	held, err := carry.NewStage(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dead, held.Dir} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	stage, err := carry.NewStage(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a stage that nobody holds is left: %v", err)
	}
	if _, err := os.Lstat(held.Dir); err != nil {
		t.Errorf("a stage that is held is gone: %v", err)
	}
	if err := errors.Join(stage.Close(), held.Close()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{".coppice-stage-file": "no stage"}, carrytest.Tree(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	carrytest.Write(t, filepath.Join(dir, "f"), "")
	if err := errors.Join(os.Symlink("f", filepath.Join(dir, "link")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "link"), filepath.Join(dir, "pipe"), dir, "/dev/null"} {
		if f, err := carry.Open(path); !errors.Is(err, carry.ErrNotRegular) {
			t.Errorf("%s: %v, %v", path, f, err)
		}
	}
	if _, err := carry.Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

func TestMakeDir(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	for _, want := range []string{filepath.Join(base, "a"), ""} {
		if made, err := carry.MakeDir(filepath.Join(base, "a", "b", "c")); made != want || err != nil {
			t.Errorf("%q, %v", made, err)
		}
	}
	carrytest.Write(t, filepath.Join(base, "f"), "")
	if _, err := carry.MakeDir(filepath.Join(base, "f", "g")); err == nil {
		t.Error("a file is no directory")
	}
}
