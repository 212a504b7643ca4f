package clip_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coppice/ui/clip"
)

// world is where a test copies: a terminal and a directory of programs.
type world struct {
	dir      string
	terminal bytes.Buffer
	broken   bool // the terminal cannot be written to
}

// copier returns a Copier that knows this world only.
func (w *world) copier(environ ...string) clip.Copier {
	return clip.Copier{
		Environ: append(environ, "OUT="+w.dir, "PATH=/usr/bin:/bin"),
		Write: func(p []byte) error {
			if w.broken {
				return errors.New("broken")
			}
			w.terminal.Write(p)
			return nil
		},
		LookPath: func(name string) (string, error) { return exec.LookPath(filepath.Join(w.dir, name)) },
	}
}

// program installs a program that keeps its arguments and its input, then exits
// with a code.
func (w *world) program(t *testing.T, name, code string) {
	t.Helper()
	script := "#!/bin/sh\necho \"$@\" >\"$OUT/" + name + ".args\"\ncat >\"$OUT/" + name + ".in\"\nexit " + code + "\n"
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// got returns what a program was given.
func (w *world) got(t *testing.T, name string) (args, in string) {
	t.Helper()
	for suffix, to := range map[string]*string{".args": &args, ".in": &in} {
		b, err := os.ReadFile(filepath.Join(w.dir, name+suffix))
		if err != nil {
			t.Fatal(err)
		}
		*to = string(b)
	}
	return strings.TrimSpace(args), in
}

func TestCopy(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", clip.MaxTerminal+1)
	for _, tt := range []struct {
		name     string
		environ  []string
		programs map[string]string // name: exit code
		broken   bool
		text     string
		want     clip.Way
		program  string
		args     string
	}{
		{name: "terminal", environ: []string{"TERM=xterm-256color"}, text: "abc", want: clip.Terminal},
		{name: "terminal before a program", environ: []string{"TERM=xterm", "DISPLAY=:0"}, programs: map[string]string{"xclip": "0"}, text: "abc", want: clip.Terminal},
		{name: "tmux", environ: []string{"TMUX=/x,1,0", "TERM=screen"}, programs: map[string]string{"tmux": "0"}, text: "a\nb", want: clip.Tmux, program: "tmux", args: "load-buffer -w -"},
		{name: "tmux that fails", environ: []string{"TMUX=/x,1,0", "TERM=screen"}, programs: map[string]string{"tmux": "1"}, text: "abc", want: clip.Terminal},
		{name: "deaf terminal", environ: []string{"TERM=xterm-256color", "VTE_VERSION=6800", "WAYLAND_DISPLAY=w"}, programs: map[string]string{"wl-copy": "0"}, text: "abc", want: clip.Program, program: "wl-copy"},
		{name: "deaf terminal, no program", environ: []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"}, text: "abc", want: clip.Terminal},
		{name: "second program", environ: []string{"TERM=linux", "DISPLAY=:0"}, programs: map[string]string{"xclip": "1", "xsel": "0"}, text: "$(touch x)`", want: clip.Program, program: "xsel", args: "--clipboard --input"},
		{name: "program of another display", environ: []string{"TERM=linux"}, programs: map[string]string{"xclip": "0"}, text: "abc", want: clip.Select},
		{name: "too long for the terminal", environ: []string{"TERM=xterm"}, programs: map[string]string{"pbcopy": "0"}, text: big, want: clip.Program, program: "pbcopy"},
		{name: "too long for all there is", environ: []string{"TERM=xterm"}, text: big, want: clip.Select},
		{name: "broken terminal", environ: []string{"TERM=xterm"}, broken: true, text: "abc", want: clip.Select},
		{name: "mute terminal", environ: []string{"TERM=dumb"}, text: "abc", want: clip.Select},
		{name: "empty text", environ: []string{"TERM=xterm"}, text: "", want: clip.Terminal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{dir: t.TempDir(), broken: tt.broken}
			for name, code := range tt.programs {
				w.program(t, name, code)
			}
			r := w.copier(tt.environ...).Copy(context.Background(), tt.text)
			if r.Way != tt.want || r.Message() == "" {
				t.Fatalf("%+v: %s", r, r.Message())
			}
			switch tt.want {
			case clip.Terminal:
				if got := w.terminal.String(); got != string(clip.Sequence(tt.text)) {
					t.Errorf("the terminal got %q", got)
				}
			case clip.Tmux, clip.Program:
				if args, in := w.got(t, tt.program); in != tt.text || args != tt.args || tt.want == clip.Program && r.Name != tt.program {
					t.Errorf("%s %q got %q, result %+v", tt.program, args, in, r)
				}
			case clip.Select:
				if r.Text != tt.text || r.Why == "" || w.terminal.Len() > 0 {
					t.Errorf("result %q because %q, the terminal got %q", r.Text, r.Why, w.terminal.String())
				}
			}
		})
	}
}

func TestSequence(t *testing.T) {
	t.Parallel()
	if got, want := string(clip.Sequence("a\x1b\\b")), "\x1b]52;c;YRtcYg==\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := len(clip.Sequence(strings.Repeat("x", clip.MaxTerminal))); n > 100_010 {
		t.Errorf("the longest sequence has %d bytes", n)
	}
}

// TestHungProgram wants an end within the limit, also when the program left a
// child that holds its streams.
func TestHungProgram(t *testing.T) {
	t.Parallel()
	w := &world{dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(w.dir, "pbcopy"), []byte("#!/bin/sh\nexec sleep 60\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := w.copier("TERM=dumb").Copy(context.Background(), strings.Repeat("x", 1<<20))
	if r.Way != clip.Select || !strings.Contains(r.Why, "pbcopy") {
		t.Errorf("%v because %q", r.Way, r.Why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := w.copier("TERM=dumb").Copy(ctx, "x"); r.Way != clip.Select {
		t.Errorf("after the end: %+v", r)
	}
}

func TestRealTmux(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("no tmux here")
	}
	dir, err := os.MkdirTemp("", "clip") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(tmux, append([]string{"-S", socket, "-f", "/dev/null"}, args...)...)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=" + dir}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("new-session", "-d", "-x", "80", "-y", "24", "cat")
	t.Cleanup(func() {
		run("kill-server")
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	c := clip.Copier{Environ: []string{"TMUX=" + socket + ",1,0", "PATH=/usr/bin:/bin", "HOME=" + dir}}
	const s = "coppice resume 3f2a\n漢字 \x1b[31m"
	if r := c.Copy(context.Background(), s); r.Way != clip.Tmux {
		t.Fatalf("%+v: %s", r, r.Message())
	}
	if got := run("save-buffer", "-"); got != s {
		t.Errorf("tmux keeps %q", got)
	}
}
