package runtime_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session/runtime"
	"coppice/transcript/transcripttest"
)

// agent loads a session that ran with an agent, in another directory than where
// it will run.
func agent(t *testing.T, w world, ranIn, name string, trusted func(string) bool) *runtime.Runtime {
	t.Helper()
	b := w.builder()
	b.Dir = ranIn
	b.AgentSetting(name).User("hello").Assistant(transcripttest.Text("hi"))
	env := w.env()
	env.Trusted = trusted
	return w.load(t, b, runtime.FromStore, env)
}

// client-behaviour 7.4: where the session ran if trusted, then here, then the
// config root; missing is said.
func TestAgentPlaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ran := filepath.Join(w.base, "elsewhere")
	definition := func(prompt string) string { return "---\nname: helper\n---\n" + prompt }
	all := func(string) bool { return true }
	write(t, filepath.Join(ran, ".claude", "agents", "a.md"), definition("ran"))
	if got := agent(t, w, ran, "helper", nil).Agent; got.Name != "" || got.Stored != "helper" || got.Reason == "" {
		t.Errorf("only in a directory that is not trusted: %+v", got)
	}
	write(t, filepath.Join(w.root, "agents", "a.md"), definition("root"))
	if got := agent(t, w, ran, "helper", nil).Agent.Prompt; got != "root" {
		t.Errorf("below the config root: %q", got)
	}
	write(t, filepath.Join(w.dir, ".claude", "agents", "a.md"), definition("here"))
	if got := agent(t, w, ran, "helper", nil).Agent.Prompt; got != "here" {
		t.Errorf("here: %q", got)
	}
	if got := agent(t, w, ran, "helper", all).Agent.Prompt; got != "ran" {
		t.Errorf("where it ran: %q", got)
	}
	if got := agent(t, w, ran, "", all).Agent; got.Reason != "" || got.Name != "" {
		t.Errorf("the default agent: %+v", got)
	}
}

func TestAgentHeads(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		found      bool
		want       runtime.Agent
	}{
		{"plain", "---\nname: x\n---\nBody.\n\nMore.\n", true, runtime.Agent{Prompt: "Body.\n\nMore."}},
		{"quoted, CRLF and BOM", "\ufeff---\r\nname: \"x\"\r\nmodel: 'opus'\r\n---\r\nBody.\r\n", true, runtime.Agent{Prompt: "Body.", Model: "opus"}},
		{"list in brackets", "---\nname: x\ntools: [Read, \"Grep\"]\n---\n", true, runtime.Agent{Tools: []string{"Read", "Grep"}}},
		{"list below", "---\nname: x\ntools:\n  - Read\n  - Bash(a, b)\nmodel: m\n---\n", true, runtime.Agent{Tools: []string{"Read", "Bash(a, b)"}, Model: "m"}},
		{"list below without indent", "---\nname: x\ntools:\n- Read\n---\n", true, runtime.Agent{Tools: []string{"Read"}}},
		{"every tool", "---\nname: x\ntools: '*'\n---\n", true, runtime.Agent{}},
		{"no tool", "---\nname: x\ntools: []\n---\n", true, runtime.Agent{Tools: []string{}}},
		{"nothing readable", "---\nname: x\ntools:\n  odd: {}\n---\n", true, runtime.Agent{Tools: []string{}}},
		{"denied", "---\nname: x\ndisallowedTools: Write, Edit\n---\n", true, runtime.Agent{Denied: []string{"Write", "Edit"}}},
		{"text over lines", "---\nname: x\ndescription: >\n  tools: Read\n  model: y\n# model: z\n---\nb", true, runtime.Agent{Prompt: "b"}},
		{"a line of hyphens in the body", "---\nname: x\n---\na\n---\nb", true, runtime.Agent{Prompt: "a\n---\nb"}},
		{"another name", "---\nname: xx\n---\n", false, runtime.Agent{}},
		{"no head", "name: x\n", false, runtime.Agent{}},
		{"no end", "---\nname: x\n", false, runtime.Agent{}},
		{"huge head", "---\n" + strings.Repeat("k: v\n", 100_000) + "name: x\n---\n", false, runtime.Agent{}},
		{"huge file", "---\nname: x\n---\n" + strings.Repeat("a", 2<<20), false, runtime.Agent{}},
		{"binary", "\x00\xff---", false, runtime.Agent{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			at := filepath.Join(w.root, "agents", "file.md")
			write(t, at, tt.text)
			if tt.found {
				tt.want.Name, tt.want.Path = "x", at
			} else {
				tt.want.Stored = "x"
			}
			got := agent(t, w, w.dir, "x", nil).Agent
			if got.Reason == "" == (tt.want.Stored != "") {
				t.Errorf("reason %q", got.Reason)
			}
			got.Reason = ""
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Nothing outside the root and the directory is read, and nothing is waited for.
func TestAgentStaysInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outside := filepath.Join(w.base, "outside.md")
	write(t, outside, "---\nname: ../../outside\n---\nsecret")
	agents := filepath.Join(w.dir, ".claude", "agents")
	if err := os.MkdirAll(agents, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, target := range []string{outside, "../../../outside.md", "loop.md", "."} {
		if err := os.Symlink(target, filepath.Join(agents, fmt.Sprintf("link%d.md", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("loop.md", filepath.Join(agents, "loop.md")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(agents, "fifo.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.base, filepath.Join(w.root, "agents")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../../outside", "../../../outside.md", outside, "..", "/", "a\x00b"} {
		if got := agent(t, w, w.dir, name, nil).Agent; got.Prompt != "" || got.Name != "" {
			t.Errorf("agent %q: %+v", name, got)
		}
	}
	write(t, filepath.Join(agents, "inside", "real.md"), "---\nname: inside\n---\nfine")
	if err := os.Symlink(filepath.Join("inside", "real.md"), filepath.Join(agents, "zz.md")); err != nil {
		t.Fatal(err)
	}
	if got := agent(t, w, w.dir, "inside", nil).Agent; got.Prompt != "fine" {
		t.Errorf("a link that stays inside: %+v", got)
	}
}

func TestAgentIsNotAskedForTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var asked []string
	agent(t, w, w.dir, "x", func(dir string) bool {
		asked = append(asked, dir)
		return true
	})
	if len(asked) > 0 {
		t.Errorf("trust was asked of %q, where it runs anyway", asked)
	}
	for _, ranIn := range []string{"relative/dir", "../up", ""} {
		if got := agent(t, w, ranIn, "x", func(string) bool { return true }).Agent; slices.Contains(got.Tools, "x") || got.Name != "" {
			t.Errorf("ran in %q: %+v", ranIn, got)
		}
	}
}
