package assenttest

import (
	"encoding/json"
	"strings"

	"github.com/assentdev/assent/model"
)

// chatMessage is a message as it travels over the wire.
type chatMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []chatCall      `json:"tool_calls,omitempty"`
	CallID    string          `json:"tool_call_id,omitempty"`
	Name      string          `json:"name,omitempty"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// text returns the content: a string, or the texts of its parts.
func (m *chatMessage) text() string {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func (m *chatMessage) message() model.Message {
	out := model.Message{Role: model.Role(m.Role), Text: m.text(), CallID: m.CallID, Name: m.Name}
	for _, c := range m.ToolCalls {
		out.Calls = append(out.Calls, model.Call{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
	}
	return out
}

// assistant returns the wire form of an answer's message.
func assistant(m model.Message) chatMessage {
	out := chatMessage{Role: "assistant", Content: json.RawMessage("null")}
	if m.Text != "" || len(m.Calls) == 0 {
		out.Content = quote(m.Text)
	}
	for _, c := range m.Calls {
		w := chatCall{ID: c.ID, Type: "function"}
		w.Function.Name, w.Function.Arguments = c.Name, c.Args
		out.ToolCalls = append(out.ToolCalls, w)
	}
	return out
}

func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string always has a JSON form
	return b
}

// finishWord returns the API's word for a reason to stop.
func finishWord(f model.Finish) string {
	switch f {
	case model.FinishCalls:
		return "tool_calls"
	case model.FinishLength:
		return "length"
	case model.FinishFilter:
		return "content_filter"
	}
	return "stop"
}

// usageOf returns the API's form of a usage.
func usageOf(u model.Usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
		"prompt_tokens_details": map[string]any{"cached_tokens": u.Cached},
	}
}
