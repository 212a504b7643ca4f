package observe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// settingsMax bounds a settings file.
const settingsMax = 4 << 20 // bytes

// settingsFlag is the agent's option for more settings: a file, or JSON itself. Of
// several the agent takes the last one only.
const settingsFlag = "--settings"

// Hooked returns a command line with which the agent runs hook, a command for a
// POSIX shell, at each of Events, beside all hooks that it runs anyhow. What the
// command line has of settings stays in force; so does a disableAllHooks in them or
// elsewhere, and then the agent runs no hook at all.
//
// A new option is put at the index at of args, before which stands what runs the
// agent. dir is the agent's working directory. Settings from a file can hold
// secrets, which are not for a command line: save keeps the merged ones and returns
// their path. On an error the command line is to be used as it was.
func Hooked(args []string, at int, dir, hook string, save func([]byte) (path string, err error)) ([]string, error) {
	option, value, inline := lastSettings(args)
	if option < 0 {
		merged, err := merge(nil, hook)
		at = min(max(at, 0), len(args))
		return slices.Insert(slices.Clone(args), at, settingsFlag, string(merged)), err
	}
	settings := []byte(value)
	if inline {
		settings = []byte(strings.TrimPrefix(value, settingsFlag+"="))
	}
	text := bytes.TrimSpace(settings)
	isFile := !bytes.HasPrefix(text, []byte("{"))
	if isFile {
		path := string(settings)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		var err error
		if text, err = readFile(path, settingsMax); err != nil {
			return args, fmt.Errorf("read settings: %w", err)
		}
	}
	merged, err := merge(text, hook)
	if err != nil {
		return args, err
	}
	now := string(merged)
	if isFile {
		if now, err = save(merged); err != nil {
			return args, err
		}
	}
	if inline {
		now = settingsFlag + "=" + now
	}
	out := slices.Clone(args)
	out[option] = now
	return out, nil
}

// lastSettings returns the index of the argument that holds the settings in force,
// -1 for none, and whether it holds the option, too. What follows "--" is no option.
func lastSettings(args []string) (index int, value string, inline bool) {
	index = -1
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		switch {
		case args[i] == settingsFlag && i+1 < len(args):
			i++
			index, value, inline = i, args[i], false
		case strings.HasPrefix(args[i], settingsFlag+"="):
			index, value, inline = i, args[i], true
		}
	}
	return index, value, inline
}

// merge adds a hook to settings. Everything else in them stays as it is written.
func merge(settings []byte, hook string) ([]byte, error) {
	top, err := object(settings)
	if err != nil {
		return nil, fmt.Errorf("merge settings: %w", err)
	}
	hooks, err := object(top["hooks"])
	if err != nil {
		return nil, fmt.Errorf("merge settings: hooks: %w", err)
	}
	type command struct {
		Type    string `json:"type"`
		Command string `json:"command"`
	}
	ours := encode(map[string]any{"hooks": []command{{"command", hook}}})
	for _, event := range Events() {
		var there []json.RawMessage
		if has := hooks[event]; has != nil {
			if err := json.Unmarshal(has, &there); err != nil {
				return nil, fmt.Errorf("merge settings: hooks for %s: %w", event, err)
			}
		}
		hooks[event] = encode(append(there, ours))
	}
	top["hooks"] = encode(hooks)
	return encode(top), nil
}

// object reads a JSON object; nothing is an empty one.
func object(data []byte) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(data)) == 0 {
		return out, nil
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, err
	}
	if out == nil { // null
		return nil, errors.New("no object")
	}
	return out, nil
}

// encode writes what can be written: strings, and JSON that was read.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}
