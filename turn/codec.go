package turn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
)

// Version is the version of the payloads that this package writes. Decode reads
// this one and every earlier one.
const Version = 1

func newBody(t Type) Body {
	switch t {
	case "session.started":
		return &SessionStarted{}
	case "session.owned":
		return &SessionOwned{}
	case "mode.set":
		return &ModeSet{}
	case "turn.started":
		return &TurnStarted{}
	case "tools.offered":
		return &ToolsOffered{}
	case "model.answered":
		return &ModelAnswered{}
	case "call.decided":
		return &Decided{}
	case "approval.asked":
		return &Asked{}
	case "approval.closed":
		return &ApprovalClosed{}
	case "answer.ignored":
		return &AnswerIgnored{}
	case "grant.revoked":
		return &GrantRevoked{}
	case "call.started":
		return &CallStarted{}
	case "call.ended":
		return &CallEnded{}
	case "call.unknown":
		return &CallUnknown{}
	case "notice":
		return &Noticed{}
	case "turn.stopping":
		return &StopAsked{}
	case "turn.ended":
		return &TurnEnded{}
	}
	return nil
}

// Encode returns the header and the payload of an event. JSON that the event
// holds, such as canonical arguments, stands in the payload byte for byte.
func (e Event) Encode() (header, payload []byte, err error) {
	if header, err = encode(e.Refs); err != nil {
		return nil, nil, err
	}
	payload, err = encode(e.Body)
	return header, payload, err
}

// encode is json.Marshal without its escapes for HTML, which would change the
// bytes of the arguments that are embedded.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// RawText is text that a model wrote. Its JSON form is a string, or an object
// with the bytes in base64 where they are no UTF-8, so that nothing is replaced.
type RawText string

type rawBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON keeps every byte.
func (t RawText) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return encode(string(t))
	}
	return encode(rawBytes{[]byte(t)})
}

// UnmarshalJSON reads both forms.
func (t *RawText) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var raw rawBytes
		err := json.Unmarshal(b, &raw)
		*t = RawText(raw.Base64)
		return err
	}
	return json.Unmarshal(b, (*string)(t))
}

// Decode reads an event back. An unknown type, a newer version, or a payload
// that is not its own form is an error with code fault.BadJournal.
func Decode(t Type, version int, at int64, header, payload []byte) (Event, error) {
	body := newBody(t)
	if body == nil || version < 1 || version > Version {
		return Event{}, fault.New(fault.BadJournal, "event %q version %d is not known to this release: use the release that wrote it, or a later one", t, version)
	}
	e := Event{At: at, Body: body}
	if err := json.Unmarshal(header, &e.Refs); err != nil {
		return Event{}, fault.Wrap(err, fault.BadJournal, "the header of a %s event is not readable", t)
	}
	if err := json.Unmarshal(payload, body); err != nil {
		return Event{}, fault.Wrap(err, fault.BadJournal, "the payload of a %s event is not readable", t)
	}
	return e, nil
}

// String names the event and its references, for traces.
func (e Event) String() string {
	return fmt.Sprintf("%s %+v", e.Body.Type(), e.Refs)
}
