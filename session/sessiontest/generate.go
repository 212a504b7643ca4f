package sessiontest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"coppice/session"
)

// Spec says how large a generated store is. The same Spec makes the same store.
type Spec struct {
	Sessions     int
	Bytes        int64 // of all transcripts together, about
	Repositories int
	Branches     int // of each repository
	Worktrees    int // of each repository, besides the main checkout
	Seed         uint64
	Now          time.Time // the newest session ends about here; Base when zero
}

// Generated says where things are.
type Generated struct {
	Root        string   // config root
	Source      string   // directory that holds the repositories
	Main        []string // main checkouts
	Checkouts   []string // all of them
	Transcripts int      // files
	Bytes       int64
}

// copyEvery, forkEvery and the like say how often something unusual comes up.
const (
	copyEvery    = 100 // the same id in a second folder
	forkEvery    = 25
	damagedEvery = 50
	emptyEvery   = 200
	printEvery   = 20
)

// Generate writes a store below dir: config/ and src/.
func Generate(ctx context.Context, dir string, spec Spec) (Generated, error) {
	if spec.Now.IsZero() {
		spec.Now = Base()
	}
	dir, err := realDir(dir)
	if err != nil {
		return Generated{}, err
	}
	out := Generated{Root: filepath.Join(dir, "config"), Source: filepath.Join(dir, "src")}
	if err := makeRepositories(ctx, spec, &out); err != nil {
		return out, err
	}
	rng := rand.New(rand.NewPCG(spec.Seed, 1))
	g := newWriter(rng)
	sizes := sizes(rng, spec)
	var ids []string
	for i, size := range sizes {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		p := g.profile(i, spec, out.Checkouts)
		p.size = size
		if i%forkEvery == forkEvery-1 {
			p.talk.ForkedFrom = ids[rng.IntN(len(ids))]
		}
		ids = append(ids, p.talk.ID)
		n, err := g.write(out.Root, p)
		if err != nil {
			return out, err
		}
		out.Transcripts++
		out.Bytes += n
		if i%copyEvery == copyEvery-1 && len(out.Checkouts) > 1 {
			p.talk.Dir = another(out.Checkouts, p.talk.Dir)
			p.talk.rows, p.talk.last = 0, ""
			n, err := g.write(out.Root, p)
			if err != nil {
				return out, err
			}
			out.Transcripts++
			out.Bytes += n
		}
	}
	return out, nil
}

func realDir(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// sizes spreads the bytes over the sessions, evenly on a logarithmic scale of
// three orders of magnitude (5 KB to 5 MB at 0.7 MB a session).
func sizes(rng *rand.Rand, spec Spec) []int {
	raw := make([]float64, spec.Sessions)
	sum := 0.0
	for i := range raw {
		raw[i] = math.Pow(1000, rng.Float64())
		sum += raw[i]
	}
	list := make([]int, spec.Sessions)
	for i := range raw {
		list[i] = max(2000, int(raw[i]/sum*float64(spec.Bytes)))
	}
	return list
}

// profile decides what kind of session the i-th is.
func (g *writer) profile(i int, spec Spec, checkouts []string) profile {
	dir := filepath.Join("/srv", "plain", fmt.Sprint("notes-", i%7))
	if len(checkouts) > 0 {
		dir = checkouts[g.rng.IntN(len(checkouts))]
	}
	p := profile{
		talk: Talk{
			ID:     g.uuid(),
			Dir:    dir,
			Branch: fmt.Sprintf("topic-%03d", g.rng.IntN(max(1, spec.Branches))),
			At:     spec.Now.Add(-time.Duration(i) * 37 * time.Minute),
		},
		named:   g.rng.IntN(4) == 0,
		titled:  g.rng.IntN(2) == 0,
		damaged: i%damagedEvery == damagedEvery-1,
		empty:   i%emptyEvery == emptyEvery-1,
	}
	if i%printEvery == printEvery-1 {
		p.talk.Entrypoint = "sdk-cli"
	}
	return p
}

// another returns the checkout after dir.
func another(checkouts []string, dir string) string {
	return checkouts[(slices.Index(checkouts, dir)+1)%len(checkouts)]
}

// folder is where the transcripts of dir lie.
func folder(root, dir string) string { return filepath.Join(root, "projects", session.Encode(dir)) }
