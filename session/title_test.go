package session

import (
	"strings"
	"testing"

	"coppice/transcript"
)

func TestTitleOrder(t *testing.T) {
	t.Parallel()
	from := func(n int) transcript.Summary { // without the n strongest
		sum := transcript.Summary{
			CustomTitle: "custom", AITitle: "ai", LastPrompt: "last", LegacyTitle: "legacy",
			FirstPrompt: "first", FirstCommand: "/cmd",
		}
		for _, f := range []*string{
			&sum.CustomTitle, &sum.AITitle, &sum.LastPrompt, &sum.LegacyTitle, &sum.FirstPrompt, &sum.FirstCommand,
		}[:n] {
			*f = ""
		}
		return sum
	}
	tests := []struct {
		name    string
		sum     transcript.Summary
		sidecar string
		want    string
		source  TitleSource
	}{
		{"custom", from(0), "side", "custom", TitleCustom},
		{"sidecar", from(1), "side", "side", TitleSidecar},
		{"ai", from(1), "", "ai", TitleAI},
		{"last prompt", from(2), "", "last", TitleLast},
		{"legacy", from(3), "", "legacy", TitleLegacy},
		{"first prompt", from(4), "", "first", TitleFirst},
		{"command", from(5), "", "/cmd", TitleCommand},
		{"nothing", from(6), "", "(no prompt)", TitleNone},
		{"B4 quotes are part of the name", transcript.Summary{CustomTitle: `"Feature A"`}, "", `"Feature A"`, TitleCustom},
		{"B4 blank custom title clears", transcript.Summary{CustomTitle: " \n", AITitle: "ai"}, "", "ai", TitleAI},
		{"B4 cleared title beside its sidecar", transcript.Summary{TitleCleared: true, AITitle: "ai"}, "old", "ai", TitleAI},
		{"agent name is none", transcript.Summary{AgentName: "n"}, "", "(no prompt)", TitleNone},
		{"one line", transcript.Summary{LastPrompt: "one\r\n\ttwo"}, "", "one two", TitleLast},
		{"cut", transcript.Summary{LastPrompt: strings.Repeat("é", 300)}, "", strings.Repeat("é", 200) + "…", TitleLast},
		{"cut by far", transcript.Summary{LastPrompt: strings.Repeat("語", 1<<20)}, "", strings.Repeat("語", 200) + "…", TitleLast},
		{"200 fit", transcript.Summary{LastPrompt: strings.Repeat("é", 200)}, "", strings.Repeat("é", 200), TitleLast},
	}
	for _, tt := range tests {
		title, source := titleOf(&tt.sum, tt.sidecar)
		if title != tt.want || source != tt.source {
			t.Errorf("%s: %q from %s, want %q from %s", tt.name, title, source, tt.want, tt.source)
		}
	}
}

func TestHiddenReasons(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		sum    transcript.Summary
		size   int64
		hidden string
		ready  bool
	}{
		{"conversation", transcript.Summary{HasMain: true, Prompted: true, Messages: 2, Records: 2, Complete: true}, 9, "", true},
		{"beside damage", transcript.Summary{HasMain: true, Prompted: true, Messages: 2, Records: 2, DamageCount: 3, Complete: true}, 9, "", true},
		{"sidechain first", transcript.Summary{HasMain: true, Sidechain: true, Prompted: true, Messages: 2, Records: 2, Complete: true}, 9, "", true},
		{"sidechain only", transcript.Summary{Sidechain: true, Records: 2, Complete: true}, 9, "", false},
		{"slash command first", transcript.Summary{HasMain: true, Prompted: true, Messages: 1, Records: 2, Complete: true, FirstCommand: "/loop"}, 9, "", true},
		{"damaged through and through", transcript.Summary{DamageCount: 3, Complete: true}, 9, "", false},
		{"print mode", transcript.Summary{HasMain: true, Prompted: true, Messages: 2, Records: 2, Entrypoint: "sdk-cli", Complete: true}, 9, "print mode or SDK (sdk-cli)", true},
		{"daemon", transcript.Summary{HasMain: true, Prompted: true, Messages: 2, Records: 2, Kind: "daemon-worker", Complete: true}, 9, "background service (daemon-worker)", true},
		{"zero bytes", transcript.Summary{Complete: true}, 0, "empty file", false},
		{"metadata only", transcript.Summary{Records: 2, Complete: true}, 9, "no conversation", false},
		{"metadata so far", transcript.Summary{Records: 2}, 9, "", true},
		{"only local commands", transcript.Summary{HasMain: true, Records: 2, Complete: true}, 9, "only local commands", true},
		{"team", transcript.Summary{HasMain: true, Prompted: true, Messages: 2, Records: 2, Team: true, Complete: true}, 9, "agent team", true},
	}
	for _, tt := range tests {
		if got := hiddenReason(&tt.sum, tt.size); got != tt.hidden {
			t.Errorf("%s: hidden %q, want %q", tt.name, got, tt.hidden)
		}
		if why := notReady(&tt.sum, tt.size, ""); (why == "") != tt.ready {
			t.Errorf("%s: not ready %q, want ready %t", tt.name, why, tt.ready)
		}
	}
	if why := notReady(&transcript.Summary{HasMain: true}, 9, "no permission"); !strings.Contains(why, "no permission") {
		t.Errorf("unreadable: %q", why)
	}
}
