package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// FindDirs returns the directories in force for an environment, a home
// directory and a working directory (which a relative CLAUDE_CONFIG_DIR starts
// from). It creates nothing; the runtime directory alone is looked at on disk,
// because only a usable one counts.
//
// The XDG rules are few and are written out here: a library for them reads the
// environment of the process when that starts, so that no other one can be
// described, and has other directories on macOS.
func FindDirs(getenv func(string) string, home, cwd string) Dirs {
	d := Dirs{
		Home:   home,
		Agent:  filepath.Join(home, ".claude"),
		Config: xdg(getenv("XDG_CONFIG_HOME"), home, ".config"),
		State:  xdg(getenv("XDG_STATE_HOME"), home, ".local/state"),
		Cache:  xdg(getenv("XDG_CACHE_HOME"), home, ".cache"),
	}
	if root := getenv("CLAUDE_CONFIG_DIR"); root != "" {
		if !filepath.IsAbs(root) {
			root = filepath.Join(cwd, root)
		}
		d.Agent = filepath.Clean(root)
		// Without CLAUDE_CONFIG_DIR the client ignores the name.
		if name := getenv("CLAUDE_CODE_PROJECT_DIR_NAME"); validProjectName(name) {
			d.ProjectName = name
		}
	}
	d.Projects = filepath.Join(d.Agent, "projects")
	d.Runtime = filepath.Join(d.State, "run")
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) && private(dir) {
		d.Runtime = filepath.Join(dir, "coppice")
	}
	return d
}

// File returns the path of the configuration file, which need not exist.
func (d Dirs) File() string { return filepath.Join(d.Config, "config.toml") }

// xdg returns our directory under base, or under the standard one when base is
// not absolute: the XDG specification says to ignore such a value.
func xdg(base, home, standard string) string {
	if !filepath.IsAbs(base) {
		base = filepath.Join(home, standard)
	}
	return filepath.Join(base, "coppice")
}

// private reports whether dir is a directory of ours that no one else can use,
// as the XDG specification demands of a runtime directory.
func private(dir string) bool {
	fi, err := os.Stat(dir)
	if err != nil || !fi.IsDir() || fi.Mode().Perm() != 0o700 {
		return false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

// validProjectName reports whether the client honours the name of a project
// directory: 1 to 64 letters, digits, "-" and "_", and no Windows device.
func validProjectName(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(name) &&
		!regexp.MustCompile(`^(con|prn|aux|nul|(com|lpt)[0-9])$`).MatchString(strings.ToLower(name))
}
