package session_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
)

func TestFamilies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		rows [][2]string // id, parent
		want []session.Family
	}{
		{"none", nil, []session.Family{}},
		{"no forks", [][2]string{{"a", ""}, {"b", ""}}, []session.Family{{Root: 0}, {Root: 1}}},
		{"fork before its parent", [][2]string{{"b", "a"}, {"c", ""}, {"a", ""}}, []session.Family{{Root: 2, Forks: []int{0}}, {Root: 1}}},
		{"chain", [][2]string{{"a", ""}, {"b", "a"}, {"c", "b"}, {"d", "c"}}, []session.Family{{Root: 0, Forks: []int{1, 2, 3}}}},
		{"parent not listed", [][2]string{{"c", "b"}, {"d", "c"}}, []session.Family{{Root: 0, Forks: []int{1}}}},
		{"own parent", [][2]string{{"a", "a"}}, []session.Family{{Root: 0}}},
		{"circle", [][2]string{{"c", "b"}, {"a", "c"}, {"b", "a"}}, []session.Family{{Root: 1, Forks: []int{0, 2}}}},
		{"fork of a circle", [][2]string{{"d", "c"}, {"c", "b"}, {"b", "c"}}, []session.Family{{Root: 2, Forks: []int{0, 1}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rows := make([]session.Session, len(tt.rows))
			for i, r := range tt.rows {
				rows[i] = session.Session{ID: r[0], Parent: r[1]}
			}
			if diff := cmp.Diff(tt.want, session.Families(rows)); diff != "" {
				t.Errorf("families (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever the parents are, every row is in exactly one family.
func TestFamiliesLoseNothing(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rows := make([]session.Session, rng.IntN(30))
		for i := range rows {
			rows[i] = session.Session{ID: strconv.Itoa(i), Parent: strconv.Itoa(rng.IntN(40))}
		}
		seen := map[int]int{}
		for _, f := range session.Families(rows) {
			seen[f.Root]++
			for _, i := range f.Forks {
				seen[i]++
			}
		}
		for i := range rows {
			if seen[i] != 1 {
				t.Fatalf("row %d is in %d families", i, seen[i])
			}
		}
	}
}
