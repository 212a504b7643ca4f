package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"coppice/transcript"
	"coppice/worktree"
)

func TestBelongs(t *testing.T) {
	t.Parallel()
	long := "/w/" + strings.Repeat("deep/", 50)
	tests := []struct {
		name   string
		sum    transcript.Summary
		folder string
		want   string
	}{
		{"nothing recorded", transcript.Summary{}, "-w-a", ""},
		{"first", transcript.Summary{Dirs: []string{"/w/b", "/w/c"}}, "-w-a", "/w/b"},
		{"B16 a later cwd names the folder", transcript.Summary{Dirs: []string{"/w/b", "/w/a", "/w/c"}}, "-w-a", "/w/a"},
		{"B9 colliding names", transcript.Summary{Dirs: []string{"/w/a/b"}}, "-w-a-b", "/w/a/b"},
		{"B9 the other one", transcript.Summary{Dirs: []string{"/w/a-b"}}, "-w-a-b", "/w/a-b"},
		{"B10 hash of another client", transcript.Summary{Dirs: []string{"/x", long}}, Encode(long)[:201] + "old", filepath.Clean(long)},
		{"B11 folder named after the composed form", transcript.Summary{Dirs: []string{"/x", "/w/e\u0301"}}, "-w--", "/w/e\u0301"},
		{"B19 relocated", transcript.Summary{Dirs: []string{"/w/b"}, Relocated: "/w/main/"}, "-w-b", "/w/main"},
		{"B27 the folder of another project", transcript.Summary{Dirs: []string{"/w/a/.claude/worktrees/x"}}, "-w-b", "/w/a/.claude/worktrees/x"},
		{"B20 bound", transcript.Summary{Dirs: []string{"/w/b"}, Relocated: "/w/main", Worktree: &transcript.Worktree{Path: "/w/wt"}}, "-w-b", "/w/wt"},
		{"bound to nowhere", transcript.Summary{Dirs: []string{"/w/b"}, Worktree: &transcript.Worktree{}}, "-w-b", "/w/b"},
		{"B24 of another kind of machine", transcript.Summary{Dirs: []string{`D:\w`}}, "D--w", `D:\w`},
		{"relative ones are passed over", transcript.Summary{Dirs: []string{"w", "/w/b"}}, "w", "/w/b"},
	}
	for _, tt := range tests {
		if got := belongs(&tt.sum, tt.folder); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestProjectOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		common, main, want string
	}{
		{"", "", "/w/dir"},
		{"/w/app/.git", "", "/w/app"},
		{"/w/app/.git", "/w/elsewhere", "/w/elsewhere"},
		{"/w/app/.bare", "", "/w/app"},
		{"/w/app.git", "", "/w/app.git"},
	}
	for _, tt := range tests {
		if got := projectOf(worktree.Place{Dir: "/w/dir", CommonDir: tt.common}, tt.main); got != tt.want {
			t.Errorf("projectOf(%q, %q) = %q, want %q", tt.common, tt.main, got, tt.want)
		}
	}
}

// A directory on a file system that does not answer costs one row its place for
// a while, and nobody else anything.
func TestPlacerDoesNotHang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := make(chan struct{})
		var late atomic.Value
		p := newPlacer(func(dir string) worktree.Place {
			if strings.HasPrefix(dir, "/dead") {
				<-dead
			}
			return worktree.Place{Dir: dir, Exists: true, State: worktree.Plain}
		}, func(dir string) { late.Store(dir) })
		if got := p.place(t.Context(), "/dead/nfs"); got.State != worktree.Unknown || got.Dir != "/dead/nfs" {
			t.Errorf("dead: %+v", got)
		}
		start := time.Now()
		if got := p.place(t.Context(), "/live"); got.State != worktree.Plain || time.Since(start) != 0 {
			t.Errorf("live: %+v after %v", got, time.Since(start))
		}
		close(dead)
		synctest.Wait()
		if late.Load() != "/dead/nfs" {
			t.Errorf("late answer: %v", late.Load())
		}
		if got := p.place(t.Context(), "/dead/nfs"); got.State != worktree.Plain {
			t.Errorf("woken: %+v", got)
		}
	})
}

// B11 the records name one Unicode form, the disk has the other.
func TestPlacerUnicodeForm(t *testing.T) {
	t.Parallel()
	disk := "/w/e\u0301"
	p := newPlacer(func(dir string) worktree.Place {
		return worktree.Place{Dir: dir, Exists: dir == disk, State: worktree.Plain}
	}, nil)
	if got := p.place(t.Context(), "/w/é"); got.Dir != disk {
		t.Errorf("%+v", got)
	}
}

// B12 two spellings of one common directory are one repository; two
// repositories that had the same inode one after the other are not.
func TestPlacerSpelling(t *testing.T) {
	t.Parallel()
	p := newPlacer(nil, nil)
	id := inode{1, 2}
	for _, tt := range [][2]string{
		{"/Users/me/Src/.git", "/Users/me/Src/.git"},
		{"/Users/me/src/.git", "/Users/me/Src/.git"},
		{"/Users/me/other/.git", "/Users/me/other/.git"},
	} {
		if got := p.spelling(tt[0], id); got != tt[1] {
			t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
		}
	}
}

func TestPlacerForgets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	p := newPlacer(worktree.Locate, nil)
	ctx := context.Background()
	if p.place(ctx, sub).Exists {
		t.Fatal("it is not there yet")
	}
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if p.place(ctx, sub).Exists {
		t.Error("not remembered")
	}
	p.forget(func(p worktree.Place) bool { return p.Dir == sub })
	if !p.place(ctx, sub).Exists {
		t.Error("not forgotten")
	}
}
