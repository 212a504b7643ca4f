package writer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// timeLayout is how the client writes times.
const timeLayout = "2006-01-02T15:04:05.000Z"

func stampTime(at time.Time) string { return at.UTC().Format(timeLayout) }

// The rows have the client's members in the client's order (observed 0, A.5).

// head is how every row begins.
type head struct {
	Parent    *string `json:"parentUuid"` // null for a root
	Logical   string  `json:"logicalParentUuid,omitempty"`
	Sidechain bool    `json:"isSidechain"`
	PromptID  string  `json:"promptId,omitempty"`
	AgentID   string  `json:"agentId,omitempty"`
}

// foot is how every row ends.
type foot struct {
	UserType   string `json:"userType"`
	Entrypoint string `json:"entrypoint,omitempty"`
	Dir        string `json:"cwd"`
	SessionID  string `json:"sessionId"`
	Version    string `json:"version"`
	Branch     string `json:"gitBranch,omitempty"`
}

type userRow struct {
	head
	Type    string `json:"type"`
	Message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Visible   bool            `json:"isVisibleInTranscriptOnly,omitempty"`
	Summary   bool            `json:"isCompactSummary,omitempty"`
	Meta      bool            `json:"isMeta,omitempty"`
	RowSource string          `json:"rowSource,omitempty"`
	UUID      string          `json:"uuid"`
	Time      string          `json:"timestamp"`
	Mode      string          `json:"permissionMode,omitempty"`
	Origin    *origin         `json:"origin,omitempty"`
	Prompt    string          `json:"promptSource,omitempty"`
	Turn      string          `json:"turnOrigin,omitempty"`
	Result    json.RawMessage `json:"toolUseResult,omitempty"`
	Source    string          `json:"sourceToolAssistantUUID,omitempty"`
	foot
}

type origin struct {
	Kind string `json:"kind"`
}

type assistantRow struct {
	head
	Message struct {
		ID      string            `json:"id"`
		Type    string            `json:"type"`
		Role    string            `json:"role"`
		Model   string            `json:"model"`
		Content []json.RawMessage `json:"content"`
		Stop    *string           `json:"stop_reason"`
		StopSeq *string           `json:"stop_sequence"`
		Usage   json.RawMessage   `json:"usage"`
	} `json:"message"`
	Index int    `json:"apiBlockIndex"`
	Model string `json:"requestedModel,omitempty"`
	Type  string `json:"type"`
	UUID  string `json:"uuid"`
	Time  string `json:"timestamp"`
	By    string `json:"madeBy"`
	foot
}

type boundaryRow struct {
	head
	Type     string   `json:"type"`
	Subtype  string   `json:"subtype"`
	Content  string   `json:"content"`
	Level    string   `json:"level"`
	Metadata metadata `json:"compactMetadata"`
	UUID     string   `json:"uuid"`
	Time     string   `json:"timestamp"`
	foot
}

type metadata struct {
	Trigger    string    `json:"trigger"`
	PreTokens  int       `json:"preTokens"`
	PostTokens int       `json:"postTokens,omitempty"`
	Segment    *segment  `json:"preservedSegment,omitempty"`
	Messages   *messages `json:"preservedMessages,omitempty"`
}

type segment struct {
	Head   string `json:"headUuid"`
	Anchor string `json:"anchorUuid"`
	Tail   string `json:"tailUuid"`
}

type messages struct {
	Anchor string   `json:"anchorUuid"`
	UUIDs  []string `json:"uuids"`
	All    []string `json:"allUuids"`
}

// noUsage stands where nothing is known of what a message cost.
const noUsage = `{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}`

// encode is transcript.Encode for records that hold JSON of somebody else's.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a record: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// valid returns JSON in valid UTF-8, as it stands in a transcript.
func valid(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}
