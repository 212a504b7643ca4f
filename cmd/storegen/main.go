// Command storegen writes a large store of transcripts and repositories to
// measure with:
//
//	go run ./cmd/storegen --sessions 2000 --bytes 2.7GB --repos 40 --branches 200 DIR
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"coppice/session/sessiontest"
)

const usage = "usage: storegen [--sessions N] [--bytes 2.7GB] [--repos N] [--branches N] [--worktrees N] [--seed N] DIR"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("storegen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		_, _ = fmt.Fprintln(stderr, usage)
		flags.PrintDefaults()
	}
	sessions := flags.Int("sessions", 200, "number of sessions")
	size := flags.String("bytes", "50MB", "size of all transcripts together")
	repos := flags.Int("repos", 4, "number of repositories")
	branches := flags.Int("branches", 20, "branches of each repository")
	worktrees := flags.Int("worktrees", 3, "linked worktrees of each repository")
	seed := flags.Uint64("seed", 1, "the same seed makes the same store")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	bytes, err := parseBytes(*size)
	if err != nil || flags.NArg() != 1 {
		_, _ = fmt.Fprintln(stderr, usage)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out, err := sessiontest.Generate(ctx, flags.Arg(0), sessiontest.Spec{
		Sessions: *sessions, Bytes: bytes, Repositories: *repos, Branches: *branches, Worktrees: *worktrees, Seed: *seed,
	})
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "storegen:", err)
		return 1
	}
	_, _ = fmt.Fprintf(stdout, "%d transcripts, %d bytes, %d checkouts\nCLAUDE_CONFIG_DIR=%s\n", out.Transcripts, out.Bytes, len(out.Checkouts), out.Root)
	return 0
}

// parseBytes reads a size such as 2.7GB; units are powers of ten.
func parseBytes(s string) (int64, error) {
	factor := 1.0
	for _, unit := range []struct {
		name   string
		factor float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}} {
		if rest, ok := strings.CutSuffix(strings.ToUpper(s), unit.name); ok {
			s, factor = strings.TrimSpace(rest), unit.factor
			break
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("size %q: not a number of bytes", s)
	}
	return int64(n * factor), nil
}
