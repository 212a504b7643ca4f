package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"coppice/session"
	"coppice/transcript"
	"coppice/ui"
	"coppice/ui/clip"
	"coppice/ui/theme"
)

// previewMessages is how many messages the dashboard's preview asks for.
const previewMessages = 200

// dashboard opens the window for a person who stands in start, with the search
// filled.
func (a *app) dashboard(ctx context.Context, start, search string) error {
	if !a.env.Interactive() {
		return errors.New("the dashboard needs a terminal; `coppice ls` lists sessions without one")
	}
	err := ui.Run(ctx, ui.Options{
		Store:   a.store(start),
		Config:  a.config(),
		Dirs:    a.dirs(),
		Start:   start,
		Search:  search,
		Version: a.version(),
		Now:     a.env.Now,
		Theme:   theme.Pick(a.config().UI.Theme, a.env.Getenv),

		ReadTail: func(ctx context.Context, s session.Session) (transcript.Tail, error) {
			return readTail(ctx, s, previewMessages)
		},
		Plan:   a.planner().Plan,
		Resume: a.lend,
		Rename: func(ctx context.Context, s session.Session, name string) error {
			_, err := a.renamer().Rename(ctx, s, name)
			return err
		},
		Copy: func(ctx context.Context, s string, write func([]byte) error) clip.Result {
			return clip.Copier{Environ: a.env.Environ, LookPath: a.env.LookPath, Write: write}.Copy(ctx, s)
		},
		Stop: stopSelf,
	})
	if err != nil {
		return fmt.Errorf("dashboard: %w", err)
	}
	return nil
}

// stopSelf stops this process for the shell's job control, and returns when it
// goes on.
func stopSelf() { _ = syscall.Kill(os.Getpid(), syscall.SIGTSTP) }
