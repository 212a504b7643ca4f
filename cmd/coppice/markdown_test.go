package main

import (
	"strings"
	"testing"
)

// What somebody said stays in its quotation, and no HTML of it is obeyed.
func TestMarkdownHolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ said, want string }{
		{"plain", "> plain\n\n"},
		{"a\r\nb\rc", "> a\n> b\n> c\n\n"},
		{"```\nopen <b>", "> ```\n> open <b>\n\n"},
		{"1. ```\n   ls\n   ```\n<b>", "> 1. ```\n>    ls\n>    ```\n> \\<b>\n\n"},
		{"- a\n\n  ```\n  x\n\n```\n<y>", "> - a\n>\n>   ```\n>   x\n>\n> ```\n> \\<y>\n\n"},
		{"see <!-- a comment", "> see \\<!-- a comment\n\n"},
		{"<pre>\nfoo", "> \\<pre>\n> foo\n\n"},
		{"1 < 2", "> 1 < 2\n\n"},
		{"~~~\n```\n<a>\n~~~\n<a>", "> ~~~\n> ```\n> <a>\n> ~~~\n> \\<a>\n\n"},
		{"<command-name>/go`</command-name><command-args>a``b</command-args>", "> ```/go` a``b```\n\n"},
		{" \n ", ""},
	} {
		var d document
		d.said(tt.said)
		if got := d.b.String(); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.said, got, tt.want)
		}
		for line := range strings.Lines(strings.TrimSuffix(d.b.String(), "\n")) {
			if !strings.HasPrefix(line, ">") {
				t.Errorf("%q: the line %q is outside", tt.said, line)
			}
		}
	}
}
