package host_test

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session/host"
	"coppice/session/terminal"
)

func size(e *terminal.Terminal) (s string) {
	e.Look(func(v terminal.View) {
		columns, rows := v.Size()
		s = fmt.Sprintf("%dx%d", columns, rows)
	})
	return s
}

// G8, G16: two windows show the same, in the size of the one that typed or resized
// last.
func TestTwoWindows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`echo ready; while read line; do stty size; done`)
	w.start(spec)
	first, second := w.attach(spec.Host), w.attach(spec.Host)
	w.see(first, "ready")
	w.see(second, "ready")
	both := func(want string) {
		t.Helper()
		w.until("both are "+want, func() bool { return size(first.Terminal()) == want && size(second.Terminal()) == want })
	}
	second.Resize(100, 40)
	both("100x40")
	first.Send([]byte("\r"))
	both("80x24")
	w.until("the program has heard of it", func() bool { // which takes its time: many sizes come in a row
		first.Send([]byte("\r"))
		return strings.Contains(screen(second.Terminal()), "24 80")
	})
	w.until("the other one has typed last", func() bool { // the first one's keys may still be on their way
		second.Send([]byte("\r"))
		return size(first.Terminal()) == "100x40" && size(second.Terminal()) == "100x40"
	})
	_ = first.Close()
	<-first.Done()
	w.until("the program has heard of that, too", func() bool {
		second.Send([]byte("\r"))
		return strings.Contains(screen(second.Terminal()), "40 100")
	})
}

// A viewer of no size sees everything and changes nothing: not the size, also when
// it types, not what is news, and not whether the end was read.
func TestGlance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`printf '\a'; i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo row $i; done; while read line; do stty size; echo got $line; done; exit 3`)
	w.start(spec)
	w.until("the bell is known", func() bool { return w.state(spec.Host).Unseen.Bells == 1 })
	v, err := host.Attach(t.Context(), w.Dirs, spec.Host, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.see(v, "row 30")
	if got := size(v.Terminal()); got != "80x24" {
		t.Errorf("the terminal is %s", got)
	}
	v.Terminal().Look(func(view terminal.View) {
		if view.Oldest() != view.Top() {
			t.Errorf("%d rows of scrollback", view.Top()-view.Oldest())
		}
	})
	v.Send([]byte("a line\r"))
	w.see(v, "24 80")
	w.see(v, "got a line")
	if u := w.state(spec.Host).Unseen; u.Bells != 1 {
		t.Errorf("unseen after a glance: %+v", u)
	}
	v.Send([]byte{4})
	if err := w.ended(v); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("ended: %v", err)
	}
	w.until("the host waits for a reader", func() bool { h := w.state(spec.Host); return h.State == host.Ended && h.Unread })
	full := w.attach(spec.Host)
	if err := w.ended(full); err == nil {
		t.Error("the exit is not told again")
	}
	w.until("it is read", func() bool { return !w.state(spec.Host).Unread })
}

// What is queued when a viewer is closed reaches the agent.
func TestCloseSends(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`echo ready; while read line; do echo "<$line>"; done`)
	w.start(spec)
	other := w.attach(spec.Host)
	w.see(other, "ready")
	for n := range 20 {
		v := w.attach(spec.Host)
		v.Send(fmt.Appendf(nil, "last %d\r", n))
		_ = v.Close()
		w.see(other, fmt.Sprintf("<last %d>", n))
		<-v.Done()
	}
}

// What an agent says while nobody looks on is kept, and is news once.
func TestUnseen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`printf '\a\033]9;it is done\a\033]2;a title\a'; ` + answering)
	w.start(spec)
	w.until("the notice is known", func() bool { return len(w.state(spec.Host).Unseen.Notices) == 1 })
	v := w.attach(spec.Host)
	if u := v.Info().Unseen; u.Bells != 1 || len(u.Notices) != 1 || u.Notices[0].Body != "it is done" {
		t.Errorf("unseen: %+v", u)
	}
	if out := v.Terminal().Take(); out.Bells != 0 || len(out.Notices) != 0 {
		t.Errorf("news by a dump: %+v", out)
	}
	if u := w.state(spec.Host).Unseen; u.Bells != 0 || len(u.Notices) != 0 {
		t.Errorf("unseen after it was seen: %+v", u)
	}
	v.Send([]byte("\033]9;x\r"))
	w.see(v, "<")
}

// A viewer that does not read costs nobody anything, and one that reads slowly is
// shown the newest.
func TestSlowViewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spec := w.shell(`read line; i=0; while [ $i -lt 60 ]; do i=$((i+1)); head -c 200000 /dev/zero | tr '\0' 'x'; echo; done; echo "the end"; read line`)
	w.start(spec)
	conn, err := net.Dial("unix", filepath.Join(w.Runtime, spec.Host+".sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write(append(frame('H', `{"protocol":1}`), frame('V', "\x50\x00\x18\x00")...)); err != nil {
		t.Fatal(err)
	}
	v := w.attach(spec.Host)
	v.Send([]byte("\r"))
	w.see(v, "the end")
	var all bytes.Buffer
	dumps, last := 0, ""
	for end := false; !end; {
		kind, payload := readFrame(t, conn)
		switch kind {
		case 'D':
			dumps++
			last = payload[4:]
			all.Reset()
		case 'O':
			all.WriteString(payload)
		}
		end = strings.Contains(last+all.String(), "the end")
	}
	e := terminal.New(terminal.Options{Columns: 80, Rows: 24, Scrollback: 1000})
	_, _ = e.Write([]byte(last))
	_, _ = e.Write(all.Bytes())
	w.until("both show the same", func() bool { return bytes.Equal(e.Dump(1000), v.Terminal().Dump(1000)) })
	if dumps != 2 {
		t.Errorf("%d dumps", dumps)
	}
}

func readFrame(t *testing.T, conn net.Conn) (kind byte, payload string) {
	t.Helper()
	header := make([]byte, 5)
	read := func(p []byte) {
		for len(p) > 0 {
			n, err := conn.Read(p)
			if err != nil {
				t.Fatal(err)
			}
			p = p[n:]
		}
	}
	read(header)
	body := make([]byte, int(header[1])|int(header[2])<<8|int(header[3])<<16|int(header[4])<<24)
	read(body)
	return header[0], string(body)
}

// A large paste arrives whole and in order.
func TestPaste(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const n = 1 << 20
	spec := w.shell(fmt.Sprintf(`stty raw -echo; printf ready; head -c %d | cksum; read line`, n))
	w.start(spec)
	v := w.attach(spec.Host)
	w.see(v, "ready")
	text := []byte(strings.Repeat("0123456789abcde\r", n/16))
	v.Send(text)
	w.see(v, "1048576")
	want := cksum(text)
	w.see(v, fmt.Sprint(want, " 1048576"))
}

// cksum is the sum of POSIX's command.
func cksum(data []byte) uint32 {
	var sum uint32
	feed := func(b byte) {
		sum ^= uint32(b) << 24
		for range 8 {
			if sum&(1<<31) != 0 {
				sum = sum<<1 ^ 0x04c11db7
			} else {
				sum <<= 1
			}
		}
	}
	for _, b := range data {
		feed(b)
	}
	for n := len(data); n > 0; n >>= 8 {
		feed(byte(n))
	}
	return ^sum
}
