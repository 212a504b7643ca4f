package session_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/sessiontest"
)

// A second start reads the cache and not the transcripts, unless they changed.
func TestCacheIsUsed(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	opt := options(root)
	opt.CacheFile = filepath.Join(t.TempDir(), "coppice", "cache")
	path := write(t, root, 1, "/w/app", func(k *sessiontest.Talk) string { return k.Title("title one") })
	id := sessiontest.ID(1)
	if got := load(t, opt)[id].Title; got != "title one" {
		t.Fatalf("title %q", got)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(text []byte) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(text)
		if cerr := f.Close(); err != nil || cerr != nil {
			t.Fatal(err, cerr)
		}
	}
	put(bytes.Replace(text, []byte("title one"), []byte("title two"), 1))
	if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	if got := load(t, opt)[id].Title; got != "title one" {
		t.Errorf("same size, time and inode: %q, not from the cache", got)
	}
	if err := os.Chtimes(path, before.ModTime(), before.ModTime().Add(1)); err != nil {
		t.Fatal(err)
	}
	if got := load(t, opt)[id].Title; got != "title two" {
		t.Errorf("another time: %q", got)
	}
	sessiontest.Append(t, path, talk(1, "").Title("title three"))
	row := load(t, opt)[id]
	if row.Title != "title three" || row.Summary.Messages != 2 || row.Summary.Records != 6 {
		t.Errorf("grown: %q, %d messages, %d records", row.Title, row.Summary.Messages, row.Summary.Records)
	}
	other := filepath.Join(filepath.Dir(path), "other")
	if err := os.WriteFile(other, bytes.Replace(text, []byte("title one"), []byte("title for"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := load(t, opt)[id].Title; got != "title for" {
		t.Errorf("replaced: %q", got)
	}
}

// A damaged cache is made anew; one of a newer program is left alone and said.
func TestCacheVersions(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	write(t, root, 1, "/w/app")
	opt := options(root)
	opt.CacheFile = filepath.Join(t.TempDir(), "cache")
	for name, text := range map[string]string{"newer": "coppice cache 99 x\nbody", "damaged": "coppice cache 1"} {
		if err := os.WriteFile(opt.CacheFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w := watch(t, session.NewStore(opt))
		s := w.complete()
		w.stop()
		if got := len(s.rows); got != 1 {
			t.Errorf("%s: %d rows", name, got)
		}
		now, err := os.ReadFile(opt.CacheFile)
		if err != nil {
			t.Fatal(err)
		}
		if newer := name == "newer"; newer != (string(now) == text) || newer != strings.Contains(s.err, "newer version") {
			t.Errorf("%s: cache is %.40q, err %q", name, now, s.err)
		}
	}
}

// While a Watch runs the cache is written at most once a minute, and not at all
// when there is nothing new.
func TestCacheIsKept(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	path := write(t, root, 1, "/w/app")
	opt := options(root)
	opt.CacheFile = filepath.Join(t.TempDir(), "cache")
	store := session.NewStore(opt)
	c := newClock(store)
	w := watch(t, store)
	w.complete()
	read := func() string {
		text, _ := os.ReadFile(opt.CacheFile)
		return string(text)
	}
	w.until("the cache", func(state) bool { return read() != "" })
	first := read()
	sessiontest.Append(t, path, talk(1, "").Title("newer"))
	w.until("a change", func(s state) bool {
		return s.rows[sessiontest.ID(1)].Title == "newer" && c.running(session.SaveEvery) == 1
	})
	if read() != first {
		t.Error("written at once")
	}
	c.tick[session.SaveEvery] <- time.Now()
	w.until("another cache", func(state) bool { return strings.Contains(read(), "newer") })
	w.until("quiet", func(state) bool { return c.running(session.SaveEvery) == 0 })
	sessiontest.Append(t, path, talk(1, "").Title("newest"))
	w.until("a change", func(s state) bool { return s.rows[sessiontest.ID(1)].Title == "newest" })
	w.stop()
	if !strings.Contains(read(), "newest") {
		t.Error("not written at the end")
	}
}

// F4 a cache that cannot be written is said, and nothing else suffers.
func TestCacheNotWritable(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	write(t, root, 1, "/w/app")
	opt := options(root)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	opt.CacheFile = filepath.Join(file, "cache")
	store := session.NewStore(opt)
	c := newClock(store)
	w := watch(t, store)
	s := w.until("a problem", func(s state) bool { return s.err != "" })
	if !strings.Contains(s.err, "write cache") || len(s.rows) != 1 {
		t.Errorf("%q, %d rows", s.err, len(s.rows))
	}
	if rows := load(t, opt); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
	remove(t, file)
	c.tick[session.SaveEvery] <- time.Now()
	w.until("a cache", func(s state) bool {
		_, err := os.Stat(opt.CacheFile)
		return err == nil && s.err == ""
	})
}

// F8 what may not be read is said; the others are listed. Root may read
// everything, so it does this as somebody else.
func TestNoPermission(t *testing.T) {
	t.Parallel()
	asSomebodyElse(t, func() { testNoPermission(t) })
}

// asSomebodyElse runs a test in a process that is not root's, for which there
// are no permissions.
func asSomebodyElse(t *testing.T, test func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		test()
		return
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Env, cmd.Dir = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}, "/"
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as somebody else: %v\n%s", err, text)
	}
	if !bytes.Contains(text, []byte("--- PASS: "+t.Name())) {
		t.Errorf("ran nothing:\n%s", text)
	}
}

func testNoPermission(t *testing.T) {
	t.Helper()
	root := sessiontest.New(t)
	good := write(t, root, 1, "/w/app")
	bad := write(t, root, 2, "/w/app")
	write(t, root, 3, "/w/closed")
	opt := options(root)
	opt.CacheFile = filepath.Join(t.TempDir(), "cache")
	load(t, opt) // everything is in the cache, which must not hide it
	closed := root.Folder("/w/closed")
	for _, path := range []string{bad, closed} {
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
	w := watch(t, session.NewStore(opt))
	s := w.complete()
	if len(s.rows) != 2 || s.rows[sessiontest.ID(1)].Path != good {
		t.Errorf("rows %v", s.rows)
	}
	if row := s.rows[sessiontest.ID(2)]; row.Problem != "no permission" || row.Hidden != "" || !strings.Contains(row.NotReady, "no permission") {
		t.Errorf("problem %q, hidden %q, not ready %q", row.Problem, row.Hidden, row.NotReady)
	}
	if s.err != closed+": no permission" {
		t.Errorf("err %q", s.err)
	}
}

// F8 of a file that was never read, its place, age and size are known; a
// permission that is given later is noticed by a refresh.
func TestPermissionGiven(t *testing.T) {
	t.Parallel()
	asSomebodyElse(t, func() {
		root := sessiontest.New(t)
		path := write(t, root, 1, "/w/app")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		store := session.NewStore(options(root))
		w := watch(t, store)
		row := w.complete().rows[sessiontest.ID(1)]
		if row.Problem != "no permission" || !row.Updated.Equal(info.ModTime()) || row.Copies[0].Size != info.Size() {
			t.Errorf("%q, updated %v, %+v; want %v and %d bytes", row.Problem, row.Updated, row.Copies, info.ModTime(), info.Size())
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		store.Refresh()
		w.until("a readable row", func(s state) bool {
			row := s.rows[sessiontest.ID(1)]
			return row.Problem == "" && row.Title == "p"
		})
	})
}

// F9 files that grow, shrink, vanish and are replaced all the while.
func TestChangesDuringScan(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	const n = 21 // so that each file gets every treatment
	paths := make([]string, n)
	full := make([]string, n)
	for i := range n {
		k := talk(i, "/w/app")
		var rows []string
		for range 200 {
			rows = append(rows, k.User("p"), k.Assistant(strings.Repeat("words ", 100)))
		}
		full[i] = strings.Join(rows, "\n") + "\n"
		paths[i] = root.Write(t, k.Dir, k.ID, rows...)
	}
	var stop atomic.Bool
	done := make(chan error, 1)
	go func() {
		var err error
		for round := 0; !stop.Load() && err == nil; round++ {
			i := round % n
			switch round % 4 {
			case 0:
				err = os.Truncate(paths[i], int64(len(full[i])/3))
			case 1:
				err = os.Remove(paths[i])
			case 2:
				err = os.WriteFile(paths[i]+".tmp", []byte(full[i]), 0o600)
				if err == nil {
					err = os.Rename(paths[i]+".tmp", paths[i])
				}
			default:
				err = os.WriteFile(paths[i], []byte(full[i]+`{"type":"user","torn`), 0o600)
			}
		}
		for i := range n {
			if err == nil {
				err = os.WriteFile(paths[i], []byte(full[i]+talk(i, "").Title(fmt.Sprint("settled ", i))+"\n"), 0o600)
			}
		}
		done <- err
	}()
	w := watch(t, session.NewStore(options(root)))
	w.complete()
	w.until("some commotion", func(s state) bool { return len(s.updates) > 5 })
	stop.Store(true)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	w.until("peace", func(s state) bool {
		for i := range n {
			row := s.rows[sessiontest.ID(i)]
			if row.Title != fmt.Sprint("settled ", i) || row.Summary.Messages != 400 || row.Problem != "" {
				return false
			}
		}
		return true
	})
}
