package runtime

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"coppice/transcript/ledger"
)

// background holds the tasks that run beside the conversation: their ids, each
// with the line that tells of its start.
type background map[string]int

func (b *background) start(id string, line int) {
	if *b == nil {
		*b = background{}
	}
	(*b)[id] = line
}

// notified takes away the tasks that a row says have ended.
func (b *background) notified(_ *ledger.Row, m members) {
	for _, text := range []string{m.message.Raw, m.attachment.Raw} {
		for found := true; found; {
			var id string
			if _, text, found = strings.Cut(text, "<task-id>"); found {
				id, text, found = strings.Cut(text, "</task-id>")
				delete(*b, id)
			}
		}
	}
}

// running returns the ids of the tasks that have not ended, oldest first.
func (b *background) running() []string {
	return slices.SortedFunc(maps.Keys(*b), func(x, y string) int {
		return cmp.Or(cmp.Compare((*b)[x], (*b)[y]), cmp.Compare(x, y))
	})
}
