package forge

import (
	"context"
	"encoding/json"
	"fmt"
)

// labRequest is what glab prints of a merge request.
type labRequest struct {
	IID          int    `json:"iid"`
	Title        string `json:"title"`
	URL          string `json:"web_url"`
	State        string `json:"state"`
	Draft        bool   `json:"draft"`
	SourceBranch string `json:"source_branch"`
	TargetBranch string `json:"target_branch"`
}

// labPipeline is what it prints of a pipeline.
type labPipeline struct {
	Ref    string `json:"ref"`
	Status string `json:"status"`
}

// listLab asks glab. Without its pipelines a request is one all the same.
func listLab(ctx context.Context, run runner, at address) ([]Request, error) {
	project := "https://" + at.host + "/" + at.path
	data, err := run(ctx, "mr", "list", "--repo", project, "--all", "--per-page", asked, "--output", "json")
	if err != nil {
		return nil, err
	}
	var list []labRequest
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("read the answer of glab: %w", err)
	}
	checks := map[string]Checks{}
	if data, err := run(ctx, "ci", "list", "--repo", project, "--per-page", asked, "--output", "json"); err == nil {
		var pipelines []labPipeline
		_ = json.Unmarshal(data, &pipelines) // as far as it can be read
		for _, p := range pipelines {        // newest first
			if _, ok := checks[p.Ref]; !ok {
				checks[p.Ref] = p.checks()
			}
		}
	}
	var out []Request
	for _, r := range list {
		if r.SourceBranch == r.TargetBranch {
			continue // of a fork: it is no branch of this repository
		}
		one := Request{Number: r.IID, Branch: r.SourceBranch, Title: r.Title, URL: r.URL, State: r.state()}
		one.Checks = checks[fmt.Sprintf("refs/merge-requests/%d/head", r.IID)]
		if one.Checks == Unknown {
			one.Checks = checks[r.SourceBranch]
		}
		out = append(out, one)
	}
	return out, nil
}

func (r labRequest) state() State {
	switch {
	case r.State == "merged":
		return Merged
	case r.State == "closed":
		return Closed
	case r.Draft:
		return Draft
	}
	return Open
}

func (p labPipeline) checks() Checks {
	switch p.Status {
	case "success":
		return Passing
	case "failed", "canceled":
		return Failing
	case "skipped", "manual", "":
		return Unknown
	}
	return Running
}
