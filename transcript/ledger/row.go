package ledger

import (
	"bytes"
	"strconv"
	"time"
)

// add files the record at hand. c holds its bytes, nil when they are not in
// memory.
func (d *reader) add(c *cursor, at span, sum uint32, salvaged bool) {
	r, l := &d.rec, d.l
	uuid := r.str(fUUID)
	if string(r.str(fType)) == "last-prompt" {
		d.point(at.off, salvaged)
	}
	if kind := kindOf(r.str(fType)); len(uuid) == 0 && (kind == Other || kind == Progress) {
		if typ := r.str(fType); len(typ) > 0 {
			l.Records = append(l.Records, Record{Offset: at.off, Size: at.size, Line: d.line, Type: d.names.name(typ), Salvaged: salvaged})
			l.recordSums = append(l.recordSums, sum)
		}
		return
	}
	n := len(l.Rows)
	l.Rows, l.rowSums = append(l.Rows, d.row(at, salvaged)), append(l.rowSums, sum)
	if logical := r.str(fLogical); len(logical) > 0 {
		l.logical[n] = l.ids.number(logical)
	}
	if row := &l.Rows[n]; len(uuid) > 0 && row.Compaction {
		d.events = append(d.events, event{row: n, compaction: true})
		if p, ok := d.preserved(c); ok {
			l.kept[n] = p
		}
	}
}

// point takes a last-prompt record.
func (d *reader) point(off int64, salvaged bool) {
	r := &d.rec
	leaf := string(r.str(fLeaf))
	switch v := r.vals[fLeaf]; {
	case v.form == absent:
		return
	case v.form == literal && r.lit(fLeaf) != "null", v.form == other:
		leaf = "?" // names no row
	}
	explicit := r.isTrue(fExplicit)
	if leaf == nobody && explicit {
		d.l.restarts = append(d.l.restarts, off)
	}
	d.events = append(d.events, event{pointer: pointer{leaf: leaf, line: d.line, off: off, explicit: explicit}, salvaged: salvaged})
}

func (d *reader) row(at span, salvaged bool) Row {
	r, ids := &d.rec, &d.l.ids
	parent := d.parent()
	row := Row{
		Offset: at.off, Size: at.size, Line: d.line, UUID: ids.number(r.str(fUUID)), Salvaged: salvaged,
		Kind: kindOf(r.str(fType)), Parent: parent,
		Time: r.time(), Sidechain: r.isTrue(fSidechain), Meta: r.isTrue(fMeta), Summary: r.isTrue(fSummary), Large: r.large,
	}
	row.Rooted = r.lit(fParent) == "null"
	if v := r.vals[fTeam]; v.form != absent && r.lit(fTeam) != "null" {
		row.Team = true
	}
	switch row.Kind {
	case System:
		row.Subtype, row.Compaction = ids.number(r.str(fSubtype)), string(r.str(fSubtype)) == "compact_boundary"
	case Attachment:
		row.Subtype = ids.number(r.str(fAttachmentType))
	case Assistant:
		row.MessageID = d.messageID()
	case User:
		row.SourceID = parent
		if source := r.str(fSource); !bytes.Equal(source, r.str(fParent)) {
			row.SourceID = ids.number(source)
		}
	case Other, Progress:
	}
	if row.Kind == User || row.Kind == Assistant {
		row.Results, row.Calls, row.Void = r.body.results, r.body.calls, !r.body.usable
	}
	return row
}

func kindOf(typ []byte) Kind {
	switch string(typ) {
	case "user":
		return User
	case "assistant":
		return Assistant
	case "system":
		return System
	case "attachment":
		return Attachment
	case "progress":
		return Progress
	}
	return Other
}

// parent returns parentUuid. A value that is no string names no row, but what
// JavaScript takes for false is a root.
func (r *record) parent() []byte {
	switch v := r.vals[fParent]; v.form {
	case text:
		return r.str(fParent)
	case literal:
		if s := r.lit(fParent); s != "null" && s != "false" && !isZero(s) {
			return []byte(s)
		}
	case other:
		return []byte("{}")
	case absent:
	}
	return nil
}

func isZero(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && f == 0
}

// parent returns parentUuid, most often the uuid of the row before.
func (d *reader) parent() ID {
	l, raw := d.l, d.rec.parent()
	if n := len(l.Rows); n > 0 && l.ids.again(l.Rows[n-1].UUID, raw) {
		return l.Rows[n-1].UUID
	}
	return l.ids.number(raw)
}

// messageID returns message.id, most often that of the assistant row before.
func (d *reader) messageID() ID {
	if raw := d.rec.str(fMessageID); !d.l.ids.again(d.message, raw) {
		d.message = d.l.ids.number(raw)
	}
	return d.message
}

// time returns the timestamp in Unix milliseconds.
func (r *record) time() int64 {
	switch v := r.vals[fTime]; v.form {
	case text:
		raw := r.arena[v.at:v.end]
		if ms, ok := plainTime(raw); ok {
			return ms
		}
		for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateOnly} {
			if at, err := time.Parse(form, string(raw)); err == nil {
				return at.UnixMilli()
			}
		}
	case literal:
		if f, err := strconv.ParseFloat(r.lit(fTime), 64); err == nil && f > -8.64e15 && f < 8.64e15 {
			return int64(f)
		}
	case absent, other:
	}
	return 0
}

// plainTime reads a time as the client writes it, "2006-01-02T15:04:05.000Z".
func plainTime(b []byte) (int64, bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(b) != len(form) {
		return 0, false
	}
	for i, k := range b {
		if f := form[i]; f == '0' && (k < '0' || k > '9') || f != '0' && k != f {
			return 0, false
		}
	}
	two := func(i int) int { return int(b[i]-'0')*10 + int(b[i+1]-'0') }
	year, month, day := two(0)*100+two(2), two(5), two(8)
	hour, minute, second := two(11), two(14), two(17)
	if month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	days := daysSince1970(year, month, day)
	ms := int64(b[20]-'0')*100 + int64(two(21))
	return ((int64(days)*24+int64(hour))*60+int64(minute))*60_000 + int64(second)*1000 + ms, true
}

// daysSince1970 counts days by the Gregorian calendar, years beginning in March.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
}
