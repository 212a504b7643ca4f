package transcript_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"coppice/transcript"
	tt "coppice/transcript/transcripttest"
)

func writeFile(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), sid+".jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAppend(t *testing.T) {
	t.Parallel()
	rec := [][]byte{[]byte(`{"type":"mode"}`), []byte(`{"type":"tag"}`)}
	const added = "{\"type\":\"mode\"}\n{\"type\":\"tag\"}\n"
	for _, tc := range []struct {
		name, before, want string
		live               bool
	}{
		{"behind a line feed", "{}\n", "{}\n" + added, false},
		{"A15 no final line feed", "{}", "{}\n" + added, false},
		{"torn line", `{"type":"us`, "{\"type\":\"us\n" + added, false},
		{"empty file", "", added, false},
		{"live elsewhere", "{}\n", "{}\n\n" + added, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := writeFile(t, []byte(tc.before))
			if err := transcript.Append(path, rec, transcript.AppendOptions{Live: tc.live}); err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, path); got != tc.want {
				t.Errorf("file is %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAppendKeepsTime(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, tc := range []struct {
		name      string
		age       time.Duration
		retention time.Duration
		keep      bool
		kept      bool
	}{
		{"fresh", day, 0, true, true},
		{"not asked", day, 0, false, false},
		{"F5 close to the limit of 30 days", 28 * day, 0, true, false},
		{"26 days", 26 * day, 0, true, true},
		{"F5 close to a limit of its own", 5 * day, 7 * day, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := writeFile(t, []byte("{}\n"))
			at := time.Now().Add(-tc.age)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
			opt := transcript.AppendOptions{KeepTime: tc.keep, Retention: tc.retention}
			if err := transcript.Append(path, transcript.TitleRecords(sid, "x"), opt); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if kept := info.ModTime().Equal(at); kept != tc.kept {
				t.Errorf("mtime kept: %t, want %t", kept, tc.kept)
			}
		})
	}
}

func TestAppendRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	file := writeFile(t, []byte("{}\n"))
	good := [][]byte{[]byte(`{}`)}
	for _, tc := range []struct {
		name    string
		path    string
		records [][]byte
		want    error
	}{
		{"no file", filepath.Join(dir, "none"), good, fs.ErrNotExist},
		{"no directory", filepath.Join(dir, "a", "b"), good, fs.ErrNotExist},
		{"pipe", pipe, good, transcript.ErrNotRegular},
		{"device", os.DevNull, good, transcript.ErrNotRegular},
		{"directory", dir, good, syscall.EISDIR},
		{"two lines", file, [][]byte{[]byte("{}\n{}")}, transcript.ErrBadRecord},
		{"no object", file, [][]byte{[]byte("[]")}, transcript.ErrBadRecord},
	} {
		if err := transcript.Append(tc.path, tc.records, transcript.AppendOptions{}); !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was created: %v", err)
	}
	if got := readFile(t, file); got != "{}\n" {
		t.Errorf("a refused record was written: %q", got)
	}
}

// The tests that need another process run this binary again with a role.
const roleVar = "COPPICE_TEST_ROLE"

func role(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), roleVar+"="+strings.Join(args, "\x1f"))
	return cmd
}

// playRole does what a child process is for; it returns false in the parent.
func playRole() bool {
	args := strings.Split(os.Getenv(roleVar), "\x1f")
	switch args[0] {
	case "append":
		for i := range 200 {
			line := fmt.Sprintf(`{"type":"tag","tag":%s,"n":%d}`, tt.Quote(strings.Repeat(args[2], 3000)), i)
			if err := transcript.Append(args[1], [][]byte{[]byte(line)}, transcript.AppendOptions{}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
		}
	case "limited":
		limit, _ := strconv.ParseUint(args[2], 10, 64)
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
		err := transcript.Append(args[1], transcript.TitleRecords(sid, "a title"), transcript.AppendOptions{})
		if !errors.Is(err, syscall.EFBIG) {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(3)
		}
	default:
		return false
	}
	return true
}

// TestAppendTogether: F1, two processes append whole lines only.
func TestAppendTogether(t *testing.T) {
	t.Parallel()
	path := writeFile(t, nil)
	var cmds []*exec.Cmd
	for _, word := range []string{"a", "b"} {
		cmd := role(t, "append", path, word)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	got := scan(t, []byte(readFile(t, path))).Summary
	if got.Records != 400 || got.DamageCount != 0 {
		t.Errorf("%d records and damage %v, want 400 and none", got.Records, got.Damage)
	}
}

// TestAppendFull: F4, the file system takes only a part of the write.
func TestAppendFull(t *testing.T) {
	t.Parallel()
	before := tt.New(sid).Head().User("before").Bytes()
	path := writeFile(t, before)
	cmd := role(t, "limited", path, strconv.Itoa(len(before)+30))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := readFile(t, path); !strings.HasPrefix(got, string(before)) || len(got) != len(before)+30 {
		t.Fatalf("file has %d bytes, want the old %d and 30", len(got), len(before))
	}
	if err := transcript.Append(path, transcript.TitleRecords(sid, "second"), transcript.AppendOptions{}); err != nil {
		t.Fatal(err)
	}
	got := scan(t, []byte(readFile(t, path))).Summary
	if got.CustomTitle != "second" || got.DamageCount != 1 || got.FirstPrompt != "before" {
		t.Errorf("title %q, first prompt %q, damage %v", got.CustomTitle, got.FirstPrompt, got.Damage)
	}
}

func TestTitleRecords(t *testing.T) {
	t.Parallel()
	got := bytes.Join(transcript.TitleRecords("id", "a <b> & \"c\"\u2028"), []byte("\n"))
	want := `{"type":"custom-title","customTitle":"a <b> & \"c\"\u2028","sessionId":"id"}` + "\n" +
		`{"type":"agent-name","agentName":"a <b> & \"c\"\u2028","sessionId":"id"}`
	if string(got) != want {
		t.Errorf("records\n%s\nwant\n%s", got, want)
	}
}

func TestCleanTitle(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"plain", " parser work ", "parser work"},
		{"B4 quotes stay", `"Feature A"`, `"Feature A"`},
		{"controls", "a\tb\x1b[31m\u202ec\n", "a b [31m c"},
		{"joined emoji", "fix \U0001F469\u200d\U0001F373", "fix \U0001F469 \U0001F373"},
		{"200 characters", strings.Repeat("\U0001F333", 250), strings.Repeat("\U0001F333", 200)},
		{"200 letters", strings.Repeat("x", 201), strings.Repeat("x", 200)},
		{"hangul", "한글", "한글"},
	} {
		if got, err := transcript.CleanTitle(tc.in); got != tc.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", tc.name, got, err, tc.want)
		}
	}
	for _, in := range []string{"", " \t\n", "\u200b\u2060\ufeff", "\u3164"} {
		if got, err := transcript.CleanTitle(in); !errors.Is(err, transcript.ErrEmptyTitle) {
			t.Errorf("%q: %q, %v; want ErrEmptyTitle", in, got, err)
		}
	}
}

// TestAppendDoesNotWaitForEver checks that a lock that somebody keeps is an error.
func TestAppendDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	path := writeFile(t, []byte("{}\n"))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	record := [][]byte{[]byte(`{"type":"mode"}`)}
	if err := transcript.Append(path, record, transcript.AppendOptions{}); !errors.Is(err, transcript.ErrLocked) {
		t.Errorf("error is %v, want ErrLocked", err)
	}
	if got := readFile(t, path); got != "{}\n" {
		t.Errorf("file is %q", got)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if err := transcript.Append(path, record, transcript.AppendOptions{}); err != nil {
		t.Error(err)
	}
}

// TestAppendKeepsTimesOfFarAway keeps an mtime that does not fit into a count of
// nanoseconds.
func TestAppendKeepsTimesOfFarAway(t *testing.T) {
	t.Parallel()
	path := writeFile(t, []byte("{}\n"))
	at := unix.Timespec{Sec: time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), Nsec: 7}
	if err := unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{at, at}, 0); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := transcript.Append(path, [][]byte{[]byte("{}")}, transcript.AppendOptions{KeepTime: true}); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("mtime is %v (%v), was %v", after.ModTime(), err, before.ModTime())
	}
}

// TestAppendAfter: F9, a writer that knows the file writes only to that file, and
// is told what others appended.
func TestAppendAfter(t *testing.T) {
	t.Parallel()
	record := [][]byte{[]byte(`{"type":"mode"}`)}
	const before, line = "{\"n\":1}\n{\"n\":2}\n", "{\"type\":\"mode\"}\n"
	for _, tc := range []struct {
		name   string
		change func(path string) error
		others int64
		want   error
	}{
		{"unchanged", func(string) error { return nil }, 0, nil},
		{"others appended", func(path string) error {
			return transcript.Append(path, record, transcript.AppendOptions{})
		}, int64(len(line)), nil},
		{"cut off", func(path string) error { return os.Truncate(path, 3) }, 0, transcript.ErrReplaced},
		{"changed in place", func(path string) error { return os.WriteFile(path, []byte("{\"n\":1}\n{\"n\":3}\n"), 0o600) }, 0, transcript.ErrReplaced},
		{"replaced", func(path string) error {
			if err := os.WriteFile(path+"x", []byte(before), 0o600); err != nil {
				return err
			}
			return os.Rename(path+"x", path)
		}, 0, transcript.ErrReplaced},
		{"removed", os.Remove, 0, fs.ErrNotExist},
	} {
		path := writeFile(t, []byte(before))
		mark, err := transcript.MarkAt(path, int64(len(before)))
		if err != nil {
			t.Fatal(err)
		}
		if err := tc.change(path); err != nil {
			t.Fatal(err)
		}
		next, others, err := transcript.AppendAfter(path, mark, record, transcript.AppendOptions{})
		if !errors.Is(err, tc.want) || others != tc.others {
			t.Errorf("%s: others %d, %v; want %d, %v", tc.name, others, err, tc.others, tc.want)
		}
		if err != nil {
			if next.Size() != mark.Size() {
				t.Errorf("%s: the mark moved to %d", tc.name, next.Size())
			}
			continue
		}
		// The new mark holds, and no others are seen again.
		next, others, err = transcript.AppendAfter(path, next, record, transcript.AppendOptions{})
		if err != nil || others != 0 || next.Size() != int64(len(readFile(t, path))) {
			t.Errorf("%s, again: size %d, others %d, %v", tc.name, next.Size(), others, err)
		}
	}
	path := writeFile(t, []byte(before))
	if _, err := transcript.MarkAt(path, int64(len(before)+1)); !errors.Is(err, transcript.ErrReplaced) {
		t.Errorf("a mark behind the end: %v", err)
	}
	if _, _, err := transcript.AppendAfter(path, transcript.Mark{}, record, transcript.AppendOptions{}); !errors.Is(err, transcript.ErrReplaced) {
		t.Errorf("no mark: %v", err)
	}
}

// TestAppendToTheNameAlone: a file that is moved away while the lock is waited
// for is not written to; the one that has the name then is.
func TestAppendToTheNameAlone(t *testing.T) {
	t.Parallel()
	path := writeFile(t, []byte("{\"old\":1}\n"))
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if err := syscall.Flock(int(old.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	cmd := role(t, "append", path, "a")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); !opened(t, cmd.Process.Pid, path); {
		if time.Now().After(end) {
			t.Skip("the system does not tell which files a process has open")
		}
	}
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{\"new\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(old.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, path+".moved"); got != "{\"old\":1}\n" {
		t.Errorf("the moved file has %d bytes", len(got))
	}
	if got := strings.Count(readFile(t, path), "\n"); got != 201 {
		t.Errorf("the new file has %d lines", got)
	}
}

// opened says whether a process has a file open.
func opened(t *testing.T, pid int, path string) bool {
	t.Helper()
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, name := range names {
		if to, err := os.Readlink(name); err == nil && to == path {
			return true
		}
	}
	return false
}

func TestCreateNew(t *testing.T) {
	t.Parallel()
	record := [][]byte{[]byte(`{"type":"mode"}`)}
	path := filepath.Join(t.TempDir(), "a", "b", sid+".jsonl")
	mark, err := transcript.CreateNew(path, record)
	if err != nil || mark.Size() != 16 || readFile(t, path) != "{\"type\":\"mode\"}\n" {
		t.Fatalf("size %d, %v", mark.Size(), err)
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o755 | fs.ModeDir} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s is %v, want %v", name, info.Mode(), want)
		}
	}
	if _, err := transcript.CreateNew(path, record); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: %v", err)
	}
	dangling := filepath.Join(filepath.Dir(path), "link.jsonl")
	if err := os.Symlink("nowhere", dangling); err != nil {
		t.Fatal(err)
	}
	if _, err := transcript.CreateNew(dangling, record); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link to nothing: %v", err)
	}
	if _, err := transcript.CreateNew(filepath.Join(path, "c", "d.jsonl"), record); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
	if _, err := transcript.CreateNew(path+"2", [][]byte{[]byte("x")}); !errors.Is(err, transcript.ErrBadRecord) {
		t.Errorf("no record: %v", err)
	}
	if _, _, err := transcript.AppendAfter(path, mark, record, transcript.AppendOptions{}); err != nil {
		t.Errorf("the mark does not hold: %v", err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
