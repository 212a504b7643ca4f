package main

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"coppice/session"
	"coppice/transcript"
)

// filter says which sessions of a scope are wanted.
type filter struct {
	branch string // exactly this one; "" for any
	words  []string
	pr     prQuery
	hidden bool // hidden ones too
}

// keep reports whether a session passes.
func (f filter) keep(s session.Session) bool {
	if s.Hidden != "" && !f.hidden {
		return false
	}
	return f.matches(s)
}

// matches is keep without regard to hidden.
func (f filter) matches(s session.Session) bool {
	if f.branch != "" && s.Summary.Branch != f.branch {
		return false
	}
	return f.pr.matches(s.Summary.PR) && hasWords(s, f.words)
}

// words splits a search text.
func words(search string) []string { return strings.Fields(strings.ToLower(search)) }

// hasWords reports whether each word stands somewhere in what a session is known
// by: what the dashboard's search looks at too.
func hasWords(s session.Session, words []string) bool {
	if len(words) == 0 {
		return true
	}
	sum := s.Summary
	parts := []string{s.Title, sum.Branch, s.Dir, s.Path, s.ID, sum.FirstPrompt, sum.LastPrompt, sum.Tag}
	if pr := sum.PR; pr != nil {
		parts = append(parts, "#"+strconv.Itoa(pr.Number), pr.Repository, pr.URL)
	}
	hay := strings.ToLower(strings.Join(parts, "\n"))
	for _, w := range words {
		if !strings.Contains(hay, w) {
			return false
		}
	}
	return true
}

// prQuery is a pull request that is asked for. The zero value is none.
type prQuery struct {
	number     int
	repository string // host and path of the repository; "" for any
}

// parsePR reads "12", "#12", "owner/name#12" or the address of a pull or merge
// request, whatever page of it.
func parsePR(s string) (prQuery, error) {
	bad := usagef("%q is no pull request; write its number or its address", s)
	if s == "" {
		return prQuery{}, bad
	}
	if repo, number, ok := strings.Cut(s, "#"); ok && !strings.Contains(s, "://") {
		n, err := strconv.Atoi(number)
		if err != nil || n <= 0 {
			return prQuery{}, bad
		}
		return prQuery{number: n, repository: strings.ToLower(repo)}, nil
	}
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return prQuery{number: n}, nil
	}
	repo, n := prAddress(s)
	if n <= 0 {
		return prQuery{}, bad
	}
	return prQuery{number: n, repository: repo}, nil
}

// prAddress takes the address of a pull request apart: lower-case host and path
// of its repository, and its number; 0 when it is none.
func prAddress(s string) (string, int) {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return "", 0
	}
	m := regexp.MustCompile(`^/(.+?)/(?:-/)?(?:pull|pulls|merge_requests|pull-requests)/(\d+)(?:/|$)`).FindStringSubmatch(u.Path)
	if m == nil {
		return "", 0
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return "", 0
	}
	return strings.ToLower(u.Host + "/" + m[1]), n
}

// matches reports whether pr is the one asked for.
func (q prQuery) matches(pr *transcript.PR) bool {
	switch {
	case q.number == 0:
		return true
	case pr == nil || pr.Number != q.number:
		return false
	case q.repository == "":
		return true
	}
	repo, _ := prAddress(pr.URL)
	name := strings.ToLower(pr.Repository)
	return repo == q.repository || name == q.repository ||
		(repo == "" && name != "" && strings.HasSuffix(q.repository, "/"+name))
}
