// Package rules holds the house rules that a program can check: which package
// may import which, how long a file may be, how goroutines start. It has no
// code of its own, only tests over the source of the module.
package rules
