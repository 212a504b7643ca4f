package host

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// kind is the first byte of a frame. The length of what follows comes next, in
// four bytes, the lowest first.
type kind byte

// Every protocol has these frames, in this form.
const (
	kindHello kind = 'H' // first in both directions: a hello
	kindStop  kind = 'S' // to the host: end the agent; milliseconds of grace, 4 bytes
	kindExit  kind = 'X' // to the viewer, last: an Info with its Exit
	kindRead  kind = 'A' // to the host: the exit was read
	kindEvent kind = 'T' // to the host: an event of the agent, as JSON
)

// The frames of this protocol.
const (
	kindView   kind = 'V' // to the host: show me; a size
	kindInput  kind = 'I' // to the host
	kindSize   kind = 'R' // in both directions: a size
	kindRebind kind = 'B' // to the host: the agent has this session open now
	kindDump   kind = 'D' // to the viewer: a size, and what makes a terminal like the host's
	kindOutput kind = 'O' // to the viewer
	kindInfo   kind = 'N' // to the viewer: an Info
	kindRefuse kind = 'E' // to the viewer: what was asked for was not done, and why
)

// Bounds of a frame in bytes.
const (
	headerLen     = 5
	maxFromViewer = 256 << 10
	maxFromHost   = 128 << 20
)

// errFrame is returned for bytes that are no frame.
var errFrame = errors.New("what came is not what a host or a viewer says")

// header begins a frame with a payload of n bytes.
func header(k kind, n int) []byte {
	return binary.LittleEndian.AppendUint32([]byte{byte(k)}, uint32(n))
}

// appendFrame adds a frame.
func appendFrame(b []byte, k kind, payload []byte) []byte {
	b = append(b, byte(k))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	return append(b, payload...)
}

// frames reads frames.
type frames struct {
	r   *bufio.Reader
	max int
	buf []byte
}

func newFrames(r io.Reader, limit int) *frames {
	return &frames{r: bufio.NewReaderSize(r, 64<<10), max: limit}
}

// next returns the next frame. Its payload is good until the call after. Memory is
// only used for what has come, whatever the length says.
func (f *frames) next() (kind, []byte, error) {
	var header [headerLen]byte
	if _, err := io.ReadFull(f.r, header[:]); err != nil {
		return 0, nil, err
	}
	n := int64(binary.LittleEndian.Uint32(header[1:]))
	if n > int64(f.max) {
		return 0, nil, fmt.Errorf("%w: a frame of %d bytes", errFrame, n)
	}
	const keep, step = 1 << 20, 256 << 10
	if cap(f.buf) > keep {
		f.buf = nil
	}
	f.buf = f.buf[:0]
	for left := int(n); left > 0; {
		part := min(left, max(step, len(f.buf)))
		f.buf = slices.Grow(f.buf, part)
		at := len(f.buf)
		f.buf = f.buf[:at+part]
		if _, err := io.ReadFull(f.r, f.buf[at:]); err != nil {
			return 0, nil, err
		}
		left -= part
	}
	return kind(header[0]), f.buf, nil
}

// sizeBytes writes a size down.
func sizeBytes(columns, rows int) []byte {
	b := binary.LittleEndian.AppendUint16(nil, clamp16(columns))
	return binary.LittleEndian.AppendUint16(b, clamp16(rows))
}

func clamp16(n int) uint16 { return uint16(min(max(n, 0), 1<<16-1)) }

// readSize reads a size, and returns what follows it.
func readSize(p []byte) (columns, rows int, rest []byte, err error) {
	if len(p) < 4 {
		return 0, 0, nil, fmt.Errorf("%w: a size of %d bytes", errFrame, len(p))
	}
	return int(binary.LittleEndian.Uint16(p)), int(binary.LittleEndian.Uint16(p[2:])), p[4:], nil
}
