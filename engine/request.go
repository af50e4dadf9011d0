package engine

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// request is what a person is asked: everything in it comes from the stored
// call, and nothing on its decision part was written by the model (SPEC P2).
func (l *session) request(a *turn.Approval, box *Toolbox) approval.Request {
	c := l.s.Call(a.Call)
	d := c.Decided
	scopes := approval.Scopes(a.Cap)
	r := approval.Request{
		ID: a.ID, Version: approval.Form, Session: l.id, Turn: l.s.Turn.ID, Call: c.ID, Agent: l.s.Agent, Principal: l.s.Principal,
		Tool:  approval.Tool{Name: d.Name, Wire: d.Wire, Title: d.Title, Source: tool.Source{Kind: d.Kind, Name: d.Source}, Pin: d.Pin},
		Class: approval.Class{Declared: d.Declared, Contract: d.Listed, Effective: d.Class},
		Mode:  d.Mode, Args: approval.Exact(c.Args), Digest: a.Digest, Filled: c.Filled, Extra: c.Extra,
		Preview: c.Preview(), NoPreview: d.NoView, Why: []approval.Why{approval.Because(d.Decision)}, Similar: a.Similar, ModelText: l.modelText(),
		Scopes: scopes, Allowed: approval.Choices(scopes, c.Undoes == ""),
		CreatedAt: time.UnixMilli(a.At).UTC(),
	}
	if c.Edited != nil {
		r.Changed = changed(c.Edited.From, c.Args)
		r.Why = append(r.Why, approval.Why{Code: approval.WhyEdited})
	}
	if a.Question == turn.WhatBecame {
		r.Lost, r.Allowed, r.Scopes, r.Preview, r.NoPreview = true, approval.LostChoices(), nil, nil, ""
		r.Why = []approval.Why{{Code: approval.WhyLost}}
	}
	if a.Expires != 0 {
		r.ExpiresAt = time.UnixMilli(a.Expires).UTC()
	}
	if e := box.byWire[c.Wire]; e != nil {
		r.Tool.Description = e.def.Description
		if c.Undoes == "" {
			r.Schema = e.schema
		}
	}
	return r
}

// modelText is what the model wrote beside its calls: a claim. While a question
// is open, the message that asked for the call is the newest.
func (l *session) modelText() string {
	n := len(l.s.Messages)
	if k := l.s.Turn.Kind; n == 0 || k == turn.ByCall || k == turn.ByUndo {
		return ""
	}
	return l.s.Messages[n-1].Text
}

// changed returns the pointers of the top-level arguments that a person changed
// or added.
func changed(from, to []byte) (pointers []string) {
	var was, is map[string]json.RawMessage
	if json.Unmarshal(from, &was) != nil || json.Unmarshal(to, &is) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if !bytes.Equal(was[name], is[name]) {
			pointers = append(pointers, "/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
		}
	}
	return pointers
}
