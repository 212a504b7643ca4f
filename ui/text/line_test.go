package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/ui/text"
)

func TestLine(t *testing.T) {
	t.Parallel()
	line := text.Line{{Text: "漢字", Role: text.Title}, {Text: " main", Role: text.Dim}}
	if w := line.Width(); w != 9 {
		t.Errorf("Width = %d", w)
	}
	for w, want := range map[int]string{
		9: "2:漢字 1: main", 8: "2:漢字 1: ma…", 5: "2:漢字 1:…", 4: "2:漢…", 3: "2:漢…", 2: "2:…", 1: "2:…", 0: "",
	} {
		if got := show(line.Truncate(w)); got != want {
			t.Errorf("Truncate(%d) = %q, want %q", w, got, want)
		}
	}
	if got := show(line.Pad(11)); got != "2:漢字 1: main 0:  " {
		t.Errorf("Pad = %q", got)
	}
	if got := show(line); got != "2:漢字 1: main" {
		t.Errorf("the line itself became %q", got)
	}
	var wrapped []string
	for _, l := range line.Wrap(5) {
		wrapped = append(wrapped, show(l))
	}
	if diff := cmp.Diff([]string{"2:漢字", "1:main"}, wrapped); diff != "" {
		t.Error(diff)
	}
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	line := text.Line{{Text: "abc", Role: text.Title}, {Text: "漢e\u0301x", Role: text.Dim}}
	m := int(text.Match)
	for _, tt := range []struct {
		positions []int
		want      string
	}{
		{nil, "2:abc 1:漢e\u0301x"},
		{[]int{0}, fmt.Sprintf("%d:a 2:bc 1:漢e\u0301x", m)},
		{[]int{1, 2, 3}, fmt.Sprintf("2:a %d:bc漢 1:e\u0301x", m)},
		{[]int{7}, fmt.Sprintf("2:abc 1:漢 %d:e\u0301 1:x", m)},
		{[]int{6, 7, 99}, fmt.Sprintf("2:abc 1:漢 %d:e\u0301 1:x", m)},
	} {
		got := line.Highlight(tt.positions)
		if show(got) != tt.want {
			t.Errorf("Highlight(%v) = %q, want %q", tt.positions, show(got), tt.want)
		}
		if got.String() != line.String() {
			t.Errorf("Highlight(%v) changed the text to %q", tt.positions, got.String())
		}
	}
}

// show writes a line as "role:text role:text".
func show(l text.Line) string {
	var parts []string
	for _, s := range l {
		parts = append(parts, fmt.Sprintf("%d:%s", s.Role, s.Text))
	}
	return strings.Join(parts, " ")
}
