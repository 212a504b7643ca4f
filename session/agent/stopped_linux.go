package agent

import "golang.org/x/sys/unix"

// stopped reports whether a child of this process is stopped, without taking
// the news from whoever waits for its end.
func stopped(pid int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err == nil && info.Signo != 0
}
