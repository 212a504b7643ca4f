package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// filesMax bounds how many names are looked at beside a transcript.
const filesMax = 20_000

// files looks at what lies beside the transcript and in the other project
// folders: files of the same id, and copies that a program which keeps
// directories in step has left behind (report B25).
func (x *examination) files() {
	folders := []string{filepath.Dir(x.path)}
	if root := x.root(); root != "" {
		entries, _ := os.ReadDir(filepath.Join(root, "projects"))
		for _, e := range entries {
			if dir := filepath.Join(root, "projects", e.Name()); dir != folders[0] {
				folders = append(folders, dir)
			}
		}
	}
	own := filepath.Base(x.path)
	for i, dir := range folders {
		if i > 0 {
			if twin := filepath.Join(dir, own); regular(twin) && x.id != "" && !same(twin, x.path) {
				x.add(Finding{
					Kind: "same-id", Severity: Note, Repair: "the fork has an id of its own",
					Detail: "another file has the same id, and which of them the client resumes depends on where it is started: " + twin,
				})
			}
			continue
		}
		for _, name := range conflicts(dir, own, x.id) {
			x.add(Finding{
				Kind: "conflict-copy", Severity: Note,
				Detail: "a copy of this file lies beside it and is no session of its own: " + filepath.Join(dir, name),
			})
		}
	}
}

// conflicts returns the names in a folder that begin with an id and are not its
// transcript or its side directory, sorted.
func conflicts(dir, own, id string) []string {
	d, err := os.Open(dir)
	if err != nil || id == "" {
		return nil
	}
	defer func() { _ = d.Close() }()
	entries, _ := d.ReadDir(filesMax)
	var out []string
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && name != own && strings.HasPrefix(name, id) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// regular reports whether a regular file is at path.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// same reports whether two paths are one file.
func same(a, b string) bool {
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

// gone reports whether nothing is at an absolute path.
func gone(path string) bool {
	_, err := os.Lstat(path)
	return filepath.IsAbs(path) && os.IsNotExist(err)
}
