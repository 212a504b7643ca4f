package change

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"coppice/worktree"
)

// maxName is the longest name of a worktree, in bytes: the client's own limit
// (observed D).
const maxName = 64

// CheckName is an ErrName for a name that the client would not take either
// (observed D): segments of letters, digits, dots, underlines and dashes, joined
// by slashes; beyond that no segment begins with a dash or is ".git" (report
// E20).
func CheckName(name string) error {
	wrong := func(why string) error { return fmt.Errorf("worktree %q: %w: %s", name, ErrName, why) }
	switch {
	case name == "":
		return wrong("it is empty")
	case len(name) > maxName:
		return wrong(fmt.Sprintf("longer than %d characters", maxName))
	}
	for segment := range strings.SplitSeq(name, "/") {
		switch {
		case segment == "", segment == ".", segment == "..", strings.EqualFold(segment, ".git"):
			return wrong(fmt.Sprintf("%q cannot be a part of it", segment))
		case segment[0] == '-':
			return wrong("a part begins with a dash")
		case strings.Trim(segment, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "":
			return wrong("use letters, digits, dots, underlines, dashes and slashes")
		}
	}
	return nil
}

// expand fills in a pattern. A slash in the name becomes a plus sign, as the
// client does it: no two names share a directory or a branch (report E20).
func expand(pattern, base, name string) string {
	return strings.NewReplacer("{repo}", base, "{name}", strings.ReplaceAll(name, "/", "+")).Replace(pattern)
}

// base is what {repo} stands for: the main checkout, or the directory around a
// repository in .bare. A bare repository of another name has none.
func (r repo) base() string {
	if r.info.Main != "" {
		return r.info.Main
	}
	if strings.HasPrefix(filepath.Base(r.info.CommonDir), ".") {
		return filepath.Dir(r.info.CommonDir)
	}
	return ""
}

// place returns where a new worktree goes: a path that is free, on disk and in
// the register, inside no other worktree, and reached by no symlink in the
// repository. Outside it, symlinks on the way are resolved.
func (r repo) place(pattern, name string) (string, error) {
	base := r.base()
	if base == "" && strings.Contains(pattern, "{repo}") {
		return "", fmt.Errorf("%w: a bare repository holds none: name a directory outside in worktree.path", ErrPlace)
	}
	path := filepath.Clean(expand(pattern, base, name))
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s: %w: not an absolute path", path, ErrPlace)
	}
	return r.free(path)
}

func (r repo) free(path string) (string, error) {
	base := r.base()
	if base == "" || !worktree.Within(base, path) {
		place := worktree.Locate(filepath.Dir(path))
		path = filepath.Join(place.Resolved, filepath.Base(path))
	}
	if worktree.Within(r.info.CommonDir, path) {
		return "", fmt.Errorf("%s: %w: inside the repository's own files", path, ErrPlace)
	}
	if base != "" && worktree.Within(base, path) {
		if err := noLinks(base, path); err != nil {
			return "", err
		}
	}
	if err := r.unregistered(path); err != nil {
		return "", err
	}
	return path, nothingAt(path)
}

// noLinks is an ErrPlace when a step from base down to path is a symlink or no
// directory. The client refuses such places too.
func noLinks(base, path string) error {
	at := base
	for step := range strings.SplitSeq(strings.TrimPrefix(filepath.Dir(path), base), "/") {
		at = filepath.Join(at, step)
		info, err := os.Lstat(at)
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		case !info.IsDir():
			return fmt.Errorf("%s: %w: %s is a symlink or no directory", path, ErrPlace, at)
		}
	}
	return nil
}

// unregistered is an error when git has a worktree at or around path.
func (r repo) unregistered(path string) error {
	for _, w := range r.info.Worktrees {
		switch {
		case w.Path == path && w.State == worktree.Missing:
			return fmt.Errorf("%s: %w: git still has a worktree there whose directory is gone: restore or remove it", path, ErrExists)
		case !w.Main && worktree.Within(w.Path, path) && w.Path != path:
			return fmt.Errorf("%s: %w: inside the worktree %s", path, ErrPlace, w.Path)
		}
	}
	return nil
}

// nothingAt is an ErrExists when something is at path, or would be on a file
// system that does not tell letter case or composed characters apart.
func nothingAt(path string) error {
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		if err != nil {
			return err
		}
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, entry := range entries {
		if alike(entry.Name(), filepath.Base(path)) {
			return fmt.Errorf("%s: %w as %q", path, ErrExists, entry.Name())
		}
	}
	return nil
}

func alike(a, b string) bool {
	return strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}

// newBranch is an error when a branch of that name cannot be made: git refuses
// the name, or it collides with another one (report E20).
func (r repo) newBranch(ctx context.Context, name string) error {
	if strings.HasPrefix(name, "-") {
		return fmt.Errorf("branch %q: %w: it begins with a dash", name, ErrName)
	}
	if _, err := r.ask(ctx, r.home, "check-ref-format", ref(name)); said(err) {
		return fmt.Errorf("branch %q: %w: git refuses it", name, ErrName)
	} else if err != nil {
		return err
	}
	for _, b := range r.info.Branches {
		switch {
		case alike(b.Name, name):
			return fmt.Errorf("branch %q: %w as %q", name, ErrExists, b.Name)
		case strings.HasPrefix(b.Name, name+"/"), strings.HasPrefix(name, b.Name+"/"):
			return fmt.Errorf("branch %q: %w: git cannot have it beside %q", name, ErrExists, b.Name)
		}
	}
	return nil
}

// takeable is an InUseError when another worktree has the branch checked out, a
// rebase or bisect of it included.
func (r repo) takeable(name string) error {
	if strings.HasPrefix(name, "-") {
		return fmt.Errorf("branch %q: %w: git checks out none that begins with a dash", name, ErrName)
	}
	for _, w := range r.info.Worktrees {
		if w.Branch == name {
			return &InUseError{Branch: name, Path: w.Path}
		}
	}
	return nil
}

// name is the name that is asked for: that of a pull request may be left out.
func (o CreateOptions) name() (string, error) {
	if o.Name == "" && o.From.PullRequest > 0 {
		return "pr-" + strconv.Itoa(o.From.PullRequest), nil
	}
	return o.Name, CheckName(o.Name)
}

// Outline returns where Create would make a worktree of a repository, and on which
// branch, as far as that is known without looking: what is there already, or a
// place that cannot be used, only Create finds out. The error is an ErrName.
func Outline(info worktree.Repository, o CreateOptions) (path, branch string, err error) {
	if o.Name, err = o.name(); err != nil {
		return "", "", err
	}
	switch s := o.From; {
	case s.Branch != "":
		branch = s.Branch
	case s.Remote != "":
		_, branch, _ = strings.Cut(s.Remote, "/")
	default:
		branch = expand(o.Branch, "", o.Name)
	}
	return expand(o.Path, repo{info: info}.base(), o.Name), branch, nil
}

// NameFor returns a name of a worktree that is like a branch or a title: what
// CheckName would not take becomes a dash.
func NameFor(s string) string {
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r == '/' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	var parts []string
	for _, part := range strings.Split(name, "/") {
		words := strings.FieldsFunc(part, func(r rune) bool { return r == '-' })
		if part = strings.Trim(strings.Join(words, "-"), "."); part != "" {
			parts = append(parts, part)
		}
	}
	name = strings.Join(parts, "/")
	name = strings.TrimRight(name[:min(len(name), maxName)], "-/")
	if CheckName(name) != nil {
		return ""
	}
	return name
}
