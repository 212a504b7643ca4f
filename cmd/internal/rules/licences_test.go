package rules_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLicencesAreListed compares docs/licences.md with what the program links.
func TestLicencesAreListed(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "coppice/cmd/coppice").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	slices.Sort(linked)
	linked = slices.DeleteFunc(slices.Compact(linked), func(m string) bool { return m == "coppice" })

	page, err := os.ReadFile(root + "/docs/licences.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\S+/\S+) \| \S+ \|$`).FindAllSubmatch(page, -1) {
		listed = append(listed, string(row[1]))
	}
	slices.Sort(listed)
	if diff := cmp.Diff(linked, listed); diff != "" {
		t.Errorf("docs/licences.md (-linked +listed):\n%s", diff)
	}
}
