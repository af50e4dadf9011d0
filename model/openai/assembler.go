package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assentdev/assent/model"
)

// maxCalls bounds the calls of one message.
const maxCalls = 1000

var (
	errNotJSON  = errors.New("an event is no JSON")
	errCalls    = errors.New("the message has more than 1000 calls")
	errStopped  = errors.New("the server gave the answer up")
	errNoAnswer = errors.New("the stream had no answer in it")
)

// assembler joins the events of one attempt to a message.
type assembler struct {
	x       *exchange
	events  int    // taken so far
	begun   bool   // a choice was seen
	choice  string // the index of the choice that is read: we ask for one
	text    []byte
	refused bool
	calls   []*call
	extra   extras // members of the message that its next request needs
	finish  string // the server's word; "" until it came
	usage   model.Usage
	name    string // the model's
}

// event takes one event: a chunk of a stream, or a whole answer.
func (a *assembler) event(data []byte) error {
	if !json.Valid(data) {
		return errNotJSON
	}
	a.events++
	for name, value := range members(data) {
		switch string(name) {
		case "choices":
			for choice := range elements(value) {
				if err := a.choose(choice); err != nil {
					return err
				}
			}
		case "usage":
			a.count(value)
		case "model":
			if a.name == "" {
				a.name = text(value)
			}
		case "error":
			if !isNull(value) {
				return serverError(0, value, a.x.m.key)
			}
		case "object":
			if string(value) == `"error"` {
				return serverError(0, data, a.x.m.key)
			}
		}
	}
	return nil
}

// choose takes one choice of an event. All but the first seen are ignored.
func (a *assembler) choose(choice []byte) error {
	index := member(choice, "index")
	if !a.begun {
		a.begun, a.choice = true, string(index)
	}
	if string(index) != a.choice {
		return nil
	}
	for name, value := range members(choice) {
		switch string(name) {
		case "delta", "message":
			if err := a.delta(value); err != nil {
				return err
			}
		case "finish_reason":
			if f := text(value); f != "" {
				a.finish = f
			}
		}
	}
	return nil
}

func (a *assembler) delta(delta []byte) error {
	for name, value := range members(delta) {
		switch string(name) {
		case "content":
			a.content(value)
		case "refusal":
			if isString(value) && len(value) > 2 {
				a.refused = true
				a.content(value)
			}
		case "tool_calls":
			for piece := range elements(value) {
				if err := a.call(piece); err != nil {
					return err
				}
			}
		case "reasoning_content", "reasoning_details":
			a.extra.add(string(name), value)
		}
	}
	return nil
}

// content takes a piece of text: a string, or a list of parts as some servers
// send it. What is emitted is UTF-8, and joined it is the text of the message.
func (a *assembler) content(v []byte) {
	if !isString(v) {
		for part := range elements(v) {
			if text(member(part, "type")) == "text" {
				a.content(member(part, "text"))
			}
		}
		return
	}
	from := len(a.text)
	if a.text = appendUnquoted(a.text, v); len(a.text) == from {
		return
	}
	if !utf8.Valid(a.text[from:]) {
		a.text = append(a.text[:from], bytes.ToValidUTF8(a.text[from:], []byte("\ufffd"))...)
	}
	a.x.piece(string(a.text[from:]))
}

func (a *assembler) count(usage []byte) {
	if isNull(usage) {
		return
	}
	number := func(v []byte) int64 {
		n, _ := strconv.ParseInt(string(v), 10, 64)
		return max(n, 0)
	}
	for name, value := range members(usage) {
		switch string(name) {
		case "prompt_tokens":
			a.usage.Input = number(value)
		case "completion_tokens":
			a.usage.Output = number(value)
		case "prompt_tokens_details":
			a.usage.Cached = number(member(value, "cached_tokens"))
		case "prompt_cache_hit_tokens":
			a.usage.Cached = number(value)
		}
	}
}

// answer returns the message. Done says that the server ended the stream or
// sent one whole answer; without it and without a reason to stop, the rest is
// missing.
func (a *assembler) answer(done bool) (*model.Answer, error) {
	switch {
	case a.finish == "" && !done:
		return nil, errCut
	case !a.begun:
		return nil, errNoAnswer
	}
	finish, err := finishOf(a.finish, len(a.calls) > 0)
	if err != nil {
		return nil, err
	}
	if a.refused {
		finish = model.FinishFilter
	}
	m := model.Message{Role: model.Assistant, Text: string(a.text)}
	a.name = cmp.Or(a.name, a.x.m.name)
	a.finishCalls(&m)
	return &model.Answer{Message: m, Finish: finish, Usage: a.usage, Model: a.name}, nil
}

// finishOf maps a server's word. Calls are to be run only behind a word that is
// known to mean a whole message: an unknown one counts as cut.
func finishOf(word string, calls bool) (model.Finish, error) {
	switch strings.ToLower(word) {
	case "", "stop", "tool_calls", "function_call", "tool_call", "tool_use", "end_turn", "eos", "eos_token", "stop_sequence", "complete":
		// Servers say stop beside calls, and tool_calls beside none.
		if calls {
			return model.FinishCalls, nil
		}
		return model.FinishStop, nil
	case "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii":
		return model.FinishFilter, nil
	case "error", "abort", "network_error", "insufficient_system_resource":
		return "", fmt.Errorf("%w: finish_reason %q", errStopped, word)
	case "length", "max_tokens", "model_length", "model_context_window_exceeded":
		return model.FinishLength, nil
	}
	if calls {
		return model.FinishLength, nil
	}
	return model.FinishStop, nil
}
