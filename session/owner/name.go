package owner

import (
	"regexp"
	"strconv"
)

var pullRequestName = regexp.MustCompile(`^(?:#|https?://[^/]+/(?:[^/]+/)+(?:pull|merge_requests)/)([0-9]{1,9})(?:[/?#].*)?$`)

// pullRequest returns the number of the pull or merge request that a name or an
// address stands for, 0 for none. Of an address only the number counts, as with
// the client: it is the remote of the repository that is asked.
func pullRequest(name string) int {
	m := pullRequestName.FindStringSubmatch(name)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
