package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"coppice/transcript"
	"coppice/worktree"
)

// work is what a worker does with a file.
type work int

// The kinds of work, from the cheapest to the dearest.
const (
	workNone  work = iota
	workPlace      // the summary is known: sidecar and place only
	workPeek       // head and tail
	workScan       // everything, or what was appended
)

// job is one file to look at. What prev refers to is only ever read.
type job struct {
	file *file // whom it is for; only the owner looks into it
	path string
	kind work
	read stamp             // the version that state is of
	prev *transcript.State // what is known already
	side bool              // there may be a sidecar
}

// result is what a worker found out.
type result struct {
	job
	state   *transcript.State
	sidecar string
	dir     string
	place   worktree.Place
	origin  worktree.Place
	problem string
	gone    bool // the file no longer exists
	opened  bool // state and read are of now
	changed bool // it changed while it was read: again
}

// jobOf makes the job that a file wants.
func jobOf(f *file) job {
	return job{file: f, path: f.path, kind: f.want, read: f.read, prev: f.state, side: f.side}
}

// worker looks at files, one at a time.
type worker struct {
	scanner transcript.Scanner
	places  *placer
}

// do carries out a job. Whatever is wrong with the file is part of the result.
func (w *worker) do(ctx context.Context, j job) result {
	res := result{job: j, state: j.prev}
	err := w.read(ctx, &res)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		res.gone = true
		return res
	case err != nil:
		res.problem = problemOf(err)
	}
	if j.side {
		res.sidecar = readSidecar(j.path)
	}
	sum := &res.state.Summary
	res.dir, res.place = homeOf(sum, filepath.Base(filepath.Dir(j.path)), func(dir string) worktree.Place { return w.places.place(ctx, dir) })
	if sum.Worktree != nil && res.place.CommonDir == "" && filepath.IsAbs(sum.Worktree.OriginalDir) {
		res.origin = w.places.place(ctx, filepath.Clean(sum.Worktree.OriginalDir))
	}
	return res
}

// read brings res.state up to date.
func (w *worker) read(ctx context.Context, res *result) error {
	if res.kind == workPlace {
		return unix.Access(res.path, unix.R_OK)
	}
	f, err := openRegular(res.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	now := stampOf(info)
	if res.kind == workPeek {
		sum, err := w.scanner.Peek(ctx, f, now.Size)
		res.state = &transcript.State{Summary: sum}
		return w.settle(f, now, res, err)
	}
	var prev *transcript.State
	if res.prev.Offset > 0 && goesOn(res.read, now) {
		prev = res.prev
	}
	state, err := w.scanner.Scan(ctx, f, now.Size, prev)
	res.state = &state
	return w.settle(f, now, res, err)
}

// settle finds out whether the file held still while it was read (report F9).
// One that only grew is complete as far as it was read.
func (w *worker) settle(f *os.File, before stamp, res *result, err error) error {
	res.read, res.opened = before, true
	info, statErr := f.Stat()
	if statErr != nil {
		return errors.Join(err, statErr)
	}
	after := stampOf(info)
	res.changed = after.Size < before.Size || err != nil && after != before
	return err
}

// goesOn reports whether the file is the one that was read, and at most grew.
func goesOn(read, now stamp) bool {
	return read == now || read.inode() == now.inode() && now.Size > read.Size
}
