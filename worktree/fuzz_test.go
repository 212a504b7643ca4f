package worktree_test

import (
	"os"
	"strings"
	"testing"

	"coppice/worktree"
	"coppice/worktree/worktreetest"
)

// FuzzOpen reads repositories whose files hold anything: never a panic, always
// a repository with its one worktree.
func FuzzOpen(f *testing.F) {
	hash := strings.Repeat("0a", 20)
	f.Add("[core]\n\tbare = false\n[branch \"x\"]\n\tremote = origin\n\tmerge = refs/heads/x\n[remote \"origin\"]\n\tfetch = +refs/heads/*:refs/remotes/o/*\n",
		"ref: refs/heads/x\n", "# pack-refs with: peeled\n"+hash+" refs/heads/x\n^"+hash+"\n", hash+"\n", "../../../wt/.git\n", "why\x1b[31m\n")
	f.Add("[core \"x\\\"]\nbare", hash, "\x00", "ref: refs/heads/loose", "/", "")
	f.Add("[remote \"\"]\nfetch=:\nfetch=+:*\nfetch=*:*\n[branch \"loose\"]\nremote=\nmerge=*\n", "ref:", hash+" refs/heads/\n", "ref: refs/heads/a", ".git", "\r\n")
	f.Add("[branch]\n\tremote=.\n;\n[extensions]\nrefStorage=reftable\n", "ref: refs/heads/.invalid", "", "", "\n\n", "\xff")
	f.Fuzz(func(t *testing.T, config, head, packed, loose, gitdir, locked string) {
		dir := t.TempDir()
		for file, text := range map[string]string{
			"HEAD": head, "config": config, "packed-refs": packed, "refs/heads/loose": loose, "objects/x": "",
			"worktrees/w/gitdir": gitdir, "worktrees/w/HEAD": head, "worktrees/w/locked": locked,
			"worktrees/w/commondir": "../..\n", "worktrees/w/rebase-merge/head-name": head,
		} {
			worktreetest.WriteFile(t, sub(dir, ".git", file), text)
		}
		repo, err := worktree.Git{}.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		linked := 0
		for _, w := range repo.Worktrees {
			if w.Admin == "w" {
				linked++
			}
			if strings.Contains(w.LockReason+w.Detail, "\n") {
				t.Errorf("not one line: %+v", w)
			}
		}
		if linked != 1 {
			t.Errorf("%+v", repo)
		}
		for _, b := range repo.Branches {
			if b.Name == "" || len(b.Head) != 40 {
				t.Errorf("%+v", b)
			}
		}
	})
}

// FuzzLocate follows .git files that hold anything.
func FuzzLocate(f *testing.F) {
	f.Add("gitdir: ../x/.git/worktrees/y\n", "a/b")
	f.Add("gitdir:", "..")
	f.Add("gitdir: /\x00", "\x00")
	top := f.TempDir()
	f.Fuzz(func(t *testing.T, pointer, below string) {
		if err := os.WriteFile(sub(top, ".git"), []byte(pointer), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{top, sub(top, below), below} {
			if got := worktree.Locate(dir); got.State == "" || got.State == worktree.Present {
				t.Errorf("%q: %+v", dir, got)
			}
		}
	})
}
