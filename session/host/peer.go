package host

import "net"

// peer returns the user at the other end of a connection. It is not known on every
// system: the mode of the directory has to do there.
func peer(c *net.UnixConn) (uid int, known bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	var inner error
	err = raw.Control(func(fd uintptr) { uid, inner = peerOf(int(fd)) })
	return uid, err == nil && inner == nil
}
