package main

import (
	"cmp"
	"fmt"

	"coppice/session"
	"coppice/session/host"
)

// checkEnded returns an error that wraps session.ErrLive while an agent has a
// session open, or may have. A host knows of its own agent also when that keeps no
// register, and is asked first: what it runs can be ended from here.
func (a *app) checkEnded(id string) error {
	root := a.dirs().Agent
	in, held, err := host.Held(a.hostDirs(), root, id)
	switch {
	case held:
		return fmt.Errorf("%w behind the window: `coppice stop %s` ends it", session.ErrLive, cmp.Or(in, id))
	case err != nil:
		return err
	}
	return session.CheckEnded(root, a.env.Proc, id)
}
