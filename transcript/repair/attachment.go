package repair

import (
	"strings"

	"github.com/tidwall/gjson"
)

// attachment returns what an attachment told the model: the texts that it
// records, or, where it records none, a note in our own words around what it
// holds. Most kinds tell nothing and are part of the conversation all the same: one
// may be its last row.
func (r *repairer) attachment(row int, d record) (item, bool) {
	it := item{from: fromNote, row: row}
	if d.role == "user" {
		it.from = fromAside
	}
	if it.rendered(d.rendered); len(it.parts) > 0 {
		return it, true
	}
	it.from = fromNote
	typ := r.legacy(row)
	a := gjson.ParseBytes(d.attachment)
	text := noteText(typ, a)
	if text == "" {
		return it, true // it may be the last row
	}
	note := madeText(MadeNote, text)
	note.Row = row
	if images := pictures(typ, a, row); len(images) > 0 {
		it.from = fromAside
		note.JSON = textBlock(quote(reminderStart + text + reminderEnd))
		it.parts = append([]part{note}, images...)
		return it, true
	}
	if typ == "session_context" {
		it.from = fromAside
		note.JSON = textBlock(quote(reminderStart + text + reminderEnd))
	}
	it.parts = []part{note}
	return it, true
}

// rendered takes the texts that an attachment records. For a system message they
// lose the marks of a reminder, and are one text.
func (it *item) rendered(list []byte) {
	elements(list, func(v []byte) {
		members(v, func(key, v []byte) {
			if string(key) == "content" {
				parts, _ := content(v, it.row)
				it.parts = append(it.parts, parts...)
			}
		})
	})
	if it.from == fromAside || len(it.parts) == 0 {
		return
	}
	var texts []string
	for i := range it.parts {
		if p := &it.parts[i]; p.text() && !p.blank {
			texts = append(texts, unmarked(p.textOf()))
		}
	}
	if it.parts = nil; len(texts) == 0 {
		return
	}
	it.parts = []part{{Block: Block{Type: "text", JSON: textBlock(quote(strings.Join(texts, "\n"))), Row: it.row, Merged: true}}}
}

// unmarked returns a reminder's text without the marks around it.
func unmarked(text string) string {
	inner, ok := strings.CutPrefix(text, reminderStart)
	if !ok {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(inner, "\n"), reminderEnd)
}

// legacy returns the type by which an attachment is understood. Types that old
// versions wrote say nothing to the client (observed A.4); Keep tells what they
// hold.
func (r *repairer) legacy(row int) string {
	typ := r.l.Text(r.l.Rows[row].Subtype)
	now, ok := map[string]string{"new_file": "file", "new_directory": "directory", "todo": ""}[typ]
	switch {
	case !ok:
		return typ
	case r.keep && now != "":
		r.note(MigratedAttach, row, "an attachment of a type that is no longer written is told as what took its place")
		return now
	}
	r.note(SkippedAttach, row, "an attachment of a type that is no longer written is left out")
	return ""
}

// pictures returns the images of a prompt that was typed while the model worked.
func pictures(typ string, a gjson.Result, row int) (parts []part) {
	if typ != "queued_command" {
		return nil
	}
	a.Get("prompt").ForEach(func(_, v gjson.Result) bool {
		if p, ok := block([]byte(v.Raw), row); ok && p.Type == "image" {
			parts = append(parts, p)
		}
		return true
	})
	return parts
}
