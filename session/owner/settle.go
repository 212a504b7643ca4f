package owner

import (
	"context"
	"errors"
	"fmt"

	"coppice/session"
	"coppice/worktree/change"
)

// Settle holds git's lock on the worktree at path while two or more sessions refer
// to it, so that the end of one, by the client's own exit too, does not take the
// directory from the others; it releases a lock of ours when one is left. What is
// no linked worktree needs none, and a lock of anybody else's protects as well.
// repository is any directory of the repository.
func (k Keeper) Settle(ctx context.Context, rows []session.Session, repository, path string) error {
	unlock, err := k.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return k.settle(ctx, rows, repository, path)
}

// settle is Settle for who holds the lock.
func (k Keeper) settle(ctx context.Context, rows []session.Session, repository, path string) error {
	users := k.Users(rows, path)
	var err error
	if len(users) > 1 {
		err = change.Lock(ctx, k.Git, repository, path, note(users))
	} else {
		err = change.Unlock(ctx, k.Git, repository, path)
	}
	if errors.Is(err, change.ErrNoWorktree) || errors.Is(err, change.ErrLocked) {
		return nil
	}
	return err
}

// note is the reason of a lock, for a person who reads it in git: ids only, since
// titles are foreign text.
func note(users []User) string {
	if users[0].Owner {
		return fmt.Sprintf("%d sessions use it, made for %s", len(users), users[0].ID)
	}
	return fmt.Sprintf("%d sessions use it", len(users))
}
