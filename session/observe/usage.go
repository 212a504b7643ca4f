package observe

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Usage is what the end of a transcript tells of what a conversation takes.
type Usage struct {
	Context float64 // share of the model's context that the conversation fills, 0 to 1; 0 when not known
	Cost    float64 // US dollars; 0 when not known
}

// ReadUsage reads the newest usage that the end of a transcript tells of. What a
// turn under way adds is not in it.
func ReadUsage(path string) (u Usage) {
	data, err := readEnd(path)
	if err != nil {
		return u
	}
	var context, cost bool
	for row := range rowsBackwards(data) {
		if !context {
			u.Context, context = contextOf(row)
		}
		if !cost {
			u.Cost, cost = costOf(row)
		}
		if context && cost {
			break
		}
	}
	return u
}

// contextOf returns the share of the context that a conversation fills with one
// record: what its request and its answer took, or what a compaction left.
func contextOf(row []byte) (share float64, ok bool) {
	answer := bytes.Contains(row, []byte(`"usage"`))
	if !answer && !bytes.Contains(row, []byte(`compact_boundary`)) || !gjson.ValidBytes(row) {
		return 0, false
	}
	r := gjson.ParseBytes(row)
	if r.Get("isSidechain").Bool() {
		return 0, false
	}
	switch {
	case r.Get("type").Str == "system" && r.Get("subtype").Str == "compact_boundary":
		return 0, true // of which model is not said
	case r.Get("type").Str != "assistant" || strings.HasPrefix(r.Get("message.model").Str, "<"):
		return 0, false
	}
	tokens := 0.0
	for _, part := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"} {
		tokens += max(r.Get("message.usage."+part).Float(), 0)
	}
	if window := windowOf(r.Get("message.model").Str, tokens); tokens > 0 && tokens <= window {
		return tokens / window, true
	}
	return 0, true
}

// Sizes of a model's context in tokens.
const (
	smallWindow = 200_000
	largeWindow = 1_000_000
)

var generationOf = regexp.MustCompile(`^claude-(?:[a-z]+-)?(\d+)(?:-|$)`)

// windowOf returns the size of a model's context, 0 when it is not known. Models of
// the generations up to the fourth have the small one unless the large one is asked
// for, which the transcript does not record: a conversation that does not fit the
// small one tells. Later ones have the large one (as the client shows for both).
func windowOf(model string, tokens float64) float64 {
	m := generationOf.FindStringSubmatch(model)
	if m == nil {
		return 0
	}
	generation, _ := strconv.Atoi(m[1])
	if generation >= 5 || tokens > smallWindow || strings.HasSuffix(model, "[1m]") {
		return largeWindow
	}
	return smallWindow
}

// costOf returns the cost that a record tells of. A total with models in it that the
// agent has no prices for is none.
func costOf(row []byte) (dollars float64, ok bool) {
	if !bytes.Contains(row, []byte(`"cost-state"`)) || !gjson.ValidBytes(row) {
		return 0, false
	}
	r := gjson.ParseBytes(row)
	if r.Get("type").Str != "cost-state" {
		return 0, false
	}
	if r.Get("hasUnknownModelCost").Bool() {
		return 0, true
	}
	return max(r.Get("totalCostUSD").Float(), 0), true
}
