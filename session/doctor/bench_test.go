package doctor_test

import (
	"testing"

	"coppice/session/doctor"
	"coppice/session/sessiontest"
	"coppice/transcript/transcripttest"
)

// BenchmarkLook is what a plan costs on a large, healthy transcript: one pass over
// the file, some of it tool answers.
func BenchmarkLook(b *testing.B) {
	const size = 200 << 20
	t := talk(1)
	filler := transcripttest.Filler(40 << 10)
	for n := 0; t.Len() < size; n++ {
		t.User("go on").Assistant(transcripttest.Bash("c1", "make")).Result("c1", filler).Assistant(transcripttest.Text(filler))
	}
	path := sessiontest.New(b).WriteFile(b, "projects/-src-app/"+t.SessionID+".jsonl", string(t.Bytes()))
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if o, err := doctor.Look(b.Context(), path); err != nil || o.Lost != 0 {
			b.Fatal(o, err)
		}
	}
}
