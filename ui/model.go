package ui

import (
	"context"

	"coppice/session"
	"coppice/session/launch"
	"coppice/ui/clip"
	"coppice/ui/text"
	"coppice/worktree"
)

// pane is one of the three panes.
type pane int

const (
	paneTree pane = iota
	paneList
	panePreview
)

// panes is how many there are.
const panes = 3

// model is the whole state of the dashboard. It is plain data, touched on
// tview's loop only, and changes in update alone.
type model struct {
	opt  Options
	clip func(context.Context, string) clip.Result
	keys keymap
	w, h int

	data    data
	tree    tree
	list    list
	preview previewPane
	reports reports
	live    live
	peek    peek
	picking picking
	heralds heralds
	lost    []launch.Lost
	focus   pane
	hidden  bool // hidden rows are listed

	scope     scope
	last      scope // the narrower scope to go back to
	settled   bool  // the scope was chosen, or the start's is known for good
	search    search
	rename    *renaming
	dialog    dialog
	dialogTop int

	note        note
	compared    comparisons
	awaitedTree string // path of a worktree that is to be selected when it arrives
	losing      int    // generation of the newest look at what a removal would lose

	planning int       // generation of the newest wish to resume or fork
	awaited  string    // id of a session that is to be selected when it arrives
	trashed  []trashed // what was deleted in this window, the last one last
	touched  bool      // a key was pressed
	armed    bool      // Ctrl-C was just pressed
	quitting bool
	redraw   bool   // the next frame is sent whole, whatever the terminal shows
	bell     bool   // the terminal is to ring
	title    string // of the terminal's window
}

// note is a word in the status line, until the next key.
type note struct {
	text string
	role text.Role
}

// renaming is a title being edited in place.
type renaming struct {
	id    string
	field field
}

// newModel returns the model of an empty store.
func newModel(opt Options) *model {
	m := &model{
		opt:     opt,
		keys:    newKeymap(opt.Config.Keys),
		data:    newData(),
		tree:    newTree(),
		list:    newList(),
		preview: newPreviewPane(),
		reports: newReports(),

		compared: newComparisons(),
		focus:    paneList,
	}
	if opt.Search != "" {
		m.search.field = newField(opt.Search)
		m.settled = true
	}
	m.rebuild()
	return m
}

// rebuild makes tree and list anew after the data or a filter changed.
func (m *model) rebuild() {
	m.tree.build(&m.data, m.hidden)
	if !m.settled {
		m.scope = m.startScope()
	}
	m.tree.show(m.scope)
	m.relist()
}

// relist makes the list anew.
func (m *model) relist() {
	m.list.build(&m.data, m.scope, m.search.words(), m.hidden)
	m.list.where = m.widest()
}

// say puts a word into the status line.
func (m *model) say(s string) []cmd {
	m.note = note{text: s, role: text.Accent}
	return nil
}

// warn puts a problem into the status line.
func (m *model) warn(s string) []cmd {
	m.note = note{text: s, role: text.Warn}
	return nil
}

// update changes the model by one message and returns the work that follows. It
// does no IO.
func (m *model) update(in msg) []cmd {
	var cmds []cmd
	switch in := in.(type) {
	case sized:
		first := m.w == 0
		m.w, m.h = in.w, in.h
		if first && m.opt.Show != "" {
			cmds = m.show(m.opt.Show)
		}
	case keyed:
		cmds = m.key(in)
	case pasted:
		m.paste(in.text)
	case moused:
		cmds = m.mouse(in)
	case ticked:
	case storeChanged:
		m.storeChanged(in.news)
	case watchEnded:
		m.watchEnded(in.err)
	case tailLoaded:
		m.preview.loaded(in)
	case planMade:
		cmds = m.planMade(in)
	case agentEnded:
		cmds = m.agentEnded(in)
	case shellEnded:
		cmds = m.shellEnded(in)
	case renamed:
		m.renamed(in)
	case forkPlanned:
		m.forkPlanned(in)
	case forked:
		cmds = m.forked(in)
	case deleted:
		cmds = m.deleted(in)
	case restored:
		cmds = m.restored(in)
	case examined:
		m.reports.loaded(in)
	case copied:
		m.copied(in)
	case stopped:
	case failed:
		m.warn(in.err.Error())
	default:
		cmds = m.updateLive(in)
	}
	m.retitleWindow()
	cmds = append(cmds, m.glance()...)
	m.notice()
	cmds = append(cmds, m.wantComparison()...)
	cmds = append(cmds, m.wantRequests()...)
	cmds = append(cmds, m.preview.want(m.list.selected(), m.opt.ReadTail)...)
	return append(cmds, m.reports.want(m.list.selected(), m.opt.Examine)...)
}

// updateLive is update for what happens to live sessions.
func (m *model) updateLive(in msg) (cmds []cmd) {
	switch in := in.(type) {
	case runningChanged:
		cmds = m.runningChanged(in)
	case newPlanned:
		cmds = m.newPlanned(in)
	case agentStarted:
		cmds = m.agentStarted(in)
	case attached:
		cmds = m.attached(in)
	case screenChanged:
		cmds = m.screenChanged(in)
	case paneUsed:
		m.paneUsed(in)
	case selected:
		cmds = m.copyText("text", in.text)
	case sideChosen:
		cmds = m.otherPane()
	case focused:
		m.heralds.away = !in.in
	case glanced:
		m.glanced(in)
	case answered:
		m.answered(in)
	case heraldDue:
		m.heraldDue()
	case lostFound:
		cmds = m.lostFound(in)
	case broughtBack:
		cmds = m.broughtBack(in)
	case dismissed:
		m.say(text.Plural(in.n, "session") + " dismissed; each is a row that can be resumed")
	case switched:
		cmds = m.switched(in)
	case tabbed:
		cmds = m.show(in.host)
	case screenEnded:
		cmds = m.screenEnded(in)
	case endedAgent:
		cmds = m.endedAgent(in)
	default:
		cmds = m.treeNews(in)
	}
	return cmds
}

// storeChanged takes in news.
func (m *model) storeChanged(news []session.Update) {
	there := m.holdsAny(m.scope)
	for _, u := range news {
		m.data.apply(u)
	}
	m.adopt()
	m.data.sort()
	if there {
		m.leaveGone()
	}
	m.rebuild()
	m.reveal()
	m.revealTree()
	if p := m.data.progress; p.Listed && p.RepositoriesPending == 0 {
		m.settled = true
	}
}

// watchEnded notes that nothing will change by itself any more.
func (m *model) watchEnded(err error) {
	if err != nil {
		m.data.ended = "sessions are no longer watched: " + err.Error()
	}
}

// startScope is the scope to begin with: the worktree that the person stands in,
// else its repository, else everything, whichever holds sessions first.
func (m *model) startScope() scope {
	at := m.startHome()
	if at.project == "" {
		return scope{}
	}
	wide := scope{project: at.project, set: true}
	narrow := scope{project: at.project, set: true, worktree: at.worktree}
	best := scope{}
	for _, r := range m.data.order {
		if !r.listed() || r.home.project != at.project {
			continue
		}
		if narrow.worktree != "" && narrow.holds(r) {
			return narrow
		}
		best = wide
	}
	return best
}

// startHome says where the start directory belongs, by what is known so far.
func (m *model) startHome() home {
	best := home{}
	consider := func(project, path string) {
		if len(path) > len(best.worktree) && worktree.Within(path, m.opt.Start) {
			best = home{project: project, worktree: path}
		}
	}
	for common, r := range m.data.repos {
		for _, wt := range r.Worktrees {
			consider(common, wt.Path)
		}
	}
	for _, r := range m.data.order {
		consider(r.home.project, r.home.worktree)
	}
	return best
}
