//go:build lab

package lab_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// What the dashboard answers an agent with (ui/dialog_answer.go): a paste and Enter
// in one write are a prompt, and the digit of a choice on the screen chooses it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	term := r.open(r.repo, "--permission-mode", "default")
	r.must(term.See(r.ctx(), "❯"))
	paste := "\x1b[200~RUN:{touch oak; echo shade}\x1b[201~\r"
	r.must(term.Keys(r.ctx(), append([]string{"-H"}, hex(paste)...)...))
	choices := regexp.MustCompile(`(?m)^\W*❯ 1\. \S.*\n(.*\n)*?\W*2\. \S`)
	r.must(term.Wait(r.ctx(), "choices, the first one selected", choices.MatchString))
	r.must(term.Keys(r.ctx(), "-l", "1"))
	r.must(term.See(r.ctx(), "Noted"))
	r.must(term.Enter(r.ctx(), "RUN:{touch elm; echo shade}"))
	r.must(term.Wait(r.ctx(), "choices again", choices.MatchString))
	screen, err := term.Screen(r.ctx())
	r.must(err)
	last := regexp.MustCompile(`(?m)^\W*(\d)\. No`).FindStringSubmatch(screen)
	if last == nil {
		t.Fatalf("no choice refuses:\n%s", screen)
	}
	r.must(term.Keys(r.ctx(), "-l", last[1]))
	r.must(term.Wait(r.ctx(), "that nothing is asked", func(s string) bool { return !choices.MatchString(s) }))
	for name, made := range map[string]bool{"elm": false, "oak": true} {
		if _, err := os.Stat(filepath.Join(r.repo, name)); os.IsNotExist(err) == made {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// hex is what tmux takes for bytes.
func hex(s string) []string {
	var out []string
	for _, b := range []byte(s) {
		out = append(out, fmt.Sprintf("%02x", b))
	}
	return out
}
