package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"coppice/config"
)

// docs/config.md names every key of the default file, and every example in it
// is free of problems.
func TestDocument(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "docs", "config.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	table := ""
	for line := range strings.SplitSeq(config.DefaultText(), "\n") {
		if m := regexp.MustCompile(`^\[(.+)\]$`).FindStringSubmatch(line); m != nil {
			table = strings.Replace(m[1], "agents.claude", "agents.NAME", 1) + "."
		}
		key, value, ok := setting(line)
		if !ok {
			continue
		}
		if !strings.Contains(doc, "| `"+table+key+"` | `"+value+"` |") {
			t.Errorf("docs/config.md has no row for %s%s with default %s", table, key, value)
		}
	}
	for _, m := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(doc, -1) {
		if _, problems := config.Load(write(t, m[1]), home, nil); len(problems) > 0 {
			t.Errorf("example: %v", problems)
		}
	}
	for _, name := range config.KeyNames() {
		if !strings.Contains(doc, "`"+name+"`") && !regexp.MustCompile(`^F\d+$`).MatchString(name) {
			t.Errorf("docs/config.md does not name the key %s", name)
		}
	}
}

// setting takes a line `key = value   # comment` apart.
func setting(line string) (key, value string, ok bool) {
	m := regexp.MustCompile(`^(\w+)\s*= (.*?)\s*(?:# .*)?$`).FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
