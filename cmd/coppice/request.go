package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"coppice/session"
	"coppice/session/request"
	"coppice/session/runtime"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
	"coppice/ui/text"
)

// showRequest prints what would be sent when the session is resumed.
func (a *app) showRequest(ctx context.Context, s session.Session, policy ledger.Policy) error {
	f, l, err := openLedger(ctx, s)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	chain, err := l.Chain(policy)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	in := request.Input{}
	if in.System, in.Tools, err = runtime.Shape(l); err != nil {
		return fmt.Errorf("read %s: %w", s.Path, err)
	}
	if in.Conversation, err = repair.New(l, chain, repair.Options{}); err != nil {
		return fmt.Errorf("read %s: %w", s.Path, err)
	}
	in.Conversation.Repairs = append(chainRepairs(chain), in.Conversation.Repairs...)
	if policy == ledger.Keep {
		a.restore(ctx, s, &in)
	}
	r, err := request.Build(in)
	if err != nil {
		return fmt.Errorf("make a request of %s: %w", s.Path, err)
	}
	return a.printJSON(r)
}

// chainRepairs says what had to be decided to find the conversation at all.
func chainRepairs(chain ledger.Chain) []repair.Repair {
	var all []repair.Repair
	for _, f := range chain.Findings {
		detail := f.Detail
		if f.Rows > 0 {
			detail += fmt.Sprintf(" (%s)", text.Plural(f.Rows, "row"))
		}
		all = append(all, repair.Repair{Kind: repair.Kind(f.Kind), Line: f.Line, UUID: f.UUID, Detail: detail})
	}
	return all
}

// restore adds what a resume by us brings back besides the conversation.
func (a *app) restore(ctx context.Context, s session.Session, in *request.Input) {
	rt, err := runtime.Load(ctx, s.Path, s.ID, runtime.FromStore, runtime.Environment{
		Root: a.dirs().Agent, Dir: s.Dir, Getenv: a.env.Getenv, Now: a.env.Now(),
		DefaultMode: runtime.ReadSettings(a.dirs().Agent, s.Dir).DefaultMode,
	})
	if err != nil {
		a.warnf("only the conversation is shown: %v", err)
		return
	}
	defer func() { _ = rt.Close() }()
	in.Skills = rt.Skills
	for _, r := range rt.Replacements {
		in.Replacements = append(in.Replacements, request.Replacement(r))
	}
}

// openLedger reads the transcript of a session whole. The caller closes the file.
func openLedger(ctx context.Context, s session.Session) (*os.File, *ledger.Ledger, error) {
	f, err := s.Open()
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("look at the transcript: %w", err), f.Close())
	}
	l, err := ledger.Read(ctx, f, info.Size())
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read %s: %w", s.Path, err), f.Close())
	}
	return f, l, nil
}

// policyOf reads the value of --as.
func policyOf(as string) (ledger.Policy, error) {
	switch as {
	case "client":
		return ledger.Client, nil
	case "keep":
		return ledger.Keep, nil
	}
	return 0, usagef("--as takes client or keep, not %q", as)
}
