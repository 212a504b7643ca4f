package worktree

import (
	"slices"
	"strings"
)

// Variables lists the environment variables by which a git process, or a hook
// or alias that it runs, ties its children to one repository. The numbered
// GIT_CONFIG_KEY_<n> and GIT_CONFIG_VALUE_<n> belong to them too.
//
// It is what `git rev-parse --local-env-vars` prints in any version, and what
// else sends git to another place. GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM and
// GIT_CONFIG_NOSYSTEM are not among them: they name a person's own settings.
func Variables() []string {
	return []string{
		"GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_ATTR_SOURCE",
		"GIT_COMMON_DIR",
		"GIT_CONFIG",
		"GIT_CONFIG_COUNT",
		"GIT_CONFIG_PARAMETERS",
		"GIT_DIR",
		"GIT_GRAFT_FILE",
		"GIT_IMPLICIT_WORK_TREE",
		"GIT_INDEX_FILE",
		"GIT_INTERNAL_SUPER_PREFIX",
		"GIT_NAMESPACE",
		"GIT_NO_REPLACE_OBJECTS",
		"GIT_OBJECT_DIRECTORY",
		"GIT_PREFIX",
		"GIT_QUARANTINE_PATH",
		"GIT_REFERENCE_BACKEND",
		"GIT_REPLACE_REF_BASE",
		"GIT_SHALLOW_FILE",
		"GIT_WORK_TREE",
	}
}

// Scrubbed reports whether CleanEnv removes the variable called name.
func Scrubbed(name string) bool {
	return slices.Contains(Variables(), name) ||
		strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

// CleanEnv returns env without the variables that make git look elsewhere
// (GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_CONFIG_*, …; report E7). The
// launched agent gets it too. env itself is left as it is.
func CleanEnv(env []string) []string {
	clean := make([]string, 0, len(env))
	for _, entry := range env {
		if name, _, _ := strings.Cut(entry, "="); !Scrubbed(name) {
			clean = append(clean, entry)
		}
	}
	return clean
}
