//go:build lab

package lab_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/session"
	"coppice/session/lab"
	"coppice/transcript"
	"coppice/transcript/ledger"
	"coppice/transcript/writer"
)

// written is a session of our Writer, in the client's own tree.
type written struct {
	r    *room
	id   string
	path string
	w    *writer.Writer
	talk []writer.Message
}

func (r *room) write(id string) *written {
	path := filepath.Join(r.Root, "projects", session.Encode(r.repo), id+".jsonl")
	stamp := writer.Stamp{SessionID: id, Dir: r.repo, Branch: "main", Version: lab.Version, Entrypoint: "cli"}
	return &written{r: r, id: id, path: path, w: writer.Create(path, stamp)}
}

func (s *written) turn(c *writer.Compaction, list ...writer.Message) {
	s.r.t.Helper()
	s.talk = append(s.talk, list...)
	s.r.must(s.w.Turn(s.r.ctx(), s.talk, c))
}

// adopt goes on with the session as it is on disk.
func (s *written) adopt() {
	s.r.t.Helper()
	data, err := os.ReadFile(s.path)
	s.r.must(err)
	l, err := ledger.Read(s.r.ctx(), bytes.NewReader(data), int64(len(data)))
	s.r.must(err)
	c, err := l.Chain(ledger.Keep)
	s.r.must(err)
	stamp := writer.Stamp{SessionID: s.id, Dir: s.r.repo, Branch: "main", Version: lab.Version, Entrypoint: "cli"}
	s.w, err = writer.Adopt(s.path, stamp, l, c)
	s.r.must(err)
	s.talk = nil
	for _, i := range c.Rows {
		if r := l.Rows[i]; r.Kind == ledger.User || r.Kind == ledger.Assistant {
			role := map[ledger.Kind]string{ledger.User: "user", ledger.Assistant: "assistant"}[r.Kind]
			s.talk = append(s.talk, writer.Message{Role: role, Rows: []string{l.Text(r.UUID)}, Content: json.RawMessage(`"x"`)})
		}
	}
}

func said(text string) writer.Message {
	raw, _ := json.Marshal(text)
	return writer.Message{Role: "user", Content: raw, Mode: "default"}
}

func answered(id, text string, calls ...string) writer.Message {
	list := []map[string]any{{"type": "text", "text": text}}
	for _, call := range calls {
		list = append(list, map[string]any{
			"type": "tool_use", "id": call, "name": "Bash",
			"input": map[string]string{"command": "echo " + call, "description": "say it"},
		})
	}
	raw, _ := json.Marshal(list)
	stop := "end_turn"
	if len(calls) > 0 {
		stop = "tool_use"
	}
	return writer.Message{Role: "assistant", ID: id, Content: raw, Model: "claude-opus-5-5", Stop: stop}
}

func results(calls ...string) writer.Message {
	m := writer.Message{Role: "user", Results: map[string]json.RawMessage{}}
	var list []map[string]any
	for _, call := range calls {
		list = append(list, map[string]any{"type": "tool_result", "tool_use_id": call, "content": "said " + call})
		m.Results[call] = json.RawMessage(`{"stdout":"said ` + call + `","stderr":"","interrupted":false,"isImage":false}`)
	}
	m.Content, _ = json.Marshal(list)
	return m
}

// resumed has the client resume the session by what, ask, and end; it returns
// the conversation that the client sent, as role and text of each message.
func (s *written) resumed(what, see, name string) string {
	s.r.t.Helper()
	before, err := os.ReadFile(s.path)
	s.r.must(err)
	count := len(s.r.endpoint.Requests())
	term := s.r.open(s.r.repo, "--resume", what)
	s.r.must(term.See(s.r.ctx(), see))
	s.r.must(term.See(s.r.ctx(), " "+name+" ─"))
	s.r.must(term.Enter(s.r.ctx(), "and what now"))
	s.r.must(term.Wait(s.r.ctx(), "a request", func(string) bool { return len(s.r.endpoint.Requests()) > count }))
	s.r.must(term.See(s.r.ctx(), "Answer"))
	screen, err := term.Screen(s.r.ctx())
	s.r.must(err)
	if strings.Contains(screen, "API Error") {
		s.r.t.Errorf("the screen shows an error: %s", screen)
	}
	s.r.exit(term)
	after, err := os.ReadFile(s.path)
	s.r.must(err)
	if !bytes.HasPrefix(after, before) {
		s.r.t.Error("the client changed what was there")
	}
	return conversation(s.r.endpoint.Requests()[count].Messages)
}

// conversation is one line for each block, without what the client adds itself.
func conversation(messages []lab.Message) string {
	var lines []string
	for _, m := range messages {
		if m.Role == "system" {
			continue
		}
		var text string
		var list []struct {
			Type, Text, ID string
			CallID         string `json:"tool_use_id"`
			Content        json.RawMessage
		}
		if json.Unmarshal(m.Content, &text) == nil {
			lines = append(lines, m.Role+" "+text)
		}
		_ = json.Unmarshal(m.Content, &list)
		for _, b := range list {
			if !strings.HasPrefix(strings.TrimSpace(b.Text), "<system-reminder>") {
				line := m.Role + " " + strings.TrimSpace(b.Text+b.ID+b.CallID)
				if b.Type == "tool_result" {
					line += " " + strings.Trim(string(b.Content), `"`)
				}
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// The client resumes what the Writer wrote: parallel calls answered out of order,
// a compaction that keeps them, a title. The Writer goes on with what the client
// wrote, and the client with that.
func TestClientResumesWhatWeWrite(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.write("5d0e6f70-1a2b-4c3d-8e4f-0123456789ab")
	r.must(s.w.Side(writer.Mode(s.id, "normal"), writer.PermissionMode(s.id, "default")))
	s.turn(nil, said("a word: juniper"), answered("msg_w1", "it is forgotten later"))
	s.turn(nil, said("a word: hawthorn"), answered("msg_w2", "two commands", "toolu_w1", "toolu_w2"))
	s.turn(nil, results("toolu_w2", "toolu_w1"), answered("msg_w3", "both are done"))
	r.must(s.w.Side(transcript.TitleRecords(s.id, "written here")...))
	r.must(s.w.Leave())

	want := []string{
		"user a word: juniper", "assistant it is forgotten later",
		"user a word: hawthorn", "assistant two commands", "assistant toolu_w1", "assistant toolu_w2",
		"user toolu_w1 said toolu_w1", "user toolu_w2 said toolu_w2", "assistant both are done",
	}
	compare := func(got string, want []string) {
		t.Helper()
		if want := strings.Join(want, "\n") + "\nuser and what now"; sortResults(got) != sortResults(want) {
			t.Errorf("the client sent\n%s\nwant\n%s", got, want)
		}
	}
	compare(s.resumed(s.id, "both are done", "written here"), want)

	s.adopt() // with the client's turn behind ours
	kept := s.talk[2:]
	s.talk = append([]writer.Message{{Role: "user", Content: json.RawMessage(`"in short: a word was told"`), Summary: true}}, kept...)
	s.turn(&writer.Compaction{Trigger: "manual", PreTokens: 1000, PostTokens: 100}, said("a word: rowan"), answered("msg_w4", "three now"))
	r.must(s.w.Leave())
	got := s.resumed("written here", "three now", "written here")
	for _, word := range []string{"user in short: a word was told", "hawthorn", "said toolu_w1", "said toolu_w2", "and what now\n", "a word: rowan", "assistant three now"} {
		if !strings.Contains(got, word) {
			t.Errorf("%q is not in\n%s", word, got)
		}
	}
	if strings.Contains(got, "juniper") || !strings.HasPrefix(got, "user in short") {
		t.Errorf("the compaction does not hold:\n%s", got)
	}
}

// sortResults makes the order of the answers of one message of no account.
func sortResults(text string) string {
	a, b := "user toolu_w1 said toolu_w1", "user toolu_w2 said toolu_w2"
	return strings.Replace(text, b+"\n"+a, a+"\n"+b, 1)
}
