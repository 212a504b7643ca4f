package runtime

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/transcript/ledger"
)

// skill is what an invoked skill told the model.
type skill struct{ name, text string }

// skillSet gathers skills that were invoked before a compaction. A compaction by
// the client repeats them in an attachment behind it, which is part of the
// conversation; one that does not would make the model forget them.
type skillSet struct {
	calls  map[string]string // name of the skill by the call that invoked it
	before []skill           // in order of the first invocation
	index  map[string]int    // of before, by name
	told   map[string]bool   // names that an attachment behind the compaction tells
}

// call takes a call of the tool that invokes skills, made before a compaction.
// One behind it does not count, though the conversation then tells the skill
// again: what a request begins with must not change by what comes later.
func (s *skillSet) call(id, name string) {
	if s.calls == nil {
		s.calls = map[string]string{}
	}
	s.calls[id] = name
}

// body takes the text that an invoked skill told the model, in a row of its own
// behind the result of the call (run with the client 2.1.332).
func (s *skillSet) body(_ *ledger.Row, m members) {
	name, ok := s.calls[m.source]
	if !ok {
		return
	}
	var text []string
	content := m.message.Get("content")
	if content.Type == gjson.String {
		text = append(text, content.Str)
	}
	content.ForEach(func(_, block gjson.Result) bool {
		if content.IsArray() && block.Get("type").Str == "text" {
			text = append(text, block.Get("text").Str)
		}
		return true
	})
	s.put(name, strings.Join(text, "\n"))
}

// listed takes an attachment with the skills that were invoked so far.
func (s *skillSet) listed(list gjson.Result, current bool) {
	if !list.IsArray() {
		return
	}
	list.ForEach(func(_, item gjson.Result) bool {
		name := item.Get("name").Str
		switch {
		case !current:
			s.put(name, item.Get("content").Str)
		case s.told == nil:
			s.told = map[string]bool{name: true}
		default:
			s.told[name] = true
		}
		return true
	})
}

// put notes what a skill says; what it said last holds.
func (s *skillSet) put(name, text string) {
	if name == "" || strings.TrimSpace(text) == "" {
		return
	}
	if i, there := s.index[name]; there {
		s.before[i].text = text
		return
	}
	if s.index == nil {
		s.index = map[string]int{}
	}
	s.index[name] = len(s.before)
	s.before = append(s.before, skill{name, text})
}

// skillsNote stands before skills that a compaction put out of the conversation.
const skillsNote = "These skills were used earlier in this session, before it was compacted. " +
	"They are here as background only: do not run them again."

// messages returns what the conversation no longer holds, in one user message.
func (s *skillSet) messages() ([]json.RawMessage, error) {
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	blocks := []block{{"text", skillsNote}}
	for _, k := range s.before {
		if !s.told[k.name] {
			blocks = append(blocks, block{"text", k.name + ":\n" + k.text})
		}
	}
	if len(blocks) == 1 {
		return nil, nil
	}
	message, err := json.Marshal(struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}{"user", blocks})
	return []json.RawMessage{message}, err
}
