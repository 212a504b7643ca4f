package config

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// What messages call the types.
const (
	wantText = "a string in quotes"
	wantList = `a list of strings: ["…", "…"]`
	wantBool = "true or false"
)

func (d *decoder) topFields(c *Config) fields {
	return fields{
		"version":  func(string, toml.Primitive) {}, // read before everything else
		"agent":    func(k string, v toml.Primitive) { set(d, k, v, &c.Agent, wantText, nil) },
		"agents":   func(k string, v toml.Primitive) { d.agents(k, v, c.Agents) },
		"projects": func(k string, v toml.Primitive) { d.table(k, v, d.projectFields(&c.Projects)) },
		"worktree": func(k string, v toml.Primitive) { d.table(k, v, d.worktreeFields(&c.Worktree)) },
		"ui":       func(k string, v toml.Primitive) { d.table(k, v, d.uiFields(&c.UI)) },
		"keys":     func(k string, v toml.Primitive) { d.keys(k, v, c.Keys) },
	}
}

// agents reads [agents] over the agents there are.
func (d *decoder) agents(key string, value toml.Primitive, agents map[string]Agent) {
	table, _ := d.values(key, value)
	for _, name := range sortedKeys(table) {
		agentKey := key + "." + toml.Key{name}.String()
		a, known := agents[name]
		if !known {
			a = Agent{Kind: KindTerminal}
		}
		d.table(agentKey, table[name], d.agentFields(&a))
		if a.Kind == KindTerminal && len(a.Command) == 0 {
			d.add(agentKey, table[name], `has no command, so it is left out; write command = ["program"]`)
			continue
		}
		agents[name] = a
	}
}

func (d *decoder) agentFields(a *Agent) fields {
	args := func(dst *[]string) func(string, toml.Primitive) {
		return func(k string, v toml.Primitive) { set(d, k, v, dst, wantList, checkArguments) }
	}
	return fields{
		"kind": func(k string, v toml.Primitive) { set(d, k, v, &a.Kind, wantText, oneOf(KindTerminal, KindMessages)) },
		"command": func(k string, v toml.Primitive) {
			set(d, k, v, &a.Command, wantList, checkCommand)
			if len(a.Command) > 0 {
				a.Command[0] = expand(a.Command[0], d.home)
			}
		},
		"start":    args(&a.Start),
		"resume":   args(&a.Resume),
		"fork":     args(&a.Fork),
		"name":     args(&a.Name),
		"mode":     args(&a.Mode),
		"prompt":   args(&a.Prompt),
		"print":    args(&a.Print),
		"observer": func(k string, v toml.Primitive) { set(d, k, v, &a.Observer, wantBool, nil) },
	}
}

// checkAgent makes sure that the default agent is one that exists.
func (d *decoder) checkAgent(c *Config, value toml.Primitive) {
	if _, ok := c.Agents[c.Agent]; ok {
		return
	}
	d.add("agent", value, fmt.Sprintf("there is no agent %q; allowed: %s", c.Agent, strings.Join(sortedKeys(c.Agents), ", ")))
	c.Agent = Default().Agent
}

func (d *decoder) projectFields(p *Projects) fields {
	return fields{
		"roots":   func(k string, v toml.Primitive) { d.paths(k, v, &p.Roots) },
		"exclude": func(k string, v toml.Primitive) { d.paths(k, v, &p.Exclude) },
	}
}

// paths reads a list of absolute paths and leaves out those that are none.
func (d *decoder) paths(key string, value toml.Primitive, dst *[]string) {
	var list []string
	set(d, key, value, &list, wantList, nil)
	for _, p := range list {
		full := expand(p, d.home)
		if !filepath.IsAbs(full) {
			d.add(key, value, fmt.Sprintf("%q is left out: a path must be absolute or begin with ~/", p))
			continue
		}
		*dst = append(*dst, filepath.Clean(full))
	}
}

func (d *decoder) worktreeFields(w *Worktree) fields {
	return fields{
		"path": func(k string, v toml.Primitive) {
			set(d, k, v, &w.Path, wantText, checkWorktreePath)
			w.Path = expand(w.Path, d.home)
		},
		"branch": func(k string, v toml.Primitive) { set(d, k, v, &w.Branch, wantText, checkBranch) },
		"base":   func(k string, v toml.Primitive) { set(d, k, v, &w.Base, wantText, oneOf("fresh", "head")) },
		"links":  func(k string, v toml.Primitive) { set(d, k, v, &w.Links, wantList, checkLinks) },
		"setup":  func(k string, v toml.Primitive) { set(d, k, v, &w.Setup, wantList, nil) },
		"pr":     func(k string, v toml.Primitive) { set(d, k, v, &w.PR, wantBool, nil) },
	}
}

func (d *decoder) uiFields(u *UI) fields {
	return fields{
		"theme": func(k string, v toml.Primitive) {
			set(d, k, v, &u.Theme, wantText, oneOf("dark", "light", "16", "none"))
		},
		"clipboard": func(k string, v toml.Primitive) { set(d, k, v, &u.Clipboard, wantBool, nil) },
		"mouse":     func(k string, v toml.Primitive) { set(d, k, v, &u.Mouse, wantBool, nil) },
		"title":     func(k string, v toml.Primitive) { set(d, k, v, &u.Title, wantBool, nil) },
		"notify": func(k string, v toml.Primitive) {
			set(d, k, v, &u.Notify, wantText, oneOf("auto", "bell", "osc9", "osc777", "off"))
		},
	}
}

// keys reads [keys], action by action.
func (d *decoder) keys(key string, value toml.Primitive, keys map[string]string) {
	table, _ := d.values(key, value)
	for _, action := range sortedKeys(table) {
		name := key + "." + toml.Key{action}.String()
		if d.actions != nil && !slices.Contains(d.actions, action) {
			d.add(name, table[action], "unknown action; allowed: "+strings.Join(slices.Sorted(slices.Values(d.actions)), ", "))
			continue
		}
		var spelling string
		set(d, name, table[action], &spelling, wantText, checkKey)
		if k, err := ParseKey(spelling); err == nil {
			keys[action] = k.String()
		}
	}
}

func checkKey(s string) string {
	if _, err := ParseKey(s); err != nil {
		return err.Error()
	}
	return ""
}

// oneOf returns a check for a value out of a list.
func oneOf(allowed ...string) func(string) string {
	return func(s string) string {
		if slices.Contains(allowed, s) {
			return ""
		}
		return fmt.Sprintf("%q is not allowed; allowed: %s", s, strings.Join(allowed, ", "))
	}
}

func checkCommand(args []string) string {
	if len(args) == 0 || args[0] == "" {
		return `must name a program: ["program", "argument"]`
	}
	return ""
}

// checkArguments finds placeholders that no one fills in. Other braces are
// arguments like any other.
func checkArguments(args []string) string {
	for _, a := range args {
		if wrong := unknownPlaceholder(a, "id", "new", "name", "mode", "prompt", "format"); wrong != "" {
			return wrong
		}
	}
	return ""
}

func checkWorktreePath(s string) string {
	switch {
	case !strings.Contains(s, "{name}"):
		return "must contain {name}, or all worktrees would be the same"
	case !strings.HasPrefix(s, "{repo}") && !strings.HasPrefix(s, "~/") && !filepath.IsAbs(s):
		return "must begin with {repo}, ~/ or /"
	}
	return unknownPlaceholder(s, "repo", "name")
}

// checkLinks allows directories below a checkout.
func checkLinks(paths []string) string {
	for _, path := range paths {
		if !filepath.IsLocal(path) || filepath.Clean(path) == "." {
			return "must name directories below the main checkout, relative to it"
		}
	}
	return ""
}

func checkBranch(s string) string {
	if !strings.Contains(s, "{name}") {
		return "must contain {name}, or all branches would be the same"
	}
	return unknownPlaceholder(s, "name")
}

// unknownPlaceholder says what is wrong with the placeholders of s.
func unknownPlaceholder(s string, allowed ...string) string {
	for _, m := range regexp.MustCompile(`\{([a-z]+)\}`).FindAllStringSubmatch(s, -1) {
		if !slices.Contains(allowed, m[1]) {
			return fmt.Sprintf("unknown placeholder %s; allowed: {%s}", m[0], strings.Join(allowed, "}, {"))
		}
	}
	return ""
}

// expand puts home in the place of a leading ~.
func expand(path, home string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		return filepath.Join(home, path[1:])
	}
	return path
}
