package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/session/sessiontest"
)

// fileState is what a rename must not change, or only at the end.
type fileState struct {
	text string
	time time.Time
}

func stateOf(t *testing.T, path string) fileState {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fileState{string(text), info.ModTime()}
}

// testRename checks what a rename writes (observed J): two records at the end of
// the transcript, the sidecar, and nothing else.
func testRename(t *testing.T, bin string) {
	const id, name = "00000002-1111-4222-8333-000000000002", `a "new" name 漢字 <b>`
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	other := w.session(1, app, "main", time.Minute, "tidy the parser")
	path := w.session(2, app, "main", time.Hour, "grow the index")
	wasOther, was := stateOf(t, other), stateOf(t, path)

	p := w.open(200, 30, app)
	chosen(p, "tidy the parser")
	p.WaitText("grow the index")
	p.Press("Down")
	chosen(p, "grow the index")
	p.Press("r")
	p.Press("Backspace", "Esc") // the old name stays
	p.WaitText("the name stays as it was")
	p.Press("Ctrl-R", "Ctrl-U")
	p.Type(name)
	p.Press("Enter")
	p.WaitText("renamed to " + name)
	chosen(p, name)
	leaves(t, p, "q")

	got, quoted := stateOf(t, path), strings.ReplaceAll(name, `"`, `\"`)
	want := was.text + `{"type":"custom-title","customTitle":"` + quoted + `","sessionId":"` + id + `"}` + "\n" +
		`{"type":"agent-name","agentName":"` + quoted + `","sessionId":"` + id + `"}` + "\n"
	if got.text != want {
		t.Errorf("the transcript ends in\n%s", strings.TrimPrefix(got.text, was.text))
	}
	if !got.time.Equal(was.time) {
		t.Errorf("its time went from %v to %v", was.time, got.time)
	}
	if stateOf(t, other) != wasOther {
		t.Error("another transcript changed")
	}
	var sidecar struct {
		CustomTitle, By string
		At              time.Time
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSuffix(path, ".jsonl"), "custom-title.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &sidecar); err != nil || sidecar.CustomTitle != name || sidecar.By != "user" || sidecar.At.IsZero() {
		t.Errorf("sidecar %s (%v)", text, err)
	}

	again := w.open(200, 30, app) // another run sees it
	again.WaitText(name)
	leaves(t, again, "q")
}

// testRenameRefused checks that a name that cannot be is not written, and that
// the old one shows again.
func testRenameRefused(t *testing.T, bin string) {
	w := newWorld(t, bin)
	app := w.repo("app").Dir
	path := w.session(1, app, "main", time.Minute, "tidy the parser")
	was := stateOf(t, path)
	p := w.open(200, 30, app)
	chosen(p, "tidy the parser")
	p.Press("r", "Ctrl-U", "Enter")
	p.WaitText("empty name")
	p.Type(sessiontest.ID(77))
	p.Press("Enter")
	p.WaitText("not renamed")
	chosen(p, "tidy the parser")
	leaves(t, p, "q")
	if stateOf(t, path) != was {
		t.Error("the transcript changed")
	}
}
