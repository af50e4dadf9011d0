package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/assentdev/assent/model"
)

// call is a tool call while its pieces arrive.
type call struct {
	index int // as the server counts; -1 where it does not
	id    string
	name  string
	args  []byte
	extra extras
	event int // the last one with a piece of it
}

// part is one piece of a call.
type part struct {
	index int // -1: not given
	id    string
	name  string
	args  []byte // JSON text: a string, or an object where a server does not quote it; nil
	extra []byte // extra_content; nil
}

func partOf(piece []byte) part {
	p := part{index: -1}
	for name, value := range members(piece) {
		switch string(name) {
		case "index":
			if n, err := strconv.Atoi(string(value)); err == nil && n >= 0 {
				p.index = n
			}
		case "id":
			p.id = text(value)
		case "function":
			p.name = text(member(value, "name"))
			p.args = member(value, "arguments")
		case "extra_content":
			p.extra = value
		}
	}
	return p
}

// call takes one piece of a call.
func (a *assembler) call(piece []byte) error {
	if !isObject(piece) {
		return nil
	}
	p := partOf(piece)
	c := a.find(p)
	if c == nil {
		if len(a.calls) == maxCalls {
			return errCalls
		}
		c = &call{index: p.index, id: p.id, name: p.name}
		a.calls = append(a.calls, c)
	} else if p.name != "" && p.name != c.name {
		c.name += p.name // a name in pieces
	}
	c.event = a.events
	if c.id == "" {
		c.id = p.id
	}
	switch {
	case isString(p.args):
		c.args = appendUnquoted(c.args, p.args)
	case p.args != nil && !isNull(p.args):
		c.args = append(c.args, p.args...)
	}
	if p.extra != nil {
		c.extra.add("extra_content", p.extra)
	}
	return nil
}

// find returns the call that p continues, or nil if p begins one. Servers say
// it by an index; some give none, some give every call the same one, some send
// an id with each piece, some send none at all. The rule: a piece with a name
// begins a call where the id is another, or where the call before cannot go on.
func (a *assembler) find(p part) *call {
	c := a.at(p)
	switch {
	case c == nil || p.name == "":
		return c
	case p.id != "" && c.id != "" && p.id != c.id:
		return nil
	case c.event == a.events: // one event has one piece of a call
		return nil
	case len(c.args) == 0:
		// An indexed piece may go on with the name; any may repeat it.
		if p.index < 0 && p.name != c.name {
			return nil
		}
		return c
	case json.Valid(c.args), p.name != c.name:
		return nil
	}
	return c
}

// at returns the newest call with the piece's index. Without an index it returns
// the newest with its id, or else the newest.
func (a *assembler) at(p part) *call {
	var newest *call
	for _, c := range slices.Backward(a.calls) {
		if p.index >= 0 && c.index == p.index || p.index < 0 && p.id != "" && c.id == p.id {
			return c
		}
		if newest == nil && p.index < 0 {
			newest = c
		}
	}
	return newest
}

// finishCalls puts the calls into m. A call without an id gets one that is the
// same whenever the same conversation is answered the same way.
func (a *assembler) finishCalls(m *model.Message) {
	said := !a.extra.empty()
	for i, c := range a.calls {
		if c.id == "" {
			c.id = fmt.Sprintf("call_%d_%d", len(a.x.req.Messages), i)
		}
		out := model.Call{ID: c.id, Name: c.name, Args: string(c.args)}
		if a.x.m.strict {
			out.Args = a.withoutNulls(out)
		}
		said = said || out.Args != string(c.args) || !c.extra.empty()
		m.Calls = append(m.Calls, out)
	}
	if said && len(m.Calls) > 0 {
		m.Raw = a.raw(m)
	}
}

func (a *assembler) withoutNulls(c model.Call) string {
	for _, t := range a.x.req.Tools.List() {
		if t.Name == c.Name {
			return withoutNulls(c.Args, t)
		}
	}
	return c.Args
}

// raw returns the message as the server sent it. Only messages with calls are
// kept so: servers that reason between calls want to see again what they
// thought, and refuse it elsewhere.
func (a *assembler) raw(m *model.Message) json.RawMessage {
	b := []byte(`{"` + rawForm + `":{"role":"assistant","content":`)
	if m.Text == "" {
		b = append(b, "null"...)
	} else {
		b = appendString(b, m.Text)
	}
	b = append(a.extra.append(b), `,"tool_calls":[`...)
	for i, c := range a.calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCall(b, model.Call{ID: c.id, Name: c.name, Args: string(c.args)})
		b = append(c.extra.append(b), '}')
	}
	return append(b, "]}}"...)
}

// extras are members that a server sends with a message and wants to see again:
// strings in pieces, lists in pieces, or a value at once.
type extras struct{ list []extra }

type extra struct {
	name   string
	text   []byte   // joined, if it is a string
	values [][]byte // the elements, if it is a list
	value  []byte   // else
}

func (e *extras) empty() bool { return len(e.list) == 0 }

func (e *extras) add(name string, v []byte) {
	if isNull(v) || string(v) == `""` {
		return
	}
	i := slices.IndexFunc(e.list, func(x extra) bool { return x.name == name })
	if i < 0 {
		i = len(e.list)
		e.list = append(e.list, extra{name: name})
	}
	x := &e.list[i]
	switch v[0] {
	case '"':
		x.text = appendUnquoted(x.text, v)
	case '[':
		for value := range elements(v) {
			x.values = append(x.values, value)
		}
	default:
		x.value = v
	}
}

// append appends the members, each with a comma before it.
func (e *extras) append(b []byte) []byte {
	for _, x := range e.list {
		b = append(appendString(append(b, ','), x.name), ':')
		switch {
		case x.text != nil:
			b = appendString(b, string(x.text))
		case x.values != nil:
			b = append(b, '[')
			for i, v := range x.values {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(b, v...)
			}
			b = append(b, ']')
		case x.value != nil:
			b = append(b, x.value...)
		default:
			b = append(b, "[]"...)
		}
	}
	return b
}
