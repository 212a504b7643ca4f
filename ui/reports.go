package ui

import (
	"context"
	"fmt"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/transcript"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// keptReports is how many reports are kept.
const keptReports = 64

// reports are what was found about damaged transcripts, asked for when one of
// them is selected.
type reports struct {
	known   map[tailKey]doctor.Report
	recent  []tailKey // of known, the oldest first
	loading bool
}

func newReports() reports { return reports{known: map[tailKey]doctor.Report{}} }

// want returns the work of examining a damaged row, nothing when that is done or
// another one is being examined.
func (p *reports) want(r *row, examine func(context.Context, session.Session) (doctor.Report, error)) []cmd {
	if r == nil || p.loading || r.Problem != "" || !preview.Damaged(r.Session) {
		return nil
	}
	key := keyFor(r)
	if _, ok := p.known[key]; ok {
		return nil
	}
	p.loading = true
	s := r.Session
	return background(func(ctx context.Context) msg {
		report, err := examine(ctx, s)
		return examined{key: key, report: report, err: err}
	})
}

// loaded keeps an answer and forgets the oldest. An examination that was broken
// off is an answer, too: the dashboard ends.
func (p *reports) loaded(in examined) {
	p.loading = false
	if _, ok := p.known[in.key]; !ok {
		p.recent = append(p.recent, in.key)
	}
	p.known[in.key] = in.report
	for len(p.recent) > keptReports {
		delete(p.known, p.recent[0])
		p.recent = p.recent[1:]
	}
}

// shownFindings is how many findings the preview names.
const shownFindings = 4

// lines says what was found about a row beyond what its header says, and by which
// key a repaired copy is made.
func (p *reports) lines(r *row, w int, key string) []text.Line {
	report, ok := p.known[keyFor(r)]
	if !ok || !report.Damaged() {
		return nil
	}
	var said []string
	more := 0
	for _, f := range report.Findings {
		words := f.Detail
		switch f.Kind {
		case string(transcript.DamageTorn), string(transcript.DamageNUL), string(transcript.DamageGarbage):
			continue // the header names it
		case string(transcript.DamageGlued):
			words = f.Repair
		}
		switch {
		case f.Severity != doctor.Harm:
		case len(said) >= shownFindings:
			more++
		default:
			if f.Line > 0 {
				words = fmt.Sprintf("line %d: %s", f.Line, words)
			}
			said = append(said, words)
		}
	}
	if more > 0 {
		said = append(said, fmt.Sprintf("and %d more: coppice doctor %s", more, r.ID))
	}
	if key != "" {
		said = append(said, key+" makes a repaired fork")
	}
	var out []text.Line
	for _, s := range said {
		out = append(out, hanging("·", s, w, text.Default)...)
	}
	return out
}
