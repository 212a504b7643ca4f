package doctor_test

import (
	"os"
	"strings"
	"testing"

	"coppice/session/doctor"
	"coppice/session/sessiontest"
)

// Observed A.2: of two rows with one uuid the later one holds. Where they are not
// the same message, one is lost.
func TestSharedUUID(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(lines []string, uuid func(n int) string) []string
		want   string // the detail of the damage; "" for none
		line   int
	}{
		{"written twice", func(lines []string, _ func(int) string) []string { return append(lines, lines[5]) }, "", 0},
		{"written twice at another time", func(lines []string, _ func(int) string) []string {
			return append(lines, strings.Replace(lines[5], `"type"`, `"version" : "9.9.9","type"`, 1))
		}, "", 0},
		{"two messages", func(lines []string, uuid func(int) string) []string {
			lines[2] = strings.Replace(lines[2], uuid(3), uuid(5), 1)
			return lines
		}, "1 message has the id of another one and is not part of the conversation", 3},
		{"all", func(lines []string, uuid func(int) string) []string {
			for n := range lines {
				lines[n] = strings.Replace(lines[n], `"uuid":"`+uuid(n+1), `"uuid":"`+uuid(1), 1)
			}
			return lines
		}, "5 messages have the id of another one and are not part of the conversation", 1},
	}
	for n, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := turn(turn(turn(talk(n+1), "plant"), "water"), "prune")
			lines := strings.Split(strings.TrimSpace(string(b.Bytes())), "\n")
			lines = tt.change(lines, b.UUID)
			b.Reset()
			r := examine(t, save(t, sessiontest.New(t), b.Raw(strings.Join(lines, "\n")+"\n")), b.SessionID)
			if tt.want == "" {
				if f := has(t, r, "duplicate"); f.Severity != doctor.Note || r.Damaged() {
					t.Errorf("report %+v", r)
				}
				return
			}
			if f := has(t, r, "shared-uuid"); f.Severity != doctor.Harm || f.Detail != tt.want || f.Line != tt.line || f.Repair != "" {
				t.Errorf("finding %+v", f)
			}
			for _, f := range r.Findings {
				if f.Kind == "duplicate" {
					t.Errorf("finding %+v", f)
				}
			}
		})
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	root := sessiontest.New(t)
	b := turn(turn(talk(1), "plant"), "water")
	source := save(t, root, b)
	longer := root.WriteFile(t, "projects/-a/longer.jsonl", string(turn(b, "prune").Bytes()))
	other := save(t, root, turn(turn(turn(talk(2), "plant"), "water"), "prune"))
	data, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	shorter := root.WriteFile(t, "projects/-a/shorter.jsonl", strings.Join(lines[:len(lines)-2], ""))
	for path, want := range map[string]bool{source: true, longer: true, shorter: false, other: false} {
		if got, err := doctor.Holds(t.Context(), path, source); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	for _, pair := range [][2]string{{source, root.Projects() + "/none"}, {root.Projects() + "/none", source}} {
		if got, err := doctor.Holds(t.Context(), pair[0], pair[1]); got || err == nil {
			t.Errorf("%v: %v, %v", pair, got, err)
		}
	}
}
