package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coppice/config"
)

func env(vars map[string]string) func(string) string {
	return func(k string) string { return vars[k] }
}

func TestFindDirs(t *testing.T) {
	t.Parallel()
	run := t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	open := t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	plain := config.Dirs{
		Home: "/h", Agent: "/h/.claude", Projects: "/h/.claude/projects", Config: "/h/.config/coppice",
		State: "/h/.local/state/coppice", Cache: "/h/.cache/coppice", Runtime: "/h/.local/state/coppice/run",
	}
	with := func(change func(*config.Dirs)) config.Dirs {
		d := plain
		change(&d)
		return d
	}
	tests := map[string]struct {
		env  map[string]string
		want config.Dirs
	}{
		"nothing set": {nil, plain},
		"XDG": {
			map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": run},
			with(func(d *config.Dirs) {
				d.Config, d.State, d.Cache, d.Runtime = "/c/coppice", "/s/coppice", "/k/coppice", filepath.Join(run, "coppice")
			}),
		},
		"relative XDG is ignored":       {map[string]string{"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "s", "XDG_CACHE_HOME": "./k", "XDG_RUNTIME_DIR": "r"}, plain},
		"runtime directory of everyone": {map[string]string{"XDG_RUNTIME_DIR": open}, plain},
		"runtime directory is missing":  {map[string]string{"XDG_RUNTIME_DIR": filepath.Join(run, "none")}, plain},
		"config root": {map[string]string{"CLAUDE_CONFIG_DIR": "/x/y/"}, with(func(d *config.Dirs) {
			d.Agent, d.Projects = "/x/y", "/x/y/projects"
		})},
		"relative config root": {map[string]string{"CLAUDE_CONFIG_DIR": "conf"}, with(func(d *config.Dirs) {
			d.Agent, d.Projects = "/cwd/conf", "/cwd/conf/projects"
		})},
		"empty config root":          {map[string]string{"CLAUDE_CONFIG_DIR": ""}, plain},
		"project name needs a root":  {map[string]string{"CLAUDE_CODE_PROJECT_DIR_NAME": "work"}, plain},
		"project name":               {projectName("work_1-A"), rooted(plain, "work_1-A")},
		"project name with a slash":  {projectName("a/b"), rooted(plain, "")},
		"project name with dots":     {projectName(".."), rooted(plain, "")},
		"project name with line end": {projectName("a\n"), rooted(plain, "")},
		"project name is a device":   {projectName("NUL"), rooted(plain, "")},
		"project name is too long":   {projectName("01234567890123456789012345678901234567890123456789012345678901234"), rooted(plain, "")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, config.FindDirs(env(tt.env), "/h", "/cwd")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func projectName(name string) map[string]string {
	return map[string]string{"CLAUDE_CONFIG_DIR": "/x", "CLAUDE_CODE_PROJECT_DIR_NAME": name}
}

func rooted(d config.Dirs, name string) config.Dirs {
	d.Agent, d.Projects, d.ProjectName = "/x", "/x/projects", name
	return d
}

func TestDirsFile(t *testing.T) {
	t.Parallel()
	if got := (config.Dirs{Config: "/c/coppice"}).File(); got != "/c/coppice/config.toml" {
		t.Error(got)
	}
}
