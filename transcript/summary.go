package transcript

import "time"

// Summary is what a list shows about one transcript. The newest record decides
// each fact unless its comment says otherwise. A Summary is plain data: it can
// be copied, compared and cached. Times are UTC, zero when no record names one.
type Summary struct {
	// SessionID is the id that the records name (the first one found). The
	// session's own id is its file name; a copied file may differ.
	SessionID string

	CustomTitle  string // last custom-title record; "" clears an older one
	TitleCleared bool   // that record is there and blank: a name kept elsewhere does not hold either
	AgentName    string // last agent-name record; not a title by itself
	AITitle      string // last ai-title record
	LastPrompt   string // last last-prompt record
	LegacyTitle  string // last summary record (older clients)
	FirstPrompt  string // first text a person typed, one line, at most 200 characters and "…"
	FirstCommand string // first slash command with its arguments, "/loop /ap"

	Created time.Time // oldest timestamp among the records up to the first user or assistant one with a time
	Updated time.Time // of the last user or assistant record in the file that has a time (report B6)

	Size     int64 // bytes covered by this summary
	Messages int   // prompts typed by a person plus assistant messages, outside sidechains
	Records  int   // readable records: objects with a type

	Dirs      []string // distinct cwd values in order of first appearance, at most MaxDirs
	Dir       string   // newest cwd
	Branch    string   // newest git branch; "HEAD" when the client was detached
	AddedDirs []string // additional working directories (--add-dir, /add-dir), of the last environment attachment
	Relocated string   // last relocated record: the directory that the file was moved for
	Worktree  *Worktree
	Left      *Worktree // the binding that the last worktree-state record ended; nil when there was none to end

	Model          string // newest model of an assistant record; never a synthetic one
	Agent          string // agent-setting
	Kind           string // sessionKind: "bg", "daemon", "daemon-worker"; "" for an ordinary session
	Entrypoint     string // first entrypoint: "cli", "sdk-cli", "sdk-ts", …
	Version        string // newest client version
	Mode           string // last mode record
	PermissionMode string // last permission mode, from its record or a prompt
	Tag            string // last tag; "" clears an older one
	PR             *PR    // last pr-link
	ForkedFrom     string // session id that the first forkedFrom names
	LeafUUID       string // last-prompt's leafUuid, for later readers

	Sidechain   bool // the first conversational record is a sidechain
	HasMain     bool // there is a user or assistant record outside sidechains
	Team        bool // the conversation belongs to an agent team
	Prompted    bool // a person typed a prompt or a slash command that is not a local one
	Interrupted bool // the newest assistant record calls a tool that no record answers

	Damage      []Damage // the first MaxDamage unreadable stretches, in file order
	DamageCount int      // all of them

	Complete bool // every line was looked at; false while only head and tail were read
}

// MaxDirs and MaxDamage bound the lists of a Summary.
const (
	MaxDirs   = 32
	MaxDamage = 16
)

// Worktree is the binding of a session to a worktree, from the last
// worktree-state record. A record that holds null clears it.
type Worktree struct {
	Path           string // absolute
	Name           string
	Branch         string
	OriginalDir    string // where the session started, usually the main checkout
	OriginalBranch string
	OriginalCommit string
}

// PR is a session's link to a pull request, from a pr-link record.
type PR struct {
	Number     int
	URL        string
	Repository string // "owner/name"
}

// Damage is one stretch of a transcript that no record could be read from.
type Damage struct {
	Line   int   // 1-based; 0 when the line number is not known (only the tail was read)
	Offset int64 // byte offset of the line
	Kind   DamageKind
}

// DamageKind names what is wrong with a line.
type DamageKind string

// The kinds of damage.
const (
	DamageTorn    DamageKind = "torn"    // the last line ends in the middle of a record
	DamageNUL     DamageKind = "nul"     // NUL bytes
	DamageGlued   DamageKind = "glued"   // more than one record on a line
	DamageGarbage DamageKind = "garbage" // not JSON, or cut off
)
