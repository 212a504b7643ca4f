package session_test

import (
	"strings"
	"testing"

	"coppice/session"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, dir, want string }{
		{"plain", "/home/u/app", "-home-u-app"},
		{"case is kept", "/Users/Me/My_App", "-Users-Me-My-App"},
		{"worktree", "/x/.claude/worktrees/a", "-x--claude-worktrees-a"},
		{"emoji is two units", "/wd/😀 x", "-wd----x"},
		{"composed letter is one", "/w/é", "-w--"},
		{"decomposed letter is two", "/w/e\u0301", "-w-e-"},
		{"200 is left alone", "/srv/" + strings.Repeat("x", 195), "-srv-" + strings.Repeat("x", 195)},
		{"201 gets a hash", "/srv/" + strings.Repeat("x", 196), "-srv-" + strings.Repeat("x", 195) + "-sa6ta1"},
		{"hash is of the raw path", "/w/" + strings.Repeat("é/", 120), "-w-" + strings.Repeat("-", 197) + "-j8olyh"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := session.Encode(tt.dir); got != tt.want {
				t.Errorf("Encode(%q) = %q, want %q", tt.dir, got, tt.want)
			}
		})
	}
}

// B9 directories of the same name, which only the records tell apart.
func TestEncodeCollides(t *testing.T) {
	t.Parallel()
	want := session.Encode("/w/my-proj")
	for _, dir := range []string{"/w/my/proj", "/w/my_proj", "/w/my.proj", "/w/my proj"} {
		if got := session.Encode(dir); got != want {
			t.Errorf("Encode(%q) = %q, want %q", dir, got, want)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("/home/u/app")
	f.Add("\xff\xfe/é")
	f.Fuzz(func(t *testing.T, dir string) {
		name := session.Encode(dir)
		if len(name) > 200+1+7 {
			t.Fatalf("%d bytes", len(name))
		}
		for _, r := range name {
			if r != '-' && (r > 'z' || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r)) {
				t.Fatalf("%q in %q", r, name)
			}
		}
	})
}
