// Package model is the narrow interface between a session and a model: one
// request in, a stream of pieces and one whole message out.
//
// Providers live in sub-packages. What a provider needs, such as its shaping of
// schemas, happens there and never changes what a session stores.
package model

import (
	"context"
	"encoding/json"
	"sync"
)

// Role says who speaks in a message.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Call is one tool call as the model wrote it. Nothing in it has been checked.
type Call struct {
	ID   string `json:"id"`   // the provider's id: not unique (SPEC S2)
	Name string `json:"name"` // a wire name
	Args string `json:"args"` // JSON text, exactly as written
}

// Message is one message of a conversation.
type Message struct {
	Role   Role   `json:"role"`
	Text   string `json:"text,omitempty"`
	Calls  []Call `json:"calls,omitempty"`   // Assistant
	CallID string `json:"call_id,omitempty"` // ToolRole: the provider's id of the call it answers
	Name   string `json:"name,omitempty"`    // ToolRole: the wire name of that call's tool
	// Raw is the provider's own form of an assistant message, kept verbatim where
	// it says more than Text and Calls. A provider that did not write it ignores it.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// Tool is a tool as a model sees it.
type Tool struct {
	Name        string // the wire name
	Description string
	Input       json.RawMessage // a JSON Schema with an object at the root
}

// Tools is the immutable list that a request offers. Requests of one session
// share one *Tools, so that a provider encodes it once: see Encoded.
type Tools struct {
	list []Tool
	mu   sync.Mutex
	enc  map[string][]byte
}

// NewTools returns the list of tools. The caller must not change it afterwards.
func NewTools(list []Tool) *Tools { return &Tools{list: list} }

// List returns the tools in the order in which they are offered. A nil *Tools has none.
func (t *Tools) List() []Tool {
	if t == nil {
		return nil
	}
	return t.list
}

// Encoded returns the list in a provider's own form. It calls encode once for
// each form and keeps what it returned; an error is returned and not kept. The
// caller must not change the bytes. It is safe for concurrent use. A nil *Tools
// keeps nothing: it calls encode with no tools each time.
func (t *Tools) Encoded(form string, encode func([]Tool) ([]byte, error)) ([]byte, error) {
	if t == nil {
		return encode(nil)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := t.enc[form]; ok {
		return b, nil
	}
	b, err := encode(t.list)
	if err != nil {
		return nil, err
	}
	if t.enc == nil {
		t.enc = map[string][]byte{}
	}
	t.enc[form] = b
	return b, nil
}

// Request asks a model for the next message. A model only reads it.
type Request struct {
	System   string // "" for none
	Messages []Message
	Tools    *Tools // nil for none
}

// Delta is a piece of an answer while it streams. The pieces since the last
// Reset, joined, are the text of the message.
type Delta struct {
	Text string
	// Reset says that this attempt was given up and that all earlier pieces of
	// this request are void: a new attempt begins. Text is empty then.
	Reset bool
}

// Usage counts tokens. Zero means that the provider did not say.
type Usage struct {
	Input  int64 `json:"input,omitempty"`
	Output int64 `json:"output,omitempty"`
	Cached int64 `json:"cached,omitempty"` // the part of Input that came from a cache
}

// Finish says why a model stopped.
type Finish string

// The reasons to stop. A provider maps its own words to these.
const (
	FinishStop   Finish = "stop"   // the message is whole
	FinishCalls  Finish = "calls"  // the message asks for tool calls
	FinishLength Finish = "length" // cut: its calls are not to be run
	FinishFilter Finish = "filter" // the provider withheld it
)

// Answer is a whole message with its accounts.
type Answer struct {
	Message  Message
	Finish   Finish
	Usage    Usage
	Model    string // the name that the provider reported
	Attempts int    // requests it took, 1 without a retry
}

// Model answers requests. Implementations are safe for concurrent use.
//
// Generate calls emit for each piece, in order and from one goroutine at a time,
// and returns the whole message. A nil emit drops the pieces. It returns ctx's
// error, or one with code fault.ModelFailed, or another code where the request
// itself is wrong; then the message does not exist. It may try again by itself,
// because asking a model has no side effect; once it has returned it asks no more.
type Model interface {
	Generate(ctx context.Context, req *Request, emit func(Delta)) (*Answer, error)
}
