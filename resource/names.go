package resource

import (
	"encoding/json"
	"strconv"

	"github.com/assentdev/assent/tool"
)

// maxNamed bounds how many ids of one call are looked up for people.
const maxNamed = 20

// hasLookups says whether values of a call are ids that a lookup can name.
func (d *Definition) hasLookups() bool {
	for _, f := range d.address.fields {
		if f.lookup != "" {
			return true
		}
	}
	if d.kind == ActionKind && d.action.payload.shape != nil {
		for _, p := range d.action.payload.shape.props {
			if p.lookup != "" {
				return true
			}
		}
	}
	return false
}

// names says what the ids among a call's arguments stand for, by the lookups
// that their fields name (SPEC R8). What cannot be named is left out.
func (a *App) names(c *Context, d *Definition) (list []tool.Named) {
	add := func(pointer, lookup, value string) {
		if lookup == "" || value == "" || len(list) == maxNamed {
			return
		}
		if label := a.nameOf(c, lookup, c.Params, value); label != "" && label != value {
			list = append(list, tool.Named{Pointer: pointer, Label: label})
		}
	}
	for _, f := range d.address.fields {
		add(pointer([]string{f.name}), f.lookup, c.Params[f.name])
	}
	if d.action.payload.shape == nil {
		return list
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(c.Payload, &values) != nil {
		return list
	}
	for _, p := range d.action.payload.shape.props {
		if p.lookup == "" {
			continue
		}
		for path, value := range ids(values[p.name]) {
			add(pointer(append([]string{p.name}, path...)), p.lookup, value)
		}
	}
	return list
}

// ids yields the strings of a value that is a string or a list of strings, each
// with its path.
func ids(raw json.RawMessage) func(yield func(path []string, value string) bool) {
	return func(yield func([]string, string) bool) {
		var one string
		if json.Unmarshal(raw, &one) == nil {
			yield(nil, one)
			return
		}
		var many []string
		if json.Unmarshal(raw, &many) != nil {
			return
		}
		for i, value := range many {
			if !yield([]string{strconv.Itoa(i)}, value) {
				return
			}
		}
	}
}

// nameOf asks a lookup what people call a value, as the caller of c; "" where it
// does not know. It takes the path of every call: who may not ask the lookup sees
// no label.
func (a *App) nameOf(c *Context, lookup string, params map[string]string, value string) string {
	l := a.lookup(lookup)
	if l == nil {
		return ""
	}
	r := a.do(a.asking(c, l, params, value), resolve)
	if len(r.Records) != 1 {
		return ""
	}
	return r.Records[0].Label
}

// Named is a value with what people call it: "Ann Smith (c_81)". A value that the
// lookup does not know, or may not be asked about by the caller, stands alone.
func (l LookupDef[A]) Named(c *Context, a A, value string) *TextNode {
	if label := c.app.nameOf(c, l.where(), l.address.paramsOf(a), value); label != "" && label != value {
		return Text(label + " (" + value + ")")
	}
	return Text(value)
}

// ask asks a lookup for a picker's records, as the caller of c.
func (a *App) ask(c *Context, lookup string, params map[string]string, query string) []Record {
	l := a.lookup(lookup)
	if l == nil {
		return nil
	}
	return a.do(a.asking(c, l, params, query), find).Records
}

// asking is the call of a lookup for the sake of another call, with those of
// that call's parameters that the lookup has.
func (a *App) asking(c *Context, l *Definition, params map[string]string, query string) *Context {
	own := make(map[string]string, len(l.address.fields))
	for _, f := range l.address.fields {
		if value, ok := params[f.name]; ok {
			own[f.name] = value
		}
	}
	return &Context{Context: c.Context, Caller: c.Caller, Kind: LookupKind, Resource: l.resource.name, Name: l.name, Params: own, Query: query}
}

// resolve is the step that finds the record of one value.
func resolve(a *App, d *Definition, c *Context) Result {
	if d.resolve == nil {
		r := find(a, d, c)
		for _, rec := range r.Records {
			if rec.Value == c.Query {
				r.Records = []Record{rec}
				return r
			}
		}
		r.Records = nil
		return r
	}
	rec, err := d.resolve(c, c.Query)
	if err != nil {
		return a.fail(c, err)
	}
	r := Result{Kind: Success, Status: 200, found: true}
	if rec != nil {
		r.Records = []Record{*rec}
	}
	return r
}
