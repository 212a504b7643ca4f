// Command fakeagent stands in for an agent program in tests. It writes down how
// it was started, one JSON object a line, to the file that FAKEAGENT_LOG names,
// and then does what these variables say, in this order:
//
//	FAKEAGENT_PRINT     print this text
//	FAKEAGENT_APPEND    add a prompt and an answer to this transcript
//	FAKEAGENT_REGISTER  register as live under this config root until the end
//	FAKEAGENT_MODES     turn on every terminal mode that a full-screen agent uses
//	FAKEAGENT_GROUP     take the terminal for a process group of its own
//	FAKEAGENT_SUSPEND   stop itself, as Ctrl-Z does
//	FAKEAGENT_DEAF      ignore SIGINT and SIGTERM
//	FAKEAGENT_WAIT      say "fakeagent waits" and read a line
//	FAKEAGENT_COMPLAIN  print this text to standard error
//	FAKEAGENT_KILL      end by this signal number
//	FAKEAGENT_EXIT      end with this status
//
// What a started session's script cannot say in the environment, it may say in
// a file: FAKEAGENT_SCRIPT names one with NAME=value lines, read at the start.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"
)

// Start is what one run wrote down.
type Start struct {
	PID  int               `json:"pid"`
	Cwd  string            `json:"cwd"`
	Args []string          `json:"args"` // without the program
	Env  map[string]string `json:"env"`
}

// modes are those that report G9 names.
const modes = "\x1b[?1049h\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[>1u\x1b[?25l\x1b[31m"

func main() {
	os.Exit(run())
}

func run() int {
	set := settings()
	if err := note(set["LOG"]); err != nil {
		return fail(err)
	}
	if text := set["PRINT"]; text != "" {
		_, _ = fmt.Fprintln(os.Stdout, text)
	}
	if path := set["APPEND"]; path != "" {
		if err := converse(path); err != nil {
			return fail(err)
		}
	}
	if root := set["REGISTER"]; root != "" {
		name, err := register(root)
		if err != nil {
			return fail(err)
		}
		defer func() { _ = os.Remove(name) }()
	}
	if set["MODES"] != "" {
		_, _ = fmt.Fprint(os.Stdout, modes)
	}
	if set["GROUP"] != "" {
		signal.Ignore(syscall.SIGTTOU)
		_ = syscall.Setpgid(0, 0)
		_ = unix.IoctlSetPointerInt(int(os.Stdin.Fd()), unix.TIOCSPGRP, os.Getpid())
	}
	if set["SUSPEND"] != "" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
	if set["DEAF"] != "" {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
	}
	if set["WAIT"] != "" {
		_, _ = fmt.Fprintln(os.Stdout, "fakeagent waits")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	}
	if text := set["COMPLAIN"]; text != "" {
		fmt.Fprintln(os.Stderr, text)
	}
	if n, err := strconv.Atoi(set["KILL"]); err == nil {
		_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
		_, _ = os.Stdin.Read(make([]byte, 1)) // until it arrives
	}
	code, _ := strconv.Atoi(set["EXIT"])
	return code
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "fakeagent:", err)
	return 70
}

// settings returns what FAKEAGENT_* and the script say, without the prefix.
func settings() map[string]string {
	const prefix = "FAKEAGENT_"
	set := map[string]string{}
	read := func(lines []string) {
		for _, line := range lines {
			if name, value, ok := strings.Cut(line, "="); ok && strings.HasPrefix(name, prefix) {
				set[strings.TrimPrefix(name, prefix)] = value
			}
		}
	}
	read(os.Environ())
	if script := set["SCRIPT"]; script != "" {
		data, _ := os.ReadFile(script)
		read(strings.Split(string(data), "\n"))
	}
	return set
}

// note writes down how this run was started.
func note(log string) error {
	if log == "" {
		return nil
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	env := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	return appendLine(log, Start{PID: os.Getpid(), Cwd: cwd, Args: os.Args[1:], Env: env})
}

// converse adds a prompt and an answer to a transcript.
func converse(path string) error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	session := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	prompt, answer := uuid.NewString(), uuid.NewString()
	row := func(kind, id string, parent any, message any) map[string]any {
		return map[string]any{
			"type": kind, "uuid": id, "parentUuid": parent, "sessionId": session,
			"cwd": cwd, "timestamp": now, "isSidechain": false, "message": message,
		}
	}
	if err := appendLine(path, row("user", prompt, nil, map[string]any{"role": "user", "content": "said to the fake agent"})); err != nil {
		return err
	}
	text := []map[string]any{{"type": "text", "text": "answered by the fake agent"}}
	return appendLine(path, row("assistant", answer, prompt, map[string]any{
		"id": "msg_" + answer, "role": "assistant", "model": "fake-1", "content": text,
	}))
}

// register writes the file that says that this process has a session open.
func register(root string) (string, error) {
	id := ""
	for i, arg := range os.Args[1:] {
		if (arg == "--resume" || arg == "--session-id") && i+2 < len(os.Args) {
			id = strings.TrimSuffix(filepath.Base(os.Args[i+2]), ".jsonl")
		}
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	entry := map[string]any{
		"pid": os.Getpid(), "sessionId": id, "cwd": cwd, "procStart": startTicks(), "kind": "interactive",
		"status": "idle", "statusUpdatedAt": time.Now().UnixMilli(), "updatedAt": time.Now().UnixMilli(),
	}
	dir := filepath.Join(root, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, strconv.Itoa(os.Getpid())+".json")
	return name, appendLine(name, entry)
}

// startTicks returns when this process started, "" where that cannot be told.
func startTicks() string {
	data, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}

// appendLine adds one JSON value and a line feed with one write.
func appendLine(path string, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
