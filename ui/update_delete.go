package ui

import (
	"context"
	"fmt"

	"coppice/session"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// trashed is a session that was deleted in this window.
type trashed struct{ id, title string }

// whyNotDelete says why the selected session cannot be deleted.
func (m *model) whyNotDelete() string {
	if m.pane() == paneTree {
		return m.whyNotRemove()
	}
	r := m.list.selected()
	if r != nil && r.Live != nil && !r.ended() {
		return "this session is live in " + r.Live.Where + ": end it there first"
	}
	return m.whyNoRow()
}

// startDelete asks whether the selected session, or worktree, is to go.
func (m *model) startDelete() []cmd {
	if m.pane() == paneTree {
		return m.startRemove()
	}
	m.openDialog(&deleteDialog{session: m.list.selected().Session})
	return nil
}

// deleteDialog says what goes before a session is deleted.
type deleteDialog struct{ session session.Session }

func (*deleteDialog) title() string { return "Delete this session?" }

func (*deleteDialog) foot() text.Line { return keysFoot("Enter", "delete", "Esc", "keep it") }

func (d *deleteDialog) key(m *model, k keyed) []cmd {
	if k.name != "Enter" {
		return nil
	}
	m.closeDialog()
	s, del := d.session, m.opt.Delete
	m.say("deleting")
	return background(func(ctx context.Context) msg {
		return deleted{id: s.ID, title: preview.Title(s), err: del(ctx, s)}
	})
}

func (d *deleteDialog) body(m *model, w int) content {
	s := d.session
	back := "`coppice undo`"
	if key := m.keys.key("undo"); key != "" {
		back = key + " or " + back
	}
	out := []text.Line{{text.Foreign(preview.Title(s), text.Title)}, nil}
	out = append(out, wrapped("To the trash, from where "+back+" brings it back:", w, text.Heading)...)
	add := func(words string) { out = append(out, hanging("·", words, w, text.Default)...) }
	add(fmt.Sprintf("the transcript, %s, %s: %s", text.Plural(s.Summary.Messages, "message"), text.Bytes(s.Summary.Size), s.Path))
	add("what lies beside it, if there is any: outputs of tools, conversations of its agents")
	add("the agent's history of the files that it changed, if there is any")
	out = append(out, nil)
	if n := len(s.Copies) - 1; n > 0 {
		out = append(out, wrapped(text.Plural(n, "other file")+" with this id stay where they are.", w, text.Warn)...)
	}
	return content{lines: append(out, wrapped("No worktree, branch or file of the project is touched.", w, text.Dim)...)}
}

// deleted says how it went and offers the way back.
func (m *model) deleted(in deleted) []cmd {
	if in.err != nil {
		m.warn(fmt.Sprintf("not deleted: %v", in.err))
		return m.lookAgain()
	}
	m.trashed = append(m.trashed, trashed{in.id, in.title})
	m.say("deleted " + in.title + "; " + m.keys.key("undo") + " brings it back")
	return m.lookAgain()
}

// whyNotUndo says why nothing can be brought back.
func (m *model) whyNotUndo() string {
	if len(m.trashed) == 0 {
		return "nothing more was deleted in this window; `coppice undo` brings back what was deleted before"
	}
	return ""
}

// undo brings back what was deleted last.
func (m *model) undo() []cmd {
	last := m.trashed[len(m.trashed)-1]
	m.trashed = m.trashed[:len(m.trashed)-1]
	undelete := m.opt.Undelete
	m.say("bringing it back")
	return background(func(ctx context.Context) msg {
		return restored{id: last.id, title: last.title, err: undelete(ctx, last.id)}
	})
}

// restored says how it went. The session is selected when its row is there again.
func (m *model) restored(in restored) []cmd {
	if in.err != nil {
		m.trashed = append(m.trashed, trashed{in.id, in.title})
		return m.warn(fmt.Sprintf("not brought back: %v", in.err))
	}
	m.say(in.title + " is back")
	m.awaited = in.id
	return m.lookAgain()
}
