package pty

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"coppice/session/agent"
)

// wait sees the program to its end.
func (p *Program) wait() {
	err := p.cmd.Wait()
	close(p.gone)
	_ = p.slave.Close() // the last one, unless a process was left behind
	_ = p.master.SetReadDeadline(time.Now().Add(drain))
	<-p.read
	p.order.Lock()
	p.ended = true
	p.size.Stop()
	p.order.Unlock()
	p.exit = exitError(p.name, err)
	close(p.done)
	_ = p.master.Close()
	p.poke()
}

// exitError puts the end of a process in our words.
func exitError(program string, err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return fmt.Errorf("wait for %s: %w", program, err)
		}
		return nil
	}
	e := &agent.ExitError{Program: program, Code: exit.ExitCode()}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	}
	return e
}

// ErrStuck is returned for a program that SIGKILL did not end: the system keeps
// it, as it does while a file system does not answer.
var ErrStuck = errors.New("the system does not let the program end: look at what it waits for, such as a disk or a network file system")

// Times of Stop, beside the grace.
const (
	killAgain = 20 * time.Millisecond // between two rounds of SIGKILL
	killWait  = 5 * time.Second
)

// Stop ends the program and returns when it is gone, with all that was on its
// terminal: SIGTERM to its group and to the one in the foreground, time to end,
// such as an agent's own hooks need, then SIGKILL to every process of the
// terminal. A process that left the terminal by itself goes on. A program that
// ignores SIGTERM, as shells do, is told by SIGHUP.
func (p *Program) Stop(grace time.Duration) error {
	there := members(p.PID())
	p.terminate()
	if p.await(there, grace) {
		return nil
	}
	for end := time.Now().Add(killWait); time.Now().Before(end); {
		there = append(there, p.kill(there)...)
		if p.await(there, killAgain) {
			return nil
		}
	}
	return fmt.Errorf("stop %s (process %d): %w", p.name, p.PID(), ErrStuck)
}

// await waits until the program and the given processes are gone, for at most the
// given time.
func (p *Program) await(there []int, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		return false
	}
	again := time.NewTicker(killAgain)
	defer again.Stop()
	for len(p.left(there)) > 0 {
		select {
		case <-again.C:
		case <-timer.C:
			return false
		}
	}
	return true
}

// left returns those of the processes that are still on the terminal.
func (p *Program) left(there []int) []int {
	return slices.DeleteFunc(slices.Clone(there), func(pid int) bool { return sessionOf(pid) != p.PID() })
}

// kill kills what is on the terminal: the given processes, the program and its
// groups, and what it has started since, which is returned.
func (p *Program) kill(there []int) (more []int) {
	for _, pid := range p.left(there) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	select {
	case <-p.gone: // its number may be that of another
		return nil
	default:
	}
	more = members(p.PID())
	p.signal(syscall.SIGKILL, append(more, p.groups()...))
	return more
}

// terminate asks the program to end. A stopped one would not hear it.
func (p *Program) terminate() {
	polite := syscall.SIGTERM
	if ignores(p.PID(), syscall.SIGTERM) {
		polite = syscall.SIGHUP
	}
	groups := p.groups()
	p.signal(polite, groups)
	p.signal(syscall.SIGCONT, groups)
}

// groups returns the program's process group and the one in the foreground, as
// arguments of kill.
func (p *Program) groups() []int {
	groups := []int{-p.PID()}
	foreground := 0
	_ = control(p.master, func(fd int) (err error) {
		foreground, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	if foreground > 1 && foreground != p.PID() {
		groups = append(groups, -foreground)
	}
	return groups
}

// signal sends a signal to processes and groups, unless the program has ended and
// its numbers may be those of others.
func (p *Program) signal(s syscall.Signal, targets []int) {
	for _, target := range targets {
		select {
		case <-p.gone:
			return
		default:
			_ = syscall.Kill(target, s)
		}
	}
}
