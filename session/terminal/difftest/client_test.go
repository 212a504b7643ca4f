//go:build lab

package difftest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"coppice/session/lab"
)

// labDir is where the client and xterm.js are installed: the directory that
// COPPICE_LAB_DIR names, or one in the person's cache.
func labDir() (string, error) {
	if dir := os.Getenv("COPPICE_LAB_DIR"); dir != "" {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "coppice-lab"), err
}

// realClient is the real client as a program to record, against an endpoint of
// its own.
func realClient(t *testing.T) program {
	t.Helper()
	dir, err := labDir()
	if err != nil {
		t.Fatal(err)
	}
	path, err := lab.Install(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := lab.StartEndpoint()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(endpoint.Close)
	in := func(dir string) lab.Client {
		return lab.Client{Program: path, Home: dir, Root: filepath.Join(dir, "root"), URL: endpoint.URL, Path: os.Getenv("PATH")}
	}
	const words = "漢字 한국어 e\u0301 👍 and a long line that has to be wrapped in the narrow sizes but not in the wide ones: hazel"
	return program{
		name: "client", args: []string{path}, sizes: []size{small, medium, large},
		env: func(dir string) []string { return in(dir).Environ() },
		prepare: func(t *testing.T, dir string, _ []string) {
			real, err := filepath.EvalSymlinks(dir)
			if err == nil {
				err = in(dir).Trust(dir, real)
			}
			if err != nil {
				t.Fatal(err)
			}
		},
		actions: []action{
			{shows: "───"},
			{keys: words, shows: "hazel"},
			{keys: "\r", shows: "───"},
			{size: size{60, 20}, shows: "───"},
			{keys: "/", shows: "/"},
			{keys: "\x1b[B\x1b[B", shows: "/"},
			{keys: "\x7f", shows: "───"},
			{size: size{150, 45}, shows: "───"},
			{keys: "a word: rowan", shows: "rowan"},
			{keys: "\r", shows: "rowan"},
			{keys: "\x0f", shows: "rowan"},
		},
	}
}

func TestClientAgainstBoth(t *testing.T) {
	t.Parallel()
	each(t, []program{realClient(t)}, func(t *testing.T, steps []step) {
		agree(t, newTmux(t, steps[0].size), steps)
		agree(t, newXterm(t, steps[0].size), steps)
		pieces(t, steps)
		dumps(t, steps)
	})
}
