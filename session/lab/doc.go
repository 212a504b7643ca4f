// Package lab runs the real client in tests: installed from its registry into a
// directory of the caller, with a home, a config root and a key of its own, and
// with a loopback endpoint in the place of its service, so that it needs no
// account and sees nothing of the person who runs the tests.
//
// It is used by tests with the build tag "lab" only. It never reads the
// environment, never touches the real home, and never keeps anything of the
// client's.
package lab
