package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/transcript"
)

func fullEntry() cacheEntry {
	at := time.Date(2026, 3, 1, 9, 0, 0, 123e6, time.UTC)
	return cacheEntry{
		Path:  "/c/projects/-w/a.jsonl",
		Stamp: stamp{Size: 1, ModTime: 2, Dev: 3, Ino: 4},
		State: &transcript.State{
			Summary: transcript.Summary{
				SessionID: "a", CustomTitle: "t\x00\xff", Created: at, Updated: at, Dirs: []string{"/w", "/w/x"},
				Worktree: &transcript.Worktree{Path: "/w/x"}, PR: &transcript.PR{Number: 7},
				Damage: []transcript.Damage{{Line: 3, Kind: transcript.DamageNUL}}, Complete: true,
			},
			Offset: 17, Lines: 3,
			Resume: transcript.Resume{OpenCalls: map[string]bool{"x": true}, Guard: []byte("}\n")},
		},
	}
}

func TestCacheRoundTrip(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "cache")
	data, err := encodeCache([]cacheEntry{fullEntry()})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeCache(path, data); err != nil {
		t.Fatal(err)
	}
	got, err := readCache(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]cacheEntry{fullEntry().Path: fullEntry()}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cache (-want +got):\n%s", diff)
	}
	for name, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want %v", filepath.Base(name), info.Mode(), err, mode)
		}
	}
}

func TestCacheUnusable(t *testing.T) {
	t.Parallel()
	good, err := encodeCache([]cacheEntry{fullEntry()})
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, errCacheUnusable},
		{"garbage", []byte("hello\nworld"), errCacheUnusable},
		{"cut", good[:len(good)/2], errCacheUnusable},
		{"flipped", flipped, errCacheUnusable},
		{"older", bytes.Replace(good, []byte("cache 1 "), []byte("cache 0 "), 1), errCacheUnusable},
		{"newer", bytes.Replace(good, []byte("cache 1 "), []byte("cache 2 "), 1), errCacheNewer},
		{"newer with another header", []byte("coppice cache 12 {}\n"), errCacheNewer},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "cache")
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readCache(path); !errors.Is(err, tt.want) || got != nil {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
	if got, err := readCache(filepath.Join(t.TempDir(), "none")); err != nil || len(got) != 0 {
		t.Errorf("missing: %v, %v", got, err)
	}
}

// F4 a cache that cannot be written leaves the old one whole, and nothing beside it.
func TestCacheDiskFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cache")
	if err := writeCache(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := limitFileSize(t, path); err == nil {
		t.Error("write past the limit reports no error")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("cache is %q, %v", got, err)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != 1 {
		t.Errorf("%d files, %v", len(list), err)
	}
}

func FuzzReadCache(f *testing.F) {
	good, _ := encodeCache([]cacheEntry{fullEntry()})
	f.Add(good)
	f.Add([]byte("coppice cache 1 00000000 00000000\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "cache")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if entries, err := readCache(path); err != nil && entries != nil {
			t.Fatalf("%d entries beside %v", len(entries), err)
		}
	})
}
