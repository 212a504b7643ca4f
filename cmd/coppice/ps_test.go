package main

import (
	"testing"

	"coppice/session/host"
)

// TestFindHost: only what runs can be named, whole or by enough of its id.
func TestFindHost(t *testing.T) {
	t.Parallel()
	all := []host.Host{
		{Info: host.Info{Host: "aaaabbbb", Session: "11111111-1111-4111-8111-111111111111"}, State: host.Running},
		{Info: host.Info{Host: "ccccdddd", Session: "11111111-2222-4111-8111-111111111111"}, State: host.Version},
		{Info: host.Info{Host: "eeeeffff", Session: "33333333-1111-4111-8111-111111111111"}, State: host.Ended},
		{Info: host.Info{Host: "gggghhhh"}, State: host.Running},
	}
	tests := []struct {
		arg, want string
		code      int
	}{
		{"aaaabbbb", "aaaabbbb", exitDone},
		{"gggghhhh", "gggghhhh", exitDone},
		{"11111111-1111-4111-8111-111111111111", "aaaabbbb", exitDone},
		{"11111111-22", "ccccdddd", exitDone},
		{"11111111", "", exitAmbiguous},
		{"1111", "", exitNotFound},
		{"aaaa", "", exitNotFound},
		{"eeeeffff", "", exitNotFound},
		{"", "", exitNotFound},
	}
	for _, tt := range tests {
		got, err := findHost(all, tt.arg)
		if got.Host != tt.want || exitCode(err) != tt.code {
			t.Errorf("%q: %q, %v", tt.arg, got.Host, err)
		}
	}
}
