package main

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version",
		Args:              atMost(0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			return a.printf("coppice %s\n", a.version())
		},
	}
}

// version returns the version of this program, as far as the build recorded it:
// "v1.2.0 (3f2a91c0de12, 2026-11-30T18:50:00Z) go1.26.8 linux/amd64".
func (a *app) version() string {
	info, ok := a.env.Build()
	if !ok {
		return "(unknown) " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	}
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	var source []string
	if rev := setting["vcs.revision"]; rev != "" {
		source = append(source, rev[:min(12, len(rev))])
	}
	if at := setting["vcs.time"]; at != "" {
		source = append(source, at)
	}
	if setting["vcs.modified"] == "true" {
		source = append(source, "modified")
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	if len(source) > 0 {
		v += " (" + strings.Join(source, ", ") + ")"
	}
	return v + " " + info.GoVersion + " " + runtime.GOOS + "/" + runtime.GOARCH
}
