package main

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"coppice/ui/theme"
)

// Env is everything that a command knows of the world outside. A test replaces
// a field.
type Env struct {
	Args    []string // without the program's name
	Stdin   *os.File // files, because an agent in the foreground gets them
	Stdout  *os.File
	Stderr  *os.File
	Environ []string
	Cwd     string // absolute, also when the directory is gone
	Home    string // absolute

	InTerminal  bool // Stdin is a terminal
	OutTerminal bool // Stdout is one
	ErrTerminal bool // Stderr is one
	Columns     func() int

	Now      func() time.Time
	LookPath func(string) (string, error)
	Build    func() (*debug.BuildInfo, bool)
	Proc     string // the /proc file system, "" where there is none
}

// processEnv is the Env of this process.
func processEnv() Env {
	env := Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		InTerminal:  isatty.IsTerminal(os.Stdin.Fd()),
		OutTerminal: isatty.IsTerminal(os.Stdout.Fd()),
		ErrTerminal: isatty.IsTerminal(os.Stderr.Fd()),
		Columns:     columns,
		Now:         time.Now,
		LookPath:    exec.LookPath,
		Build:       debug.ReadBuildInfo,
	}
	if runtime.GOOS == "linux" {
		env.Proc = "/proc"
	}
	env.Home = homeDir(env.Getenv)
	env.Cwd = workingDir(env.Getenv, env.Home)
	return env
}

// Getenv returns the last value of a variable, "" when it is not set.
func (e Env) Getenv(name string) string {
	for _, kv := range slices.Backward(e.Environ) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// UTF8 reports whether the locale is one of UTF-8.
func (e Env) UTF8() bool { return theme.UTF8(e.Getenv) }

// Interactive reports whether a person can be asked.
func (e Env) Interactive() bool { return e.InTerminal && e.OutTerminal }

// columns returns the width of the terminal on standard output.
func columns() int {
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
		return w
	}
	return 80
}

// homeDir returns the home directory, from the account when HOME does not name
// an absolute one.
func homeDir(getenv func(string) string) string {
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Clean(home)
	}
	if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir
	}
	return "/"
}

// workingDir returns the working directory. One that was removed is known by the
// name that the shell gave it (report B17: name the true directory).
func workingDir(getenv func(string) string, home string) string {
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	if dir := getenv("PWD"); filepath.IsAbs(dir) {
		return dir
	}
	return home
}
