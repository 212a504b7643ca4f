package agent

import (
	"path/filepath"
	"slices"
	"strings"

	"coppice/worktree"
)

// Markers lists the variables by which the client tells its children who
// started them (observed E, and the environment of its Bash tool). An agent that
// inherited them would take itself for a child: it would not save its
// conversation, or send messages in the name of the other session. Settings of a
// person, such as CLAUDE_CODE_USE_BEDROCK or CLAUDE_CODE_PROJECT_DIR_NAME, are
// not among them.
func Markers() []string {
	return []string{
		"AI_AGENT",
		"CLAUDECODE",
		"CLAUDE_CODE_CHILD_NOTES_DIR",
		"CLAUDE_CODE_CHILD_SESSION",
		"CLAUDE_CODE_ENTRYPOINT",
		"CLAUDE_CODE_EXECPATH",
		"CLAUDE_CODE_MESSAGING_SOCKET",
		"CLAUDE_CODE_MESSAGING_TOKEN",
		"CLAUDE_CODE_SESSION_ATTENDED",
		"CLAUDE_CODE_SESSION_ID",
		"CLAUDE_EFFORT",
		"CLAUDE_ENV_FILE",
		"CLAUDE_PID",
		"CLAUDE_PLUGIN_DATA",
		"CLAUDE_PLUGIN_ROOT",
		"CLAUDE_PROJECT_DIR",
		"CLAUDE_SESSION_ID",
	}
}

// rootVariable names the agent's config root.
const rootVariable = "CLAUDE_CONFIG_DIR"

// Environ returns the environment of an agent that runs in dir with the config
// root root, made from the one that would be inherited: without the variables
// that tie git to another repository (report E7) and without Markers, with PWD
// in place. The config root is named when it was named before or is not the
// default one, and only then: naming the default moves the client's state file
// (report F10, client-behaviour 1.1).
func Environ(inherited []string, root, dir string) []string {
	inside := lookup(inherited, "CLAUDECODE") != ""
	env := make([]string, 0, len(inherited)+2)
	for _, entry := range worktree.CleanEnv(inherited) {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case slices.Contains(Markers(), name), name == rootVariable, name == "PWD":
		case inside && name == "GIT_EDITOR" && value == "true": // the client's, for its own commands
		default:
			env = append(env, entry)
		}
	}
	named := lookup(inherited, rootVariable) != ""
	if root != "" && (named || root != filepath.Join(lookup(inherited, "HOME"), ".claude")) {
		env = append(env, rootVariable+"="+root)
	}
	return append(env, "PWD="+dir)
}

// Changes returns what differs between two environments: the new value of every
// variable that is set or changed, "" for one that is removed.
func Changes(before, after []string) map[string]string {
	changes := map[string]string{}
	for _, entry := range before {
		if name, _, ok := strings.Cut(entry, "="); ok && !has(after, name) {
			changes[name] = ""
		}
	}
	for _, entry := range after {
		name, value, ok := strings.Cut(entry, "=")
		if ok && (!has(before, name) || lookup(before, name) != value) {
			changes[name] = value
		}
	}
	return changes
}

// lookup returns the value of a variable, "" when it is not set. The last entry
// counts, as for a started process.
func lookup(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

func has(env []string, name string) bool {
	return slices.ContainsFunc(env, func(entry string) bool { return strings.HasPrefix(entry, name+"=") })
}
