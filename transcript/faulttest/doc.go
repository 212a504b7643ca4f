// Package faulttest has what tests need to see a program fail as it does in the
// world: a disk that is full, and another user, who may not do what ours may.
package faulttest
