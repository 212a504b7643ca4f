package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"coppice/session"
	"coppice/transcript"
	"coppice/ui/preview"
	"coppice/ui/text"
)

// showOptions are the flags of show.
type showOptions struct {
	messages int
	json     bool
	request  bool
	as       string
	markdown bool
}

func (a *app) showCommand() *cobra.Command {
	var opt showOptions
	cmd := &cobra.Command{
		Use:   "show ID|NAME|FILE",
		Short: "Show a session: what is known of it, and its last messages",
		Long: "Show a session: what is known of it, and its last messages; or with --markdown all that\n" +
			"was said, or with --request what would be sent to the model when it is resumed.\n\n" + sessionHelp,
		Args:              exactly(1, "one session"),
		ValidArgsFunction: a.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("as") && !opt.request:
				return usagef("--as goes with --request")
			case cmd.Flags().Changed("messages") && (opt.request || opt.markdown):
				return usagef("--messages goes with neither --request nor --markdown, which print all of them")
			}
			return a.show(cmd.Context(), args[0], opt)
		},
	}
	cmd.Flags().IntVar(&opt.messages, "messages", 10, "how many of the last messages (`N`)")
	cmd.Flags().BoolVar(&opt.json, "json", false, "print one JSON object (docs/json.md)")
	cmd.Flags().BoolVar(&opt.request, "request", false, "print what a resume would send, as one JSON object (docs/json.md)")
	cmd.Flags().StringVar(&opt.as, "as", "keep", "with --request: `client|keep`, by the rules of the agent, or losing nothing")
	cmd.Flags().BoolVar(&opt.markdown, "markdown", false, "print the whole conversation as Markdown")
	a.completeFlag(cmd, "as", cobra.FixedCompletions([]string{"client", "keep"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// show prints one session.
func (a *app) show(ctx context.Context, name string, opt showOptions) error {
	if opt.messages < 0 {
		return usagef("--messages must not be negative")
	}
	if opt.markdown && (opt.json || opt.request) {
		return usagef("--markdown goes with neither --json nor --request")
	}
	policy, err := policyOf(opt.as)
	if err != nil {
		return err
	}
	rows, _, err := a.load(ctx)
	if err != nil {
		return err
	}
	s, _, err := a.findOrFile(ctx, rows, name)
	if err != nil {
		return err
	}
	switch {
	case opt.request:
		return a.showRequest(ctx, s, policy)
	case opt.markdown:
		return a.showMarkdown(ctx, s)
	}
	tail, err := readTail(ctx, s, opt.messages)
	if err != nil && s.Problem == "" {
		return err
	}
	if opt.json {
		return a.printJSON(showJSON{
			Session: toSessionJSON(s), Messages: list(tail.Messages, toMessageJSON), Earlier: tail.Earlier, Damage: tail.Damage,
		})
	}
	return a.print(a.facts(s) + a.conversation(tail, opt))
}

// readTail reads the last messages of a session.
func readTail(ctx context.Context, s session.Session, messages int) (transcript.Tail, error) {
	if messages == 0 {
		return transcript.Tail{}, nil
	}
	f, err := s.Open()
	if err != nil {
		return transcript.Tail{}, err
	}
	defer func() { _ = f.Close() }()
	fi, err := f.Stat()
	if err != nil {
		return transcript.Tail{}, fmt.Errorf("look at the transcript: %w", err)
	}
	tail, err := transcript.ReadTail(ctx, f, fi.Size(), messages)
	if err != nil {
		return transcript.Tail{}, fmt.Errorf("read %s: %w", s.Path, err)
	}
	return tail, nil
}

// conversation lays out messages.
func (a *app) conversation(tail transcript.Tail, opt showOptions) string {
	if opt.messages == 0 {
		return ""
	}
	width := 80
	if a.env.OutTerminal {
		width = a.env.Columns()
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, line := range preview.Render(tail, preview.Options{Width: width, Now: a.env.Now()}) {
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// facts lays out what is known of a session, a line each; unknown ones are left
// out.
func (a *app) facts(s session.Session) string {
	var b strings.Builder
	b.WriteString(text.Clean(s.Title) + "\n\n")
	fact := func(name, value string) {
		if value != "" {
			b.WriteString(text.Pad(name, 12) + text.Clean(value) + "\n")
		}
	}
	sum := s.Summary
	fact("id", s.ID)
	fact("directory", s.Dir)
	fact("worktree", worktreeFact(s))
	fact("branch", sum.Branch)
	fact("started", stamp(sum.Created))
	fact("updated", stamp(s.Updated))
	fact("messages", text.Count(sum.Messages))
	fact("model", sum.Model)
	fact("mode", sum.PermissionMode)
	if sum.PR != nil {
		fact("PR", fmt.Sprintf("#%d %s", sum.PR.Number, sum.PR.URL))
	}
	fact("tag", sum.Tag)
	fact("forked from", s.Parent)
	if s.Live != nil {
		fact("live", strings.TrimRight(strings.Join([]string{string(s.Live.State), s.Live.Where, s.Live.Reason}, " "), " "))
	}
	fact("transcript", fmt.Sprintf("%s (%s)", s.Path, text.Bytes(size(s))))
	for _, c := range s.Copies[min(1, len(s.Copies)):] {
		fact("copy", fmt.Sprintf("%s (%s)", c.Path, text.Bytes(c.Size)))
	}
	if n := sum.DamageCount; n > 0 {
		fact("damage", text.Plural(n, "unreadable line")+damagedLines(sum.Damage))
	}
	fact("hidden", s.Hidden)
	fact("problem", s.Problem)
	fact("resume", s.NotReady)
	if s.NotReady == "" && s.ID != "" {
		fact("resume", "coppice resume "+s.ID)
	}
	return b.String()
}

// worktreeFact names a session's checkout when it is not simply its directory.
func worktreeFact(s session.Session) string {
	root := s.Place.Root
	if root == s.Dir {
		root = ""
	}
	if ordinary(s.Place.State) {
		return root
	}
	if root == "" {
		root = filepath.Base(s.Dir)
	}
	return root + " (" + string(s.Place.State) + ")"
}

// damagedLines names the lines that are damaged, as far as they are known.
func damagedLines(damage []transcript.Damage) string {
	var lines []string
	for _, d := range damage {
		if d.Line > 0 {
			lines = append(lines, fmt.Sprintf("%d (%s)", d.Line, d.Kind))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return ": line " + strings.Join(lines, ", ")
}
