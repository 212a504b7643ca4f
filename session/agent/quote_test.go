package agent_test

import (
	"testing"

	"coppice/session/agent"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	got := agent.Quote([]string{"claude", "--resume", "3f2a", "", "it's", "a b", "$HOME", "~", "x\ny", "é"})
	if want := `claude --resume 3f2a '' 'it'\''s' 'a b' '$HOME' '~' 'x` + "\n" + `y' 'é'`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestQuoteIn(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{"": "x y", "/a b": "cd '/a b' && x y"} {
		if got := agent.QuoteIn(dir, []string{"x", "y"}); got != want {
			t.Errorf("in %q: %s, want %s", dir, got, want)
		}
	}
}
