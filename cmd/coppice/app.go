package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"coppice/config"
	"coppice/session"
	"coppice/session/doctor"
	"coppice/session/owner"
	"coppice/session/runtime"
	"coppice/transcript/repair"
	"coppice/ui"
	"coppice/ui/text"
	"coppice/worktree"
)

// gitTimeout bounds one run of the git program.
const gitTimeout = 5 * time.Second

// app is one run of the program: its environment, and what is read from it when
// a command first asks.
type app struct {
	env    Env
	config func() config.Config // reads the file once and tells its problems
	lent   atomic.Bool          // an agent has the terminal, and with it Ctrl-C
	made   sync.Map             // paths of the worktrees that plans had made
}

func newApp(env Env) *app {
	a := &app{env: env}
	a.config = sync.OnceValue(a.loadConfig)
	return a
}

// dirs returns the directories in force.
func (a *app) dirs() config.Dirs { return config.FindDirs(a.env.Getenv, a.env.Home, a.env.Cwd) }

// loadConfig reads the configuration and tells in one line what is wrong with it.
func (a *app) loadConfig() config.Config {
	c, problems := config.Load(a.dirs().File(), a.env.Home, ui.Actions())
	if len(problems) > 0 {
		more := ""
		if n := len(problems) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more: see `coppice config check`)", n)
		}
		a.warnf("%s%s", problems[0], more)
	}
	return c
}

// git returns the reader of repositories.
func (a *app) git() worktree.Git {
	program, err := a.env.LookPath("git")
	if err != nil {
		program = "" // rows say so
	}
	return worktree.Git{Program: program, Env: worktree.CleanEnv(a.env.Environ), Timeout: gitTimeout}
}

// store returns the index of sessions for a person who stands in start.
func (a *app) store(start string) *session.Store {
	dirs, conf := a.dirs(), a.config()
	return session.NewStore(session.Options{
		Root:      dirs.Agent,
		CacheFile: cacheFile(dirs),
		Start:     start,

		ProjectName: dirs.ProjectName,
		Roots:       conf.Projects.Roots,
		Exclude:     conf.Projects.Exclude,
		Git:         a.git(),
		Now:         a.env.Now,
		Proc:        a.env.Proc,
		Hosted:      a.hosted,
		Where:       a.finder().Where,
	})
}

// cacheFile returns where summaries are kept: a file for each agent's directory,
// since a run drops what its directory does not hold.
func cacheFile(dirs config.Dirs) string {
	sum := sha256.Sum256([]byte(dirs.Agent))
	return filepath.Join(dirs.Cache, "sessions-"+hex.EncodeToString(sum[:6]))
}

// load reads everything once.
func (a *app) load(ctx context.Context) ([]session.Session, []worktree.Repository, error) {
	return a.store(a.env.Cwd).Load(ctx)
}

// planner returns what makes plans.
func (a *app) planner() session.Planner {
	root := a.dirs().Agent
	return session.Planner{
		Config:      a.config(),
		Root:        root,
		ProjectName: a.dirs().ProjectName,
		Env:         a.env.Environ,
		LookPath:    a.env.LookPath,
		DefaultMode: func(dir string) string { return runtime.ReadSettings(root, dir).DefaultMode },
		Made:        a.keeper().Made,
		Live:        func() map[string]session.Live { return session.ReadLive(root, a.env.Proc) },
		Outlook:     outlook,
		Remembered:  a.memory().Args,
		Now:         a.env.Now,
	}
}

// keeper returns what makes, keeps and removes worktrees.
func (a *app) keeper() owner.Keeper {
	return owner.Keeper{Git: a.git(), State: a.dirs().State, Config: a.config().Worktree, Proc: a.env.Proc, Live: a.live}
}

// outlook says what the client will make of a transcript.
func outlook(ctx context.Context, path string) (session.Outlook, error) {
	o, err := doctor.Look(ctx, path)
	out := session.Outlook{Dropped: o.Lost, Mended: o.Mended, Why: o.Why}
	switch o.Turn {
	case repair.TurnCalls, repair.TurnResults, repair.TurnPrompt:
		out.Interrupted = string(o.Turn)
	case repair.TurnDone, repair.TurnStopped, repair.TurnEmpty:
	}
	return out, err
}

// print writes human text to standard output. Foreign parts of it must be clean
// already.
func (a *app) print(s string) error { return a.write([]byte(a.ascii(s))) }

// printf is print with a format.
func (a *app) printf(format string, args ...any) error { return a.print(fmt.Sprintf(format, args...)) }

// write writes to standard output.
func (a *app) write(b []byte) error {
	if _, err := a.env.Stdout.Write(b); err != nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return nil
}

// ascii returns s as the locale can show it. Tabs stay.
func (a *app) ascii(s string) string {
	if a.env.UTF8() {
		return s
	}
	fields := strings.Split(s, "\t")
	for i, f := range fields {
		fields[i] = text.ASCII(f)
	}
	return strings.Join(fields, "\t")
}

// directory returns the absolute path of a directory given as an argument.
func (a *app) directory(arg string) (string, error) {
	dir := arg
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.env.Cwd, dir)
	}
	fi, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", usagef("there is no directory %q", arg)
	case err != nil:
		return "", fmt.Errorf("look at the directory: %w", err)
	case !fi.IsDir():
		return "", usagef("%q is not a directory", arg)
	}
	return filepath.Clean(dir), nil
}
