package scripted

import (
	"bytes"
	"encoding/json"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// ReadRecording reads a conversation that was kept as a JSON list of chat
// completions messages. Messages of the system become System. An error has code
// fault.BadConfig and names the message.
func ReadRecording(data []byte) (*Recording, error) {
	var list []chatMessage
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&list); err != nil {
		return nil, fault.Wrap(err, fault.BadConfig, "the recording is no list of messages")
	}
	if d.More() {
		return nil, fault.New(fault.BadConfig, "the recording has text behind its list")
	}
	r := &Recording{}
	for i, m := range list {
		switch role := model.Role(m.Role); role {
		case "system", "developer":
			if r.System != "" {
				r.System += "\n\n"
			}
			r.System += m.Content
		case model.User, model.Assistant, model.ToolRole:
			r.Messages = append(r.Messages, m.message())
		default:
			return nil, fault.New(fault.BadConfig, "the recording's message %d has the role %q: use system, user, assistant or tool", i, m.Role)
		}
	}
	return r, nil
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"` // null is ""
	Calls   []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	CallID string `json:"tool_call_id"`
	Name   string `json:"name"`
}

func (m *chatMessage) message() model.Message {
	out := model.Message{Role: model.Role(m.Role), Text: m.Content, CallID: m.CallID, Name: m.Name}
	for _, c := range m.Calls {
		out.Calls = append(out.Calls, model.Call{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
	}
	return out
}
