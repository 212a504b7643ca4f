package runtime

import (
	"os"
	"time"

	"github.com/tidwall/gjson"
)

// loader is a Runtime in the making.
type loader struct {
	path, id string
	source   Source
	env      Environment
	modified time.Time // of the transcript

	ranIn     string // where the session ran
	root, dir place
	settings  Settings
	records   records
	walker    walker
	out       *Runtime
}

// own says whether the session itself goes on, in its own file.
func (l *loader) own() bool { return l.source == FromStore && !l.env.Fork }

// restore fills the Runtime from what was read.
func (l *loader) restore() error {
	r, sum := l.out, &l.out.Summary
	r.Agent = findAgent(sum.Agent, l.ranIn, l.dir, l.root, l.env.Trusted)
	if r.Mode = sum.Mode; r.Mode == "" {
		r.Mode = "normal"
	}
	r.Permission = permission(sum.PermissionMode, l.env)
	r.Goal, r.Slug = l.walker.goal, l.walker.slug
	r.Name, r.Tag, r.PR = l.name(), sum.Tag, sum.PR
	color, err := l.records.bytes(l.records.color)
	if err != nil {
		return err
	}
	r.Color = gjson.GetBytes(color, "agentColor").Str
	r.Read = l.walker.files(l.dir)
	r.Replacements, r.Kept = l.records.replacements, l.records.kept
	if r.Skills, err = l.walker.skills.messages(); err != nil {
		return err
	}
	if err := l.restoreOwn(); err != nil {
		return err
	}
	if l.source == FromStore {
		var missing int
		if r.History, missing = l.records.history.checkpoints(l.root, l.id); missing > 0 {
			l.find(CheckBackup, "backups that the file history names are gone, %d in number: what they held cannot be restored", missing)
		}
	}
	if err := l.check(); err != nil {
		return err
	}
	l.loseAll()
	return nil
}

// restoreOwn fills in what only the session itself has: neither a fork nor a
// bare file takes it over.
func (l *loader) restoreOwn() error {
	r := l.out
	if !l.env.Fork {
		cost, err := l.records.bytes(l.records.cost)
		if err != nil {
			return err
		}
		r.Cost = readCost(cost)
	}
	if !l.own() {
		return nil
	}
	r.Path, r.Worktree = l.path, r.Summary.Worktree
	l.walker.schedule.durable(l.dir, l.id)
	var over []Task
	r.Schedule, over = l.walker.schedule.unexpired(l.env.Now)
	l.loseMany(len(over), "a scheduled prompt whose time is over", "%d scheduled prompts whose time is over")
	var escapes bool
	if r.Plan, escapes = findPlan(r.Slug, l.settings, l.dir, l.root); escapes {
		l.find(CheckPlans, "the setting plansDirectory leads out of %s: no plan is looked for", plain(l.out.Dir))
	}
	r.Tasks = findTasks(l.id, l.root)
	return nil
}

// isDir says whether a directory is there. It reads nothing of it.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
