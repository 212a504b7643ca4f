package runtime

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"coppice/transcript/ledger"
)

// Shape returns the system blocks and the tools of the newest request that the
// transcript records (api-request-shape, observed 0), as recorded. Both are
// empty where it records none: they are never made up.
func Shape(l *ledger.Ledger) (system, tools []json.RawMessage, err error) {
	for i := len(l.Records) - 1; i >= 0; i-- {
		record := l.Records[i]
		if record.Type != "api-request-shape" {
			continue
		}
		data, err := l.Bytes(record.Offset, record.Size)
		if err != nil {
			return nil, nil, err
		}
		if shape := gjson.GetBytes(data, "shape"); shape.IsObject() {
			return objects(shape.Get("system")), objects(shape.Get("tools")), nil
		}
	}
	return nil, nil, nil
}

// objects returns the objects of a list.
func objects(list gjson.Result) []json.RawMessage {
	var out []json.RawMessage
	if !list.IsArray() {
		return nil
	}
	list.ForEach(func(_, item gjson.Result) bool {
		if item.IsObject() && gjson.Valid(item.Raw) {
			out = append(out, json.RawMessage(item.Raw))
		}
		return true
	})
	return out
}
