package worktree_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/worktree"
	"coppice/worktree/worktreetest"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	src := sub(top, "src")
	app := worktreetest.New(t, sub(src, "app"))
	app.Worktree("../app-feat", "feat")
	app.Worktree("../zz/app-fix", "fix")
	worktreetest.New(t, sub(src, "app/vendored/inner"))
	worktreetest.New(t, sub(src, "a/b/deep"))
	worktreetest.New(t, sub(src, "a/b/c/deeper"))
	worktreetest.New(t, sub(src, "node_modules/dep"))
	worktreetest.New(t, sub(src, ".hidden/app"))
	worktreetest.New(t, sub(src, "skip/app"))
	worktreetest.New(t, sub(src, "new\nline"))
	worktreetest.New(t, sub(top, "far/linked"))
	worktreetest.New(t, sub(top, "far/unseen/x"))
	worktreetest.BareLayout(t, sub(src, "proj")).Worktree("feat", "feat")
	worktreetest.Init(t, sub(src, "store.git"), "--bare")
	worktreetest.WriteFile(t, sub(src, "file"), "")
	for name, target := range map[string]string{
		"loop": ".", "up": "..", "to-linked": "../far/linked", "to-unseen": "../far/unseen", "dangling": "none", "to-app": "app",
	} {
		if err := os.Symlink(target, sub(src, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("src", sub(top, "root")); err != nil {
		t.Fatal(err)
	}

	list := func(roots, exclude []string, depth int) []string {
		t.Helper()
		var got []string
		err := worktree.Find(t.Context(), roots, exclude, depth, func(dir string) {
			rel, err := filepath.Rel(top, dir)
			if err != nil {
				t.Error(err)
			}
			got = append(got, rel)
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		return got
	}
	all := []string{"far/linked", "src/a/b/deep", "src/app", "src/new\nline", "src/proj", "src/skip/app", "src/store.git"}
	without := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(names, s) })
	}
	for name, c := range map[string]struct {
		got, want []string
	}{
		"everything":         {list([]string{src}, nil, 3), all},
		"roots that overlap": {list([]string{src, sub(src, "a"), src}, nil, 3), slices.Sorted(slices.Values(append(slices.Clone(all), "src/a/b/c/deeper")))},
		"root by symlink":    {list([]string{sub(top, "root")}, nil, 3), all},
		"excluded":           {list([]string{src}, []string{sub(src, "skip"), sub(top, "root/a/b"), sub(top, "far/linked")}, 3), without("src/skip/app", "src/a/b/deep", "far/linked")},
		"shallow":            {list([]string{src}, nil, 1), without("src/skip/app", "src/a/b/deep")},
		"root only":          {list([]string{src}, nil, 0), nil},
		"a repository":       {list([]string{sub(src, "app")}, nil, 5), []string{"src/app"}},
		"hidden root":        {list([]string{sub(src, ".hidden")}, nil, 1), []string{"src/.hidden/app"}},
		"no such root":       {list([]string{sub(top, "none"), "relative", sub(src, "file")}, nil, 1), nil},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestFindCancelled(t *testing.T) {
	t.Parallel()
	top := worktreetest.Dir(t)
	for _, name := range strings.Split("abcdefgh", "") {
		worktreetest.New(t, sub(top, name))
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := worktree.Find(ctx, []string{top}, nil, 2, func(string) { calls++; cancel() })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
