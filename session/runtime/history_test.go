package runtime_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

// checkpoints returns a history in short: prompt, then path, backup and state.
func checkpoints(w world, list []runtime.Checkpoint) []string {
	var lines []string
	for _, c := range list {
		line := c.UUID + ":"
		for _, f := range c.Files {
			name, state := strings.TrimPrefix(f.Path, w.dir+"/"), ""
			if f.Missing {
				state = "!"
			}
			line += fmt.Sprintf(" %s=%s%s v%d", name, f.Backup, state, f.Version)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.root, "file-history", id, "aa@v1"), "x")
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	b.Snapshots("p1", `{}`, false).Delta("p1", "a.txt", b.Backup("aa@v1", 1, w.dir)).Delta("p1", "sub/n.txt", b.Backup("", 1, w.dir+"/sub"))
	b.Snapshots("p2", `{"a.txt":`+b.Backup("aa@v2", 2, w.dir)+`}`, false)
	b.Snapshots("p2", `{"a.txt":`+b.Backup("aa@v3", 3, w.dir)+`,"/other/b":`+b.Backup("bb@v1", 1, "/other")+`}`, true)
	b.Delta("p3", "a.txt", b.Backup("aa@v4", 4, w.dir))
	r := w.load(t, b, runtime.FromStore, w.env())
	want := []string{
		"p1: a.txt=aa@v1 v1 sub/n.txt= v1",
		"p2: /other/b=bb@v1! v1 a.txt=aa@v3! v3",
		"p3: a.txt=aa@v4! v4",
	}
	if got := checkpoints(w, r.History); !slices.Equal(got, want) {
		t.Errorf("history %q, want %q", got, want)
	}
	if !slices.Contains(found(r), runtime.CheckBackup) {
		t.Errorf("findings %v", r.Findings)
	}
}

// The newest hundred checkpoints are whole, of older ones the first version of
// each file stays.
func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	for i := range 1000 {
		b.Snapshots(fmt.Sprintf("p%d", i), fmt.Sprintf(`{"a":%s,"b%d":%s}`, b.Backup(fmt.Sprintf("a@v%d", i), i, w.dir), i/100, b.Backup("b@v1", 1, w.dir)), false)
	}
	r := w.load(t, b, runtime.FromStore, w.env())
	firsts := 9 // of b0 to b8; that of b9 is among the newest
	if len(r.History) != 100+firsts {
		t.Fatalf("%d checkpoints", len(r.History))
	}
	if got := checkpoints(w, r.History[:2]); !slices.Equal(got, []string{"p0: a=a@v0! v0 b0=b@v1! v1", "p100: b1=b@v1! v1"}) {
		t.Errorf("the oldest are %q", got)
	}
	if got := r.History[len(r.History)-1]; got.UUID != "p999" || len(got.Files) != 2 {
		t.Errorf("the newest is %v", got)
	}
}

// Backups are names in one folder: no path, no link out of it.
func TestHistoryStaysInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := filepath.Join(w.root, "file-history", id)
	write(t, filepath.Join(w.base, "secret"), "x")
	write(t, filepath.Join(folder, "sub", "f"), "x")
	if err := os.Symlink(filepath.Join(w.base, "secret"), filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	names := []string{"../../../secret", filepath.Join(w.base, "secret"), "sub/f", "sub", "link", "..", ".", "a\x00b", strings.Repeat("n", 5000)}
	for i, name := range names {
		b.Delta("p", fmt.Sprintf("f%02d", i), b.Backup(name, 1, w.dir))
	}
	r := w.load(t, b, runtime.FromStore, w.env())
	if len(r.History) != 1 || len(r.History[0].Files) != len(names) {
		t.Fatalf("history %v", r.History)
	}
	for _, f := range r.History[0].Files {
		if !f.Missing {
			t.Errorf("%s: the backup %q counts as there", f.Path, f.Backup)
		}
	}
}

func TestHistoryOfOddRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.builder().User("hello").Assistant(transcripttest.Text("hi"))
	for _, line := range []string{
		`{"type":"file-history-snapshot"}`,
		`{"type":"file-history-snapshot","messageId":"m"}`,
		`{"type":"file-history-snapshot","messageId":7,"snapshot":[]}`,
		`{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":[1,{"a":2}],"timestamp":"yesterday"}}`,
		`{"type":"file-history-delta","snapshotMessageId":"m","trackingPath":"x","backup":null}`,
		`{"type":"file-history-delta","snapshotMessageId":"m","trackingPath":"y","backup":{"backupFileName":3,"version":-1e99,"realParentDir":[]}}`,
		`{"type":"file-history-delta","trackingPath":"x"}`,
	} {
		b.Line(line)
	}
	r := w.load(t, b, runtime.FromStore, w.env())
	if got := checkpoints(w, r.History); !slices.Equal(got, []string{"m: y= v0"}) {
		t.Errorf("history %q", got)
	}
}
