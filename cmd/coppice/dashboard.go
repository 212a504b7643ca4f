package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/transcript"
	"coppice/ui"
	"coppice/ui/clip"
	"coppice/ui/theme"
)

// previewMessages is how many messages the dashboard's preview asks for.
const previewMessages = 200

// dashboard opens the window for a person who stands in start, with the search
// filled, and with the pane of a host, "" for none.
func (a *app) dashboard(ctx context.Context, start, search, show string) error {
	if !a.env.Interactive() {
		return errors.New("the dashboard needs a terminal; `coppice ls` lists sessions without one")
	}
	behind, why := a.hosts()
	err := ui.Run(ctx, ui.Options{
		Store:   a.store(start),
		Config:  a.config(),
		Dirs:    a.dirs(),
		Start:   start,
		Search:  search,
		Show:    show,
		Version: a.version(),
		Now:     a.env.Now,
		Theme:   theme.Pick(a.config().UI.Theme, a.env.Getenv),
		Notify:  ui.PickNotify(a.config().UI.Notify, a.env.Getenv),

		ReadTail: func(ctx context.Context, s session.Session) (transcript.Tail, error) {
			return readTail(ctx, s, previewMessages)
		},
		Plan:   a.planner().Plan,
		Resume: a.lendAndHold,

		Hosts:   behind,
		NoHosts: why,
		PlanNew: a.planner().Start,

		Prepare: a.makeOnce,

		PlanFork: a.planner().Fork,
		Fork: func(ctx context.Context, plan session.Plan) ([]string, error) {
			done, err := a.prepare(ctx, plan, nil)
			return done.notes, err
		},
		Delete: func(ctx context.Context, s session.Session) error {
			_, err := a.take(ctx, s)
			return err
		},
		Undelete: func(ctx context.Context, id string) error {
			_, err := a.bring(ctx, id)
			return err
		},
		Move: func(ctx context.Context, s session.Session, dir string) ([]string, error) {
			out, err := a.moveSession(ctx, s, dir)
			return out.Notes, err
		},
		Examine: func(ctx context.Context, s session.Session) (doctor.Report, error) {
			return doctor.Examine(ctx, s.Path, s.ID)
		},
		Rename: func(ctx context.Context, s session.Session, name string) error {
			_, err := a.renamer().Rename(ctx, s, name)
			return err
		},
		Copy: func(ctx context.Context, s string, write func([]byte) error) clip.Result {
			return clip.Copier{Environ: a.env.Environ, LookPath: a.env.LookPath, Write: write}.Copy(ctx, s)
		},
		Stop: stopSelf,

		Worktrees: trees{a.keeper()},
		Requests:  a.requests(),

		Shell:  a.shell(),
		Editor: a.editor(),
		Lend:   a.lendTerminal,
	})
	if err != nil {
		return fmt.Errorf("dashboard: %w", err)
	}
	return nil
}

// goOnWait bounds the wait for the shell's fg: no time passes while the process
// is stopped, and where nobody could continue it the system does not stop it.
const goOnWait = time.Second

// stopSelf stops this process for the shell's job control, and returns when it
// goes on. kill returns before the process is stopped, so the signal that
// continues it is waited for.
func stopSelf() {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	_ = syscall.Kill(os.Getpid(), syscall.SIGTSTP)
	timer := time.NewTimer(goOnWait)
	defer timer.Stop()
	select {
	case <-goesOn:
	case <-timer.C:
	}
}
