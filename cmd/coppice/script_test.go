package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"coppice": main, "claude-wait": waitingAgent})
}

// waitingAgent is an agent that waits for a signal, tells it, and exits with
// FAIL.
func waitingAgent() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	// Without NOFLSH the line discipline may drop what is written after Ctrl-C.
	stty := exec.Command("stty", "noflsh")
	stty.Stdin = os.Stdin
	_ = stty.Run() // not on a terminal
	dir, _ := os.Getwd()
	_, _ = fmt.Fprintf(os.Stdout, "agent ready in %s\n", filepath.Base(dir))
	_, _ = fmt.Fprintf(os.Stdout, "agent got %v\n", <-signals)
	code, _ := strconv.Atoi(os.Getenv("FAIL"))
	os.Exit(code)
}

// TestScript runs every folder of scripts under testdata/script. Each script has
// a home, a configuration and an agent's directory of its own.
func TestScript(t *testing.T) {
	t.Parallel()
	dirs := map[string]bool{}
	err := filepath.WalkDir("testdata/script", func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".txtar" {
			dirs[filepath.Dir(path)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Fatal("no scripts")
	}
	for dir := range dirs {
		testscript.Run(t, testscript.Params{
			Dir:   dir,
			Setup: setup,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"exits":   exits,
				"json":    jsonHas,
				"repo":    repo,
				"session": writeSession,
				"lines":   lines,
				"tty":     tty,
			},
			Condition: func(cond string) (bool, error) {
				if cond == "root" {
					return os.Getuid() == 0, nil
				}
				return false, fmt.Errorf("unknown condition %q", cond)
			},
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
		})
	}
}

// setup keeps a script away from everything of the person who runs it.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for _, dir := range []string{home, filepath.Join(env.WorkDir, "bin"), filepath.Join(env.WorkDir, "claude", "projects")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	// No hosts: agents run in the foreground.
	if err := os.MkdirAll(filepath.Join(home, ".local", "state", "coppice"), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, ".local", "state", "coppice", "run"), nil, 0o600); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(env.WorkDir, "claude"))
	env.Setenv("PATH", filepath.Join(env.WorkDir, "bin")+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("LANG", "C.UTF-8")
	env.Setenv("GORACE", "atexit_sleep_ms=0") // else each program sleeps for a second
	env.Setenv("TERM", "xterm-256color")
	env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env.Setenv("GIT_"+who+"_NAME", "Ada")
		env.Setenv("GIT_"+who+"_EMAIL", "ada@example.com")
	}
	return nil
}

// exits runs a program and checks its exit code: exits CODE PROGRAM ARGS…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		m := regexp.MustCompile(`exit status (\d+)`).FindStringSubmatch(err.Error())
		if m == nil {
			ts.Fatalf("%v", err)
		}
		got = m[1]
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// jsonHas checks a value in the JSON on standard output: json PATH WANT. The
// whole output must be one value.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH WANT")
	}
	out := strings.TrimSpace(ts.ReadFile("stdout"))
	dec := json.NewDecoder(strings.NewReader(out))
	var v json.RawMessage
	if err := dec.Decode(&v); err != nil {
		ts.Fatalf("standard output is not JSON: %v\n%s", err, out)
	}
	if dec.More() {
		ts.Fatalf("standard output holds more than one JSON value:\n%s", out)
	}
	r := gjson.Get(out, args[0])
	got := r.String()
	if r.Type == gjson.Null {
		got = r.Raw // null, or "" when there is no such value
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %q, want %q (negated: %v)\n%s", args[0], got, args[1], neg, out)
	}
}

// lines checks how many lines standard output has: lines N.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if got := strings.Count(ts.ReadFile("stdout"), "\n"); neg || len(args) != 1 || fmt.Sprint(got) != args[0] {
		ts.Fatalf("%d lines, want %v", got, args)
	}
}

// repo makes a git repository with one commit: repo DIR.
func repo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	dir := ts.MkAbs(args[0])
	for _, a := range [][]string{
		{"init", "-q", "-b", "main", dir},
		{"-C", dir, "commit", "-q", "--allow-empty", "-m", "first"},
	} {
		ts.Check(ts.Exec("git", a...))
	}
}

// writeSession writes a transcript: session ID DIR [-title T] [-prompt P] ….
func writeSession(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: session ID DIR [flags]")
	}
	id, dir := args[0], ts.MkAbs(args[1])
	f := flag.NewFlagSet("session", flag.ContinueOnError)
	title := f.String("title", "", "custom title, with Go's escapes")
	prompt := f.String("prompt", "count the trees", "first prompt, with Go's escapes")
	branch := f.String("branch", "main", "")
	entry := f.String("entrypoint", "cli", "")
	pr := f.String("pr", "", "owner/name#number")
	day := f.Int("day", 1, "of March 2026")
	turns := f.Int("turns", 1, "prompts with an answer, a minute apart from each other")
	lost := f.Int("lost", 0, "number of a record that is left out, counted from 1")
	calls := f.Bool("calls", false, "the last answer is a call that nothing answers")
	reply := f.String("reply", "There are seven.", "every answer, with Go's escapes")
	tail := f.String("tail", "", "raw text at the end, with Go's escapes")
	ts.Check(f.Parse(args[2:]))
	when := time.Date(2026, 3, *day, 12, 0, 0, 0, time.UTC)
	user, answer := id[:len(id)-4]+"aaaa", id[:len(id)-4]+"bbbb"
	common := func(uuid string, parent any, at time.Time) map[string]any {
		return map[string]any{
			"uuid": uuid, "parentUuid": parent, "sessionId": id, "cwd": dir, "gitBranch": *branch, "isSidechain": false,
			"timestamp": at.Format("2006-01-02T15:04:05.000Z"), "version": "2.1.332", "entrypoint": *entry, "userType": "external",
		}
	}
	var records []map[string]any
	var parent any
	for n := range 2 * *turns {
		uuid := fmt.Sprintf("%s%04x", id[:len(id)-4], n+1)
		switch n {
		case 0:
			uuid = user
		case 1:
			uuid = answer
		}
		row := common(uuid, parent, when.Add(time.Duration(n)*time.Minute))
		row["type"], row["message"] = "user", map[string]any{"role": "user", "content": unescape(ts, *prompt)}
		if n%2 == 1 {
			block := map[string]any{"type": "text", "text": unescape(ts, *reply)}
			if *calls && n == 2**turns-1 {
				block = map[string]any{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": map[string]any{"command": "make wood"}}
			}
			row["type"] = "assistant"
			row["message"] = map[string]any{
				"id": fmt.Sprintf("msg_%d_%s", n, id), "role": "assistant", "model": "claude-test-1", "type": "message",
				"stop_reason": "end_turn", "content": []any{block},
			}
		}
		parent = uuid
		if n+1 != *lost {
			records = append(records, row)
		}
	}
	if *title != "" {
		records = append(records, map[string]any{"type": "custom-title", "customTitle": unescape(ts, *title), "sessionId": id})
	}
	if repo, number, ok := strings.Cut(*pr, "#"); ok {
		records = append(records, map[string]any{
			"type": "pr-link", "prNumber": json.Number(number), "prUrl": "https://git.example/" + repo + "/pull/" + number,
			"prRepository": repo, "sessionId": id, "timestamp": "2026-03-01T12:00:00.000Z",
		})
	}
	var b bytes.Buffer
	for _, r := range records {
		ts.Check(json.NewEncoder(&b).Encode(r))
	}
	b.WriteString(unescape(ts, *tail))
	folder := filepath.Join(ts.Getenv("CLAUDE_CONFIG_DIR"), "projects", regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(dir, "-"))
	ts.Check(os.MkdirAll(folder, 0o755))
	path := filepath.Join(folder, id+".jsonl")
	ts.Check(os.WriteFile(path, b.Bytes(), 0o600))
	ts.Check(os.Chtimes(path, when, when))
	ts.Setenv("TRANSCRIPT", path)
}

// unescape reads Go's escapes, such as \n and \x1b.
func unescape(ts *testscript.TestScript, s string) string {
	var out string
	ts.Check(json.Unmarshal([]byte(`"`+s+`"`), &out))
	return out
}
