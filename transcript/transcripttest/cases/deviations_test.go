package cases_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every deviation names a test that there is.
func TestDeviationsNameTheirTests(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	data, err := os.ReadFile(filepath.Join(root, "docs", "deviations.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("\\| `([a-z/]+)` `(Test\\w+)`(?: \"(.+)\")? \\|$")
	rows := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasSuffix(line, "| test |") {
			continue
		}
		rows++
		m := named.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("no test is named in %s", line)
			continue
		}
		text := testsOf(t, filepath.Join(root, filepath.FromSlash(m[1])))
		if !strings.Contains(text, "\nfunc "+m[2]+"(") || m[3] != "" && !strings.Contains(text, `"`+m[3]+`"`) {
			t.Errorf("%s has no %s %q", m[1], m[2], m[3])
		}
	}
	if rows < 20 {
		t.Errorf("only %d deviations were found", rows)
	}
}

// testsOf returns the text of a package's tests.
func testsOf(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
