package main

import (
	"testing"

	"coppice/session"
	"coppice/transcript"
)

func TestPR(t *testing.T) {
	t.Parallel()
	pr := &transcript.PR{Number: 12, URL: "https://Git.example/Ada/wood/pull/12", Repository: "Ada/wood"}
	lab := &transcript.PR{Number: 12, URL: "https://lab.example/group/sub/wood/-/merge_requests/12", Repository: ""}
	bare := &transcript.PR{Number: 12, Repository: "ada/wood"}
	tests := []struct {
		query string
		pr    *transcript.PR
		want  bool
	}{
		{"12", pr, true},
		{"#12", pr, true},
		{"12", lab, true},
		{"12", nil, false},
		{"13", pr, false},
		{"1", pr, false},
		{"ada/wood#12", pr, true},
		{"ada/wood#12", bare, true},
		{"bob/wood#12", pr, false},
		{"https://git.example/ada/wood/pull/12", pr, true},
		{"https://git.example/ada/wood/pull/12/files#diff-1", pr, true},
		{"https://git.example/ada/wood/pull/12?w=1", pr, true},
		{"http://git.example/ada/wood/pulls/12", pr, true},
		{"https://git.example/ada/wood/pull/12", bare, true},
		{"https://git.example/bob/wood/pull/12", bare, false},
		{"https://other.example/ada/wood/pull/12", pr, false},
		{"https://git.example/ada/wood/pull/123", pr, false},
		{"https://lab.example/group/sub/wood/-/merge_requests/12/diffs", lab, true},
		{"https://lab.example/group/wood/-/merge_requests/12", lab, false},
	}
	for _, tt := range tests {
		q, err := parsePR(tt.query)
		if err != nil {
			t.Errorf("parsePR(%q): %v", tt.query, err)
			continue
		}
		if got := q.matches(tt.pr); got != tt.want {
			t.Errorf("%q matches %+v: %v, want %v", tt.query, tt.pr, got, tt.want)
		}
	}
	for _, bad := range []string{"", "0", "-1", "x", "#", "#x", "a#0", "1.5", "99999999999999999999", "https://git.example/ada/wood", "https://git.example/pull/x", "ftp://git.example/a/b/pull/1", "https://%zz/a/pull/1"} {
		if q, err := parsePR(bad); err == nil {
			t.Errorf("parsePR(%q) = %+v, want an error", bad, q)
		}
	}
	if !(prQuery{}).matches(nil) {
		t.Error("no query matches everything")
	}
}

func TestHasWords(t *testing.T) {
	t.Parallel()
	s := session.Session{
		ID: "3f2a0000-0000-4000-8000-000000000000", Title: "Fell the Oak", Dir: "/src/wood", Path: "/p/x.jsonl",
		Summary: transcript.Summary{
			Branch: "topic/saw", FirstPrompt: "erste Eiche", LastPrompt: "zuletzt", Tag: "later",
			PR: &transcript.PR{Number: 7, URL: "https://git.example/ada/wood/pull/7", Repository: "ada/wood"},
		},
	}
	for search, want := range map[string]bool{
		"": true, "  ": true, "oak": true, "OAK fell": true, "wood": true, "3f2a": true, "topic/saw": true, "#7": true,
		"eiche zuletzt": true, "later": true, "ada/wood": true, "beech": false, "oak beech": false, "oak\nfell": true, "oaktopic": false,
	} {
		if got := hasWords(s, words(search)); got != want {
			t.Errorf("%q: %v, want %v", search, got, want)
		}
	}
}
