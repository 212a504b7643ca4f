package ledger

import "strings"

// chunk is how many bytes of ids are allocated at once.
const chunk = 64 << 10

// pool makes strings that share memory. A Builder that is filled within its
// capacity never moves, so what was taken out of it stays as it is.
type pool struct {
	b     *strings.Builder
	names map[string]string // short strings that come again and again
}

func (p *pool) make(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	if len(raw) > chunk/8 {
		return string(raw)
	}
	if p.b == nil || p.b.Cap()-p.b.Len() < len(raw) {
		p.b = new(strings.Builder)
		p.b.Grow(chunk)
	}
	at := p.b.Len()
	p.b.Write(raw)
	return p.b.String()[at:]
}

// name is make for one of a few strings.
func (p *pool) name(raw []byte) string {
	if s, ok := p.names[string(raw)]; ok || len(raw) == 0 {
		return s
	}
	s := string(raw)
	if p.names == nil {
		p.names = map[string]string{}
	}
	if len(p.names) < 256 {
		p.names[s] = s
	}
	return s
}
