package transcript

import (
	"bytes"
	"slices"
)

// fold applies records to a Summary in file order.
type fold struct {
	sum Summary
	res Resume

	row     int64 // offset of the first row of the newest assistant message, -1 for none in this pass
	undated int64 // offset of the newest conversational row when its time was not seen, else -1
	updated stamp // the time of the newest one that has a time
	dated   int64 // its offset, -1 when it is not of this pass

	last []byte // id of the newest assistant message

	// age counts the changes to facts that an unchanged row would set again.
	age int
}

// neverApplied is the age of no facts.
const neverApplied = -2

func newFold() fold { return fold{row: -1, undated: -1, dated: -1} }

// want says which parts of a record are of no interest any more.
func (f *fold) want() want {
	age := f.age
	if !f.res.Dated {
		age = neverApplied
	}
	return want{
		age:     age,
		ignored: f.sum.SessionID == "" || !f.res.Dated,
		prompt:  f.sum.FirstPrompt == "",
		fork:    f.sum.ForkedFrom == "",
	}
}

// add applies one record that starts at off.
func (f *fold) add(r *record, off int64) {
	if r.again {
		f.addAgain(r, off)
		return
	}
	if !r.seen.has(fType) {
		return
	}
	f.sum.Records++
	if f.sum.SessionID == "" {
		f.sum.SessionID = cut(r.str(fSessionID), maxFact)
	}
	k := r.kind()
	f.created(r, k)
	switch k {
	case kindMeta:
		mode := f.sum.PermissionMode
		if f.meta(r); f.sum.PermissionMode != mode {
			f.age++
		}
		return
	case kindIgnored:
		return
	case kindUser, kindAssistant, kindRow:
	}
	f.rowFacts(r)
	if r.seen.has(fForkID) && f.sum.ForkedFrom == "" {
		f.sum.ForkedFrom = cut(r.str(fForkID), maxFact)
	}
	if kind := r.raw(fKind); kind != nil && string(kind) != f.sum.Kind {
		f.sum.Kind = cut(unescape(kind), maxFact)
		f.age++
	}
	switch k {
	case kindUser:
		f.date(r, off)
		f.user(r)
	case kindAssistant:
		f.date(r, off)
		f.assistant(r, off)
	default:
		if r.seen.has(fDirs) && string(r.raw(fAttachmentType)) == "environment" {
			f.added(r.dirs)
		}
	}
}

// addAgain applies a record of which only the message's id and model, a typed text
// and the time differ from what was applied before.
func (f *fold) addAgain(r *record, off int64) {
	f.sum.Records++
	switch r.typ {
	case kindUser:
		f.date(r, off)
		if r.typed {
			f.typed()
		}
	case kindAssistant:
		f.date(r, off)
		if !r.side {
			f.message(r.raw(fMessageID), off)
			f.model(r)
		}
	default:
	}
}

// created looks at the records up to the first row of the conversation that has
// a time.
func (f *fold) created(r *record, k kind) {
	if f.res.Dated {
		return
	}
	at, ok := parseTime(r.raw(fTimestamp))
	if ok && (f.sum.Created.IsZero() || at.Before(f.sum.Created)) {
		f.sum.Created = at
	}
	f.res.Dated = ok && (k == kindUser || k == kindAssistant)
}

// date keeps the time of a row of the conversation.
func (f *fold) date(r *record, off int64) {
	if f.updated.set(r.raw(fTimestamp)) {
		f.dated, f.undated = off, -1
	} else {
		f.undated = off
	}
}

// rowFacts applies what every row of a conversation repeats.
func (f *fold) rowFacts(r *record) {
	s := &f.sum
	if dir := r.raw(fCwd); dir != nil && string(dir) != s.Dir {
		f.age++
		if s.Dir = cut(unescape(dir), maxFact); s.Dir != "" && len(s.Dirs) < MaxDirs && !slices.Contains(s.Dirs, s.Dir) {
			s.Dirs = append(s.Dirs, s.Dir)
		}
	}
	if branch := r.raw(fBranch); branch != nil && string(branch) != s.Branch {
		f.age++
		s.Branch = cut(unescape(branch), maxFact)
	}
	if version := r.raw(fVersion); version != nil && string(version) != s.Version {
		f.age++
		s.Version = cut(unescape(version), maxFact)
	}
	if s.Entrypoint == "" && r.seen.has(fEntrypoint) {
		s.Entrypoint = cut(r.str(fEntrypoint), maxFact)
	}
}

// conversation applies what user and assistant rows share and says whether the
// row is outside sidechains.
func (f *fold) conversation(r *record) bool {
	side := r.is(fSidechain)
	if !f.res.Begun {
		f.res.Begun = true
		f.sum.Sidechain = side
	}
	f.sum.HasMain = f.sum.HasMain || !side
	f.sum.Team = f.sum.Team || len(r.raw(fTeam)) > 0
	return !side
}

func (f *fold) assistant(r *record, off int64) {
	if !f.conversation(r) {
		return
	}
	s := &f.sum
	f.message(r.raw(fMessageID), off)
	f.model(r)
	s.Prompted = s.Prompted || s.FirstCommand != ""
}

// model applies a row's model. It leaves the age alone: models may take turns.
func (f *fold) model(r *record) {
	if model := r.raw(fModel); len(model) > 0 && string(model) != f.sum.Model && model[0] != '<' {
		f.sum.Model = cut(unescape(model), maxFact)
	}
}

// message counts a message by its first row.
func (f *fold) message(id []byte, off int64) {
	if len(id) == 0 || !bytes.Equal(id, f.last) {
		f.sum.Messages++
		f.last = append(f.last[:0], id...)
		f.res.OpenCalls = nil
		f.row = off
	}
}

func (f *fold) user(r *record) {
	main := f.conversation(r)
	s := &f.sum
	if mode := r.raw(fPermissionMode); mode != nil && string(mode) != s.PermissionMode {
		s.PermissionMode = cut(unescape(mode), maxFact)
		f.age++
	}
	if main && r.spoken() && (r.plain || f.prompt(r)) {
		f.typed()
	}
}

// typed counts a prompt.
func (f *fold) typed() {
	f.sum.Messages++
	f.sum.Prompted = true
}

// prompt reads the texts of a user row and says whether a person typed one.
func (f *fold) prompt(r *record) bool {
	if r.seen.has(fText) {
		return f.text(r.raw(fText))
	}
	is := false
	for _, b := range r.blocks {
		if string(b.kind) == "tool_result" || b.answers != nil {
			return false
		}
	}
	for _, b := range r.blocks {
		switch string(b.kind) {
		case "text":
			is = f.text(b.text) || is
		case "image", "document":
			is = true
		}
	}
	return is
}

func (f *fold) text(raw []byte) bool {
	t := readTyped(unescape(raw))
	if f.sum.FirstCommand == "" {
		f.sum.FirstCommand = t.command
		f.age++
	}
	if f.sum.FirstPrompt == "" {
		f.sum.FirstPrompt = t.prompt
	}
	return t.prompt != ""
}

func (f *fold) added(dirs [][]byte) {
	f.sum.AddedDirs = nil
	for _, raw := range dirs[:min(len(dirs), MaxDirs)] {
		f.sum.AddedDirs = append(f.sum.AddedDirs, cut(unescape(raw), maxFact))
	}
}

func (f *fold) damage(line int, off int64, k DamageKind) {
	f.sum.DamageCount++
	if len(f.sum.Damage) < MaxDamage {
		f.sum.Damage = append(f.sum.Damage, Damage{Line: line, Offset: off, Kind: k})
	}
}

// calls applies a row of the newest assistant message, or one behind it, to the
// calls that wait for a result.
func (f *fold) calls(r *record) {
	if r.is(fSidechain) {
		return
	}
	switch r.kind() {
	case kindAssistant:
		if !bytes.Equal(r.raw(fMessageID), f.last) {
			return
		}
		for _, b := range r.blocks {
			if string(b.kind) == "tool_use" && b.id != nil && len(f.res.OpenCalls) < maxBlocks {
				if f.res.OpenCalls == nil {
					f.res.OpenCalls = map[string]bool{}
				}
				f.res.OpenCalls[string(b.id)] = true
			}
		}
	case kindUser:
		for _, b := range r.blocks {
			delete(f.res.OpenCalls, string(b.answers))
		}
	default:
	}
}

// late applies what only a full reading of a row of the conversation tells.
func (f *fold) late(r *record, off int64) {
	if k := r.kind(); k != kindUser && k != kindAssistant {
		return
	}
	if off > f.dated && f.updated.set(r.raw(fTimestamp)) {
		f.dated = off
	}
	f.calls(r)
}

// snapshot returns what was found so far, sharing nothing with the fold.
func (f *fold) snapshot() (Summary, Resume) {
	if at, ok := f.updated.time(); ok {
		f.sum.Updated = at
	}
	s, r := f.sum.clone(), f.res
	r.LastMessageID = string(f.last)
	s.Interrupted = len(r.OpenCalls) > 0
	r.OpenCalls = cloneCalls(r.OpenCalls)
	return s, r
}

func cloneCalls(m map[string]bool) map[string]bool {
	if len(m) == 0 {
		return nil
	}
	c := make(map[string]bool, len(m))
	for id := range m {
		c[id] = true
	}
	return c
}

// clone copies a Summary with everything it points to.
func (s Summary) clone() Summary {
	s.Dirs = slices.Clone(s.Dirs)
	s.AddedDirs = slices.Clone(s.AddedDirs)
	s.Damage = slices.Clone(s.Damage)
	return s
}
