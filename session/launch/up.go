package launch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"coppice/session"
	"coppice/session/host"
	"coppice/session/terminal"
)

// Times of an agent that comes up. The client registers within a second, of a
// transcript of 200 MB within eight (observed A.7).
const (
	upWait    = 15 * time.Second // an agent that registers and has not by then is up
	plainWait = time.Second      // one that does not, and runs for so long, is up
	upAgain   = 25 * time.Millisecond
)

// up waits until the agent of a host is up: it has registered its session and
// drawn something. The error says how it ended before.
func (l Launcher) up(ctx context.Context, info host.Info, plan session.Plan, columns, rows int) error {
	v, err := host.Attach(ctx, l.Dirs, info.Host, columns, rows)
	if err != nil {
		return err
	}
	defer func() { _ = v.Close() }()
	limit := plainWait
	if plan.Transcript != "" {
		limit = upWait
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	again := time.NewTicker(upAgain)
	defer again.Stop()
	for {
		select {
		case <-v.Done():
			return early(v)
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return nil
		case <-again.C:
		}
		if live, ok := l.live(info.Session); ok && live.State != session.StateUnknown && words(v.Terminal()) != "" {
			return nil
		}
	}
}

// early says how an agent ended that did not come up, with its last words.
func early(v *host.Viewer) error {
	err := v.Err()
	if err == nil {
		err = errors.New("it ended at once")
	}
	if said := words(v.Terminal()); said != "" {
		return fmt.Errorf("%w: %s", err, said)
	}
	return err
}

// words returns what is on a screen in one line, at most wordsMax characters of
// its end.
func words(t *terminal.Terminal) string {
	const wordsMax = 300
	said := []rune(strings.Join(strings.Fields(t.Text()), " "))
	return string(said[max(0, len(said)-wordsMax):])
}
