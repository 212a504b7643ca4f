package main

import (
	"time"

	"coppice/session"
	"coppice/session/fork"
	"coppice/session/trash"
)

// The shapes of --json of what makes, moves and deletes.

// forkJSON is `fork`.
type forkJSON struct {
	ID         string   `json:"id"`
	Path       string   `json:"path"`
	ForkedFrom string   `json:"forkedFrom"`
	Name       string   `json:"name"`
	Messages   int      `json:"messages"`
	Cwd        string   `json:"cwd"`
	Worktree   string   `json:"worktree"`
	Shared     bool     `json:"shared"`
	Prompt     string   `json:"prompt"`
	Notes      []string `json:"notes"`
}

func toForkJSON(plan session.Plan, r fork.Result) forkJSON {
	return forkJSON{
		ID: r.ID, Path: r.Path, ForkedFrom: plan.Session, Name: plan.Fork.Name, Messages: r.Messages,
		Cwd: plan.Cwd, Worktree: plan.Worktree.Path, Shared: plan.Fork.Shared, Prompt: r.Prompt,
		Notes: append(append([]string{}, plan.Warnings...), r.Notes...),
	}
}

// moveJSON is `mv`.
type moveJSON struct {
	ID    string   `json:"id"`
	Path  string   `json:"path"`
	Cwd   string   `json:"cwd"`
	Files int      `json:"files"`
	Notes []string `json:"notes"`
}

// trashJSON is `rm` and `undo`.
type trashJSON struct {
	ID    string     `json:"id"`
	Title string     `json:"title"`
	Path  string     `json:"path"`
	Taken *time.Time `json:"taken"`
}

func toTrashJSON(it trash.Item) trashJSON {
	return trashJSON{ID: it.ID, Title: it.Title, Path: it.Path, Taken: at(it.Taken)}
}
