package writer_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/transcript"
	"coppice/transcript/faulttest"
	"coppice/transcript/ledger"
	"coppice/transcript/writer"
)

// The tests that need another process run this binary again with a role.
const roleVar = "COPPICE_WRITER_ROLE"

func TestMain(m *testing.M) {
	if args := strings.Split(os.Getenv(roleVar), "\x1f"); args[0] != "" {
		os.Exit(playRole(args[0], args[1:]))
	}
	if os.Getenv("COPPICE_LONG") == "" {
		_ = flag.Set("rapid.checks", "25") // unless the command line says otherwise
	}
	os.Exit(m.Run())
}

func role(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), roleVar+"="+strings.Join(args, "\x1f"))
	cmd.Stderr = os.Stderr
	return cmd
}

// playRole does what a child process is for and returns its exit status.
func playRole(name string, args []string) int {
	path := args[0]
	first, _ := strconv.Atoi(args[1])
	fail := func(err error) int {
		_, _ = fmt.Fprintln(os.Stderr, name+":", err)
		return 3
	}
	switch name {
	case "turns": // adopt and write turns, telling each one that returned
		count, _ := strconv.Atoi(args[2])
		w, talk, err := continued(path, first)
		if err != nil {
			return fail(err)
		}
		if len(args) > 3 { // both writers know the file before one of them writes
			_, _ = fmt.Println("ready")
			_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		}
		for n := first; n < first+count; n += 10 {
			talk = append(talk, prompt(n), calling(n+1, 2), answering(n+2, n+1, 1, 0), answer(n+3))
			if err := w.Turn(context.Background(), talk, nil); err != nil {
				return fail(err)
			}
			_, _ = fmt.Println(n)
		}
		_, _ = fmt.Println("others", w.Others())
	case "limited": // the file system takes only so much
		limit, _ := strconv.ParseUint(args[2], 10, 64)
		w, talk, err := continued(path, first)
		if err != nil {
			return fail(err)
		}
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
		err = w.Turn(context.Background(), append(talk, prompt(first), answer(first+1)), nil)
		if !errors.Is(err, syscall.EFBIG) {
			return fail(fmt.Errorf("error %w", err))
		}
	case "denied": // as a person who may only read
		w := steady(writer.Create(path, stamp), first)
		if err := w.Turn(context.Background(), []writer.Message{prompt(first)}, nil); !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrExist) {
			return fail(fmt.Errorf("create: %w", err))
		}
		if _, _, err := continued(path, first); !errors.Is(err, fs.ErrPermission) {
			return fail(fmt.Errorf("adopt: %w", err))
		}
	case "foreign": // appends as the client does: no lock, whole lines
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return fail(err)
		}
		for i := range 200 {
			_, err := fmt.Fprintf(f, `{"type":"tag","tag":"%s","n":%d}`+"\n", strings.Repeat("x", 2000), i)
			if err != nil {
				return fail(err)
			}
			_, _ = fmt.Println(i)
		}
	}
	return 0
}

// continued adopts a session, or begins it.
func continued(path string, life int) (*writer.Writer, []writer.Message, error) {
	l, c, err := read(path, ledger.Keep)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ledger.ErrNoConversation) {
		return steady(writer.Create(path, stamp), life), nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	w, err := writer.Adopt(path, stamp, l, c)
	if err != nil {
		return nil, nil, err
	}
	var talk []writer.Message
	for _, i := range c.Rows { // each row a message of its own
		if r := l.Rows[i]; r.Kind == ledger.User {
			talk = append(talk, writer.Message{Role: "user", Rows: []string{l.Text(r.UUID)}, Content: json.RawMessage(`"x"`)})
		} else if r.Kind == ledger.Assistant {
			talk = append(talk, writer.Message{Role: "assistant", Rows: []string{l.Text(r.UUID)}, Content: json.RawMessage(`"x"`)})
		}
	}
	return steady(w, life), talk, nil
}

// turnMarks are the marks of what the role "turns" writes in one turn.
func turnMarks(n int) []string {
	return expect([]writer.Message{prompt(n), calling(n+1, 2), answering(n+2, n+1, 1, 0), answer(n + 3)})
}

// TestKill: kill -9 at any point of appending loses nothing that was
// acknowledged, and doubles nothing.
func TestKill(t *testing.T) {
	t.Parallel()
	times := 50
	if os.Getenv("COPPICE_LONG") != "" {
		times = 1000
	}
	path := filepath.Join(memoryDir(t), "p", sid+".jsonl")
	random := rand.New(rand.NewPCG(1, 2))
	var acked []string
	for i := range times {
		first := 1000 * (i + 1)
		cmd := role(t, "turns", path, strconv.Itoa(first), "990")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		grown(t, path, random.Int64N(30_000))
		_ = cmd.Process.Kill()
		for lines.Scan() {
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				acked = append(acked, turnMarks(n)...)
			}
		}
		_ = cmd.Wait()
		if i%10 == 9 || times == i+1 {
			holdsAll(t, path, acked)
		}
	}
	if len(acked) == 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// grown waits until a file has got some bytes more.
func grown(t *testing.T, path string, more int64) {
	t.Helper()
	size := func() int64 {
		if info, err := os.Stat(path); err == nil {
			return info.Size()
		}
		return 0
	}
	tick := time.NewTicker(100 * time.Microsecond)
	defer tick.Stop()
	end := time.Now().Add(20 * time.Second)
	for want := size() + more; size() < want; <-tick.C {
		if time.Now().After(end) {
			t.Fatal("nothing is written")
		}
	}
}

// holdsAll checks that the conversation has every mark, once.
func holdsAll(t *testing.T, path string, want []string) {
	t.Helper()
	if len(want) == 0 {
		return
	}
	l, c := load(t, path, ledger.Keep)
	got := said(t, l, c)
	count := map[string]int{}
	for _, m := range got {
		count[m]++
	}
	for _, m := range want {
		if count[m] != 1 {
			t.Errorf("message %s is there %d times", m, count[m])
		}
	}
}

// F4 full disk: what was there stays, the next writer goes on.
func TestFull(t *testing.T) {
	t.Parallel()
	for _, room := range []int64{0, 1, 100, 700, 1100} {
		path := newPath(t)
		w := steady(writer.Create(path, stamp), 1)
		turn(t, w, nil, []writer.Message{prompt(1), answer(2)})
		before := readFile(t, path)
		cmd := role(t, "limited", path, "10", strconv.FormatInt(int64(len(before))+room, 10))
		if out, err := cmd.Output(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := readFile(t, path); !strings.HasPrefix(got, before) || int64(len(got)-len(before)) > room {
			t.Errorf("room for %d: the file has %d bytes more", room, len(got)-len(before))
		}
		w2, talk, err := continued(path, 3)
		if err != nil {
			t.Fatal(err)
		}
		turn(t, w2, nil, append(talk, prompt(20)))
		holdsAll(t, path, []string{"1.0", "2.0", "20.0"})
	}
}

// F4: a session that does not fit is not there, in a folder that is not there.
func TestFullAtFirst(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	if out, err := role(t, "limited", path, "1", "300").Output(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A failed turn is written again by the next one, under the same uuids.
func TestRetry(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	holder, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(holder.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	talk = append(talk, prompt(3), answer(4))
	if err := w.Turn(t.Context(), talk, nil); !errors.Is(err, transcript.ErrLocked) {
		t.Fatalf("error %v", err)
	}
	planned := slices.Clone(talk[2].Rows)
	_ = holder.Close()
	turn(t, w, nil, talk)
	if !slices.Equal(planned, talk[2].Rows) {
		t.Errorf("the rows are %v, were %v", talk[2].Rows, planned)
	}
	holdsAll(t, path, []string{"1.0", "2.0", "3.0", "4.0"})
}

// F8: a file of another person, which may be read only.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	base := faulttest.OpenDir(t, 0o755)
	path := filepath.Join(base, "p", sid+".jsonl")
	turn(t, steady(writer.Create(path, stamp), 1), nil, []writer.Message{prompt(1), answer(2)})
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, path)
	cmd := role(t, "denied", path, "5")
	faulttest.AsNobody(t, cmd, base)
	if out, err := cmd.Output(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if got := readFile(t, path); got != before {
		t.Error("the file was changed")
	}
}

// F1 two writers in two processes: every row of both is in the file, whole and
// once, and each of the writers says that there was another.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	turn(t, steady(writer.Create(path, stamp), 1), nil, []writer.Message{prompt(1), answer(2)})
	var cmds []*exec.Cmd
	var outs [2]*bufio.Reader
	var gates []io.Closer
	for i := range 2 {
		cmd := role(t, "turns", path, strconv.Itoa(1000*(i+1)), "300", "gate")
		gate, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		outs[i] = bufio.NewReader(out)
		if line, err := outs[i].ReadString('\n'); line != "ready\n" {
			t.Fatalf("the writer says %q, %v", line, err)
		}
		cmds, gates = append(cmds, cmd), append(gates, gate)
	}
	for _, gate := range gates {
		if err := gate.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var told string
	for _, out := range outs {
		rest, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		told += string(rest)
	}
	var branches [2][]string
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		branches[i] = []string{"1.0", "2.0"}
		for n := 1000 * (i + 1); n < 1000*(i+1)+300; n += 10 {
			branches[i] = append(branches[i], ordered(turnMarks(n))...)
		}
	}
	data := readFile(t, path)
	for _, m := range slices.Concat(branches[0], branches[1]) {
		if !strings.Contains(data, "#"+m+"#") {
			t.Errorf("message %s is lost", m)
		}
	}
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if len(l.Damage) > 0 {
			t.Errorf("damage: %v", l.Damage)
		}
		seen := map[ledger.ID]bool{}
		for _, r := range l.Rows {
			if seen[r.UUID] {
				t.Errorf("row %s is there twice", l.Text(r.UUID))
			}
			seen[r.UUID] = true
		}
		if got := ordered(said(t, l, c)); !slices.Equal(got, branches[0]) && !slices.Equal(got, branches[1]) {
			t.Errorf("%v: the conversation is neither branch, but %d parts", p, len(got))
		}
	}
	if strings.Count(told, "others ") != 2 || strings.Count(told, "others 0\n") == 2 {
		t.Errorf("no writer told of others: %s", told)
	}
}

// The client appends at the same time, without a lock: nothing of either is
// lost, and the conversation is ours.
func TestForeignAppends(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w := steady(writer.Create(path, stamp), 1)
	talk := []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	cmd := role(t, "foreign", path, "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 3; lines.Scan(); n += 2 {
		if n < 60 {
			talk = append(talk, prompt(n), answer(n+1))
			turn(t, w, nil, talk)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	talk = append(talk, prompt(100))
	turn(t, w, nil, talk)
	if w.Others() == 0 {
		t.Error("the other program was not noticed")
	}
	if n := strings.Count(readFile(t, path), `{"type":"tag","tag":"xxx`); n != 200 {
		t.Errorf("%d of their records are there", n)
	}
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if got, want := said(t, l, c), expect(talk); !slices.Equal(got, want) || len(l.Damage) > 0 {
			t.Errorf("%v: %v, damage %v, want %v", p, got, l.Damage, want)
		}
	}
}

// F1: another process hangs rows below the same parent and names its own end;
// ours stay on their own branch, which is the one to resume after the next turn.
func TestForeignBranch(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	w, talk := steady(writer.Create(path, stamp), 1), []writer.Message{prompt(1), answer(2)}
	turn(t, w, nil, talk)
	other := adopt(t, path, 2)
	theirs := append(slices.Clone(talk), prompt(50), answer(51))
	turn(t, other, nil, theirs)
	talk = append(talk, prompt(3), answer(4))
	turn(t, w, nil, talk)
	if w.Others() == 0 || other.Others() != 0 {
		t.Errorf("others: %d and %d", w.Others(), other.Others())
	}
	for _, p := range []ledger.Policy{ledger.Keep, ledger.Client} {
		l, c := load(t, path, p)
		if got := said(t, l, c); !slices.Equal(got, expect(talk)) {
			t.Errorf("%v: %v", p, got)
		}
	}
	turn(t, other, nil, append(theirs, prompt(52)))
	l, c := load(t, path, ledger.Keep)
	if got := said(t, l, c); !slices.Equal(got, []string{"1.0", "2.0", "50.0", "51.0", "52.0"}) || other.Others() == 0 {
		t.Errorf("%v, others %d", got, other.Others())
	}
}

// F9: a transcript that was cut off, replaced or removed between turns is not
// written to.
func TestReplaced(t *testing.T) {
	t.Parallel()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name   string
		change func(path, data string)
		want   error
	}{
		{"cut off", func(path, data string) { check(os.Truncate(path, int64(len(data)-1))) }, writer.ErrReplaced},
		{"emptied", func(path, _ string) { check(os.Truncate(path, 0)) }, writer.ErrReplaced},
		{"cut off and grown again", func(path, data string) {
			check(os.Truncate(path, 10))
			check(os.Truncate(path, int64(2*len(data))))
		}, writer.ErrReplaced},
		{"replaced by a copy", func(path, data string) {
			check(os.WriteFile(path+".new", []byte(data), 0o600))
			check(os.Rename(path+".new", path))
		}, writer.ErrReplaced},
		{"other bytes in place", func(path, data string) {
			check(os.WriteFile(path, []byte(strings.Repeat("x", len(data))), 0o600))
		}, writer.ErrReplaced},
		{"removed", func(path, _ string) { check(os.Remove(path)) }, fs.ErrNotExist},
		{"a directory", func(path, _ string) {
			check(os.Remove(path))
			check(os.Mkdir(path, 0o755))
		}, syscall.EISDIR},
	} {
		path := newPath(t)
		w, talk := steady(writer.Create(path, stamp), 1), []writer.Message{prompt(1), answer(2)}
		turn(t, w, nil, talk)
		l, c := load(t, path, ledger.Keep)
		adopted, err := writer.Adopt(path, stamp, l, c)
		check(err)
		tc.change(path, readFile(t, path))
		after, _ := os.ReadFile(path)
		for _, w := range []*writer.Writer{w, adopted} {
			if err := w.Turn(t.Context(), append(talk, prompt(3)), nil); !errors.Is(err, tc.want) {
				t.Errorf("%s: turn: %v", tc.name, err)
			}
		}
		if err := w.Side(writer.Tag(sid, "x")); !errors.Is(err, tc.want) {
			t.Errorf("%s: side record: %v", tc.name, err)
		}
		if tc.name != "replaced by a copy" {
			if _, err := writer.Adopt(path, stamp, l, c); !errors.Is(err, tc.want) && !errors.Is(err, transcript.ErrNotRegular) && tc.name != "cut off and grown again" {
				t.Errorf("%s: adopt: %v", tc.name, err)
			}
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, after) {
			t.Errorf("%s: it was written to", tc.name)
		}
	}
}
