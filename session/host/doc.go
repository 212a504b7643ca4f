// Package host keeps agents running behind the window. A host is one small process
// for one agent: it owns the agent's pseudo-terminal and emulator, and lets
// windows look on and type through a private socket. It outlives the window, its
// terminal and an upgrade of the program.
//
// A host never draws and never decides whether a session may run; that nobody else
// has the session open it makes sure of by a lease. It ends when its agent has
// ended and a viewer has read how, or a day later; the agent's end is in its
// record, too. When it is killed, the system hangs up the agent's terminal.
//
// spec.go, dirs.go and start.go begin a host; run.go is the body of its process,
// serve.go and client.go what it does for those who connect; viewer.go and ask.go
// are their side, frame.go and hello.go what both speak; record.go and list.go
// what is known without asking, watch.go keeps that up to date; lease.go who has a
// session; follow.go how a host learns what its agent does and which session it has
// open by now, observe.go what it sees and hears of that itself. process.go names
// processes for good, peer.go says who connects.
package host
