//go:build lab

package lab_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/session"
	"coppice/session/lab"
	"coppice/worktree/worktreetest"
)

// J: a name given here is the one that the client shows, in its picker and when
// it resumes, and the reverse.
func TestNamesAreShared(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	id := r.talk(r.repo, "a word: rowan")
	const ours, theirs = "named by us: <& ümlaut>", "named by them"
	r.rename(r.row(id), ours)
	if got := r.row(id); got.Title != ours || got.TitleSource != session.TitleCustom {
		t.Errorf("our title is %q (%s)", got.Title, got.TitleSource)
	}
	picker := r.open(r.repo, "--resume")
	r.must(picker.See(r.ctx(), ours))
	r.must(picker.Keys(r.ctx(), "Escape"))
	_, err := picker.Ended(r.ctx())
	r.must(err)

	term := r.open(r.repo, "--resume", ours)
	r.must(term.See(r.ctx(), "rowan"))
	r.must(term.See(r.ctx(), " "+ours+" ─")) // the name bar
	const live = "named while live"
	r.rename(r.row(id), live)
	r.must(term.Enter(r.ctx(), "/rename "+theirs))
	r.must(term.See(r.ctx(), " "+theirs+" ─"))
	r.exit(term)
	if got := r.row(id); got.Title != theirs {
		t.Errorf("their title is %q", got.Title)
	}
	r.compareRename(id)
}

// rename gives a session a name as the program does.
func (r *room) rename(s session.Session, name string) {
	r.t.Helper()
	_, err := session.Renamer{Root: r.Root, Now: time.Now, Live: r.opened}.Rename(r.ctx(), s, name)
	r.must(err)
}

// opened says whether the client has a session open.
func (r *room) opened(id string) bool { return session.CheckEnded(r.Root, "/proc", id) != nil }

// compareRename checks that the client's own records and sidecar have the shape
// of ours.
func (r *room) compareRename(id string) {
	r.t.Helper()
	s := r.row(id)
	data, err := os.ReadFile(s.Path)
	r.must(err)
	for _, name := range []string{"named by us: <& ümlaut>", "named while live", "named by them"} {
		for _, record := range []string{
			`{"type":"custom-title","customTitle":"` + name + `","sessionId":"` + id + `"}`,
			`{"type":"agent-name","agentName":"` + name + `","sessionId":"` + id + `"}`,
		} {
			if !strings.Contains(string(data), "\n"+record+"\n") {
				r.t.Errorf("no record %s", record)
			}
		}
	}
	side := strings.TrimSuffix(s.Path, ".jsonl") + "/custom-title.json"
	theirs, err := os.ReadFile(side)
	r.must(err)
	theirInfo, err := os.Stat(side)
	r.must(err)
	r.rename(s, "named by them")
	ours, err := os.ReadFile(side)
	r.must(err)
	ourInfo, err := os.Stat(side)
	r.must(err)
	shape := func(b []byte) string { text, _, _ := strings.Cut(string(b), `"at":`); return fmt.Sprint(text, len(b)) }
	if shape(theirs) != shape(ours) || theirInfo.Mode() != ourInfo.Mode() {
		r.t.Errorf("their sidecar %s (%v), ours %s (%v)", theirs, theirInfo.Mode(), ours, ourInfo.Mode())
	}
}

// F, J: sessions are listed under the titles that the client's picker shows.
func TestTitlesAreThePickers(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	meta := func(kind, key, value string) func(id string) string {
		return func(id string) string { return fmt.Sprintf(`{"type":%q,%q:%q,"sessionId":%q}`, kind, key, value, id) }
	}
	custom := func(v string) func(string) string { return meta("custom-title", "customTitle", v) }
	ai := func(v string) func(string) string { return meta("ai-title", "aiTitle", v) }
	last := func(v string) func(string) string { return meta("last-prompt", "lastPrompt", v) }
	cases := []struct {
		name    string
		records []func(id string) string
		sidecar string
		title   string
	}{
		{"custom", []func(string) string{custom("oak one")}, "", "oak one"},
		{"two custom", []func(string) string{custom("oak two a"), custom("oak two b")}, "", "oak two b"},
		{"custom before ai", []func(string) string{custom("oak three"), ai("elm three")}, "", "oak three"},
		{"ai", []func(string) string{ai("elm four")}, "", "elm four"},
		{"sidecar before ai", []func(string) string{ai("elm five")}, "ash five", "ash five"},
		{"custom before sidecar", []func(string) string{custom("oak six")}, "ash six", "oak six"},
		{"cleared", []func(string) string{custom("oak seven"), custom(""), last("yew seven")}, "", "yew seven"},
		{"last prompt", []func(string) string{last("yew eight")}, "", "yew eight"},
		{"first prompt", nil, "", "fir nine"},
		{"agent-name is no title", []func(string) string{meta("agent-name", "agentName", "larch ten")}, "", "fir ten"},
	}
	numbers := strings.Fields("one two three four five six seven eight nine ten")
	for i, c := range cases {
		id := fmt.Sprintf("%08x-1111-4222-8333-444444444444", i+1)
		at := time.Now().Add(-time.Duration(i+1) * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
		path := filepath.Join(r.Root, "projects", session.Encode(r.repo), id+".jsonl")
		row := func(kind, uuid, parent, message string) string {
			return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"type":%q,"message":%s,"uuid":"%s-0000-4000-8000-%012d","timestamp":%q,`+
				`"userType":"external","entrypoint":"cli","cwd":%q,"sessionId":%q,"version":%q,"gitBranch":"main"}`+"\n",
				parent, kind, message, uuid, i, at, r.repo, id, lab.Version)
		}
		text := row("user", "aaaaaaaa", "null", fmt.Sprintf(`{"role":"user","content":"fir %s"}`, numbers[i])) +
			row("assistant", "bbbbbbbb", fmt.Sprintf(`"aaaaaaaa-0000-4000-8000-%012d"`, i),
				`{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"yes"}]}`)
		for _, record := range c.records {
			text += record(id) + "\n"
		}
		worktreetest.WriteFile(t, path, text)
		if c.sidecar != "" {
			worktreetest.WriteFile(t, strings.TrimSuffix(path, ".jsonl")+"/custom-title.json",
				fmt.Sprintf(`{"customTitle":%q,"by":"user","at":%q}`, c.sidecar, at))
		}
	}
	ours := map[string]string{}
	rows, _ := r.load()
	for _, s := range rows {
		ours[s.ID] = s.Title
	}
	picker := r.open(r.repo, "--resume")
	r.must(picker.See(r.ctx(), cases[0].title))
	for i, c := range cases {
		id := fmt.Sprintf("%08x-1111-4222-8333-444444444444", i+1)
		if ours[id] != c.title {
			t.Errorf("%s: our title is %q, want %q", c.name, ours[id], c.title)
		}
		r.must(picker.Wait(r.ctx(), c.name+" "+c.title, func(screen string) bool {
			return slices.ContainsFunc(strings.Split(screen, "\n"), func(line string) bool {
				return strings.Trim(line, "❯ ") == c.title
			})
		}))
	}
	screen, err := picker.Screen(r.ctx())
	r.must(err)
	for _, weaker := range []string{"oak two a", "elm three", "elm five", "ash six", "oak seven", "fir eight", "larch ten"} {
		if strings.Contains(screen, weaker) {
			t.Errorf("the picker shows %q", weaker)
		}
	}
}
