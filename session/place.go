package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"coppice/transcript"
	"coppice/worktree"
)

// belongs returns the directory to which the session of a transcript belongs:
// the worktree it is bound to, else the directory that the file was moved for,
// else the first recorded directory after which the folder that holds the file
// is named, else the first one recorded at all, else "". Folder names are
// compared, never decoded (report B9).
func belongs(sum *transcript.Summary, folder string) string {
	switch {
	case sum.Worktree != nil && filepath.IsAbs(sum.Worktree.Path):
		return filepath.Clean(sum.Worktree.Path)
	case filepath.IsAbs(sum.Relocated):
		return filepath.Clean(sum.Relocated)
	}
	first := ""
	for _, dir := range sum.Dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		if holds(folder, dir) {
			return filepath.Clean(dir)
		}
		if first == "" {
			first = filepath.Clean(dir)
		}
	}
	if first == "" && len(sum.Dirs) > 0 {
		return sum.Dirs[0] // of another kind of machine
	}
	return first
}

// kept returns the worktree in which the conversation ended and which the client
// left as it ended, "" for none. The client goes back to the main checkout whether
// the worktree was kept or removed (observed D): only the disk tells.
func kept(sum *transcript.Summary) string {
	if w := sum.Left; w != nil && filepath.IsAbs(w.Path) && filepath.IsAbs(sum.Dir) && worktree.Within(filepath.Clean(w.Path), filepath.Clean(sum.Dir)) {
		return filepath.Clean(w.Path)
	}
	return ""
}

// homeOf returns the directory to which the session of a transcript belongs, and
// where it lies: the worktree that was kept as it ended, else see belongs.
func homeOf(sum *transcript.Summary, folder string, place func(dir string) worktree.Place) (string, worktree.Place) {
	if dir := kept(sum); dir != "" {
		if p := place(dir); p.Exists && p.State == worktree.Present && worktree.SamePath(p.Root, dir) {
			return dir, p
		}
	}
	dir := belongs(sum, folder)
	if dir == "" {
		return "", worktree.Place{}
	}
	return dir, place(dir)
}

// projectOf returns the directory that groups the sessions of a place. main is
// the main checkout of its repository when that is known.
func projectOf(place worktree.Place, main string) string {
	common := place.CommonDir
	switch {
	case common == "":
		return place.Dir
	case main != "":
		return main
	case strings.HasPrefix(filepath.Base(common), "."): // <main>/.git, or a bare <project>/.bare
		return filepath.Dir(common)
	}
	return common
}

// placeWait is how long a row waits for its place. A directory on a file system
// that does not answer must not hold up the others.
const placeWait = 250 * time.Millisecond

// placeLookups bounds how many directories are looked at at once, so that a
// dead file system costs that many threads and no more.
const placeLookups = 16

// placer answers where directories lie and remembers it. It is safe for
// concurrent use.
type placer struct {
	locate func(dir string) worktree.Place
	late   func(dir string) // a place came after its row had stopped waiting
	slots  chan struct{}

	// lookups is never waited for: one on a dead file system does not end.
	lookups sync.WaitGroup

	mu      sync.Mutex
	known   map[string]*placed
	commons map[inode]string // first spelling of each common directory
}

// placed is one answer; place may be read once done is closed.
type placed struct {
	done    chan struct{}
	place   worktree.Place
	awaited bool // somebody stopped waiting
}

func newPlacer(locate func(string) worktree.Place, late func(dir string)) *placer {
	return &placer{
		locate:  locate,
		late:    late,
		slots:   make(chan struct{}, placeLookups),
		known:   map[string]*placed{},
		commons: map[inode]string{},
	}
}

// place says where dir lies. Without an answer in time the state is Unknown,
// and late is called when the answer comes.
func (p *placer) place(ctx context.Context, dir string) worktree.Place {
	if !filepath.IsAbs(dir) {
		return worktree.Place{Dir: dir, Resolved: dir, State: worktree.Unknown}
	}
	e := p.entry(dir)
	select {
	case <-e.done:
		return e.place
	default:
	}
	timer := time.NewTimer(placeWait)
	defer timer.Stop()
	select {
	case <-e.done:
		return e.place
	case <-timer.C:
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-e.done:
		return e.place
	default:
		e.awaited = true
		return worktree.Place{Dir: dir, Resolved: dir, State: worktree.Unknown}
	}
}

// entry returns the answer for dir, or the promise of one.
func (p *placer) entry(dir string) *placed {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.known[dir]
	if !ok {
		e = &placed{done: make(chan struct{})}
		p.known[dir] = e
		p.lookups.Go(func() { p.look(dir, e) })
	}
	return e
}

func (p *placer) look(dir string, e *placed) {
	p.slots <- struct{}{}
	place := p.locateForm(dir)
	var id inode
	if info, err := os.Stat(place.CommonDir); err == nil {
		id = stampOf(info).inode()
	}
	<-p.slots
	p.mu.Lock()
	place.CommonDir = p.spelling(place.CommonDir, id)
	e.place = place
	close(e.done)
	awaited := e.awaited
	p.mu.Unlock()
	if awaited {
		p.late(dir)
	}
}

// locateForm locates dir, and where there is no such directory the one whose
// name differs only in its Unicode form (report B11).
func (p *placer) locateForm(dir string) worktree.Place {
	place := p.locate(dir)
	if place.Exists {
		return place
	}
	for _, form := range []norm.Form{norm.NFC, norm.NFD} {
		if form.IsNormalString(dir) {
			continue
		}
		if other := p.locate(form.String(dir)); other.Exists {
			return other
		}
	}
	return place
}

// spelling returns the first name seen for a common directory: the same inode
// under a name that differs only in letter case or Unicode form is the same
// repository (reports B11, B12).
func (p *placer) spelling(common string, id inode) string {
	if id == (inode{}) {
		return common
	}
	first, ok := p.commons[id]
	if ok && strings.EqualFold(norm.NFC.String(first), norm.NFC.String(common)) {
		return first
	}
	p.commons[id] = common
	return common
}

// forget drops the answers that drop chooses, so that they are asked for anew,
// and all that are on their way: they may be of the time before.
func (p *placer) forget(drop func(worktree.Place) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for dir, e := range p.known {
		select {
		case <-e.done:
			if drop(e.place) {
				delete(p.known, dir)
			}
		default:
			delete(p.known, dir)
		}
	}
}
