package turn

import (
	"bytes"
	"encoding/json"
	"strings"
)

// clean returns text as the log gives it back: bytes that are no UTF-8 are
// replaced before anybody sees them, so that a session is the same when its log
// is read again. What a model wrote as arguments is kept whatever it is: see
// RawText.
func clean(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// compact returns JSON as the log gives it back. What is no JSON is left out,
// because the log could not hold it.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}
