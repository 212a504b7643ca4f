package repair

import (
	"bytes"
	"fmt"

	"coppice/transcript/ledger"
)

// read decodes the rows of a chain into items, one after the other.
func (r *repairer) read(rows []int) ([]item, error) {
	items := make([]item, 0, len(rows))
	for _, row := range rows {
		at := &r.l.Rows[row]
		if !r.wanted(at) {
			continue
		}
		raw, err := r.l.Bytes(at.Offset, at.Size)
		if err != nil {
			return nil, fmt.Errorf("read line %d of the transcript: %w", at.Line, err)
		}
		if it, ok := r.row(row, raw); ok {
			items = append(items, it)
		}
	}
	return items, nil
}

// wanted reports whether a row can say anything to the model: progress, unknown
// records and system rows but those of local commands do not (observed A.2, A.4).
func (r *repairer) wanted(row *ledger.Row) bool {
	switch row.Kind {
	case ledger.User, ledger.Assistant, ledger.Attachment:
		return true
	case ledger.System:
		return r.l.Text(row.Subtype) == "local_command"
	case ledger.Progress, ledger.Other:
	}
	return false
}

// row returns what a row contributes; false for nothing.
func (r *repairer) row(row int, raw []byte) (item, bool) {
	d := r.decode(row, raw)
	switch r.l.Rows[row].Kind {
	case ledger.User:
		return r.user(row, d)
	case ledger.Assistant:
		return r.assistant(row, d)
	case ledger.System:
		return r.command(row, d)
	case ledger.Attachment:
		return r.attachment(row, d)
	case ledger.Progress, ledger.Other:
	}
	return item{}, false
}

// record holds the members of a row that matter, as they are written. Where a
// member stands twice the last one holds.
type record struct {
	content    []byte // of a message, or of a system row
	model      string
	failed     bool // isApiErrorMessage
	attachment []byte
	rendered   []byte
	role       string // renderedRole
}

// decode finds the members of a row, fit to be sent. They hold none of the row's
// other bytes.
func (r *repairer) decode(row int, raw []byte) (d record) {
	members(raw, func(key, v []byte) {
		switch string(key) {
		case "message":
			d.content, d.model = nil, ""
			members(v, func(key, v []byte) {
				switch string(key) {
				case "content":
					d.content = v
				case "model":
					d.model = ""
					if kind(v) == '"' {
						d.model = r.pool(v)
					}
				}
			})
		case "content":
			if r.l.Rows[row].Kind == ledger.System {
				d.content = v
			}
		case "isApiErrorMessage":
			d.failed = kind(v) == 't'
		case "attachment":
			d.attachment = v
		case "rendered":
			d.rendered = v
		case "renderedRole":
			d.role = string(bytes.Trim(v, `"`))
		}
	})
	for _, v := range []*[]byte{&d.content, &d.attachment, &d.rendered} {
		fixed, ok := sound(*v)
		if ok {
			r.note(ReplacedEncoding, row, "bytes that are not UTF-8, or halves of a surrogate pair, became U+FFFD")
			*v = fixed
		} else {
			*v = r.clone(*v)
		}
	}
	return d
}

// clone returns a copy that shares memory with others: what is allocated alone is
// rounded up, by an eighth of a few KB.
func (r *repairer) clone(b []byte) []byte {
	const least, most = 4 << 10, 256 << 10
	if len(b) == 0 || len(b) > most/16 {
		return bytes.Clone(b)
	}
	if cap(r.room)-len(r.room) < len(b) {
		r.room = make([]byte, 0, max(len(b), min(max(2*cap(r.room), least), most)))
	}
	at := len(r.room)
	r.room = append(r.room, b...)
	return r.room[at:len(r.room):len(r.room)]
}

// pool returns the text of a JSON string that most rows share.
func (r *repairer) pool(v []byte) string {
	if string(v[1:max(1, len(v)-1)]) != r.lastModel {
		r.lastModel = unquoted(v)
	}
	return r.lastModel
}

func (r *repairer) user(row int, d record) (item, bool) {
	parts, ok := content(d.content, row)
	if !ok || len(parts) == 0 {
		r.note(EmptyContent, row, "a user message without content is left out")
	}
	if !ok {
		return item{}, false
	}
	return item{from: fromUser, row: row, parts: parts, lone: kind(d.content) == '"', meta: r.l.Rows[row].Meta}, true
}

func (r *repairer) assistant(row int, d record) (item, bool) {
	parts, ok := content(d.content, row)
	if !ok {
		r.note(EmptyContent, row, "an assistant message without content is left out")
		return item{}, false
	}
	return item{
		from: fromAssistant, row: row, id: r.l.Text(r.l.Rows[row].MessageID), parts: parts,
		model: d.model, failed: d.failed && d.model == noModel,
	}, true
}

// noModel is the model of answers that no model gave.
const noModel = "<synthetic>"

func (r *repairer) command(row int, d record) (item, bool) {
	if kind(d.content) != '"' {
		return item{}, false
	}
	it := item{from: fromCommand, row: row, lone: true}
	it.parts, _ = content(d.content, row)
	if it.parts[0].empty {
		it.parts[0] = madeText(MadeNoContent, noContentText)
	}
	return it, true
}
