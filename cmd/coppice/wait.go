package main

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// waitForLine waits until a line, or the end of the input, can be read from a
// terminal, and takes it. It returns at once when ctx ends, leaving nothing
// behind that would take the next key: a blocked read could not be called back.
func waitForLine(ctx context.Context, in *os.File) {
	wake, woken, err := os.Pipe()
	if err != nil {
		return
	}
	defer func() { _ = wake.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = woken.Close() })
	defer func() {
		if stop() {
			_ = woken.Close()
		}
	}()
	fds := []unix.PollFd{
		{Fd: int32(in.Fd()), Events: unix.POLLIN},
		{Fd: int32(wake.Fd()), Events: unix.POLLIN},
	}
	for {
		if _, err := unix.Poll(fds, -1); errors.Is(err, unix.EINTR) {
			continue
		}
		break
	}
	if fds[0].Revents&unix.POLLIN != 0 {
		_, _ = in.Read(make([]byte, 4096))
	}
}
