package ledger_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/transcript/ledger"
	tt "coppice/transcript/transcripttest"
)

// talk is a transcript as a healthy client writes it, and what is known of it.
type talk struct {
	words   []string
	parent  map[string]string
	order   []string // names in the order in which they were written
	leaf    string
	group   map[string]string // call to its message
	through map[string]bool   // on the way from leaf to the root, or beside it in a turn
}

// drawTalk draws a talk of turns, parallel ones too, with rewinds that leave
// branches behind.
func drawTalk(t *rapid.T) *talk {
	k := &talk{parent: map[string]string{}, group: map[string]string{}}
	n, at := 0, ""
	add := func(kind, parent, marks string) string {
		n++
		name := fmt.Sprintf("%s%d", kind, n)
		if kind == "r" {
			name = "r" + marks
			marks = ""
		}
		word := name
		if parent != "" {
			word += "<" + parent
		}
		k.words = append(k.words, word+marks)
		k.parent[name] = parent
		k.order = append(k.order, name)
		return name
	}
	var prompts []string
	for range rapid.IntRange(1, 12).Draw(t, "turns") {
		if len(prompts) > 1 && rapid.IntRange(0, 5).Draw(t, "rewind") == 0 {
			at = k.parent[rapid.SampledFrom(prompts[1:]).Draw(t, "to")]
		}
		at = add("u", at, "")
		prompts = append(prompts, at)
		for range rapid.IntRange(0, 2).Draw(t, "rest") {
			at = add(rapid.SampledFrom([]string{"t", "y", "p"}).Draw(t, "kind"), at, "")
		}
		if calls := rapid.IntRange(0, 3).Draw(t, "calls"); calls > 0 {
			id := fmt.Sprintf("#g%d", n)
			var names []string
			for range calls {
				at = add("c", at, id)
				k.group[at] = id
				names = append(names, at)
			}
			for _, c := range rapid.Permutation(names).Draw(t, "done") {
				at = add("r", c, c[1:])
			}
		}
		at = add("a", at, "")
	}
	k.leaf = at
	k.through = map[string]bool{}
	for name := at; name != ""; name = k.parent[name] {
		k.through[name] = true
		for _, other := range k.order { // the turn stands beside it
			if name[0] == 'c' && k.group[other] == k.group[name] {
				k.through[other] = true
				k.through["r"+other[1:]] = true
			}
		}
	}
	return k
}

func (k *talk) open(tb testing.TB) *ledger.Ledger {
	return open(tb, tt.New(sid).Tree(strings.Join(k.words, " ")).Bytes())
}

// TestHealthy: both policies find all of a healthy talk's way, each row once,
// parents first.
func TestHealthy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		k := drawTalk(r)
		l := k.open(t)
		for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
			c, err := l.Chain(p)
			if err != nil {
				r.Fatal(err)
			}
			got := strings.Fields(names(l, c.Rows))
			place := map[string]int{}
			for i, name := range got {
				if _, again := place[name]; again || !k.through[name] {
					r.Fatalf("%v: %s in %v of %v", p, name, got, k.words)
				}
				place[name] = i
			}
			for name := range k.through {
				i, ok := place[name]
				up, hasParent := place[k.parent[name]]
				if !ok || hasParent && up > i {
					r.Fatalf("%v: %s is missing or before its parent in %v of %v", p, name, got, k.words)
				}
			}
			if len(c.Findings) != 0 || len(c.Before) != 0 {
				r.Fatalf("%v: findings %v of %v", p, c.Findings, k.words)
			}
			branched(r, l, c)
		}
	})
}

// branched checks that each message is in the chain, before it or on a branch.
func branched(r *rapid.T, l *ledger.Ledger, c ledger.Chain) {
	on, in := map[ledger.ID]bool{}, map[ledger.ID]bool{}
	for _, i := range append(slices.Clone(c.Rows), c.Before...) {
		on[l.Rows[i].UUID], in[l.Rows[i].UUID] = true, true
	}
	for _, b := range c.Branches {
		rows := 0
		for i := b.Leaf; ; {
			if row := l.Rows[i]; !in[row.UUID] && (row.Kind == ledger.User || row.Kind == ledger.Assistant) {
				rows++
			}
			up, ok := l.Row(l.Rows[i].Parent)
			if !ok || in[l.Rows[up].UUID] {
				break
			}
			i = up
		}
		if rows != b.Rows {
			r.Fatalf("branch %+v has %d rows", b, rows)
		}
		for i, ok := b.Leaf, true; ok; i, ok = l.Row(l.Rows[i].Parent) {
			on[l.Rows[i].UUID] = true
		}
	}
	for _, row := range l.Rows {
		if (row.Kind == ledger.User || row.Kind == ledger.Assistant) && !on[row.UUID] && !row.Results && !row.Calls {
			r.Fatalf("%s is nowhere", l.Text(row.UUID))
		}
	}
}

// TestLostRows: a straight talk from which rows are lost, or whose links are, is
// all that is left of it for Keep, in order; the client has a part of that and
// says how much it lost.
func TestLostRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(r, "rows")
		gap := rapid.SampledFrom([]int{1000, 4000, 9000}).Draw(r, "gap")
		var lines, left []string
		b := tt.New(sid)
		for i := range n {
			name := fmt.Sprintf("%c%d", "ua"[i%2], i)
			word := name
			if i > 0 {
				word += fmt.Sprintf("<%c%d", "au"[i%2], i-1)
			}
			line := b.TreeRow(fmt.Sprintf("%s@%d", word, i*gap))
			switch rapid.IntRange(0, 9).Draw(r, "damage") {
			case 0: // lost
				continue
			case 1:
				line = line[:rapid.IntRange(1, 40).Draw(r, "cut")]
			case 2:
				line = strings.Repeat("\x00", rapid.IntRange(1, 9).Draw(r, "nuls")) + line
				left = append(left, name)
			default:
				left = append(left, name)
			}
			glue := "\n"
			if rapid.IntRange(0, 9).Draw(r, "glue") == 0 {
				glue = ""
			}
			lines = append(lines, line+glue)
		}
		l := open(t, []byte(strings.Join(lines, "")))
		keep, err := l.Chain(ledger.Keep)
		if len(left) == 0 {
			if !errors.Is(err, ledger.ErrNoConversation) {
				r.Fatalf("%v of nothing", err)
			}
			return
		}
		if got := names(l, keep.Rows); got != strings.Join(left, " ") {
			r.Fatalf("keep: %s\nleft: %s\n%q", got, strings.Join(left, " "), lines)
		}
		client, err := l.Chain(ledger.Client)
		if err != nil {
			return
		}
		lost := 0
		for _, f := range client.Findings {
			lost = max(lost, f.Rows)
		}
		below, err := l.ChainAt(ledger.Keep, l.Rows[client.Leaf].UUID)
		if err != nil || len(client.Rows)+lost != len(below.Rows) || !subset(client.Rows, below.Rows) {
			r.Fatalf("client: %s, lost %d\n  keep: %s, %v", names(l, client.Rows), lost, names(l, below.Rows), err)
		}
	})
}

func subset(small, big []int) bool {
	return !slices.ContainsFunc(small, func(i int) bool { return !slices.Contains(big, i) })
}

// TestAnything: rows that hang together in any way at all end no chain in a hang,
// no row comes twice, and Keep holds what it holds in an order that its parents
// allow.
func TestAnything(t *testing.T) {
	t.Parallel()
	kinds := "uuuaaacrytpmvbs"
	rapid.Check(t, func(r *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		var words []string
		names := []string{"gone"}
		pick := func() string { return names[rnd.IntN(len(names))] }
		for i := range rapid.IntRange(0, 30).Draw(r, "rows") {
			name := fmt.Sprintf("%c%d", kinds[rnd.IntN(len(kinds))], i)
			if rnd.IntN(12) == 0 {
				name = pick()
			}
			names = append(names, name)
			words = append(words, name)
		}
		for i, word := range words {
			if rnd.IntN(10) > 0 {
				word += "<" + names[max(0, min(len(names)-1, i+rnd.IntN(7)-5))]
			}
			word += []string{"", "", "", "", "!side", "!free", "@-", "@1", "#g", "#g", "=" + pick() + ":" + pick() + "," + pick(), "=" + pick() + ":" + pick() + ".." + pick()}[rnd.IntN(12)]
			words[i] = word
			if rnd.IntN(15) == 0 {
				words[i] += []string{" ->", " =>"}[rnd.IntN(2)] + pick()
			}
		}
		l := open(t, tt.New(sid).Tree(strings.Join(words, " ")).Bytes())
		for _, p := range []ledger.Policy{ledger.Client, ledger.Keep} {
			c, err := l.Chain(p)
			if err != nil && !errors.Is(err, ledger.ErrNoConversation) {
				r.Fatal(err)
			}
			whole(r, l, c)
			for i := range l.Rows {
				at, err := l.ChainAt(p, l.Rows[i].UUID)
				if err == nil {
					whole(r, l, at)
				}
			}
		}
	})
}

// whole checks what holds for every chain.
func whole(r *rapid.T, l *ledger.Ledger, c ledger.Chain) {
	seen := map[int]bool{}
	for _, i := range append(slices.Clone(c.Rows), c.Before...) {
		if i < 0 || i >= len(l.Rows) || seen[i] {
			r.Fatalf("%v: row %d is in %v or %v again", c.Policy, i, c.Rows, c.Before)
		}
		seen[i] = true
	}
	if len(c.Rows) > 0 && !slices.Contains(c.Rows, c.Leaf) {
		r.Fatalf("%v: leaf %d is not in %v", c.Policy, c.Leaf, c.Rows)
	}
	for _, b := range c.Branches {
		if b.Leaf < 0 || b.Leaf >= len(l.Rows) || b.Fork < -1 || b.Rows < 1 || seen[b.Leaf] || b.Fork >= 0 && !seen[b.Fork] {
			r.Fatalf("%v: branch %+v of %v and %v", c.Policy, b, c.Rows, c.Before)
		}
	}
	for _, f := range c.Findings {
		if f.Kind == "" || f.Line < 1 || f.Detail == "" || f.Rows < 0 || c.Policy == ledger.Keep && f.Rows > 0 {
			r.Fatalf("%v: finding %+v", c.Policy, f)
		}
	}
}
