package forge

import (
	"context"
	"encoding/json"
	"fmt"
)

// hubRequest is what gh prints of a pull request.
type hubRequest struct {
	Number      int    `json:"number"`
	Title       string `json:"title"`
	URL         string `json:"url"`
	State       string `json:"state"`
	IsDraft     bool   `json:"isDraft"`
	HeadRefName string `json:"headRefName"`
	BaseRefName string `json:"baseRefName"`
	Checks      []struct {
		Status     string `json:"status"`     // of a check run
		Conclusion string `json:"conclusion"` // of one that is completed
		State      string `json:"state"`      // of a status
	} `json:"statusCheckRollup"`
}

// listHub asks gh.
func listHub(ctx context.Context, run runner, at address) ([]Request, error) {
	data, err := run(ctx, "pr", "list", "--repo", at.host+"/"+at.path, "--state", "all", "--limit", asked,
		"--json", "number,title,url,state,isDraft,headRefName,baseRefName,statusCheckRollup")
	if err != nil {
		return nil, err
	}
	var list []hubRequest
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("read the answer of gh: %w", err)
	}
	var out []Request
	for _, r := range list {
		if r.HeadRefName == r.BaseRefName {
			continue // of a fork: it is no branch of this repository
		}
		out = append(out, Request{Number: r.Number, Branch: r.HeadRefName, Title: r.Title, URL: r.URL, State: r.state(), Checks: r.checks()})
	}
	return out, nil
}

func (r hubRequest) state() State {
	switch {
	case r.State == "MERGED":
		return Merged
	case r.State == "CLOSED":
		return Closed
	case r.IsDraft:
		return Draft
	}
	return Open
}

// checks sums up: one that failed counts most, then one that has not ended.
func (r hubRequest) checks() Checks {
	sum := Unknown
	for _, c := range r.Checks {
		result := c.Conclusion
		if c.State != "" {
			result = c.State
		} else if c.Status != "" && c.Status != "COMPLETED" {
			result = "PENDING"
		}
		switch result {
		case "SUCCESS", "NEUTRAL", "SKIPPED":
			if sum == Unknown {
				sum = Passing
			}
		case "PENDING", "EXPECTED", "":
			sum = Running
		default:
			return Failing
		}
	}
	return sum
}
