package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"

	"coppice/session"
	"coppice/transcript"
)

// The shapes of --json. docs/json.md describes them, and a test holds the two
// together. session.Plan is the shape of `resume --plan`.

// sessionJSON is one session: an element of `ls`, and part of `show`.
type sessionJSON struct {
	ID            string       `json:"id"`
	Title         string       `json:"title"`
	TitleSource   string       `json:"titleSource"`
	Path          string       `json:"path"`
	Copies        []copyJSON   `json:"copies"`
	Project       string       `json:"project"`
	Repository    string       `json:"repository"`
	Worktree      string       `json:"worktree"`
	WorktreeState string       `json:"worktreeState"`
	Branch        string       `json:"branch"`
	Cwd           string       `json:"cwd"`
	FirstCwd      string       `json:"firstCwd"`
	CreatedAt     *time.Time   `json:"createdAt"`
	UpdatedAt     *time.Time   `json:"updatedAt"`
	Size          int64        `json:"size"`
	Messages      int          `json:"messages"`
	Model         string       `json:"model"`
	Agent         string       `json:"agent"`
	Kind          string       `json:"kind"`
	Entrypoint    string       `json:"entrypoint"`
	ForkedFrom    string       `json:"forkedFrom"`
	PR            *prJSON      `json:"pr"`
	Tag           string       `json:"tag"`
	Hidden        bool         `json:"hidden"`
	HiddenReason  string       `json:"hiddenReason"`
	Live          *liveJSON    `json:"live"`
	Context       *float64     `json:"context"`
	Cost          *float64     `json:"cost"`
	Damaged       []damageJSON `json:"damaged"`
	DamageCount   int          `json:"damageCount"`
	Resumable     bool         `json:"resumable"`
	Why           string       `json:"why"`
}

type copyJSON struct {
	Path      string     `json:"path"`
	Cwd       string     `json:"cwd"`
	UpdatedAt *time.Time `json:"updatedAt"`
	Size      int64      `json:"size"`
}

type prJSON struct {
	Number     int    `json:"number"`
	URL        string `json:"url"`
	Repository string `json:"repository"`
}

type liveJSON struct {
	Host   string     `json:"host"`
	PID    int        `json:"pid"`
	State  string     `json:"state"`
	Need   string     `json:"need"`
	Since  *time.Time `json:"since"`
	Source string     `json:"source"`
	Where  string     `json:"where"`
	Why    string     `json:"why"`
}

type damageJSON struct {
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
	Kind   string `json:"kind"`
}

// showJSON is `show`.
type showJSON struct {
	Session  sessionJSON   `json:"session"`
	Messages []messageJSON `json:"messages"`
	Earlier  bool          `json:"earlier"`
	Damage   int           `json:"damage"`
}

type messageJSON struct {
	UUID   string      `json:"uuid"`
	Role   string      `json:"role"`
	At     *time.Time  `json:"at"`
	Model  string      `json:"model"`
	Blocks []blockJSON `json:"blocks"`
}

type blockJSON struct {
	Kind   string      `json:"kind"`
	Text   string      `json:"text"`
	Cut    int         `json:"cut"`
	Tool   string      `json:"tool"`
	Input  string      `json:"input"`
	Answer *answerJSON `json:"answer"`
}

type answerJSON struct {
	Text  string `json:"text"`
	Cut   int    `json:"cut"`
	Lines int    `json:"lines"`
	Error bool   `json:"error"`
}

// at returns t in UTC, nil when it is not known or nothing that RFC 3339 can
// write.
func at(t time.Time) *time.Time {
	if t = t.UTC(); t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}

// known returns a number of which zero means that it is not known.
func known(v float64) *float64 {
	if v == 0 {
		return nil
	}
	return &v
}

// list returns one element for each of in: never nil, so that JSON has [].
func list[T, U any](in []T, convert func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, convert(v))
	}
	return out
}

func toSessionJSON(s session.Session) sessionJSON {
	sum := s.Summary
	out := sessionJSON{
		ID: s.ID, Title: s.Title, TitleSource: string(s.TitleSource), Path: s.Path,
		Copies: list(s.Copies, func(c session.Copy) copyJSON {
			return copyJSON{Path: c.Path, Cwd: c.Dir, UpdatedAt: at(c.Updated), Size: c.Size}
		}),
		Project: s.Project, Repository: s.Place.CommonDir, Worktree: s.Place.Root, WorktreeState: string(s.Place.State),
		Branch: sum.Branch, Cwd: s.Dir, CreatedAt: at(sum.Created), UpdatedAt: at(s.Updated),
		Size: sum.Size, Messages: sum.Messages, Model: sum.Model, Agent: sum.Agent, Kind: sum.Kind,
		Entrypoint: sum.Entrypoint, ForkedFrom: s.Parent, Tag: sum.Tag,
		Hidden: s.Hidden != "", HiddenReason: s.Hidden,
		Damaged: list(sum.Damage, func(d transcript.Damage) damageJSON {
			return damageJSON{Line: d.Line, Offset: d.Offset, Kind: string(d.Kind)}
		}),
		Context: known(s.Context), Cost: known(s.Cost),
		DamageCount: sum.DamageCount,
		Resumable:   s.NotReady == "", Why: s.NotReady,
	}
	if len(s.Copies) > 0 {
		out.Size = s.Copies[0].Size
	}
	if len(sum.Dirs) > 0 {
		out.FirstCwd = sum.Dirs[0]
	}
	if out.ForkedFrom == "" {
		out.ForkedFrom = sum.ForkedFrom
	}
	if sum.PR != nil {
		out.PR = &prJSON{Number: sum.PR.Number, URL: sum.PR.URL, Repository: sum.PR.Repository}
	}
	if l := s.Live; l != nil {
		out.Live = &liveJSON{
			Host: l.Host, PID: l.PID, State: string(l.State), Need: string(l.Need), Since: at(l.Since), Source: string(l.Source),
			Where: l.Where, Why: l.Reason,
		}
	}
	return out
}

func toMessageJSON(m transcript.Message) messageJSON {
	return messageJSON{
		UUID: m.UUID, Role: string(m.Role), At: at(m.Time), Model: m.Model,
		Blocks: list(m.Blocks, func(b transcript.Block) blockJSON {
			out := blockJSON{Kind: string(b.Kind), Text: b.Text, Cut: b.Cut, Tool: b.Tool, Input: b.Input}
			if r := b.Answer; r != nil {
				out.Answer = &answerJSON{Text: r.Text, Cut: r.Cut, Lines: r.Lines, Error: r.Error}
			}
			return out
		}),
	}
}

// printJSON writes one JSON value. What a terminal would obey, and outside of a
// UTF-8 locale everything but ASCII, is written as \u escapes: the value is the
// same.
func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode as JSON: %w", err)
	}
	return a.write(escapeJSON(b.Bytes(), !a.env.UTF8()))
}

// escapeJSON escapes the control and format characters of encoded JSON, or all
// that is not ASCII. They stand in strings only.
func escapeJSON(in []byte, all bool) []byte {
	out := make([]byte, 0, len(in))
	for len(in) > 0 {
		r, size := utf8.DecodeRune(in)
		switch {
		case r == '\n' || (r < utf8.RuneSelf && r != 0x7f):
			out = append(out, in[0])
		case !all && r != 0x7f && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co):
			out = append(out, in[:size]...)
		default:
			out = appendEscaped(out, r)
		}
		in = in[size:]
	}
	return out
}

// appendEscaped appends \uXXXX, twice for a rune beyond 16 bits.
func appendEscaped(out []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
