package transcript

// Limits of what is kept of one record.
const (
	maxRaw    = 16 << 10 // raw bytes of one string
	maxBlocks = 1 << 10  // content blocks of one message
	maxDirs   = 1 << 8   // added directories of one record
)

// record is what was read of one line. Values are raw: between the quotes,
// escapes and all, or the bytes of a literal; they live until the next line.
type record struct {
	seen   fieldSet
	val    [numFields][]byte
	blocks []block
	dirs   [][]byte

	results bool // the message's first block answers a tool call
	plain   bool // a typed prompt whose text was not read

	// again means that all but the message's id and model, a typed text and the time
	// was applied before and nothing changed since; of the fields only id, model and
	// time are set then.
	again bool
	typ   kind
	side  bool
	typed bool // a person typed it, outside sidechains
}

// block is one content block of a message, raw.
type block struct{ kind, text, id, answers []byte }

func (r *record) reset() {
	r.seen, r.blocks, r.dirs = 0, r.blocks[:0], r.dirs[:0]
	r.results, r.plain, r.again = false, false, false
}

func (r *record) set(f field, raw []byte) {
	r.seen.add(f)
	r.val[f] = raw
}

// raw returns the value of f, nil when the record has none.
func (r *record) raw(f field) []byte {
	if !r.seen.has(f) {
		return nil
	}
	return r.val[f]
}

func (r *record) str(f field) string { return unescape(r.raw(f)) }

func (r *record) is(f field) bool { return string(r.raw(f)) == "true" }

// spoken says whether the texts of a user row may be a person's.
func (r *record) spoken() bool { return !r.results && !r.is(fMeta) && !r.is(fCompact) }

// kind is the type of a record, as far as it matters.
type kind uint8

const (
	kindIgnored kind = iota // bookkeeping, and types that nobody knows
	kindUser
	kindAssistant
	kindRow  // another row of the conversation's tree
	kindMeta // a record that sets one fact
)

func kindOf(typ []byte) kind {
	switch string(typ) {
	case "user":
		return kindUser
	case "assistant":
		return kindAssistant
	case "attachment", "system", "progress":
		return kindRow
	case "custom-title", "agent-name", "ai-title", "last-prompt", "summary", "tag", "mode",
		"permission-mode", "agent-setting", "pr-link", "worktree-state", "relocated":
		return kindMeta
	}
	return kindIgnored
}

func (r *record) kind() kind { return kindOf(r.raw(fType)) }
