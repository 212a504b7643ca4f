package sessiontest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// makeRepositories makes the repositories of a store, each with one small
// history, many branches and a few worktrees.
func makeRepositories(ctx context.Context, spec Spec, out *Generated) error {
	for i := range spec.Repositories {
		main := filepath.Join(out.Source, fmt.Sprintf("project-%02d", i))
		if err := os.MkdirAll(main, 0o755); err != nil {
			return err
		}
		if err := makeRepository(ctx, main, spec.Branches); err != nil {
			return err
		}
		out.Main = append(out.Main, main)
		out.Checkouts = append(out.Checkouts, main)
		for w := range spec.Worktrees {
			path := filepath.Join(main, ".claude", "worktrees", fmt.Sprint("side-", w))
			if err := git(ctx, main, nil, "worktree", "add", "-q", "-b", fmt.Sprint("worktree-side-", w), path); err != nil {
				return err
			}
			out.Checkouts = append(out.Checkouts, path)
		}
	}
	return nil
}

// makeRepository writes history and branches in one go.
func makeRepository(ctx context.Context, dir string, branches int) error {
	var in bytes.Buffer
	for i, text := range []string{"first", "second", "third"} {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter Test <test@example.invalid> %d +0000\n", i+1, 1700000000+i*1000)
		fmt.Fprintf(&in, "data %d\n%s\nM 100644 inline notes.txt\ndata %d\n%s\n", len(text), text, len(text), text)
	}
	for b := range branches {
		fmt.Fprintf(&in, "reset refs/heads/topic-%03d\nfrom :%d\n\n", b, 1+b%3)
	}
	if err := git(ctx, dir, nil, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := git(ctx, dir, in.Bytes(), "fast-import", "--quiet"); err != nil {
		return err
	}
	return git(ctx, dir, nil, "reset", "-q", "--hard", "main")
}

// git runs the git program without any configuration but the repository's own.
func git(ctx context.Context, dir string, stdin []byte, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(stdin)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.invalid",
		"GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.invalid")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s in %s: %w: %s", strings.Join(args, " "), dir, err, text)
	}
	return nil
}

// Git runs the git program in dir for a fixture.
func Git(ctx context.Context, dir string, args ...string) error { return git(ctx, dir, nil, args...) }
