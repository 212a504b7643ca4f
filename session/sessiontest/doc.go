// Package sessiontest lays out config roots for tests and measurements: small
// ones by hand, large ones by a generator with real git repositories.
//
// All texts in it are its own. It writes only below the directory it is given.
package sessiontest
