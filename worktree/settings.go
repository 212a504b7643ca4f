package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/gcfg"
	gitconfig "github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
)

// maxConfig bounds a repository's configuration, in bytes.
const maxConfig = 1 << 20

// settings is what a repository's own configuration says. Files that it
// includes and a person's own configuration are not read: git itself takes
// neither for what kind of repository it is.
type settings struct {
	bare     bool
	worktree string // core.worktree
	needs    string // what go-git cannot read here ("reftable", "sha256"…), or ""
	tracking map[string]tracking
	fetch    map[string][]gitconfig.RefSpec // by remote

	version    string   // of the repository's format
	extensions []option // in the order of the file
}

// tracking is what a branch is set to follow.
type tracking struct{ remote, merge string }

// option is one line of a configuration; section and key in lower case.
type option struct{ section, sub, key, value string }

// readSettings reads <common>/config, and config.worktree where that is in use:
// core.bare and core.worktree of the main checkout move there (report E9).
func readSettings(common string) (settings, error) {
	s := settings{tracking: map[string]tracking{}, fetch: map[string][]gitconfig.RefSpec{}}
	err := decode(filepath.Join(common, "config"), s.take)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		s.needs = "configuration"
		s.bare = bare(common)
		return s, fmt.Errorf("read configuration: %w", err)
	}
	s.needs = s.unknown()
	for _, extension := range s.extensions {
		if extension.key == "worktreeconfig" && isTrue(extension.value) {
			_ = decode(filepath.Join(common, "config.worktree"), s.take)
		}
	}
	return s, nil
}

// take notes what one option says. Of several the last counts.
func (s *settings) take(o option) {
	switch o.section {
	case "core":
		s.takeCore(o)
	case "extensions":
		s.extensions = append(s.extensions, o)
	case "branch":
		t := s.tracking[o.sub]
		switch o.key {
		case "remote":
			t.remote = o.value
		case "merge":
			t.merge = o.value
		default:
			return
		}
		s.tracking[o.sub] = t
	case "remote":
		if spec := gitconfig.RefSpec(o.value); o.key == "fetch" && spec.Validate() == nil {
			s.fetch[o.sub] = append(s.fetch[o.sub], spec)
		}
	}
}

func (s *settings) takeCore(o option) {
	switch o.key {
	case "bare":
		s.bare = isTrue(o.value)
	case "worktree":
		s.worktree = o.value
	case "repositoryformatversion":
		s.version = o.value
	}
}

func isTrue(value string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
}

// decode reads one configuration file with the parser that go-git uses. go-git's
// own form of it is left out: it takes a minute for a hostile megabyte.
func decode(file string, take func(option)) error {
	data, err := readFile(file, maxConfig)
	if err != nil {
		return err
	}
	return gcfg.ReadWithCallback(bytes.NewReader(data), func(section, sub, key, value string, blank bool) error {
		if blank {
			value = "true" // a key alone is a switch turned on
		}
		if key != "" {
			take(option{strings.ToLower(section), sub, strings.ToLower(key), value})
		}
		return nil
	})
}

// unknown names the first thing about a repository that go-git's reader of refs
// cannot follow, "" when there is none. go-git itself refuses more: the
// extensions passed here change nothing about refs (reports E2, E4).
func (s *settings) unknown() string {
	if s.version != "" && s.version != "0" && s.version != "1" {
		return "format version " + clip(s.version)
	}
	for _, o := range s.extensions {
		value := strings.ToLower(o.value)
		switch o.key {
		case "noop", "noop-v1", "partialclone", "preciousobjects", "worktreeconfig", "relativeworktrees", "compatobjectformat":
		case "objectformat":
			if value != "sha1" {
				return clip(value)
			}
		case "refstorage":
			if value != "files" {
				return clip(value)
			}
		default:
			if s.version == "1" {
				return "extension " + clip(o.key)
			}
		}
	}
	return ""
}

// upstream returns the short name of what a branch follows, "" for nothing: the
// remote's fetch rules say under which name it is kept here.
func (s settings) upstream(branch string) string {
	t := s.tracking[branch]
	if t.remote == "." {
		return strings.TrimPrefix(t.merge, branchPrefix)
	}
	ref := plumbing.ReferenceName(t.merge)
	for _, spec := range s.fetch[t.remote] {
		if spec.Match(ref) {
			return shortRemote(spec.Dst(ref).String())
		}
	}
	return ""
}

// shortRemote shortens a full name to what git shows for an upstream.
func shortRemote(ref string) string {
	for _, prefix := range []string{"refs/remotes/", branchPrefix, "refs/"} {
		if short, ok := strings.CutPrefix(ref, prefix); ok {
			return short
		}
	}
	return ref
}
