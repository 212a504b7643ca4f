package runtime

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// schedule gathers scheduled prompts. Those of a session alone are told by the
// results of the calls that made them and by session_cron_carry attachments;
// those that last are in a file of the directory (run with the client 2.1.332).
type schedule struct{ tasks map[string]Task }

// create takes a call and what it reported.
func (s *schedule) create(input []byte, report gjson.Result, at time.Time) {
	id := report.Get("id").Str
	if id == "" || report.Get("durable").Bool() {
		return // the file tells, and tells when it was removed
	}
	task := Task{
		ID: id, Schedule: gjson.GetBytes(input, "cron").Str, Prompt: gjson.GetBytes(input, "prompt").Str,
		Created: at, Once: report.Get("recurring").Type == gjson.False,
	}
	if due := millis(report.Get("nextFireAt")); task.Once && !due.IsZero() {
		task.Expires = due
	} else {
		task.Expires = expiry(at, report.Get("maxAgeMs"))
	}
	s.put(task)
}

// carry takes what was written down when the agent ended or went on elsewhere:
// tasks that this session goes on with, and those that ended.
func (s *schedule) carry(attachment gjson.Result) {
	attachment.Get("tasks").ForEach(func(_, task gjson.Result) bool {
		s.put(recordedTask(task))
		return true
	})
	attachment.Get("ended").ForEach(func(_, id gjson.Result) bool {
		s.end(id.Str)
		return true
	})
}

func (s *schedule) put(task Task) {
	if task.ID == "" || task.Schedule == "" {
		return
	}
	if s.tasks == nil {
		s.tasks = map[string]Task{}
	}
	s.tasks[task.ID] = task
}

func (s *schedule) end(id string) { delete(s.tasks, id) }

// maxSchedule bounds the file of scheduled tasks, in bytes.
const maxSchedule = 4 << 20

// durable takes the tasks that the directory's file holds of this session.
func (s *schedule) durable(dir place, session string) {
	data, err := dir.read(filepath.Join(".claude", "scheduled_tasks.json"), maxSchedule)
	if err != nil || !gjson.ValidBytes(data) {
		return
	}
	gjson.GetBytes(data, "tasks").ForEach(func(_, task gjson.Result) bool {
		if task.Get("createdBySessionId").Str == session {
			t := recordedTask(task)
			t.Durable = true
			s.put(t)
		}
		return true
	})
}

// unexpired returns the tasks that still hold, oldest first, and those whose
// time is over.
func (s *schedule) unexpired(now time.Time) (left, over []Task) {
	for _, t := range s.tasks {
		if !t.Expires.IsZero() && !t.Expires.After(now) {
			over = append(over, t)
		} else {
			left = append(left, t)
		}
	}
	slices.SortFunc(left, func(a, b Task) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	return left, over
}

// recordedTask reads a task as files and attachments spell it.
func recordedTask(task gjson.Result) Task {
	created := millis(task.Get("createdAt"))
	return Task{
		ID: task.Get("id").Str, Schedule: task.Get("cron").Str, Prompt: task.Get("prompt").Str,
		Created: created, Expires: expiry(created, task.Get("maxAgeMs")), Once: task.Get("recurring").Type == gjson.False,
	}
}

// expiry returns when something of an age is over, zero when it has none.
func expiry(created time.Time, age gjson.Result) time.Time {
	ms := age.Float()
	if age.Type != gjson.Number || created.IsZero() || !(ms > 0 && ms < maxAge) {
		return time.Time{}
	}
	return created.Add(time.Duration(ms) * time.Millisecond)
}

// Bounds of times and of lengths of time, in milliseconds: what is more, or less
// than zero, is none.
const (
	maxMillis = 253402300800000 // the year 10000
	maxAge    = 9e12            // 285 years
)

// millis reads Unix milliseconds.
func millis(v gjson.Result) time.Time {
	ms := v.Float()
	if v.Type != gjson.Number || !(ms > 0 && ms < maxMillis) {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}
