package doctor

import (
	"errors"
	"fmt"
	"io/fs"

	"coppice/session/runtime"
	"coppice/transcript/ledger"
	"coppice/transcript/repair"
)

// words say what a finding means to a person.
type words struct {
	severity       Severity
	detail, repair string
}

// damage lists the lines that cannot be read.
func (x *examination) damage(l *ledger.Ledger) {
	for _, d := range l.Damage {
		f := Finding{Kind: d.Kind, Severity: Harm, Line: d.Line, Repair: "it is left out"}
		switch d.Kind {
		case "torn":
			f.Detail = "the last line ends in the middle of a record: the program that wrote it was stopped"
		case "nul":
			f.Detail = "the line holds NUL bytes: the machine went down, or the disk was full"
		case "glued":
			f.Detail = "several records stand on one line, and the client reads at most the first"
		default:
			f.Detail = "the line is no record"
		}
		if d.Salvaged > 0 {
			f.Repair = count(d.Salvaged) + " can be recovered from it, and " + choose(d.Salvaged, "is there", "are there")
		}
		x.add(f)
	}
}

// chains lists what is odd about the tree of messages. What the client's rules
// find at a row goes before what ours find there, since it says what is lost.
func (x *examination) chains(keep, client ledger.Chain) {
	dropped := map[int]bool{}
	for _, f := range client.Findings {
		if f.Kind == ledger.FindingDropped || f.Kind == ledger.FindingUnlinked || f.Rows > 0 {
			dropped[f.Line] = true
			x.tree(f)
		}
	}
	for _, f := range keep.Findings {
		if !dropped[f.Line] {
			x.tree(f)
		}
	}
}

// tree adds a finding about the tree of messages.
func (x *examination) tree(f ledger.Finding) {
	if f.Kind == ledger.FindingDuplicate && x.mixed[f.UUID] {
		return // doubles said so
	}
	w := treeWords(f.Kind)
	if w.detail == "" {
		w.detail = f.Detail
	}
	if f.Rows > 0 {
		w.severity = Harm
		w.detail += fmt.Sprintf(" (%d rows of the transcript)", f.Rows)
	}
	x.add(Finding{Kind: string(f.Kind), Severity: w.severity, Line: f.Line, UUID: f.UUID, Detail: w.detail, Repair: w.repair})
}

// treeWords says what a finding about the tree means.
func treeWords(kind ledger.FindingKind) words {
	switch kind {
	case ledger.FindingGap:
		return words{Harm, "the message before this one is missing", "it is linked to the message above it in the file"}
	case ledger.FindingDropped:
		return words{Harm, "the message before this one is missing, and the client would forget everything above it", "it is linked to the message above it in the file"}
	case ledger.FindingCycle:
		return words{Note, "messages name each other as the one before, in a circle", "they are put in the order of the file"}
	case ledger.FindingDuplicate:
		return words{Note, "a message was written twice; the later one holds", "it is there once"}
	case ledger.FindingMisplaced:
		return words{Note, "a message stands above the one that it follows", "it is put behind it"}
	case ledger.FindingUnlinked:
		return words{Harm, "no message names the one before it, and the client would take up only the last", "they are linked in the order of the file"}
	case ledger.FindingRoot:
		return words{Note, "the conversation begins anew in the middle of the file", "both parts are kept, in the order of the file"}
	case ledger.FindingSegment:
		return words{Note, "a compaction kept messages that are not in the file", "the conversation goes on without them"}
	case ledger.FindingSummary:
		return words{Note, "the summary of a compaction is missing", "what it stood for is kept in its place"}
	case ledger.FindingPointer:
		return words{Note, "the record of where the conversation ends names no message that can be its end", "the newest message is the end"}
	case ledger.FindingNoUUID:
		return words{Harm, "a message has no id of its own", "it gets one"}
	}
	return words{severity: Note}
}

// repairWords says what a repair means; not ok for what every resume does.
func repairWords(kind repair.Kind) (w words, ok bool) {
	detail := ""
	switch kind {
	case repair.AnsweredCall:
		detail = "a tool was called and nothing answered: the turn was interrupted"
	case repair.DroppedCall, repair.DroppedMessage:
		detail = "a tool was called in the middle of the conversation and nothing answered"
	case repair.OrphanResult:
		detail = "a tool's answer stands without its call"
	case repair.DuplicateCall:
		detail = "two tool calls have the same id"
	case repair.BrokenCall:
		detail = "a tool call is recorded in a form that no request may hold"
	case repair.DroppedBlock:
		detail = "a message holds something that nobody in its role can say"
	case repair.DuplicateResult:
		detail = "a tool call was answered twice"
	case repair.MovedResult:
		detail = "a tool's answer does not stand behind its call"
	case repair.EmptyContent:
		detail = "a message has no content"
	case repair.ReplacedEncoding:
		detail = "a message holds bytes that are no text"
	case repair.ServerCall:
		detail = "a call to a tool of the provider has no answer"
	case repair.DroppedThinking, repair.MovedThinking, repair.DroppedBlank, repair.DroppedError, repair.DroppedMark, repair.Opened,
		repair.Closed, repair.CarriedOn, repair.SkippedAttach, repair.MigratedAttach:
	}
	return words{Note, detail, asItWas}, detail != ""
}

// asItWas says what becomes of what a request needs beyond what a transcript needs.
// The client's rules for that are not ours: it drops a late answer, for one.
const asItWas = "it is as it was: Coppice puts it right in its own view of the conversation, and the agent, when it resumes, goes by its own rules and may leave it out"

// checkRepair says what a repaired fork does about a check that failed.
func checkRepair(check runtime.Check) string {
	switch check {
	case runtime.CheckSidePath:
		return "the paths name the copies of the fork"
	case runtime.CheckWorktree, runtime.CheckBinding:
		return "it is bound to no worktree"
	case runtime.CheckID:
		return "all rows name the fork"
	case runtime.CheckRetention:
		return "it is new"
	case runtime.CheckSideFile, runtime.CheckBackup, runtime.CheckBranch, runtime.CheckReplacement, runtime.CheckPlans, runtime.CheckSettings:
	}
	return ""
}

// loss adds what the client would drop: what a fork mends, and what it does not.
func (x *examination) loss(o Outlook) {
	x.lost = o.Lost
	if o.Mended > 0 {
		x.add(Finding{
			Kind: "client-drops", Severity: Harm, Repair: choose(o.Mended, "it is there", "they are there"),
			Detail: fmt.Sprintf("the client would drop %s when it resumes this file: %s", count(o.Mended), o.Why),
		})
	}
	if n := o.Lost - o.Mended; n > 0 {
		x.add(Finding{
			Kind: "unanswered-call", Severity: Harm,
			Detail: fmt.Sprintf("the client would drop %s, also of a fork, since a tool call in %s was never answered",
				count(n), choose(n, "it", "them")),
		})
	}
}

// reason returns the words for an error of the file system.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "no permission"
	case errors.Is(err, fs.ErrNotExist):
		return "it is gone"
	}
	return err.Error()
}

// count counts messages in words.
func count(n int) string { return fmt.Sprintf("%d %s", n, choose(n, "message", "messages")) }

// choose returns one for a single thing, many for others.
func choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
