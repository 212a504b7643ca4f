package preview_test

import (
	"strings"
	"testing"

	"coppice/transcript"
	"coppice/ui/preview"
)

func BenchmarkRender(b *testing.B) {
	for name, word := range map[string]string{"ascii": "plain words of a person, ", "wide": "漢字は二つの桁を使います。"} {
		b.Run(name, func(b *testing.B) {
			var tail transcript.Tail
			for range 40 {
				tail.Messages = append(tail.Messages, message(transcript.RoleAssistant, 1, say(strings.Repeat(strings.Repeat(word, 20)+"\n", 8))))
			}
			n := len(tail.Messages) * len(tail.Messages[0].Blocks[0].Text)
			b.SetBytes(int64(n))
			for b.Loop() {
				preview.Render(tail, preview.Options{Width: 60, Now: now})
			}
		})
	}
}
