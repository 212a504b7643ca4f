package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"coppice/session"
)

func TestGetenv(t *testing.T) {
	t.Parallel()
	e := Env{Environ: []string{"A=1", "B", "A=2=3", "=C", "EMPTY="}}
	for name, want := range map[string]string{"A": "2=3", "B": "", "C": "", "EMPTY": "", "NONE": ""} {
		if got := e.Getenv(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestHomeDir(t *testing.T) {
	t.Parallel()
	if got := homeDir(func(string) string { return "/h/ada/" }); got != "/h/ada" {
		t.Error(got)
	}
	for _, bad := range []string{"", "relative", "~"} {
		if got := homeDir(func(string) string { return bad }); !filepath.IsAbs(got) {
			t.Errorf("HOME=%q gives %q", bad, got)
		}
	}
}

// B17: a working directory that was removed keeps its name.
func TestWorkingDirRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PWD": dir}
	if got := workingDir(func(k string) string { return env[k] }, "/home"); got != dir {
		t.Errorf("got %q, want %q", got, dir)
	}
	env["PWD"] = "relative"
	if got := workingDir(func(k string) string { return env[k] }, "/home"); got != dir && got != "/home" {
		t.Errorf("got %q", got)
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	wrap := func(err error) error { return fmt.Errorf("show: %w", err) }
	tests := map[string]struct {
		err  error
		want int
	}{
		"done":        {nil, 0},
		"failed":      {errors.New("x"), 1},
		"interrupted": {wrap(context.Canceled), 1},
		"usage":       {wrap(usagef("x")), 2},
		"not found":   {wrap(session.ErrNotFound), 3},
		"ambiguous":   {wrap(&session.AmbiguousError{}), 4},
		"silent":      {silentError{1}, 1},
	}
	for name, tt := range tests {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "3f2a91c0de12aaaabbbbccccddddeeeeffff0000"},
		{Key: "vcs.time", Value: "2026-03-01T12:00:00Z"},
		{Key: "vcs.modified", Value: "true"},
	}}
	tests := map[string]struct {
		info *debug.BuildInfo
		ok   bool
		want string
	}{
		"full":    {info, true, "v1.2.0 (3f2a91c0de12, 2026-03-01T12:00:00Z, modified) go1.26.8 "},
		"plain":   {&debug.BuildInfo{GoVersion: "go1.26.8"}, true, "(devel) go1.26.8 "},
		"short":   {&debug.BuildInfo{GoVersion: "go1", Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}, true, "(devel) (abc) go1 "},
		"unknown": {nil, false, "(unknown) go"},
	}
	for name, tt := range tests {
		a := newApp(Env{Build: func() (*debug.BuildInfo, bool) { return tt.info, tt.ok }})
		if got := a.version(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q…", name, got, tt.want)
		}
	}
}
