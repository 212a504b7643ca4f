package main

import (
	"testing"

	"coppice/session"
	"coppice/session/host"
)

// TestTells: what ended is listed until that was read, and only where there is
// something to read.
func TestTells(t *testing.T) {
	t.Parallel()
	session, shell := host.Info{Session: "11111111-1111-4111-8111-111111111111"}, host.Info{}
	tests := []struct {
		host host.Host
		want bool
	}{
		{host.Host{Info: session, State: host.Running}, true},
		{host.Host{Info: shell, State: host.Running}, true},
		{host.Host{Info: session, State: host.Ended, Unread: true}, true},
		{host.Host{Info: session, State: host.Ended, Reason: "exit status 3"}, false},
		{host.Host{Info: shell, State: host.Ended, Unread: true}, false},
		{host.Host{Info: shell, State: host.Ended, Unread: true, Reason: "exit status 3"}, true},
		{host.Host{Info: session, State: host.Gone}, true},
		{host.Host{Info: session, State: host.Unreachable}, true},
	}
	for _, tt := range tests {
		if got := tells(tt.host); got != tt.want {
			t.Errorf("%+v: %v", tt.host, got)
		}
	}
}

// TestFindHost: only what runs can be named, whole or by enough of its id.
func TestFindHost(t *testing.T) {
	t.Parallel()
	all := []host.Host{
		{Info: host.Info{Host: "aaaabbbb", Session: "11111111-1111-4111-8111-111111111111"}, State: host.Running},
		{Info: host.Info{Host: "ccccdddd", Session: "11111111-2222-4111-8111-111111111111"}, State: host.Version},
		{Info: host.Info{Host: "eeeeffff", Session: "33333333-1111-4111-8111-111111111111"}, State: host.Ended},
		{Info: host.Info{Host: "gggghhhh", Name: "a shell"}, State: host.Running},
		{Info: host.Info{Host: "iiiijjjj", Session: "44444444-1111-4111-8111-111111111111", Name: "N1"}, State: host.Running},
	}
	rows := []session.Session{
		{ID: "11111111-1111-4111-8111-111111111111", Title: "Live Name", TitleSource: session.TitleCustom},
		{ID: "11111111-2222-4111-8111-111111111111", Title: "what was asked", TitleSource: session.TitleFirst},
		{ID: "33333333-1111-4111-8111-111111111111", Title: "over", TitleSource: session.TitleAI},
	}
	tests := []struct {
		arg, want string
		code      int
	}{
		{"aaaabbbb", "aaaabbbb", exitDone},
		{"gggghhhh", "gggghhhh", exitDone},
		{"11111111-1111-4111-8111-111111111111", "aaaabbbb", exitDone},
		{"11111111-22", "ccccdddd", exitDone},
		{"live name", "aaaabbbb", exitDone},
		{"n1", "iiiijjjj", exitDone},
		{"a shell", "gggghhhh", exitDone},
		{"what was asked", "", exitNotFound},
		{"over", "", exitNotFound},
		{"33333333", "", exitNotFound},
		{"11111111", "", exitAmbiguous},
		{"1111", "", exitNotFound},
		{"aaaa", "", exitNotFound},
		{"eeeeffff", "", exitNotFound},
		{"", "", exitNotFound},
	}
	for _, tt := range tests {
		got, err := findHost(all, rows, tt.arg)
		if got.Host != tt.want || exitCode(err) != tt.code {
			t.Errorf("%q: %q, %v", tt.arg, got.Host, err)
		}
	}
}
