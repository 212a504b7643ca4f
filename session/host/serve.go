package host

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"coppice/session/pty"
	"coppice/session/terminal"
)

// server is a host.
type server struct {
	dirs    Dirs
	program *pty.Program
	history int // rows in a dump
	linger  time.Duration
	running sync.WaitGroup
	saving  sync.Mutex
	seen    chan struct{} // closed when a viewer has read the exit
	told    chan struct{} // an event came; has room for one

	mu        sync.Mutex
	record    record
	watch     watch
	unsaved   error // why the record is not on disk
	lostInput int   // bytes
	lease     lease
	listener  *net.UnixListener
	clients   map[*client]bool
	closed    bool
}

func newServer(d Dirs, spec Spec) *server {
	s := &server{dirs: d, history: spec.Scrollback, linger: cmp.Or(spec.Linger, linger), seen: make(chan struct{}), told: make(chan struct{}, 1), clients: map[*client]bool{}}
	s.record = record{
		Version: recordVersion, Info: spec.info(), Process: thisProcess(os.Getpid()), Socket: d.socket(spec.Host),
	}
	s.record.HostPID = os.Getpid()
	for _, entry := range spec.Env {
		name, _, _ := strings.Cut(entry, "=")
		s.record.EnvNames = append(s.record.EnvNames, name)
	}
	slices.Sort(s.record.EnvNames)
	return s
}

// listen makes the socket. Nothing that lies in its place is of use: ids are not
// given twice.
func (s *server) listen() error {
	path := s.record.Socket
	_ = os.Remove(path)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		l.SetUnlinkOnClose(false)
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		if l != nil {
			_ = l.Close()
		}
		return fmt.Errorf("%w: listen on %s: %w", ErrRuntime, path, err)
	}
	s.listener = l
	return nil
}

// relisten makes the socket again if it is missing, as after the directory of a
// person's login went.
func (s *server) relisten() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Lstat(s.record.Socket); !errors.Is(err, os.ErrNotExist) || s.closed {
		return
	}
	old := s.listener
	if s.dirs.makeRuntime() != nil || s.listen() != nil {
		return
	}
	_ = old.Close()
	s.running.Go(s.listenAll)
}

// clientsMax is how many can be connected.
const clientsMax = 64

// listenAll takes connections until the listener is closed.
func (s *server) listenAll() {
	s.mu.Lock()
	l := s.listener
	s.mu.Unlock()
	for {
		conn, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // there are too many files open here
			wait := time.NewTimer(100 * time.Millisecond)
			<-wait.C
			continue
		}
		if uid, known := peer(conn); known && uid != os.Geteuid() {
			_ = conn.Close()
			continue
		}
		s.connected(conn)
	}
}

// connected serves a connection.
func (s *server) connected(conn *net.UnixConn) {
	c := &client{server: s, conn: conn, ready: make(chan struct{}, 1), gone: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.clients) >= clientsMax {
		_ = conn.Close()
		return
	}
	s.clients[c] = true
	s.running.Go(c.readAll)
	s.running.Go(c.writeAll)
}

// disconnected forgets a connection.
func (s *server) disconnected(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, c)
}

// hangUp ends all connections, with time to take what is on its way.
func (s *server) hangUp(deadline time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		c.finish(deadline)
	}
}

// tell returns what the host tells of itself now.
func (s *server) tell() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	info := s.record.Info
	if s.lostInput > 0 {
		info.Problem = fmt.Sprintf("%d bytes of input were dropped: the agent does not read", s.lostInput)
	}
	if s.unsaved != nil {
		info.Problem = fmt.Sprintf("after a crash nobody will know of this session: %v", s.unsaved)
	}
	return info
}

// lost notes input that found no room.
func (s *server) lost(bytes int) {
	s.mu.Lock()
	s.lostInput += bytes
	s.mu.Unlock()
	s.tellAll(due{info: true})
}

// tellAll makes those hear of something who wait for it.
func (s *server) tellAll(d due) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		told := c.views.Load()
		if d.exit {
			told = c.shown.Load() || c.stops.Load()
		}
		if told {
			c.owe(d)
		}
	}
}

// readExit notes that a viewer has read how the agent ended.
func (s *server) readExit() {
	s.mu.Lock()
	first := s.record.Exit != nil && !s.record.Read
	s.record.Read = s.record.Read || first
	s.mu.Unlock()
	if first {
		s.save()
		close(s.seen)
	}
}

// rebind notes that the agent has another session open. When a host has that one
// already, both go on, and this one says so: the agent did it, and it knows no
// leases.
func (s *server) rebind(session string) error {
	if !validSession(session) {
		return fmt.Errorf("%q is no id of a session", session)
	}
	s.mu.Lock()
	now := s.record.Session
	root, id := s.record.Root, s.record.Host
	ended := s.record.Exit != nil || s.closed
	s.mu.Unlock()
	if session == now || ended {
		return nil
	}
	next, err := s.dirs.takeLease(root, session, id)
	var live *LiveError
	contested := ""
	switch {
	case errors.As(err, &live):
		contested = "another"
		if live.Host != "" {
			contested = live.Host
		}
	case err != nil:
		return err
	}
	s.mu.Lock()
	s.lease.release()
	s.lease, s.record.Session, s.record.Contested = next, session, contested
	if s.record.Exit != nil { // it has ended meanwhile
		s.lease.release()
		s.lease = lease{}
	}
	s.mu.Unlock()
	s.save()
	s.tellAll(due{info: true})
	return nil
}

// news keeps what the agent says while nobody looks on.
func (s *server) news() {
	for {
		select {
		case <-s.program.Done():
			return
		case <-s.program.Changed():
		}
		out := s.program.News()
		s.drew(out)
		if out.Bells > 0 || len(out.Notices) > 0 {
			s.unseen(out)
		}
	}
}

func (s *server) unseen(out terminal.Output) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		if c.views.Load() {
			return
		}
	}
	u := &s.record.Unseen
	u.Bells += out.Bells
	u.Notices = append(slices.Clone(u.Notices), out.Notices...)
	if more := len(u.Notices) - terminal.MaxNotices; more > 0 {
		u.Notices = u.Notices[more:]
	}
}

// noteSeen returns what a viewer that begins to look on is told, and forgets what
// nobody had seen.
func (s *server) noteSeen() Info {
	info := s.tell()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record.Unseen = Unseen{}
	return info
}
