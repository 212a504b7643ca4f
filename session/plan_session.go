package session

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"coppice/config"
	"coppice/session/agent"
)

// checkTranscript looks at the files of the session.
func (d *draft) checkTranscript() {
	s, sum := d.session, d.session.Summary
	switch {
	case s.Problem != "":
		d.block(fmt.Sprintf("the transcript cannot be read (%s): make %s readable", s.Problem, s.Path))
	case s.NotReady != "":
		d.block(s.NotReady + ": the agent would start an empty conversation; start a new session instead")
	case sum.Complete && sum.Records == 0:
		d.block(fmt.Sprintf("%s holds no readable record: start a new session instead", s.Path))
	}
	if n := sum.DamageCount; n > 0 {
		more := ", and may drop what came before"
		if d.planner.Outlook != nil {
			more = "" // which is looked at
		}
		d.warn(fmt.Sprintf("%d unreadable %s in the transcript: the agent passes over %s%s",
			n, plural(n, "line", "lines"), plural(n, "it", "them"), more))
	}
	if len(s.Copies) > 1 {
		var others []string
		for _, c := range s.Copies {
			if c.Path != s.Path {
				others = append(others, c.Path)
			}
		}
		d.warn(fmt.Sprintf("%d files hold this session: %s is used, not %s", len(s.Copies), s.Path, strings.Join(others, ", ")))
		if sum.SessionID != "" && !strings.EqualFold(sum.SessionID, s.ID) {
			d.warn("the records in it name the session " + sum.SessionID + ", and the agent goes on under that id")
		}
	}
}

// checkLive blocks a second process on the same session: their turns would
// become two branches of one file, of which the next resume shows one (report
// F1, observed G).
func (d *draft) checkLive() {
	live := d.session.Live
	if d.planner.Live != nil {
		live = nil
		if l, ok := d.planner.Live()[d.session.ID]; ok {
			live = &l
		}
	}
	if live == nil {
		return
	}
	known := live.State != StateUnknown
	d.plan.Live = &PlanLive{PID: live.PID, Where: live.Where, Known: known}
	switch {
	case known && d.request.TakeOver:
		d.warn(fmt.Sprintf("it is live in %s (%s): the agent there is ended first, with time for its hooks", live.Where, live.State))
	case !known:
		d.block(fmt.Sprintf("it may be live in %s (%s): end it there, or, if it has ended, remove %s",
			live.Where, live.Reason, filepath.Join(d.planner.Root, "sessions", fmt.Sprintf("%d.json", live.PID))))
	default:
		state := string(live.State)
		if live.Reason != "" {
			state += ": " + live.Reason
		}
		d.block(fmt.Sprintf("it is live in %s (%s), and a second process on it would split its history: go on there, take it over (`coppice resume --take-over %[3]s`), or resume a fork of it (`coppice resume --fork %[3]s`)",
			live.Where, state, d.session.ID))
	}
}

// listLost says what a resume does not bring back (client-behaviour 7.4).
func (d *draft) listLost() {
	sum := d.session.Summary
	d.lose("commands and monitors that ran in the background")
	if len(d.plan.Args) == 0 {
		d.lose("options it was started with, such as --mcp-config, --settings or --plugin-dir: give them again behind --")
	}
	if len(sum.AddedDirs) > 0 {
		d.lose("the added directories " + strings.Join(sum.AddedDirs, ", ") + ": give them again with --add-dir")
	}
	if sum.Interrupted {
		d.lose("the result of the tool call that was cut off: the agent is told that it was interrupted")
	}
}

// resumeValues are the values of the command line that resumes the session, or
// the fork of it. A path names one of several copies; an id would be looked for
// in the project of the directory first (observed C).
func (d *draft) resumeValues() agent.Values {
	switch {
	case d.request.Fork != nil:
		return agent.Values{ID: d.request.Fork.ID}
	case len(d.session.Copies) > 1 && d.plan.Worktree.Moves:
		return agent.Values{ID: filepath.Join(Folder(d.planner.Root, d.planner.ProjectName, d.locate(d.plan.Cwd).Resolved), d.session.ID+transcriptExt)}
	case len(d.session.Copies) > 1:
		return agent.Values{ID: d.session.Path}
	}
	return agent.Values{ID: d.session.ID}
}

// makeCommand sets the command line and the environment. Mode, prompt and extra
// arguments are those of the request.
func (d *draft) makeCommand(action agent.Action, v agent.Values) {
	cfg := d.planner.Config
	name := d.request.Agent
	if name == "" {
		name = cfg.Agent
	}
	d.plan.Agent = name
	a, ok := cfg.Agents[name]
	if !ok {
		d.block(fmt.Sprintf("there is no agent %q: add [agents.%s] to the configuration, or use %s", name, name, agentNames(cfg)))
	} else {
		d.checkAgent(name, a, action)
		d.remember()
		v.Mode, v.Prompt, v.Args, v.Format = d.pass, d.request.Prompt, d.plan.Args, d.request.Print
		d.plan.Command = append(d.plan.Command, agent.Command(a, action, v)...)
		if action == agent.Start {
			d.forget(a)
		}
	}
	if slices.ContainsFunc(d.plan.Command, func(arg string) bool { return strings.ContainsRune(arg, 0) }) {
		d.block("an argument of the agent holds a NUL byte, which no program can be given: leave it out")
	}
	d.plan.CarryOn = d.request.CarryOn
	d.plan.Env = agent.Changes(d.planner.Env, d.planner.Environ(d.plan))
	if d.plan.Cwd == "" {
		delete(d.plan.Env, "PWD")
	}
}

// remember decides which arguments of the person the agent gets: those of the
// request, else those that the session was started with before.
func (d *draft) remember() {
	d.plan.Args = append(d.plan.Args, d.request.Args...)
	if d.request.Args != nil || d.planner.Remembered == nil {
		return
	}
	own, near := d.planner.Remembered(d.session.ID, d.plan.Cwd)
	switch {
	case len(own) > 0:
		d.plan.Args = append(d.plan.Args, own...)
		d.plan.Notes = append(d.plan.Notes, "as before it is started with "+agent.Quote(own)+"; -- with nothing behind it leaves that out")
	case len(near) > 0:
		d.plan.Notes = append(d.plan.Notes, "the last session here was started with "+agent.Quote(near)+": give it behind -- if this one is to be, too")
	}
}

// checkAgent says what an agent cannot do.
func (d *draft) checkAgent(name string, a config.Agent, action agent.Action) {
	look := d.planner.LookPath
	if look == nil {
		look = exec.LookPath
	}
	switch {
	case a.Kind == config.KindMessages:
		d.block(fmt.Sprintf("agent %s does not run in a terminal: choose another one, %s", name, agentNames(d.planner.Config)))
		return
	case len(a.Command) == 0:
		d.block(fmt.Sprintf("agent %s has no command: set agents.%s.command in the configuration", name, name))
		return
	case action == agent.Resume && len(a.Resume) == 0:
		d.block(fmt.Sprintf("agent %s has no arguments to resume by: set agents.%s.resume in the configuration", name, name))
	}
	if _, err := look(a.Command[0]); err != nil {
		hint := "install it"
		if a.Command[0] == "claude" {
			hint = "install Claude Code (npm install -g @anthropic-ai/claude-code)"
		}
		d.block(fmt.Sprintf("the agent program %s cannot be run (%v): %s, or set agents.%s.command in the configuration",
			a.Command[0], err, hint, name))
	}
	if d.pass != "" && len(a.Mode) == 0 {
		d.warn(fmt.Sprintf("agent %s cannot be told the permission mode: set agents.%s.mode in the configuration", name, name))
	}
	if d.request.Print != "" && len(a.Print) == 0 {
		d.block(fmt.Sprintf("agent %s has no arguments to print one turn by: set agents.%s.print in the configuration", name, name))
	}
	if d.request.Prompt != "" && len(a.Prompt) == 0 {
		d.warn(fmt.Sprintf("agent %s cannot be given a prompt: set agents.%s.prompt in the configuration", name, name))
	}
}

// agentNames lists the agents that run in a terminal.
func agentNames(cfg config.Config) string {
	var names []string
	for name, a := range cfg.Agents {
		if a.Kind != config.KindMessages {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
