package request_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/session/request"
	"coppice/session/request/validate"
	"coppice/session/runtime"
	"coppice/transcript/repair"
	"coppice/transcript/transcripttest"
)

const id = "0a1b2c3d-0000-4000-8000-000000000001"

// resume loads a transcript and makes the request of the next prompt.
func resume(t *testing.T, path string, b request.Budget, prompt string) request.Request {
	t.Helper()
	r, err := runtime.Load(t.Context(), path, id, runtime.FromStore, runtime.Environment{Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	c, err := repair.New(r.Ledger, r.Chain, repair.Options{Prompt: []json.RawMessage{json.RawMessage(transcripttest.Text(prompt))}})
	if err != nil {
		t.Fatal(err)
	}
	system, tools, err := runtime.Shape(r.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	in := request.Input{System: system, Tools: tools, Conversation: c, Skills: r.Skills, Budget: b}
	for _, old := range r.Replacements {
		in.Replacements = append(in.Replacements, request.Replacement(old))
	}
	req, err := request.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	check(t, req)
	return req
}

// check validates a request by the published rules.
func check(t *testing.T, req request.Request) {
	t.Helper()
	var messages []validate.Message
	for _, m := range req.Messages {
		content, err := json.Marshal(m.Content)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, validate.Message{Role: m.Role, Content: content})
	}
	for _, p := range validate.Request(req.System, req.Tools, messages) {
		t.Error(p)
	}
}

// bare returns messages without cache marks.
func bare(req request.Request) []string {
	var lines []string
	for _, line := range shown(req) {
		lines = append(lines, strings.ReplaceAll(line, `,"cache_control":{"type":"ephemeral"}`, ""))
	}
	return lines
}

// A replacement that a request decided is recorded in the transcript; the next
// resume sends the same beginning, though the budget is another one by then.
func TestAcrossAResume(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), id+".jsonl")
	b := transcripttest.New(id).Shape(`[{"type":"text","text":"be brief"}]`, `[{"name":"Bash","input_schema":{"type":"object"}}]`)
	b.User("start").Assistant(transcripttest.Text("I look"), transcripttest.Bash("toolu_1", "cat big"))
	b.Result("toolu_1", transcripttest.Filler(30_000)).Next()
	save := func() {
		t.Helper()
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save()
	first := resume(t, path, request.Budget{PerResult: 10_000}, "go on")
	if len(first.Replaced) != 1 || first.Tokens > 2000 || len(first.System) != 1 || len(first.Tools) != 1 || len(first.Repairs) == 0 {
		t.Fatalf("replaced %v, %d tokens, system %s, repairs %v", first.Replaced, first.Tokens, first.System, first.Repairs)
	}
	b.Replacement(first.Replaced[0].CallID, first.Replaced[0].Text)
	for _, m := range first.Messages[3:] { // what the repair made, and the prompt
		if m.Role == "assistant" {
			b.Next().Assistant(string(m.Content[0]))
		} else {
			b.UserContent("["+string(m.Content[0])+"]", "")
		}
	}
	b.Next().Assistant(transcripttest.Text("done"))
	save()
	for _, budget := range []request.Budget{{}, {PerResult: 10_000}, {PerResult: 100, PerTurn: 100, Seen: true}} {
		second := resume(t, path, budget, "and more")
		before, now := bare(first), bare(second)
		if len(now) <= len(before) || !slices.Equal(now[:len(before)], before) || len(second.Replaced) > 0 {
			t.Errorf("with %+v the request begins\n%.3000q\nnot\n%.3000q", budget, now, before)
		}
	}
}

// Skills that a compaction put out of the conversation stand first in it.
func TestSkillsAcrossACompaction(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), id+".jsonl")
	b := transcripttest.New(id).User("start").Assistant(transcripttest.ToolUse("toolu_1", "Skill", `{"skill":"greet"}`))
	b.Report("toolu_1", "loaded", `{"success":true}`, "").SkillBody("toolu_1", "say hello")
	b.Next().Assistant(transcripttest.Text("hello")).Compact("they greeted").Next().Assistant(transcripttest.Text("ready"))
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got := resume(t, path, request.Budget{}, "go on").Messages
	if len(got) != 3 || len(got[0].Content) != 3 || !strings.Contains(string(got[0].Content[1]), `greet:\nsay hello`) || !strings.Contains(string(got[0].Content[2]), "they greeted") {
		t.Errorf("messages %s", got)
	}
}
