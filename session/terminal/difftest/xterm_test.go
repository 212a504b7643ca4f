//go:build lab

package difftest_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"coppice/session/terminal"
)

// xtermPackages are the packages of xterm.js that the differences were looked at
// with.
var xtermPackages = []string{"@xterm/headless@6.0.0", "@xterm/addon-unicode11@0.9.0"}

// installXterm installs xterm.js with npm, unless it is there already, and
// returns the directory of the modules.
var installXterm = sync.OnceValues(func() (string, error) {
	dir, err := labDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "xterm")
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "@xterm", "addon-unicode11")); err == nil {
		return modules, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	args := append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund"}, xtermPackages...)
	return modules, exec.Command("npm", args...).Run()
})

// xterm is a terminal of xterm.js in a process of its own.
type xterm struct {
	t    *testing.T
	in   *json.Encoder
	out  *bufio.Reader
	size size
}

type xtermRequest struct {
	Do    string `json:"do"`
	Cols  int    `json:"cols,omitempty"`
	Rows  int    `json:"rows,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
}

func newXterm(t *testing.T, s size) *xterm {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	modules, err := installXterm()
	if err != nil {
		t.Skipf("xterm.js cannot be installed: %v", err)
	}
	cmd := exec.Command("node", filepath.Join("testdata", "xterm.cjs"))
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
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
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	x := &xterm{t: t, in: json.NewEncoder(in), out: bufio.NewReader(out), size: s}
	x.ask(xtermRequest{Do: "new", Cols: s.cols, Rows: s.rows}, nil)
	return x
}

// ask sends a request and reads the answer.
func (x *xterm) ask(r xtermRequest, answer any) {
	x.t.Helper()
	if err := x.in.Encode(r); err != nil {
		x.t.Fatal(err)
	}
	line, err := x.out.ReadBytes('\n')
	if err != nil {
		x.t.Fatal(err)
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(line, answer); err != nil {
		x.t.Fatal(err)
	}
}

func (x *xterm) name() string { return "xterm.js" }

func (x *xterm) write(b []byte) {
	if len(b) > 0 {
		x.ask(xtermRequest{Do: "write", Bytes: b}, nil)
	}
}

func (x *xterm) resize(s size) {
	x.size = s
	x.ask(xtermRequest{Do: "resize", Cols: s.cols, Rows: s.rows}, nil)
}

func (x *xterm) picture() picture {
	var answer struct {
		Column, Row    int
		Visible, Other bool
		Cells          [][5]any
	}
	x.ask(xtermRequest{Do: "picture"}, &answer)
	p := picture{size: x.size, column: min(answer.Column, x.size.cols-1), row: answer.Row, visible: answer.Visible, other: answer.Other}
	for _, c := range answer.Cells {
		number := func(i int) float64 { n, _ := c[i].(float64); return n }
		text, _ := c[0].(string)
		p.cells = append(p.cells, cell{
			text: text, width: int(number(1)), fg: terminal.Color(number(2)), bg: terminal.Color(number(3)), attr: attr(number(4)),
		})
	}
	return p
}

func TestAgainstXterm(t *testing.T) {
	t.Parallel()
	each(t, programs(), func(t *testing.T, steps []step) {
		agree(t, newXterm(t, steps[0].size), steps)
	})
}
