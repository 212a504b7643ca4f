package forge

import (
	"regexp"
	"strings"
)

// address is where a repository is published.
type address struct{ host, path string }

var (
	hostForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]*$`)
	pathForm = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_.-]*(/[A-Za-z0-9_.][A-Za-z0-9_.-]*)+$`)
)

// parse reads the address of a remote: https://host/owner/name, ssh://…, or
// user@host:owner/name. Anything else, such as a directory, is not ok: it is
// handed to a program, so it is held to what hosts and projects are called.
func parse(remote string) (a address, ok bool) {
	scheme, rest, found := strings.Cut(remote, "://")
	switch {
	case !found:
		a.host, a.path, _ = strings.Cut(remote, ":")
	case scheme == "https" || scheme == "http" || scheme == "ssh" || scheme == "git+ssh":
		a.host, a.path, _ = strings.Cut(rest, "/")
		a.host, _, _ = strings.Cut(afterAt(a.host), ":") // the port is that of git, not of the programs
	default:
		return a, false
	}
	a.host = strings.ToLower(afterAt(a.host))
	a.path = strings.TrimSuffix(strings.Trim(a.path, "/"), ".git")
	return a, hostForm.MatchString(a.host) && pathForm.MatchString(a.path) && !strings.Contains("/"+a.path+"/", "/../")
}

// afterAt is what follows the user of an address.
func afterAt(s string) string { return s[strings.LastIndexByte(s, '@')+1:] }
