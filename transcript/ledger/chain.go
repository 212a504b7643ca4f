package ledger

// Policy says whose rules find the conversation.
type Policy uint8

// The policies (DESIGN "The four surfaces"; where they differ: docs/deviations.md).
const (
	Client Policy = iota // what the real client sends when it resumes the file (observed A.1 to A.5)
	Keep                 // loses nothing: bridges any gap by file order, uses rows recovered from damage
)

func (p Policy) String() string {
	if p == Keep {
		return "keep"
	}
	return "client"
}

// Chain is the conversation that a policy finds.
type Chain struct {
	Policy Policy
	// Rows are indexes into Ledger.Rows, oldest first, in the order in which the
	// conversation is sent: the newest compaction applied, preserved rows spliced
	// in, every answer of a parallel turn beside its call. Rows of all kinds are
	// there; what is sent of them is repair's matter.
	Rows []int
	// Before are the rows that a compaction put out of the conversation, oldest
	// first: still viewable, never sent.
	Before   []int
	Leaf     int // index of the row at which the conversation ends
	Branches []Branch
	Findings []Finding
}

// Branch is a line of rows that the chain does not take.
type Branch struct {
	Leaf  int  // index of its last row
	Fork  int  // index of the row of the chain that it leaves from, -1 for none
	Rows  int  // user and assistant rows on it that the chain has not
	Newer bool // its last row stands behind the chain's in the file
}

// FindingKind names what is odd about a transcript's tree.
type FindingKind string

// The kinds of findings.
const (
	FindingGap       FindingKind = "gap"        // a parent is missing: bridged by file order
	FindingDropped   FindingKind = "dropped"    // a parent is missing: the history before it is not part of the chain
	FindingCycle     FindingKind = "cycle"      // rows are their own ancestors
	FindingDuplicate FindingKind = "duplicate"  // a uuid again: the later record holds
	FindingMisplaced FindingKind = "misplaced"  // a row stands before its parent
	FindingUnlinked  FindingKind = "unlinked"   // no row names a parent
	FindingRoot      FindingKind = "root"       // a second beginning in the middle
	FindingSegment   FindingKind = "segment"    // a compaction names preserved rows that are not there
	FindingSummary   FindingKind = "no-summary" // a compaction without its summary
	FindingPointer   FindingKind = "pointer"    // the last-prompt pointer names no usable row
	FindingNoUUID    FindingKind = "no-uuid"    // a message without uuid
)

// Finding is one oddity, and how much of the conversation it touches.
type Finding struct {
	Kind   FindingKind
	Line   int    // 1-based line of the row in question
	UUID   string // of that row, "" where it has none
	Rows   int    // user and assistant rows that the chain lost by it; 0 when none
	Detail string // in our own words, one line, never text of the transcript
}

// Chain returns the conversation. The error is ErrNoConversation.
func (l *Ledger) Chain(p Policy) (Chain, error) {
	t := l.tree(p)
	leaf, err := t.leaf()
	if err != nil {
		return Chain{Policy: p, Leaf: none}, err
	}
	return t.chain(leaf), nil
}

// ChainAt returns the conversation that ends at the row with this uuid, whatever
// the transcript says about its end. The error is ErrNoConversation when there
// is no such row.
func (l *Ledger) ChainAt(p Policy, uuid ID) (Chain, error) {
	t := l.tree(p)
	leaf, ok := t.row(uuid)
	if !ok {
		return Chain{Policy: p, Leaf: none}, ErrNoConversation
	}
	return t.chain(leaf), nil
}

func (t *tree) chain(leaf int) Chain {
	p := t.walk(leaf)
	c := Chain{Policy: t.policy, Leaf: leaf}
	c.Rows = t.parallel(t.compacted(p.rows), p.used)
	c.Before = t.before(&c, &p)
	c.Branches = t.branches(&c)
	c.Findings = t.findings(&c, &p)
	return c
}

// compacted returns the rows from the last compaction on.
func (t *tree) compacted(rows []int) []int {
	for n := len(rows) - 1; n > 0; n-- {
		if t.boundary(rows[n]) {
			return rows[n:]
		}
	}
	return rows
}
