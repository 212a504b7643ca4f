package ledger

import (
	"errors"
	"io"
	"slices"
)

// ErrNoConversation is returned for a transcript that a policy cannot resume: it
// has no row, or (Client) its pointer names a sidechain (observed A.1, A.3).
var ErrNoConversation = errors.New("the transcript holds no conversation")

// Kind is the type of a row.
type Kind uint8

// The kinds of rows. Records of a type that nobody knows are Other when they have
// a uuid: a chain goes through them, and they are never sent.
const (
	Other Kind = iota
	User
	Assistant
	System
	Attachment
	Progress
)

// Row is one record of the conversation's tree, as far as chains need it: one
// with a uuid, or a user, assistant, system or attachment record without.
type Row struct {
	Offset int64 // of the record's first byte
	Size   int   // bytes of the record, without blanks and line feed around it
	Line   int   // 1-based
	Time   int64 // Unix milliseconds; 0 where there is none

	UUID      ID // 0 where there is none: nothing can hang below the row
	Parent    ID // parentUuid; 0 for a root
	MessageID ID // message.id of an Assistant row
	SourceID  ID // sourceToolAssistantUUID of a User row
	Subtype   ID // of a System row, or the type of an Attachment

	Kind       Kind
	Compaction bool // the System row that a compaction begins with
	Rooted     bool // parentUuid is there and null
	Sidechain  bool
	Meta       bool // isMeta
	Summary    bool // isCompactSummary
	Team       bool // teamName is there
	Results    bool // the message's content holds a tool_result
	Calls      bool // the message's content holds a tool_use
	Void       bool // a User or Assistant row whose message holds nothing that could be sent: chains look through it (observed A.4)
	Salvaged   bool // recovered from a line that is not one record: only Keep uses it

	Large [2]Stretch // the first values of more than 256 bytes at depth one, in file order; empty ones where there are fewer
}

// Stretch is a part of a record, by places in its bytes.
type Stretch struct {
	From, To int32
}

// Record is one record that has no place in the tree.
type Record struct {
	Offset int64
	Size   int
	Line   int
	Type   string

	Salvaged bool // as Row.Salvaged
}

// Ledger is the index of one transcript as it was when it was read. It holds
// offsets, not texts, and is safe for concurrent use.
type Ledger struct {
	Rows    []Row    // in file order, duplicates included
	Records []Record // in file order; objects without a type are not listed
	Damage  []Damage // in file order, at most MaxDamage
	Size    int64    // bytes read

	DamageCount int // all of it

	r          io.ReaderAt
	ids        ids
	last       []int32           // by the number of a uuid the last row that has it, none where no row does
	rowSums    []uint32          // of Rows
	recordSums []uint32          // of Records
	older      map[int]int       // from a row to the one before it with the same uuid
	first      map[int]int       // to the first one
	logical    map[int]ID        // logicalParentUuid of the few rows that have it
	kept       map[int]preserved // what the row of a compaction preserves
	pointer    pointer
	pointed    bool    // a last-prompt record has a leaf, be it null, or there is a compaction
	recovered  pointer // from damaged lines: only Keep uses it
	cleared    []clearing
	restarts   []int64 // offsets of pointers to nobody by which a person began anew
	stubs      []stub  // rows that were lost, in file order
	nameless   []int   // rows without uuid
}

// pointer is what the last-prompt records say: the row at which the conversation
// ends. The zero value says nothing.
type pointer struct {
	leaf     string
	line     int
	off      int64
	explicit bool  // a person went back there
	since    int64 // offset of the record that said so
}

// clearing is the row of a compaction with the pointer that it put an end to.
type clearing struct {
	row     int
	pointer pointer
}

// stub is what a damaged line still says about the row that was lost with it.
type stub struct {
	off    int64
	uuid   string // "" when it was cut off
	parent string
}

// Row returns the index of the row with a uuid: the last one, as a later record
// replaces an earlier one in place (observed A.2).
func (l *Ledger) Row(uuid ID) (int, bool) {
	if uuid == 0 {
		return none, false
	}
	i := int(l.last[uuid.number()])
	return i, i >= 0
}

// Named returns the ledger with a uuid for every row: name makes one for those
// that have none.
func (l *Ledger) Named(name func(*Row) string) *Ledger {
	if len(l.nameless) == 0 {
		return l
	}
	named := *l
	named.Rows, named.ids = slices.Clone(l.Rows), l.ids.clone()
	for _, i := range l.nameless {
		row := &named.Rows[i]
		row.UUID = named.ids.number([]byte(name(row)))
	}
	named.enter()
	return &named
}

// MaxDamage bounds the list of a Ledger: a file that is no transcript has more
// damage than lines worth naming.
const MaxDamage = 10000

// Damage is a stretch that no record could be read from, or only in part.
type Damage struct {
	Line     int
	Offset   int64
	Kind     string // as transcript.DamageKind
	Salvaged int    // rows recovered from it
}
