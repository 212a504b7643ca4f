package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// readBranches reads the local branches of a repository with go-git's store of
// references, loose and packed. The repository is not opened: go-git would
// refuse it for extensions that change nothing about references.
func readBranches(ctx context.Context, common string) ([]Branch, error) {
	store := filesystem.NewStorage(newBranchFiles(ctx, common), cache.NewObjectLRU(0))
	iter, err := store.IterReferences()
	if err != nil {
		return nil, fmt.Errorf("read branches: %w", err)
	}
	defer iter.Close()
	refs := map[plumbing.ReferenceName]*plumbing.Reference{}
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if ref.Name().IsBranch() {
			refs[ref.Name()] = ref
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read branches: %w", err)
	}
	branches := make([]Branch, 0, len(refs))
	for name, ref := range refs {
		short := trimBranch(name.String()) // name.Short would lose bytes that are not UTF-8
		if hash := resolve(refs, ref); !hash.IsZero() && validBranch(short) {
			branches = append(branches, Branch{Name: short, Head: hash.String()})
		}
	}
	slices.SortFunc(branches, func(a, b Branch) int { return strings.Compare(a.Name, b.Name) })
	return branches, nil
}

// resolve follows a branch that is a name for another one. Git gives up after
// five steps, and so does this.
func resolve(refs map[plumbing.ReferenceName]*plumbing.Reference, ref *plumbing.Reference) plumbing.Hash {
	for range 5 {
		if ref == nil || ref.Type() != plumbing.SymbolicReference {
			break
		}
		ref = refs[ref.Target()]
	}
	if ref == nil || ref.Type() != plumbing.HashReference {
		return plumbing.ZeroHash
	}
	return ref.Hash()
}

// validBranch reports whether git would take a file under refs/heads for a
// branch. A name may begin with a dash: `git update-ref` makes such branches.
func validBranch(short string) bool {
	rest := strings.TrimLeft(short, "-")
	return short != "" && (rest == "" || plumbing.NewBranchReferenceName(rest).Validate() == nil)
}
