package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coppice/session"
	"coppice/session/doctor"
	"coppice/session/request"
	"coppice/transcript"
)

// TestJSONDocument holds docs/json.md and the shapes together: every field is in
// the table of its command with its type, and no other is.
func TestJSONDocument(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]map[string]string{}
	var section map[string]string
	for line := range strings.SplitSeq(string(data), "\n") {
		if name, ok := strings.CutPrefix(line, "## `"); ok {
			section = map[string]string{}
			documented[strings.TrimSuffix(name, "`")] = section
		}
		if m := regexp.MustCompile("^\\| `([^`]+)` \\| ([^|]+) \\|").FindStringSubmatch(line); m != nil {
			section[m[1]] = m[2]
		}
	}
	shapes := map[string]map[string]string{
		"ls":                               fieldsOf(reflect.TypeFor[sessionJSON](), ""),
		"show":                             fieldsOf(reflect.TypeFor[showJSON](), ""),
		"resume --plan":                    fieldsOf(reflect.TypeFor[session.Plan](), ""),
		"new --bg`, `resume --bg":          fieldsOf(reflect.TypeFor[startedJSON](), ""),
		"bring-back":                       fieldsOf(reflect.TypeFor[lostJSON](), ""),
		"show --request":                   fieldsOf(reflect.TypeFor[request.Request](), ""),
		"fork":                             fieldsOf(reflect.TypeFor[forkJSON](), ""),
		"mv":                               fieldsOf(reflect.TypeFor[moveJSON](), ""),
		"ps":                               fieldsOf(reflect.TypeFor[psJSON](), ""),
		"status":                           fieldsOf(reflect.TypeFor[statusJSON](), ""),
		"rm, undo":                         fieldsOf(reflect.TypeFor[trashJSON](), ""),
		"doctor":                           fieldsOf(reflect.TypeFor[doctor.Report](), ""),
		"worktree ls":                      fieldsOf(reflect.TypeFor[worktreeJSON](), ""),
		"worktree rm":                      fieldsOf(reflect.TypeFor[removedJSON](), ""),
		"worktree add`, `worktree restore": fieldsOf(reflect.TypeFor[createdJSON](), ""),
	}
	if diff := cmp.Diff(shapes, documented); diff != "" {
		t.Errorf("docs/json.md differs from the program (-program +document):\n%s", diff)
	}
}

// fieldsOf returns the types of a struct's fields in JSON by their paths.
func fieldsOf(typ reflect.Type, prefix string) map[string]string {
	out := map[string]string{}
	for f := range typ.Fields() {
		if f.Tag.Get("json") == "-" {
			continue
		}
		path := prefix + strings.Split(f.Tag.Get("json"), ",")[0]
		name, element, below := describe(f.Type)
		out[path] = name
		if element == nil || (prefix == "" && f.Type == reflect.TypeFor[sessionJSON]()) {
			continue // documented as a shape of its own
		}
		for k, v := range fieldsOf(element, path+below) {
			out[k] = v
		}
	}
	return out
}

// describe names a type as the document does; element is the struct in it, and
// below is what comes between its path and theirs.
func describe(typ reflect.Type) (name string, element reflect.Type, below string) {
	switch typ.Kind() {
	case reflect.String:
		return "string", nil, ""
	case reflect.Bool:
		return "boolean", nil, ""
	case reflect.Int, reflect.Int64:
		return "number", nil, ""
	case reflect.Pointer:
		switch typ.Elem() {
		case reflect.TypeFor[time.Time]():
			return "time or null", nil, ""
		case reflect.TypeFor[float64]():
			return "number or null", nil, ""
		}
		return "object or null", typ.Elem(), "."
	case reflect.Struct:
		return "object", typ, "."
	case reflect.Map:
		return "object of string", nil, ""
	case reflect.Slice:
		switch {
		case typ.Elem().Kind() == reflect.String:
			return "array of string", nil, ""
		case typ.Elem() == reflect.TypeFor[json.RawMessage]():
			return "array of any", nil, ""
		}
		return "array", typ.Elem(), "[]."
	default:
		return "unknown " + typ.String(), nil, ""
	}
}

// Lists are [] and unknown times null, whatever a session lacks.
func TestJSONOfNothing(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]any{
		"ls":      toSessionJSON(session.Session{}),
		"message": toMessageJSON(transcript.Message{}),
		"show":    showJSON{Session: toSessionJSON(session.Session{}), Messages: list([]transcript.Message(nil), toMessageJSON)},
	} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		null := regexp.MustCompile(`"(\w+)":null`)
		for _, m := range null.FindAllStringSubmatch(string(data), -1) {
			switch m[1] {
			case "createdAt", "updatedAt", "at", "pr", "live", "answer", "context", "cost":
			default:
				t.Errorf("%s: %s is null", name, m[1])
			}
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("x", 3*3600)
	tests := []struct {
		in   time.Time
		want string
	}{
		{time.Time{}, "null"},
		{time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, zone), `"2026-03-04T02:06:07.089Z"`},
		{time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), "null"},
	}
	for _, tt := range tests {
		got, err := json.Marshal(at(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%v: got %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
}

// What a terminal would obey is escaped, and the value is the same.
func TestEscapeJSON(t *testing.T) {
	t.Parallel()
	in := "a\x1b[31m\x07\x7f\u009b\u202e\u2028\u200b\ue000\U000e0001 é 世 \U0001f600 \" \\ <&>"
	for _, all := range []bool{false, true} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(in); err != nil {
			t.Fatal(err)
		}
		out := escapeJSON(b.Bytes(), all)
		var back string
		if err := json.Unmarshal(out, &back); err != nil || back != in {
			t.Errorf("all=%v: %s reads as %q, %v", all, out, back, err)
		}
		for _, r := range strings.TrimSuffix(string(out), "\n") {
			switch {
			case all && (r < ' ' || r > '~'):
				t.Errorf("all: %q is left in %s", r, out)
			case r < ' ', strings.ContainsRune("\x7f\u009b\u202e\u2028\u200b\ue000\U000e0001", r):
				t.Errorf("%q is left in %s", r, out)
			}
		}
		if !all && !strings.Contains(string(out), "é 世 \U0001f600") {
			t.Errorf("ordinary text was escaped: %s", out)
		}
	}
}
