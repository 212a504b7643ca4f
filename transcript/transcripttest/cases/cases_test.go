package cases_test

import (
	"bytes"
	"os"
	"testing"

	"coppice/transcript/transcripttest/cases"
)

// Every case has one golden file, and every golden file a case.
func TestCasesHaveGoldens(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("testdata/client")
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, file := range files {
		left[file.Name()] = true
	}
	for _, c := range cases.All() {
		if !left[c.File()] {
			t.Errorf("case %q: no golden file of its own: record it with the suite of session/lab", c.Name)
		}
		delete(left, c.File())
		if c.Observed == "" || !bytes.Equal(c.Transcript(), c.Transcript()) {
			t.Errorf("case %q says not where it was observed, or is not always the same", c.Name)
		}
		golden, err := c.Client()
		if err != nil {
			t.Error(err)
			continue
		}
		data, err := os.ReadFile("testdata/client/" + c.File())
		if err != nil || golden.String() != string(data) {
			t.Errorf("case %q: the golden file is not read as it was written: %v", c.Name, err)
		}
	}
	for name := range left {
		t.Errorf("%s belongs to no case", name)
	}
}
