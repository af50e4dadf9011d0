package openai

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// rawForm is the member of model.Message.Raw under which this package keeps the
// wire form of an assistant message. Raw of another provider does not have it.
const rawForm = "openai.chat"

// body returns the JSON of a request. It is written once for all attempts. The
// tools are a copy of bytes encoded once per list, and messages are appended
// without a value in between, because both grow with a session and are sent
// again with each step.
func (m *Model) body(req *model.Request, usage bool) ([]byte, error) {
	tools, err := m.tools(req.Tools)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(m.head)+len(tools)+sizeOf(req)+256)
	b = append(b, m.head...)
	if usage {
		b = append(b, `,"stream_options":{"include_usage":true}`...)
	}
	if len(tools) > 0 {
		b = append(append(b, `,"tools":`...), tools...)
	}
	b = append(b, `,"messages":[`...)
	if req.System != "" {
		b = append(b, `{"role":"system","content":`...)
		b = append(appendString(b, req.System), '}', ',')
	}
	for i := range req.Messages {
		if b, err = appendMessage(b, &req.Messages[i]); err != nil {
			return nil, err
		}
		b = append(b, ',')
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, ']', '}'), nil
}

// sizeOf estimates the encoded messages, so that the body is allocated once.
func sizeOf(req *model.Request) int {
	n := len(req.System) + len(req.System)/16
	for i := range req.Messages {
		m := &req.Messages[i]
		n += 64 + len(m.Text) + len(m.Text)/16 + len(m.Raw)
		for _, c := range m.Calls {
			n += 96 + len(c.ID) + len(c.Name) + len(c.Args) + len(c.Args)/4
		}
	}
	return n
}

func appendMessage(b []byte, m *model.Message) ([]byte, error) {
	switch m.Role {
	case model.User:
		b = append(b, `{"role":"user","content":`...)
		return append(appendString(b, m.Text), '}'), nil
	case model.ToolRole:
		b = append(b, `{"role":"tool","tool_call_id":`...)
		b = append(appendString(b, m.CallID), `,"content":`...)
		return append(appendString(b, m.Text), '}'), nil
	case model.Assistant:
		if raw := verbatim(m); raw != nil {
			return append(b, raw...), nil
		}
		return appendAssistant(b, m), nil
	}
	return nil, fault.New(fault.Internal, "a message has the role %q: use user, assistant or tool", m.Role)
}

func appendAssistant(b []byte, m *model.Message) []byte {
	b = append(b, `{"role":"assistant","content":`...)
	if m.Text == "" && len(m.Calls) > 0 {
		b = append(b, "null"...)
	} else {
		b = appendString(b, m.Text)
	}
	if len(m.Calls) == 0 {
		return append(b, '}')
	}
	b = append(b, `,"tool_calls":[`...)
	for i, c := range m.Calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendCall(b, c), '}')
	}
	return append(b, ']', '}')
}

// appendCall appends a call without its closing brace. Empty argument text,
// which SPEC A5 reads as {}, is sent as {}: some servers refuse a history whose
// arguments are no JSON.
func appendCall(b []byte, c model.Call) []byte {
	b = append(b, `{"id":`...)
	b = append(appendString(b, c.ID), `,"type":"function","function":{"name":`...)
	b = append(appendString(b, c.Name), `,"arguments":`...)
	if c.Args == "" {
		c.Args = "{}"
	}
	return append(appendString(b, c.Args), '}')
}

// verbatim returns the wire form that m was read from, if this package wrote it
// and it still has the calls that m has. A session may have dropped calls that
// were not to be run; they must not be sent without a result.
func verbatim(m *model.Message) []byte {
	if len(m.Raw) == 0 || !json.Valid(m.Raw) {
		return nil
	}
	raw := member(m.Raw, rawForm)
	if raw == nil {
		return nil
	}
	var ids []string
	for call := range elements(member(raw, "tool_calls")) {
		ids = append(ids, text(member(call, "id")))
	}
	if !slices.EqualFunc(ids, m.Calls, func(id string, c model.Call) bool { return id == c.ID }) {
		return nil
	}
	return raw
}

// tools returns the tools in wire form, or nil if there are none.
func (m *Model) tools(t *model.Tools) ([]byte, error) {
	if len(t.List()) == 0 {
		return nil, nil
	}
	if m.strict {
		return t.Encoded("openai.chat strict", func(list []model.Tool) ([]byte, error) { return encodeTools(list, true) })
	}
	return t.Encoded("openai.chat", func(list []model.Tool) ([]byte, error) { return encodeTools(list, false) })
}

func encodeTools(list []model.Tool, strict bool) ([]byte, error) {
	b := []byte{'['}
	for i, t := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":"function","function":{"name":`...)
		b = appendString(b, t.Name)
		if t.Description != "" {
			b = appendString(append(b, `,"description":`...), t.Description)
		}
		var err error
		if b, err = appendParameters(b, t, strict); err != nil {
			return nil, err
		}
		b = append(b, '}', '}')
	}
	return append(b, ']'), nil
}

// appendParameters appends a tool's schema. A schema that strict mode cannot
// say without changing what a call may mean is offered as it is, not strict:
// one such tool must neither fail the request nor lose a way to be called.
func appendParameters(b []byte, t model.Tool, strict bool) ([]byte, error) {
	if len(t.Input) == 0 {
		return b, nil
	}
	if !json.Valid(t.Input) {
		return nil, fault.New(fault.BadTool, "tool %q: its input schema is no JSON", t.Name)
	}
	b = append(b, `,"parameters":`...)
	if strict {
		if s, err := shape(t.Input); err == nil {
			return append(s.append(b), `,"strict":true`...), nil
		}
	}
	buf := bytes.NewBuffer(b)
	if err := json.Compact(buf, t.Input); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
