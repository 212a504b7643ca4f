package runtime

import (
	"fmt"
	"strings"
)

// maxNamed is how many background tasks are named one by one.
const maxNamed = 10

// loseAll names what does not come back (client-behaviour 7.4).
func (l *loader) loseAll() {
	w := &l.walker
	tasks := w.background.running()
	for _, id := range tasks[:min(len(tasks), maxNamed)] {
		l.lose("the background task %s: it was stopped when the agent ended, or nobody listens to it any more", plain(id))
	}
	l.loseMany(len(tasks)-maxNamed, "another background task", "%d more background tasks")
	l.loseMany(w.monitors, "a monitor", "%d monitors")
	l.loseMany(l.records.queued, "a prompt that waited to be sent", "%d prompts that waited to be sent")
	if l.records.bridge || w.remote {
		l.lose("the connection to a remote session")
	}
	l.lose("options it was started with, such as MCP servers, settings or plugins")
	l.lose("what was allowed for the running session only")
	if dirs := l.out.Summary.AddedDirs; len(dirs) > 0 {
		l.lose("the added directories %s", plain(strings.Join(dirs, ", ")))
	}
	if l.env.Fork {
		l.loseFork()
	} else if l.source == FromFile {
		l.loseFile()
	}
}

// loseFork names what stays with the session that a fork starts from.
func (l *loader) loseFork() {
	if l.out.Summary.Worktree != nil {
		l.lose("the binding to the worktree %s", plain(l.out.Summary.Worktree.Path))
	}
	l.loseMany(len(l.walker.schedule.tasks), "a scheduled prompt, which stays with the session it is forked from",
		"%d scheduled prompts, which stay with the session it is forked from")
	l.lose("the plan file and the task list, which stay with the session it is forked from")
}

// loseFile names what a bare file cannot bring back.
func (l *loader) loseFile() {
	if l.out.Summary.Worktree != nil {
		l.lose("the binding to the worktree %s: a bare file is bound to none", plain(l.out.Summary.Worktree.Path))
	}
	l.loseMany(len(l.walker.schedule.tasks), "a scheduled prompt: that of a bare file is not started",
		"%d scheduled prompts: those of a bare file are not started")
	if len(l.records.history.points) > 0 {
		l.lose("the file history: its backups belong to the session in the store")
	}
	l.loseMany(len(l.walker.sideFiles), "the whole text of a result, which lies in a file beside the session in the store",
		"the whole text of %d results, which lies in files beside the session in the store")
	l.lose("the plan file and the task list, which are looked for only for a session in the store")
	l.lose("the file itself as the place to go on: new turns go to a session of their own")
}

func (l *loader) lose(format string, args ...any) {
	l.out.Lost = append(l.out.Lost, fmt.Sprintf(format, args...))
}

// loseMany names something that is lost n times.
func (l *loader) loseMany(n int, one, many string) {
	switch {
	case n == 1:
		l.lose("%s", one)
	case n > 1:
		l.lose(many, n)
	}
}
