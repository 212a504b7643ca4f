package runtime

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"coppice/transcript/ledger"
)

// walker reads the rows of the conversation in order, compacted ones first, and
// gathers what they tell beside the messages. It keeps no row.
type walker struct {
	ledger  *ledger.Ledger
	calls   map[string]call // that nothing answered yet, of the tools that matter
	current bool            // the row is one that is sent, not one before a compaction

	goal       *Goal
	slug       string
	schedule   schedule
	background background
	monitors   int
	read       map[string]ReadFile
	skills     skillSet
	sideFiles  []string // paths of results that lie in a file of their own
	remote     bool
}

// call is a tool call whose result tells something.
type call struct {
	tool  string
	input []byte
}

// walk reads the rows of the chain.
func (w *walker) walk(ctx context.Context, chain ledger.Chain) error {
	w.calls, w.read = map[string]call{}, map[string]ReadFile{}
	for _, part := range []struct {
		rows    []int
		current bool
	}{{chain.Before, false}, {chain.Rows, true}} {
		w.current = part.current
		for _, i := range part.rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.row(&w.ledger.Rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// row reads one row if it can tell anything.
func (w *walker) row(r *ledger.Row) error {
	var apply func(r *ledger.Row, m members)
	switch {
	case r.Kind == ledger.Assistant && r.Calls:
		apply = w.assistant
	case r.Kind == ledger.User && r.Results:
		apply = w.results
	case r.Kind == ledger.User && r.Meta && len(w.skills.calls) > 0:
		apply = w.skills.body
	case r.Kind == ledger.User && len(w.background) > 0:
		apply = w.background.notified
	case r.Kind == ledger.Attachment:
		apply = w.attachmentOf(w.ledger.Text(r.Subtype))
	}
	if apply == nil {
		return nil
	}
	data, err := w.ledger.Bytes(r.Offset, r.Size)
	if err != nil {
		return err
	}
	m := split(data)
	if m.slug != "" {
		w.slug = m.slug
	}
	apply(r, m)
	return nil
}

// members are the members of a row that matter here.
type members struct {
	slug, source        string
	message, attachment gjson.Result
	report              gjson.Result // what a tool reported beside its answer
}

// split reads a row once.
func split(data []byte) (m members) {
	gjson.ParseBytes(data).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "slug":
			m.slug = value.Str
		case "sourceToolUseID":
			m.source = value.Str
		case "message":
			m.message = value
		case "attachment":
			m.attachment = value
		case "toolUseResult":
			m.report = value
		}
		return true
	})
	return m
}

// assistant takes the calls of a row.
func (w *walker) assistant(_ *ledger.Row, m members) {
	m.message.Get("content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str != "tool_use" {
			return true
		}
		id, tool := block.Get("id").Str, block.Get("name").Str
		switch tool {
		case "Read", "Edit", "MultiEdit", "Write", "NotebookEdit":
			input := block.Get("input")
			w.calls[id] = call{tool, []byte(first(input, "file_path", "notebook_path"))}
		case "CronCreate", "CronDelete":
			w.calls[id] = call{tool, []byte(block.Get("input").Raw)}
		case "Skill":
			if !w.current {
				w.skills.call(id, block.Get("input.skill").Str)
			}
		case "Monitor":
			w.monitors++
		}
		return true
	})
}

// first returns the first member that is a string.
func first(object gjson.Result, names ...string) string {
	for _, name := range names {
		if v := object.Get(name); v.Type == gjson.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// results takes the answers of a row. What a tool reports beside them belongs to
// the row, which has one answer where it matters.
func (w *walker) results(r *ledger.Row, m members) {
	report := m.report
	m.message.Get("content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str != "tool_result" {
			return true
		}
		id := block.Get("tool_use_id").Str
		made := w.calls[id]
		delete(w.calls, id)
		if !block.Get("is_error").Bool() {
			w.result(r, made, report)
		}
		return true
	})
	if !report.IsObject() {
		return
	}
	if path := report.Get("persistedOutputPath"); path.Type == gjson.String {
		w.sideFiles = append(w.sideFiles, path.Str)
	}
	if id := report.Get("backgroundTaskId"); id.Type == gjson.String && id.Str != "" {
		w.background.start(id.Str, r.Line)
	}
}

// result takes one answer that is no error.
func (w *walker) result(r *ledger.Row, made call, report gjson.Result) {
	at := rowTime(r)
	switch made.tool {
	case "CronCreate":
		w.schedule.create(made.input, report, at)
	case "CronDelete":
		w.schedule.end(gjson.GetBytes(made.input, "id").Str)
	case "":
	default:
		if report.IsObject() {
			path := first(report, "file.filePath", "filePath")
			if path == "" {
				path = string(made.input)
			}
			w.saw(path, at)
		}
	}
}

// saw notes a file whose content the model has.
func (w *walker) saw(path string, at time.Time) {
	if w.current && path != "" {
		w.read[path] = ReadFile{Path: path, Time: at}
	}
}

// attachmentOf returns what reads an attachment of that type, nil for nothing.
func (w *walker) attachmentOf(subtype string) func(*ledger.Row, members) {
	switch subtype {
	case "goal_status":
		return w.goalStatus
	case "session_cron_carry":
		return func(_ *ledger.Row, m members) { w.schedule.carry(m.attachment) }
	case "file", "compact_file_reference", "edited_text_file", "new_file":
		return func(r *ledger.Row, m members) {
			w.saw(first(m.attachment, "content.file.filePath", "filename"), rowTime(r))
		}
	case "invoked_skills":
		return func(_ *ledger.Row, m members) { w.skills.listed(m.attachment.Get("skills"), w.current) }
	case "queued_command":
		if len(w.background) > 0 {
			return w.background.notified
		}
	case "remote_session_change":
		return func(_ *ledger.Row, m members) {
			w.remote = m.attachment.Get("url").Type == gjson.String
		}
	}
	return nil
}

// goalStatus takes a goal that was set, met or cleared; a compaction repeats it.
func (w *walker) goalStatus(_ *ledger.Row, m members) {
	status := m.attachment
	w.goal = nil
	if text := status.Get("condition").Str; text != "" && status.Get("met").Type == gjson.False {
		w.goal = &Goal{Text: text}
	}
}

// files returns what was read in order of the last look, and what became of it.
// Only what lies below dir is looked at.
func (w *walker) files(dir place) []ReadFile {
	list := make([]ReadFile, 0, len(w.read))
	for _, f := range w.read {
		f.Changed = true
		if name, ok := dir.below(filepath.Clean(f.Path)); ok {
			info, err := dir.stat(name)
			f.Changed = err != nil || !info.Mode().IsRegular() || info.ModTime().After(f.Time)
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b ReadFile) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Path, b.Path))
	})
	return list
}

// rowTime returns the time of a row, zero where it has none.
func rowTime(r *ledger.Row) time.Time {
	if r.Time == 0 {
		return time.Time{}
	}
	return time.UnixMilli(r.Time).UTC()
}
