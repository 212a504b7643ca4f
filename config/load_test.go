package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/config"
)

const home = "/home/ada"

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadDefaultTextIsDefault(t *testing.T) {
	t.Parallel()
	got, problems := config.Load(write(t, config.DefaultText()), home, nil)
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	if diff := cmp.Diff(config.Default(), got); diff != "" {
		t.Errorf("default.toml is not Default (-want +got):\n%s", diff)
	}
}

// Every key that a file may hold is in the default file, so that a person who
// reads it has seen them all.
func TestDefaultTextNamesEveryKey(t *testing.T) {
	t.Parallel()
	_, problems := config.Load(write(t, "nonsense = 1\n[agents.claude]\nnonsense = 1\n[projects]\nnonsense = 1\n"+
		"[worktree]\nnonsense = 1\n[ui]\nnonsense = 1\n"), home, nil)
	if len(problems) != 5 {
		t.Fatalf("problems = %v, want 5", problems)
	}
	for _, p := range problems {
		_, list, _ := strings.Cut(p.Message, "allowed here: ")
		for key := range strings.SplitSeq(list, ", ") {
			if !strings.Contains(config.DefaultText(), "\n"+key+" ") && !strings.Contains(config.DefaultText(), "\n["+key) {
				t.Errorf("default.toml does not mention %q (of %s)", key, p.Key)
			}
		}
	}
}

func TestDefaultIsNewEachTime(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.Agents["claude"].Command[0] = "changed"
	c.Keys["help"] = "x"
	if diff := cmp.Diff([]string{"claude"}, config.Default().Agents["claude"].Command); diff != "" {
		t.Error(diff)
	}
	if len(config.Default().Keys) != 0 {
		t.Error("keys are shared")
	}
}

func TestLoadOverDefaults(t *testing.T) {
	t.Parallel()
	got, problems := config.Load(write(t, `
version = 1
agent = "other"
[agents.claude]
command = ["~/bin/claude", "--debug"]
[agents.other]
command = ["other"]
resume = ["open", "{id}", "{\"a\": 1}"]
[projects]
roots = ["~/src", "/srv/../srv/git", "~"]
exclude = ["~/src/old/"]
[worktree]
path = "~/trees/{name}"
base = "head"
setup = ["make", "setup"]
[ui]
theme = "16"
mouse = false
[keys]
leave-pane = "ctrl-]"
help = "f1"
`), home, nil)
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	want := config.Default()
	want.Agent = "other"
	claude := want.Agents["claude"]
	claude.Command = []string{"/home/ada/bin/claude", "--debug"}
	want.Agents["claude"] = claude
	want.Agents["other"] = config.Agent{
		Kind: config.KindTerminal, Command: []string{"other"}, Resume: []string{"open", "{id}", `{"a": 1}`},
	}
	want.Projects = config.Projects{Roots: []string{"/home/ada/src", "/srv/git", "/home/ada"}, Exclude: []string{"/home/ada/src/old"}}
	want.Worktree = config.Worktree{Path: "/home/ada/trees/{name}", Branch: "worktree-{name}", Base: "head", Links: []string{}, Setup: []string{"make", "setup"}, PR: true}
	want.UI = config.UI{Theme: "16", Title: true, Notify: "auto", Mouse: false}
	want.Keys = map[string]string{"leave-pane": "Ctrl-]", "help": "F1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadProblems(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		line int
		key  string
		want string // part of the message
	}{
		"unknown key":         {"\nthem = 1", 2, "them", "allowed here: agent, agents, keys, projects, ui, version, worktree"},
		"unknown in table":    {"[ui]\n\nthem = 'dark'", 3, "ui.them", "allowed here: clipboard, mouse, notify, theme, title"},
		"unknown table":       {"# x\n[uix]\ntheme = 'dark'", 2, "uix", "unknown key"},
		"wrong value":         {"[ui]\ntheme = 'pink'", 2, "ui.theme", `"pink" is not allowed; allowed: dark, light, 16, none`},
		"wrong type":          {"[ui]\nmouse = 'yes'", 2, "ui.mouse", "must be true or false"},
		"number for a string": {"agent = 5", 1, "agent", "must be a string in quotes"},
		"table for a string":  {"[agent]\nx = 1", 1, "agent", "must be a string in quotes"},
		"string for a table":  {"ui = 'dark'", 1, "ui", "must be a table: [ui]"},
		"array of tables":     {"[[agents]]\nx = 1", 1, "agents", "must be a table"},
		"string for a list":   {"[agents.claude]\ncommand = 'claude'", 2, "agents.claude.command", "must be a list of strings"},
		"mixed list":          {"[agents.claude]\nstart = [\n 'a',\n 1]", 2, "agents.claude.start", "must be a list of strings"},
		"inline table":        {"ui = { theme = 'x' }", 1, "ui.theme", "allowed: dark"},
		"dotted key":          {"\n\nui.theme = 'x'", 3, "ui.theme", "allowed: dark"},
		"empty command":       {"[agents.claude]\ncommand = []", 2, "agents.claude.command", "must name a program"},
		"new agent":           {"[agents.x]\nkind = 'terminal'", 1, "agents.x", "has no command"},
		"odd agent name":      {"[agents.'a b']\nkind = 'zz'\ncommand=['x']", 2, `agents."a b".kind`, "allowed: terminal, messages"},
		"placeholder":         {"[agents.claude]\nresume = ['{session}']", 2, "agents.claude.resume", "unknown placeholder {session}; allowed: {id}, {new}"},
		"no such agent":       {"agent = 'x'", 1, "agent", `there is no agent "x"; allowed: claude`},
		"relative root":       {"[projects]\nroots = ['src', '/ok']", 2, "projects.roots", `"src" is left out`},
		"other home":          {"[projects]\nexclude = ['~bob/x']", 2, "projects.exclude", "must be absolute or begin with ~/"},
		"worktree path":       {"[worktree]\npath = '{repo}/x'", 2, "worktree.path", "must contain {name}"},
		"link outside":        {"[worktree]\nlinks = ['../x']", 2, "worktree.links", "below the main checkout"},
		"relative worktree":   {"[worktree]\npath = '../{name}'", 2, "worktree.path", "must begin with {repo}"},
		"worktree branch":     {"[worktree]\nbranch = 'x'", 2, "worktree.branch", "must contain {name}"},
		"base":                {"[worktree]\nbase = 'main'", 2, "worktree.base", "allowed: fresh, head"},
		"key spelling":        {"[keys]\nhelp = 'Hyper-x'", 2, "keys.help", `"Hyper" is not a modifier`},
		"key type":            {"[keys]\nhelp = 1", 2, "keys.help", "must be a string"},
		"action":              {"[keys]\nhep = 'x'", 2, "keys.hep", "unknown action; allowed: help, quit"},
		"newer version":       {"version = 2\nnew = 1", 1, "version", "update coppice"},
		"version zero":        {"version = 0", 1, "version", "allowed is 1"},
		"version type":        {"version = '1'", 1, "version", "must be a whole number"},
		"syntax":              {"agent = 'claude'\n\nui = [", 3, "", "not TOML"},
		"duplicate":           {"agent = 'claude'\nagent = 'claude'", 2, "", "not TOML"},
		"not UTF-8":           {"agent = '\xff'", 1, "", "not TOML"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, tt.text)
			c, problems := config.Load(path, home, []string{"quit", "help"})
			if len(problems) != 1 {
				t.Fatalf("problems = %v, want one", problems)
			}
			p := problems[0]
			if p.File != path || p.Line != tt.line || p.Key != tt.key || !strings.Contains(p.Message, tt.want) {
				t.Errorf("problem = %v\nwant line %d, key %q, message with %q", p, tt.line, tt.key, tt.want)
			}
			want := config.Default()
			if name == "relative root" {
				want.Projects.Roots = []string{"/ok"}
			}
			if name == "odd agent name" {
				want.Agents["a b"] = config.Agent{Kind: config.KindTerminal, Command: []string{"x"}}
			}
			if diff := cmp.Diff(want, c); diff != "" {
				t.Errorf("the rest is not the default (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadUsesTheRest(t *testing.T) {
	t.Parallel()
	c, problems := config.Load(write(t, "[ui]\ntheme = 3\nmouse = false\nx = 1\n[keys]\nhelp = '??'\nquit = 'Q'\n"), home, nil)
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if diff := cmp.Diff([]int{2, 4, 6}, lines); diff != "" {
		t.Errorf("lines of the problems: %s", diff)
	}
	if c.UI.Mouse || c.UI.Theme != "dark" || c.Keys["quit"] != "Q" || len(c.Keys) != 1 {
		t.Errorf("config = %+v", c)
	}
}

func TestProblemString(t *testing.T) {
	t.Parallel()
	p := config.Problem{File: "/c.toml", Line: 3, Key: "ui.theme", Message: "wrong"}
	if got := p.String(); got != "/c.toml:3: ui.theme: wrong" {
		t.Error(got)
	}
	if got := (config.Problem{File: "/c.toml", Message: "wrong"}).String(); got != "/c.toml: wrong" {
		t.Error(got)
	}
}

// F8: what cannot be read is named and the program starts.
func TestLoadUnreadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	large := write(t, strings.Repeat("#", config.MaxSize+1))
	locked := write(t, "agent = 'x'")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ path, want string }{
		"directory":     {dir, "not a regular file"},
		"pipe":          {pipe, "not a regular file"},
		"too large":     {large, "larger than"},
		"no permission": {locked, "permission denied"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "no permission" && os.Getuid() == 0 {
				t.Skip("root reads everything")
			}
			c, problems := config.Load(tt.path, home, nil)
			if len(problems) != 1 || !strings.Contains(problems[0].Message, tt.want) || problems[0].File != tt.path {
				t.Errorf("problems = %v, want %q", problems, tt.want)
			}
			if diff := cmp.Diff(config.Default(), c); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadMissingFileIsDefault(t *testing.T) {
	t.Parallel()
	for _, path := range []string{filepath.Join(t.TempDir(), "none", "config.toml"), filepath.Join(write(t, ""), "config.toml")} {
		c, problems := config.Load(path, home, nil)
		if len(problems) > 0 {
			t.Errorf("problems: %v", problems)
		}
		if diff := cmp.Diff(config.Default(), c); diff != "" {
			t.Error(diff)
		}
	}
}

func TestLoadManyProblems(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&b, "wrong%d = 1\n", i)
	}
	_, problems := config.Load(write(t, b.String()), home, nil)
	if len(problems) != config.MaxProblems+1 {
		t.Fatalf("%d problems, want %d", len(problems), config.MaxProblems+1)
	}
	if last := problems[config.MaxProblems].Message; last != "and 29900 more" {
		t.Errorf("last problem: %s", last)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(config.DefaultText())
	f.Add("[ui]\ntheme = 'pink'\n[keys]\nx = 'Ctrl-a'")
	f.Add("[[agents]]\n[agents.x]")
	f.Add("a.b.c = {d = [1, {e = 2}]}")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, problems := config.Load(path, home, nil)
		if _, ok := c.Agents[c.Agent]; !ok {
			t.Errorf("default agent %q does not exist", c.Agent)
		}
		for name, a := range c.Agents {
			if a.Kind == config.KindTerminal && len(a.Command) == 0 {
				t.Errorf("agent %q has no command", name)
			}
		}
		for _, r := range append(c.Projects.Roots, c.Projects.Exclude...) {
			if !filepath.IsAbs(r) {
				t.Errorf("root %q is not absolute", r)
			}
		}
		for _, k := range c.Keys {
			if _, err := config.ParseKey(k); err != nil {
				t.Error(err)
			}
		}
		lines := strings.Count(text, "\n") + 1
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines+1 || p.Message == "" || p.File != path {
				t.Errorf("problem %+v of %d lines", p, lines)
			}
		}
	})
}
