package difftest_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"coppice/session/terminal"
)

// feedVariable makes this program one that runs in a pane of tmux and writes
// there what it is sent.
const feedVariable = "DIFFTEST_FEED"

func TestMain(m *testing.M) {
	if path := os.Getenv(feedVariable); path != "" {
		if err := feed(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// feed writes what comes over the socket to the terminal as it is. After each
// piece it waits until the terminal has answered a question, and says so.
func feed(path string) error {
	if _, err := term.MakeRaw(int(os.Stdin.Fd())); err != nil {
		return err
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		return err
	}
	for {
		var n uint32
		if err := binary.Read(conn, binary.LittleEndian, &n); err != nil {
			return nil //nolint:nilerr // the test has ended
		}
		if _, err := io.CopyN(os.Stdout, conn, int64(n)); err != nil {
			return err
		}
		if _, err := os.Stdout.WriteString("\x1b[5n"); err != nil {
			return err
		}
		var answers []byte
		for b := make([]byte, 1000); !strings.HasSuffix(string(answers), "\x1b[0n"); {
			n, err := os.Stdin.Read(b)
			if err != nil {
				return err
			}
			answers = append(answers, b[:n]...)
		}
		if _, err := conn.Write([]byte{1}); err != nil {
			return err
		}
	}
}

// tmux is a pane of a tmux server of its own.
type tmux struct {
	t      *testing.T
	socket string
	conn   net.Conn
	size   size
}

const tmuxSettings = "set -g default-terminal tmux-256color\nset -g status off\nset -g history-limit 1000\nset -s escape-time 0\n"

// newTmux starts a server.
func newTmux(t *testing.T, s size) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	dir, err := os.MkdirTemp("", "dt")
	if err != nil {
		t.Fatal(err)
	}
	settings, path := filepath.Join(dir, "conf"), filepath.Join(dir, "feed")
	if err := os.WriteFile(settings, []byte(tmuxSettings), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &tmux{t: t, socket: filepath.Join(dir, "tmux"), size: s}
	cmd := exec.Command("tmux", "-u", "-S", x.socket, "-f", settings, "new-session", "-d", "-x", strconv.Itoa(s.cols), "-y", strconv.Itoa(s.rows), "--", self)
	cmd.Env = append(environment(dir), feedVariable+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", x.socket, "kill-server").Run()
		_ = listener.Close()
		_ = os.RemoveAll(dir)
	})
	if x.conn, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *tmux) name() string { return "tmux" }

func (x *tmux) write(b []byte) {
	x.t.Helper()
	if err := binary.Write(x.conn, binary.LittleEndian, uint32(len(b))); err != nil {
		x.t.Fatal(err)
	}
	if _, err := x.conn.Write(b); err != nil {
		x.t.Fatal(err)
	}
	if _, err := io.ReadFull(x.conn, make([]byte, 1)); err != nil {
		x.t.Fatal(err)
	}
}

// command runs a command of tmux.
func (x *tmux) command(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

func (x *tmux) resize(s size) {
	x.size = s
	x.command("resize-window", "-x", strconv.Itoa(s.cols), "-y", strconv.Itoa(s.rows))
	x.write(nil)
}

func (x *tmux) picture() picture {
	p := picture{size: x.size}
	var visible, other int
	state := x.command("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on}")
	if _, err := fmt.Sscan(state, &p.column, &p.row, &visible, &other); err != nil {
		x.t.Fatal(err)
	}
	p.column = min(p.column, p.cols-1) // a pending wrap is a column more there
	p.visible, p.other = visible == 1, other == 1
	p.cells = captured(x.command("capture-pane", "-p", "-e", "-N"), x.size)
	return p
}

// captured reads what capture-pane prints: text with SGR. Erased cells at the
// end of a row are left out there, so that their style is not known.
func captured(s string, z size) []cell {
	cells := make([]cell, z.cols*z.rows)
	for i := range cells {
		cells[i] = cell{text: " ", width: 1, plain: true}
	}
	c := capture{}
	for y, row := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		if y < z.rows {
			c.row(row, cells[y*z.cols:(y+1)*z.cols])
		}
	}
	return cells
}

// capture is the state of reading a capture.
type capture struct {
	pen      cell
	graphics bool
	joined   bool
}

// row reads one row.
func (c *capture) row(s string, cells []cell) {
	const names, shapes = "`afgijklmnopqrstuvwxyz{|}~", "◆▒°±␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"
	x, last := 0, -1
	for s != "" {
		if rest, ok := strings.CutPrefix(s, "\x1b["); ok {
			end := strings.IndexByte(rest, 'm')
			c.sgr(rest[:end])
			s = rest[end+1:]
			continue
		}
		r := []rune(s[:min(4, len(s))])[0]
		s = s[len(string(r)):]
		switch r {
		case 0x0e, 0x0f:
			c.graphics = r == 0x0e
			continue
		}
		if i := strings.IndexRune(names, r); c.graphics && i >= 0 {
			r = []rune(shapes)[i]
		}
		width := tmuxWidth(r)
		if last >= 0 && (width == 0 || c.joined) {
			cells[last].text += string(r)
			c.joined = r == '\u200d'
			continue
		}
		if x >= len(cells) {
			continue
		}
		cells[x] = c.pen
		cells[x].text, cells[x].width = string(r), width
		last = x
		if width == 2 && x+1 < len(cells) {
			cells[x+1] = c.pen
			cells[x+1].text, cells[x+1].width = "", 0
		}
		x += width
	}
}

// tmuxWidth is the number of columns that tmux gives to a rune.
func tmuxWidth(r rune) int {
	switch {
	case r == 0xad:
		return 1
	case r == '\ufe0f' || r == '\ufe0e' || r == '\u200d':
		return 0
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return 1
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return 2
	}
	return min(uniseg.StringWidth(string(r)), 2)
}

// sgr acts on the parameters of SGR as tmux writes them.
func (c *capture) sgr(s string) {
	f := strings.Split(s, ";")
	number := func(i int) int {
		if i >= len(f) {
			return 0
		}
		n, _ := strconv.Atoi(f[i])
		return n
	}
	on := map[int]attr{1: bold, 2: dim, 3: italic, 4: underline, 5: blink, 7: reverse, 8: hidden, 9: strike, 21: underline}
	off := map[int]attr{22: bold | dim, 23: italic, 24: underline, 25: blink, 27: reverse, 28: hidden, 29: strike}
	for i := 0; i < len(f); i++ {
		if strings.HasPrefix(f[i], "4:") {
			c.pen.attr |= underline
			continue
		}
		switch n := number(i); {
		case n == 0:
			c.pen = cell{}
		case on[n] != 0:
			c.pen.attr |= on[n]
		case off[n] != 0:
			c.pen.attr &^= off[n]
		case n == 38 || n == 48:
			color := terminal.Indexed(uint8(number(i + 2)))
			if number(i+1) == 2 {
				color = terminal.RGB(uint8(number(i+2)), uint8(number(i+3)), uint8(number(i+4)))
				i += 2
			}
			i += 2
			c.paint(n == 38, color)
		case n == 39 || n == 49:
			c.paint(n == 39, terminal.Default)
		case n >= 30 && n <= 47:
			c.paint(n < 40, terminal.Indexed(uint8(n%10)))
		case n >= 90 && n <= 107:
			c.paint(n < 100, terminal.Indexed(uint8(n%10+8)))
		}
	}
}

// paint sets one of the pen's colours.
func (c *capture) paint(foreground bool, color terminal.Color) {
	if foreground {
		c.pen.fg = color
	} else {
		c.pen.bg = color
	}
}
