package doctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"coppice/transcript/ledger"
)

// doubles counts the messages that are lost since another one has their id: a
// conversation has one row of each. What was only written twice is no loss.
func (x *examination) doubles(ctx context.Context, l *ledger.Ledger, keep ledger.Chain) error {
	rows := doubled(l)
	if len(rows) == 0 {
		return nil
	}
	chosen := map[ledger.ID]int{} // of each id
	for _, i := range slices.Concat(keep.Before, keep.Rows) {
		if id := l.Rows[i].UUID; rows[id] != nil {
			chosen[id] = i
		}
	}
	x.mixed = map[string]bool{}
	lost, first := 0, 0
	for id, all := range rows {
		holds, ok := chosen[id]
		if !ok {
			holds = all[len(all)-1]
		}
		lines, err := unlike(ctx, l, holds, all)
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			x.mixed[l.Text(id)] = true
			if lost += len(lines); first == 0 || lines[0] < first {
				first = lines[0]
			}
		}
	}
	if lost > 0 {
		x.add(Finding{
			Kind: "shared-uuid", Severity: Harm, Line: first,
			Detail: fmt.Sprintf("%s %s the id of another one and %s not part of the conversation",
				count(lost), choose(lost, "has", "have"), choose(lost, "is", "are")),
		})
	}
	return nil
}

// doubled returns the rows of each id that several have, in file order.
func doubled(l *ledger.Ledger) map[ledger.ID][]int {
	out := map[ledger.ID][]int{}
	for i, r := range l.Rows {
		if last, ok := l.Row(r.UUID); ok && last != i {
			out[r.UUID] = append(out[r.UUID], i)
		}
	}
	for id := range out {
		last, _ := l.Row(id)
		out[id] = append(out[id], last)
	}
	return out
}

// unlike returns the lines of the messages among rows that say what neither the
// row that holds says nor one before them.
func unlike(ctx context.Context, l *ledger.Ledger, holds int, rows []int) ([]int, error) {
	seen := map[[sha256.Size]byte]bool{}
	var lines []int
	for n, i := range append([]int{holds}, rows...) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := l.Rows[i]
		if n > 0 && (i == holds || r.Void || r.Kind != ledger.User && r.Kind != ledger.Assistant) {
			continue
		}
		data, err := l.Bytes(r.Offset, r.Size)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content(data))
		if n > 0 && !seen[sum] {
			lines = append(lines, r.Line)
		}
		seen[sum] = true
	}
	return lines, nil
}

// content returns who says what in a record, spelled without blanks; the record
// itself where it has no message.
func content(data []byte) []byte {
	var row struct {
		Type    string `json:"type"`
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(data, &row) != nil || row.Message.Content == nil {
		return data
	}
	out := bytes.NewBufferString(row.Type + " ")
	if json.Compact(out, row.Message.Content) != nil {
		return data
	}
	return out.Bytes()
}
