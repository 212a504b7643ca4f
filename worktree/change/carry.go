package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coppice/worktree"
)

// Carried says what was carried to another checkout.
type Carried struct {
	Files   int      // written or removed there
	Skipped []string // what was not carried, a line each: repositories inside the checkout, submodules, files hidden from git
}

// CarryError is a carrying of changes that broke off. The checkout that they
// come from is as it was.
type CarryError struct {
	Err  error
	To   string // the checkout that got a part
	Done int    // files written or removed there
	Of   int
}

func (e *CarryError) Error() string {
	return fmt.Sprintf("%v; %d of %d files were written to %s, nothing was taken away", e.Err, e.Done, e.Of, e.To)
}

// Unwrap returns what failed.
func (e *CarryError) Unwrap() error { return e.Err }

// CarryChanges copies uncommitted and untracked changes from one checkout to
// another of the same repository, both given by their top directories: what is
// staged, unmerged entries included, and what the files are, byte for byte, with
// executable bits, symlinks and deletions; no content filter runs. Ignored files
// stay behind. The first checkout is only read.
//
// Both must be at the same commit, and the second must be clean: else the error
// is an ErrDiffers and nothing was written. A CarryError says how far it came;
// ErrChanged in it, that the first was written to meanwhile.
func CarryChanges(ctx context.Context, git worktree.Git, from, to string) (Carried, error) {
	fail := func(err error) (Carried, error) {
		return Carried{}, fmt.Errorf("carry changes from %s: %w", from, err)
	}
	r, err := open(ctx, git, from)
	if err != nil {
		return fail(err)
	}
	c := carrier{repo: r, src: from, dst: to}
	if err := c.fits(ctx); err != nil {
		return fail(err)
	}
	if err := c.read(ctx); err != nil {
		return fail(err)
	}
	err = c.write(ctx)
	if err == nil {
		err = c.verify(ctx)
	}
	if err != nil {
		return fail(&CarryError{Err: err, To: to, Done: c.done, Of: len(c.paths)})
	}
	return Carried{Files: c.done, Skipped: c.skipped}, nil
}

type carrier struct {
	repo
	src, dst string
	before   []string // the state of src
	paths    []string // that differ in src from HEAD, staged or not, and untracked ones
	tracked  []string // those of them that HEAD has
	index    []string // lines for git update-index --index-info
	intents  []string // paths that are only meant to be added
	skipped  []string
	done     int
}

// fits is an ErrDiffers unless the two are checkouts of one repository, at one
// commit, and the receiving one is clean.
func (c *carrier) fits(ctx context.Context) error {
	a, b := worktree.Locate(c.src), worktree.Locate(c.dst)
	if a.State != worktree.Present || b.State != worktree.Present || a.CommonDir != b.CommonDir ||
		!worktree.SamePath(a.Root, c.src) || !worktree.SamePath(b.Root, c.dst) || worktree.SamePath(c.src, c.dst) {
		return fmt.Errorf("%s: %w: not two checkouts of one repository", c.dst, ErrDiffers)
	}
	headA, err := c.commit(ctx, c.src, "HEAD")
	if err != nil {
		return err
	}
	headB, err := c.commit(ctx, c.dst, "HEAD")
	if err != nil {
		return err
	}
	if headA != headB {
		return fmt.Errorf("%s: %w: it is at %.10s, not at %.10s", c.dst, ErrDiffers, headB, headA)
	}
	state, err := c.state(ctx, c.dst)
	if err != nil {
		return err
	}
	for _, record := range state {
		if record[0] != '?' || !c.oursIn(c.dst, recordPath(record)) {
			return fmt.Errorf("%s: %w: it has changes of its own", c.dst, ErrDiffers)
		}
	}
	return nil
}

// read lists what is to be carried.
func (c *carrier) read(ctx context.Context) error {
	var err error
	if c.before, err = c.state(ctx, c.src); err != nil {
		return err
	}
	for _, record := range c.before {
		path := recordPath(record)
		switch {
		case strings.HasSuffix(path, "/"):
			if _, err := c.linked(filepath.Join(c.src, path)); err == nil {
				continue // another worktree, with changes of its own
			}
			c.skipped = append(c.skipped, fmt.Sprintf("the repository %q inside it", path))
			continue
		case record[0] == '1' && c.gitlink(record):
			c.skipped = append(c.skipped, fmt.Sprintf("the checkout of the submodule %q", path))
		default:
			c.paths = append(c.paths, path)
			if record[0] == 'u' || record[0] == '1' && strings.Fields(record)[3] != "000000" {
				c.tracked = append(c.tracked, path)
			}
		}
		c.stage(record, path)
	}
	var hidden Losses
	if err := c.hidden(ctx, worktree.Worktree{Path: c.src}, &hidden); err != nil {
		return err
	}
	if n := hidden.Hidden.Count; n > 0 {
		c.skipped = append(c.skipped, fmt.Sprintf("what %d files have that git was told not to look at", n))
	}
	return nil
}

// gitlink reports whether a record of a changed path is a submodule in the
// index or in the files.
func (c *carrier) gitlink(record string) bool {
	modes := strings.Fields(record)[3:6]
	return slices.Contains(modes[1:], "160000")
}

// stage notes what the index has at a path that a status record names: "1 XY sub
// mH mI mW hH hI path" or "u XY sub m1 m2 m3 mW h1 h2 h3 path".
func (c *carrier) stage(record, path string) {
	fields := strings.Fields(record)
	gone := func(hash string) string { return "0 " + strings.Repeat("0", len(hash)) + "\t" + path }
	switch record[0] {
	case '1':
		mode, hash := fields[4], fields[7]
		switch {
		case fields[1] == ".A":
			c.intents = append(c.intents, path)
		case mode == "000000":
			c.index = append(c.index, gone(hash))
		case fields[1][0] != '.':
			c.index = append(c.index, mode+" "+hash+"\t"+path)
		}
	case 'u':
		c.index = append(c.index, gone(fields[7]))
		for stage := 1; stage <= 3; stage++ {
			if mode := fields[2+stage]; mode != "000000" {
				c.index = append(c.index, fmt.Sprintf("%s %s %d\t%s", mode, fields[6+stage], stage, path))
			}
		}
	}
}

// write makes the files and the index of the receiving checkout like those of
// the first: what is gone first, so that a file can take a directory's place.
func (c *carrier) write(ctx context.Context) error {
	from, err := os.OpenRoot(c.src)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	into, err := os.OpenRoot(c.dst)
	if err != nil {
		return err
	}
	defer func() { _ = into.Close() }()
	slices.Sort(c.paths)
	slices.Sort(c.tracked)
	for _, path := range slices.Backward(c.tracked) {
		if err := drop(into, path); err != nil {
			return err
		}
	}
	for _, path := range c.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		if same(filepath.Join(c.src, path), filepath.Join(c.dst, path)) == nil {
			c.done++
			continue // a link or copy that both were made with
		}
		if err := place(from, into, path); err != nil {
			return fmt.Errorf("copy %q: %w", path, err)
		}
		c.done++
	}
	if len(c.index) > 0 {
		err = c.run(ctx, worktree.Command{
			Dir: c.dst, Args: []string{"update-index", "-z", "--index-info"},
			Stdin: strings.NewReader(strings.Join(c.index, "\x00") + "\x00"),
		})
	}
	if err == nil && len(c.intents) > 0 {
		err = c.run(ctx, worktree.Command{
			Dir: c.dst, Args: []string{"add", "--intent-to-add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"},
			Options: []string{"--literal-pathspecs"},
			Stdin:   strings.NewReader(strings.Join(c.intents, "\x00") + "\x00"),
		})
	}
	return err
}

// drop removes what a checkout has at a path, and the directories above it that
// are empty then. A path that leads through a symlink is not there.
func drop(root *os.Root, path string) error {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		if info, err := root.Lstat(path[:i]); err != nil || !info.IsDir() {
			return nil
		}
	}
	err := root.Remove(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotDir) {
		return err
	}
	for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
		if root.Remove(dir) != nil {
			break
		}
	}
	return nil
}

// place copies what one checkout has at a path to another that has nothing
// there: a regular file or a symlink. A path that holds neither was deleted, or
// became a directory whose files have paths of their own.
func place(from, into *os.Root, path string) error {
	info, err := from.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotDir):
		return nil
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return copyFile(from, into, path)
	case info.Mode()&fs.ModeSymlink == 0:
		return nil
	}
	target, err := from.Readlink(path)
	if err != nil {
		return err
	}
	if err := into.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return into.Symlink(target, path)
}

// verify is ErrChanged unless both checkouts are now what the first was when its
// state was read.
func (c *carrier) verify(ctx context.Context) error {
	now, err := c.state(ctx, c.src)
	if err != nil {
		return err
	}
	if !slices.Equal(now, c.before) {
		return fmt.Errorf("%s: %w", c.src, ErrChanged)
	}
	for _, path := range c.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := same(filepath.Join(c.src, path), filepath.Join(c.dst, path)); err != nil {
			return err
		}
	}
	return nil
}
