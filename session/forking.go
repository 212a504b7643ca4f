package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"coppice/worktree"
)

// ForkRequest is what a person asks of a fork.
type ForkRequest struct {
	ID   string // of the fork, a UUID; "" for a new one
	Name string // see ForkName
	At   string // uuid of the prompt before which it ends; "" for the whole conversation
}

// PlanFork is the fork that is made before a plan is carried out.
type PlanFork struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Path string `json:"path"` // the file that will be written; "" while a directory is to be chosen
	At   string `json:"at"`
	// Shared is true when the fork works on the files of its source: both run in
	// one checkout, or in one plain directory.
	Shared bool `json:"shared"`
}

// The suffixes of names that nobody chose.
const (
	SuffixFork     = " (fork)"
	SuffixRepaired = " (repaired)"
)

// ForkName returns what a fork of source is called among sessions: wanted when
// that is not blank, else the title of source with suffix; either made unique
// (report C3) and cleaned, see CleanName, whose errors it returns for a wanted
// name.
func ForkName(sessions []Session, source Session, wanted, suffix string) (string, error) {
	if strings.TrimSpace(wanted) != "" {
		name, err := CleanName(wanted)
		if err != nil {
			return "", err
		}
		return UniqueName(sessions, name), nil
	}
	title, err := CleanName(source.Title)
	if err != nil || source.TitleSource == TitleNone {
		title = "session " + cutRunes(source.ID, prefixMin)
	}
	title = strings.TrimSuffix(cutRunes(title, titleMax-len(suffix)), suffix)
	return UniqueName(sessions, strings.TrimSpace(title)+suffix), nil
}

// Folder returns the project folder, below the config root, in which the client
// keeps the transcripts of dir, an absolute path with symlinks resolved. name is
// the one that the person fixed for every directory, "" for none (observed H).
func Folder(root, name, dir string) string {
	if name == "" {
		name = Encode(dir)
	}
	return filepath.Join(root, "projects", name)
}

// Fork says where a fork of s would run and what it would be, and does nothing.
// The plan has no command, its action is ActionFork, ActionChoose or
// ActionRefuse, and its choices are directories with files of their own, too. A
// session that is live can be forked: only what is on disk counts. As for Plan,
// it ends in time, and its slices and maps are never nil.
func (p Planner) Fork(ctx context.Context, s Session, repos []worktree.Repository, req Request) Plan {
	return p.inTime(ctx, s, "fork", func(ctx context.Context) Plan {
		s = whole(ctx, s, p.locate)
		d := draft{command: "fork", ctx: ctx, planner: p, session: s, repos: repos, request: req.complete(), plan: emptyPlan(s)}
		d.plan.Action, d.plan.Model = ActionFork, s.Summary.Model
		d.checkSource()
		d.findDir()
		d.setFork()
		d.offerOthers()
		if len(d.plan.Blockers) > 0 {
			d.plan.Action = ActionRefuse
		}
		return d.plan
	})
}

// complete gives the fork that is asked for an id.
func (r Request) complete() Request {
	if r.Fork != nil && r.Fork.ID == "" {
		f := *r.Fork
		f.ID = uuid.NewString()
		r.Fork = &f
	}
	return r
}

// checkSource looks at the file that is to be forked. Damage is no hindrance: the
// fork is repaired.
func (d *draft) checkSource() {
	switch s := d.session; {
	case s.Problem != "":
		d.block(fmt.Sprintf("the transcript cannot be read (%s): make %s readable", s.Problem, s.Path))
	case s.NotReady != "":
		d.block(s.NotReady + ": there is nothing to fork")
	}
}

// setFork says what the fork will be, and whether it shares files.
func (d *draft) setFork() {
	req := d.request.Fork
	if req == nil {
		return
	}
	f := &PlanFork{ID: req.ID, Name: req.Name, At: req.At}
	d.plan.Fork, d.plan.Name = f, f.Name
	if d.plan.Cwd == "" {
		return
	}
	here := d.locate(d.plan.Cwd)
	f.Path = filepath.Join(Folder(d.planner.Root, d.planner.ProjectName, here.Resolved), f.ID+transcriptExt)
	if filepath.IsAbs(d.session.Dir) && d.plan.Worktree.Action != TreeCreate {
		there := d.locate(d.session.Dir)
		f.Shared = there.Exists && (there.Resolved == here.Resolved || there.Root != "" && there.Root == here.Root)
	}
	if f.Shared {
		d.plan.Notes = append(d.plan.Notes, SharedText(d.plan.Cwd))
	}
}

// SharedText says that a fork in dir works on the files of its source, and what
// to do about it.
func SharedText(dir string) string {
	return fmt.Sprintf("the fork works on the same files as its source, in %s: "+
		"give it another directory (--dir), such as a worktree of its own, to keep the two apart", dir)
}

// offerOthers offers the other checkouts of the repository, where a fork would
// have files of its own.
func (d *draft) offerOthers() {
	if d.plan.Cwd == "" {
		return
	}
	here := d.locate(d.plan.Cwd)
	for _, w := range d.repository(here).Worktrees {
		if usable(w) && w.Path != here.Root {
			d.offer(w.Path, "files of its own, on "+onBranch(w))
		}
	}
}
