package observe_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coppice/session/observe"
)

func TestReadUsage(t *testing.T) {
	t.Parallel()
	answer := func(model string, tokens int, more string) string {
		return fmt.Sprintf(`{"type":"assistant",%s"message":{"model":%q,"usage":{"input_tokens":%d,"cache_creation_input_tokens":5,"cache_read_input_tokens":3,"output_tokens":2}}}`+"\n", more, model, tokens-10)
	}
	cost := func(rest string) string { return `{"type":"cost-state",` + rest + "}\n" }
	const said = `{"type":"user","message":{"content":"\\"usage\\" of \\"cost-state\\" and compact_boundary"}}` + "\n"
	tests := []struct {
		name, file string
		want       observe.Usage
	}{
		{"nothing", "", observe.Usage{}},
		{"the newest answer", answer("claude-sonnet-4-5", 100_000, "") + answer("claude-sonnet-4-5", 50_000, "") + said, observe.Usage{Context: 0.25}},
		{"a dated model", answer("claude-haiku-4-5-20251001", 50_000, ""), observe.Usage{Context: 0.25}},
		{"an old model", answer("claude-3-5-sonnet-20241022", 50_000, ""), observe.Usage{Context: 0.25}},
		{"a later model", answer("claude-opus-5-5", 310_000, ""), observe.Usage{Context: 0.31}},
		{"more than fits the small one", answer("claude-opus-4-6", 250_000, ""), observe.Usage{Context: 0.25}},
		{"a model that nobody knows", answer("fake-1", 50_000, ""), observe.Usage{}},
		{"more than fits anything", answer("claude-opus-5-5", 2_000_000, ""), observe.Usage{}},
		{"a subagent's", answer("claude-sonnet-4-5", 50_000, "") + answer("claude-sonnet-4-5", 100_000, `"isSidechain":true,`), observe.Usage{Context: 0.25}},
		{"of no model", answer("claude-sonnet-4-5", 50_000, "") + answer("<synthetic>", 100_000, ""), observe.Usage{Context: 0.25}},
		{"before a compaction", answer("claude-sonnet-4-5", 50_000, "") + `{"type":"system","subtype":"compact_boundary"}` + "\n", observe.Usage{}},
		{"after a compaction", `{"type":"system","subtype":"compact_boundary"}` + "\n" + answer("claude-sonnet-4-5", 50_000, ""), observe.Usage{Context: 0.25}},
		{"a cost", cost(`"totalCostUSD":1.5`) + cost(`"totalCostUSD":2.5,"hasUnknownModelCost":false`) + said, observe.Usage{Cost: 2.5}},
		{"a cost that is not whole", cost(`"totalCostUSD":1.5`) + cost(`"totalCostUSD":2.5,"hasUnknownModelCost":true`), observe.Usage{}},
		{"both", cost(`"totalCostUSD":1.5`) + answer("claude-sonnet-4-5", 50_000, ""), observe.Usage{Context: 0.25, Cost: 1.5}},
		{"hostile", cost(`"totalCostUSD":-1`) + `{"type":"assistant","message":{"model":"claude-sonnet-4-5","usage":{"input_tokens":-50,"output_tokens":"x"}}}` + "\n{\"usage\"\n", observe.Usage{}},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := observe.ReadUsage(path); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
