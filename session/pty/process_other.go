//go:build !linux

package pty

import "syscall"

// members returns the processes of a session of the system. Here they are not
// looked for; the groups that are known have to do.
func members(int) []int { return nil }

// sessionOf returns the session of a process, which is not looked for either.
func sessionOf(int) int { return 0 }

// ignores reports whether a process ignores a signal, which cannot be told here.
func ignores(int, syscall.Signal) bool { return false }
