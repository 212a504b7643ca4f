package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Protocol is the version of what hosts and viewers say to each other. Hosts go on
// with the one that they were started with; whoever speaks another can look at and
// end them, but not show them.
const Protocol = 1

// ErrVersion is what a *VersionError matches.
var ErrVersion = errors.New("the host speaks another protocol")

// VersionError is returned for a host that another version of the program started.
type VersionError struct {
	Host     string
	Protocol int
}

func (e *VersionError) Error() string {
	age := "an older"
	if e.Protocol > Protocol {
		age = "a newer"
	}
	return fmt.Sprintf("host %s was started by %s version of this program (protocol %d, this is %d): "+
		"its agent goes on; end it and resume its session to have it here", e.Host, age, e.Protocol, Protocol)
}

// Is reports whether the target is ErrVersion.
func (e *VersionError) Is(target error) bool { return target == ErrVersion }

// patience bounds the exchange of hellos.
const patience = 5 * time.Second

// hello is the first thing that both sides say. A viewer's has no Info.
type hello struct {
	Protocol int  `json:"protocol"`
	Info     Info `json:"info,omitzero"`
}

// readHello reads a hello. What it has beyond ours is passed over.
func readHello(f *frames) (hello, error) {
	k, payload, err := f.next()
	if err != nil {
		return hello{}, err
	}
	var h hello
	if k != kindHello {
		return h, fmt.Errorf("%w: no hello", errFrame)
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(payload, &h); err != nil && !errors.As(err, &wrong) {
		return h, fmt.Errorf("%w: %w", errFrame, err)
	}
	return h, nil
}

// frameOf writes a value as the payload of a frame.
func frameOf(k kind, value any) []byte {
	payload, err := json.Marshal(value)
	if err != nil { // our own types always can be written
		payload = []byte("{}")
	}
	return appendFrame(nil, k, payload)
}
