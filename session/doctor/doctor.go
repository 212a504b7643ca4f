// Package doctor examines transcripts and says what is damaged, what a resume by
// the client would lose, and what would be repaired.
//
// It never changes a transcript: a fix is a fork.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"coppice/session"
	"coppice/session/runtime"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// Severity says how much a finding matters.
type Severity string

// The severities.
const (
	Harm Severity = "damage" // something cannot be read, or would be lost or mixed up
	Note Severity = "note"   // worth knowing
)

// Finding is one thing that is wrong. The JSON names are those of docs/json.md,
// `doctor`.
type Finding struct {
	Kind     string   `json:"kind"`
	Severity Severity `json:"severity"`
	Line     int      `json:"line"` // 0 when it is not about a line
	UUID     string   `json:"uuid"`
	Detail   string   `json:"detail"`
	Repair   string   `json:"repair"` // what a repaired fork does about it; "" for nothing
}

// Report is what was found about one session.
type Report struct {
	ID       string    `json:"id"`
	Path     string    `json:"path"`
	Findings []Finding `json:"findings"` // never nil
	Fixed    *Fixed    `json:"fixed"`
	// Lost counts the messages that the client would drop when it resumes the file.
	Lost int `json:"-"`
}

// Fixed names the repaired fork.
type Fixed struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// Damaged reports whether any finding is more than a note.
func (r Report) Damaged() bool {
	for _, f := range r.Findings {
		if f.Severity == Harm {
			return true
		}
	}
	return false
}

// Mendable reports whether a repaired fork would be without some of the damage.
func (r Report) Mendable() bool {
	mendable := false
	for _, f := range r.Findings {
		if f.Kind == noConversation {
			return false
		}
		mendable = mendable || f.Severity == Harm && f.Repair != ""
	}
	return mendable
}

// noConversation is the kind of finding of a transcript that nobody can go on with.
const noConversation = "no-conversation"

// Examine reads the transcript at path. A file that cannot be read is a finding;
// the error is ctx's.
func Examine(ctx context.Context, path, id string) (Report, error) {
	x := examination{path: path, id: id, count: map[string]int{}}
	x.files()
	err := x.transcript(ctx)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return x.report(), ctxErr
	}
	if err != nil {
		x.add(Finding{Kind: "unreadable", Severity: Harm, Detail: "the file cannot be read: " + reason(err)})
	}
	return x.report(), nil
}

// manyOfAKind bounds how many findings of one kind are listed one by one.
const manyOfAKind = 20

// examination is a report in the making.
type examination struct {
	path, id string
	findings []Finding
	count    map[string]int // of each kind
	lost     int
	mixed    map[string]bool // uuids of several messages
}

// add lists a finding, or counts it where there are many of its kind.
func (x *examination) add(f Finding) {
	x.count[f.Kind]++
	if x.count[f.Kind] <= manyOfAKind {
		x.findings = append(x.findings, f)
	}
}

// report returns what was found.
func (x *examination) report() Report {
	out := Report{ID: x.id, Path: x.path, Findings: []Finding{}, Lost: x.lost}
	for i, f := range x.findings {
		out.Findings = append(out.Findings, f)
		last := i == len(x.findings)-1 || x.findings[i+1].Kind != f.Kind
		if more := x.count[f.Kind] - manyOfAKind; more > 0 && last {
			out.Findings = append(out.Findings, Finding{
				Kind: f.Kind, Severity: f.Severity, Repair: f.Repair, Detail: fmt.Sprintf("and %d more like this", more),
			})
		}
	}
	return out
}

// transcript looks into the file.
func (x *examination) transcript(ctx context.Context) error {
	f, err := session.Session{Path: x.path}.Open()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		x.add(Finding{Kind: "empty", Severity: Harm, Detail: "the file is empty: nothing was ever written to it, or all of it was lost"})
		return nil
	}
	l, err := ledger.Read(ctx, f, info.Size())
	if err != nil {
		return err
	}
	if len(l.Rows)+len(l.Records) == 0 {
		x.add(Finding{Kind: noConversation, Severity: Harm, Detail: "no line of it is a record: it is no transcript, or all of it is damaged"})
		return nil
	}
	x.damage(l)
	keep, err := l.Chain(ledger.Keep)
	if errors.Is(err, ledger.ErrNoConversation) {
		x.add(Finding{Kind: noConversation, Severity: Harm, Detail: "it holds no conversation: there is nothing to resume"})
		return nil
	}
	if err != nil {
		return err
	}
	client, clientErr := l.Chain(ledger.Client)
	if err := x.doubles(ctx, l, keep); err != nil {
		return err
	}
	x.chains(keep, client)
	o, err := outlook(ctx, l, keep, client, clientErr)
	if err != nil {
		return err
	}
	x.loss(o)
	if err := x.repairs(l, keep); err != nil {
		return err
	}
	x.stale(ctx, l, keep)
	x.checks(ctx, f, l)
	return nil
}

// repairs lists what a request needed beyond what any conversation needs.
func (x *examination) repairs(l *ledger.Ledger, keep ledger.Chain) error {
	c, err := repair.New(l, keep, repair.Options{})
	if err != nil {
		return err
	}
	for _, r := range c.Repairs {
		if w, ok := repairWords(r.Kind); ok {
			x.add(Finding{Kind: string(r.Kind), Severity: w.severity, Line: r.Line, UUID: r.UUID, Detail: w.detail, Repair: w.repair})
		}
	}
	return nil
}

// checks adds what the state of the session does not agree with.
func (x *examination) checks(ctx context.Context, f *os.File, l *ledger.Ledger) {
	source, env := runtime.FromFile, runtime.Environment{Getenv: func(string) string { return "" }, Now: time.Now()}
	if root := x.root(); root != "" {
		source, env.Root = runtime.FromStore, root
	}
	rt, err := runtime.LoadRead(ctx, f, l, x.id, source, env)
	if err != nil {
		return // what keeps it from loading was found before
	}
	defer func() { _ = rt.Close() }()
	for _, f := range rt.Findings {
		x.add(Finding{Kind: string(f.Check), Severity: Note, Detail: f.Detail, Repair: checkRepair(f.Check)})
	}
}

// root returns the config root that the transcript lies in, "" when it lies
// elsewhere.
func (x *examination) root() string {
	projects := filepath.Dir(filepath.Dir(x.path))
	if filepath.Base(projects) != "projects" {
		return ""
	}
	return filepath.Dir(projects)
}
