package runtime

import (
	"path/filepath"
	"strings"
)

// maxSlug is the longest slug that names a plan.
const maxSlug = 128

// findPlan returns the path of the plan that the slug names: in the directory of
// the settings, which is one below dir, else in plans/ of the config root. escapes
// means that the setting leads elsewhere.
func findPlan(slug string, s Settings, dir, root place) (path string, escapes bool) {
	p, folder := root, "plans"
	if s.PlansDirectory != "" {
		name := filepath.Clean(s.PlansDirectory)
		if filepath.IsAbs(name) {
			name, _ = dir.below(name)
		}
		if !filepath.IsLocal(name) {
			return "", true
		}
		p, folder = dir, name
	}
	if !plainSlug(slug) {
		return "", false
	}
	if name := filepath.Join(folder, slug+".md"); p.regular(name) {
		return p.path(name), false
	}
	return "", false
}

// plainSlug says whether a recorded slug is words with hyphens, not a path.
func plainSlug(slug string) bool {
	if slug == "" || len(slug) > maxSlug {
		return false
	}
	return strings.IndexFunc(slug, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}

// maxTodos bounds how many names of the legacy folder are looked at.
const maxTodos = 100_000

// findTasks returns the path of a session's task list: its folder below tasks/,
// else the first file of the legacy todos/ that is named after it.
func findTasks(session string, root place) string {
	if !plainName(session) {
		return ""
	}
	if folder := filepath.Join("tasks", session); len(root.list(folder, 1)) > 0 {
		return root.path(folder)
	}
	for _, name := range root.list("todos", maxTodos) {
		if strings.HasPrefix(name, session) && strings.HasSuffix(name, ".json") {
			if file := filepath.Join("todos", name); root.regular(file) {
				return root.path(file)
			}
		}
	}
	return ""
}
