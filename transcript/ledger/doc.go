// Package ledger reads a transcript whole: which rows it holds, how they hang
// together, and which of them are the conversation. One chain builder serves two
// policies: Client answers what the real client would resume with, Keep loses
// nothing.
//
// It decodes no message, changes nothing on disk, and never decides what a
// request may hold: that is repair's.
//
// # What the client does
//
// Found by resuming made-up transcripts with version 2.1.332; the ids are those
// of the observations. The test's table has an example of each.
//
// Rows. User, assistant, system and attachment rows make the tree. Of several with
// one uuid the last record holds, where that stands; of those without, the last. Rows of other
// types are as if they were not there. Progress is looked through, by the last
// record with its uuid before the row that names it; so are user and assistant
// rows whose content is neither a string nor a list that is empty or has a block
// with a type (A.2, A.4).
//
// End (A.1). The last record in the file that is no sidechain and has a message
// above it or is one. Without any pointer in the file it is the newest row below
// that one, if that is not older; the last among equals. The last last-prompt
// record that has a leaf points to the end: when the last row hangs below that
// leaf, the last row is the end, else the leaf exactly. A leaf that a person went
// back to (explicit, or named again right after) is passed only by a row that
// stands behind the record. An answer, or what hangs on one, beside the way of a
// turn with several calls counts as on the way. A leaf that is not there, or has
// no message above it, is no pointer; one on a sidechain makes the session
// unusable.
//
// Way (A.2). From the end by parents. Where a parent is missing or was met, the
// newest row that is not newer and at most 5000 ms older is taken, wherever it
// stands in the file, the first among equals; not a sidechain, not one that was
// met, not one without time. Otherwise, and at a null or absent parent, the
// conversation begins there.
//
// Turns (0, client-behaviour 3.3). Rows that share message.id with a row of the
// way join it, and the answers to their calls, found by parent, by the row that
// they name, or by the call's id; and attachments and system rows on those below
// which nobody speaks. Without message.id nothing joins.
//
// Compaction (A.5). The way begins at the newest boundary on it. Preserved rows:
// see tree.compactions.
package ledger
