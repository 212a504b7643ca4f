package host

import (
	"bytes"
	"testing"
)

// FuzzFrames reads what anybody may send: no panic, no more memory than came, and
// what was read is what was written.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("H\x02\x00\x00\x00{}I\x01\x00\x00\x00x"))
	f.Add([]byte("I\xff\xff\x03\x00short"))
	f.Add([]byte("I\xff\xff\xff\xff"))
	f.Add(appendFrame(appendFrame(nil, kindSize, sizeBytes(-1, 1<<20)), kindRead, nil))
	f.Fuzz(func(t *testing.T, in []byte) {
		var again []byte
		frames := newFrames(bytes.NewReader(in), maxFromViewer)
		for {
			k, payload, err := frames.next()
			if err != nil {
				break
			}
			again = appendFrame(again, k, payload)
			_, _, _, _ = readSize(payload)
		}
		if !bytes.HasPrefix(in, again) {
			t.Errorf("%q was read as %q", in, again)
		}
		if limit := len(in) + maxFromViewer + 1<<20; cap(frames.buf) > limit {
			t.Errorf("%d bytes for %d", cap(frames.buf), len(in))
		}
		_, _ = readHello(newFrames(bytes.NewReader(in), maxFromViewer))
	})
}
