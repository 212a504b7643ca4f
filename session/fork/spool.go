package fork

import (
	"os"
	"sync"

	"coppice/session/move/carry"
)

// spoolSize is how much is written at once.
const (
	spoolSize = 1 << 20
	spoolRoom = spoolSize + spoolSize/4 // of a buffer
)

// spool writes buffers to a file while the next ones are being filled.
type spool struct {
	out     *os.File
	full    chan []byte
	free    chan []byte
	writing sync.WaitGroup
	err     error // once writing is done
}

func newSpool(out *os.File) *spool {
	const buffers = 4
	s := &spool{out: out, full: make(chan []byte, buffers), free: make(chan []byte, buffers)}
	for range buffers {
		s.free <- make([]byte, 0, spoolRoom)
	}
	s.writing.Go(s.write)
	return s
}

// write writes what is full until there is no more. After an error it only gives
// the buffers back.
func (s *spool) write() {
	at := int64(0)
	for buf := range s.full {
		if s.err == nil {
			if _, s.err = s.out.Write(buf); s.err == nil {
				carry.WriteBack(s.out, at, int64(len(buf)))
				at += int64(len(buf))
			}
		}
		if cap(buf) > 2*spoolSize { // of a long record
			buf = make([]byte, 0, spoolRoom)
		}
		s.free <- buf[:0]
	}
}

// swap gives a full buffer away and returns an empty one.
func (s *spool) swap(buf []byte) []byte {
	s.full <- buf
	return <-s.free
}

// close waits until everything is written. It returns the first error.
func (s *spool) close() error {
	close(s.full)
	s.writing.Wait()
	return s.err
}
