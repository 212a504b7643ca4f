package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that ends with SIGTERM, SIGHUP, SIGINT or
// SIGQUIT, and what stops listening to them. While the terminal is lent to an
// agent the last two are the agent's: the keyboard sends them to both.
func (a *app) interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup stays in force
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-signals:
				if keyboard := s == syscall.SIGINT || s == syscall.SIGQUIT; !keyboard || !a.lent.Load() {
					cancel(errInterrupted)
				}
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
