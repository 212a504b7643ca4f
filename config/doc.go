// Package config owns the settings: the TOML file, its defaults, the key
// bindings, the agents and the directories that Coppice uses.
//
// It never reads the environment (the caller passes it in), never writes the
// file, and never fails as a whole: every wrong value is a Problem naming file,
// line and what is allowed, and the rest is used.
package config
