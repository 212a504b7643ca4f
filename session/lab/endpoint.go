package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Endpoint stands in for the service that the client talks to. What the newest
// prompt holds decides the reply:
//
//	RUN:{command}  call the Bash tool; several make parallel calls
//	ASK:{question} call the tool that asks the person
//	HOLD           no answer until Close, or until the client gives up
//	FAIL:529       an error with this status
//
// Anything else is repeated, and tool results are acknowledged.
type Endpoint struct {
	URL    string
	server *http.Server
	closed chan struct{}

	serving sync.WaitGroup

	mu       sync.Mutex
	count    int
	requests []Request
}

// Request is the body of a request for a message.
type Request struct {
	Model    string
	Messages []Message
	Stream   bool
	Tools    []struct{ Name string }
}

// Message is one message of a request.
type Message struct {
	Role    string
	Content json.RawMessage
}

// block is a part of a message.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// StartEndpoint starts an endpoint on a free loopback port.
func StartEndpoint() (*Endpoint, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start endpoint: %w", err)
	}
	e := &Endpoint{URL: "http://" + listener.Addr().String(), closed: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", e.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": n / 4})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound) })
	e.server = &http.Server{Handler: mux}
	e.serving.Go(func() { _ = e.server.Serve(listener) })
	return e, nil
}

// Close ends the endpoint and every reply that is held.
func (e *Endpoint) Close() {
	close(e.closed)
	_ = e.server.Close()
	e.serving.Wait()
}

// Requests returns the requests for messages so far, in order.
func (e *Endpoint) Requests() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Request(nil), e.requests...)
}

func (e *Endpoint) messages(w http.ResponseWriter, r *http.Request) {
	var req Request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		refuse(w, http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.count++
	n := e.count
	e.requests = append(e.requests, req)
	e.mu.Unlock()

	text, results := newest(req.Messages)
	if m := regexp.MustCompile(`FAIL:(\d{3})`).FindStringSubmatch(text); m != nil {
		status, _ := strconv.Atoi(m[1])
		refuse(w, status)
		return
	}
	if strings.Contains(text, "HOLD") {
		select {
		case <-e.closed:
		case <-r.Context().Done():
		}
		return
	}
	reply(w, req, n, script(n, text, results))
}

// script decides the parts of a reply.
func script(n int, text string, results bool) []block {
	if results {
		return []block{{Type: "text", Text: fmt.Sprintf("Noted %d.", n)}}
	}
	if m := regexp.MustCompile(`ASK:\{(.*?)\}`).FindStringSubmatch(text); m != nil {
		option := func(label string) map[string]string {
			return map[string]string{"label": label, "description": "scripted"}
		}
		input, _ := json.Marshal(map[string]any{"questions": []any{map[string]any{
			"question": m[1], "header": "Scripted", "multiSelect": false, "options": []any{option("First"), option("Second")},
		}}})
		return []block{{Type: "tool_use", ID: fmt.Sprintf("toolu_%020d", n), Name: "AskUserQuestion", Input: input}}
	}
	calls := regexp.MustCompile(`RUN:\{(.*?)\}`).FindAllStringSubmatch(text, -1)
	if len(calls) == 0 {
		last := text[max(0, len(text)-60):]
		return []block{{Type: "text", Text: fmt.Sprintf("Answer %d to: %s", n, strings.ToValidUTF8(strings.ReplaceAll(last, "\n", " "), ""))}}
	}
	blocks := []block{{Type: "text", Text: fmt.Sprintf("Calling %d.", n)}}
	for i, call := range calls {
		input, _ := json.Marshal(map[string]string{"command": call[1], "description": "scripted"})
		blocks = append(blocks, block{Type: "tool_use", ID: fmt.Sprintf("toolu_%010d%010d", n, i), Name: "Bash", Input: input})
	}
	return blocks
}

// newest returns the text of the newest user message, and whether it holds
// results of tools.
func newest(messages []Message) (text string, results bool) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != "user" {
			continue
		}
		if json.Unmarshal(messages[i].Content, &text) == nil {
			return text, false
		}
		var blocks []block
		_ = json.Unmarshal(messages[i].Content, &blocks)
		var parts []string
		for _, b := range blocks {
			if b.Type == "text" {
				parts = append(parts, b.Text)
			}
			results = results || b.Type == "tool_result"
		}
		return strings.Join(parts, "\n"), results
	}
	return "", false
}

// reply sends a message, as a stream where one was asked for.
func reply(w http.ResponseWriter, req Request, n int, blocks []block) {
	stop := "end_turn"
	if blocks[len(blocks)-1].Type == "tool_use" {
		stop = "tool_use"
	}
	usage := map[string]int{"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 7}
	message := map[string]any{
		"id": fmt.Sprintf("msg_%020d", n), "type": "message", "role": "assistant", "model": req.Model, "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage,
	}
	if !req.Stream {
		writeJSON(w, http.StatusOK, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	message["content"], message["stop_reason"] = []block{}, nil
	event(w, "message_start", map[string]any{"message": message})
	for i, b := range blocks {
		delta := map[string]any{"type": "text_delta", "text": b.Text}
		if b.Type == "tool_use" {
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(b.Input)}
			b.Input = json.RawMessage("{}")
		}
		start := map[string]any{"type": b.Type, "text": ""}
		if b.Type == "tool_use" {
			start = map[string]any{"type": b.Type, "id": b.ID, "name": b.Name, "input": b.Input}
		}
		event(w, "content_block_start", map[string]any{"index": i, "content_block": start})
		event(w, "content_block_delta", map[string]any{"index": i, "delta": delta})
		event(w, "content_block_stop", map[string]any{"index": i})
	}
	event(w, "message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	event(w, "message_stop", map[string]any{})
}

// event sends one server-sent event.
func event(w http.ResponseWriter, name string, data map[string]any) {
	data["type"] = name
	raw, _ := json.Marshal(data)
	_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, raw)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func refuse(w http.ResponseWriter, status int) {
	writeJSON(w, status, map[string]any{"type": "error", "error": map[string]string{"type": "scripted_error", "message": "scripted"}})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
