package store

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// Change is what records of one stream do to the rows about it. Within a change
// each row is named once: the newest word counts. It is applied in the order of
// its fields.
type Change struct {
	Tenant    string
	Session   string // "": the records are not those of a session
	Principal string // whose grants they are, if not those of a session

	Started   *Session // a new row
	Mode      *policy.Mode
	Owner     *string
	Epoch     uint64 // with Owner
	Turn      *string
	Updated   int64 // 0: unchanged
	Closed    []string
	Approvals []Approval // opened
	Calls     []Call
	Revoked   []string
	Grants    []Grant
}

// Project makes of a stream's records what they change, and nil where nothing
// does. It is a pure function of them. Records whose payload is gone count as far
// as their headers tell. A record that cannot be read is fault.BadEvent.
func Project(tenant, stream string, recs []audit.Record) (*Change, error) {
	c := &Change{Tenant: tenant}
	one := c.inSession
	if id, ok := strings.CutPrefix(stream, audit.SessionStream("")); ok {
		c.Session = id
	} else if c.Principal, ok = principalOf(stream); ok {
		one = c.inBook
	} else {
		return nil, nil
	}
	for i := range recs {
		if err := one(&recs[i]); err != nil {
			return nil, fault.Wrap(err, fault.BadEvent, "stream %s: a %s event cannot be read: use the release that wrote it, or a later one", stream, recs[i].Type)
		}
	}
	return c, nil
}

// principalOf reads the name of a stream of a user's grants, which package engine
// writes.
func principalOf(stream string) (string, bool) {
	name, ok := strings.CutPrefix(stream, "user/")
	b, err := base64.RawURLEncoding.DecodeString(name)
	return Text(string(b)), ok && err == nil && len(b) > 0
}

// Text makes a name fit for a row: PostgreSQL's text holds no zero byte.
func Text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func (c *Change) inSession(r *audit.Record) error {
	switch r.Type {
	case "session.started", "session.owned", "mode.set", "turn.started", "turn.ended",
		"approval.asked", "approval.closed", "call.started", "call.unknown", "call.ended", "grant.revoked":
	default:
		return nil
	}
	var refs turn.Refs
	if err := json.Unmarshal(r.Header, &refs); err != nil {
		return err
	}
	if body := needed(r.Type); body != nil && r.State == audit.Whole {
		if err := json.Unmarshal(r.Payload, body); err != nil {
			return err
		}
		c.event(r, refs, body)
	} else if body == nil {
		c.event(r, refs, nil)
	}
	if r.State != audit.Whole && r.Type == "approval.closed" {
		c.close(refs.Approval)
	}
	return nil
}

// needed is what of an event's payload the rows need; nil: its header tells.
func needed(kind string) any {
	switch kind {
	case "session.started":
		return &turn.SessionStarted{}
	case "session.owned":
		return &turn.SessionOwned{}
	case "mode.set":
		return &turn.ModeSet{}
	case "approval.asked":
		return &asking{}
	case "approval.closed":
		return &closing{}
	case "grant.revoked":
		return &turn.GrantRevoked{}
	}
	return nil
}

type asking struct {
	Question turn.Question `json:"question"`
	Expires  int64         `json:"expires"`
}

type closing struct {
	State approval.State `json:"state"`
	Grant *policy.Grant  `json:"grant"`
}

func (c *Change) event(r *audit.Record, refs turn.Refs, body any) {
	switch b := body.(type) {
	case *turn.SessionStarted:
		c.Started = &Session{
			Tenant: c.Tenant, ID: c.Session, Agent: Text(b.Agent), Principal: Text(b.Principal), Mode: b.Mode, Started: r.Time,
		}
	case *turn.SessionOwned:
		owner := Text(b.Owner)
		c.Owner, c.Epoch = &owner, b.Epoch
	case *turn.ModeSet:
		c.Mode = &b.Mode
	case *asking:
		if b.Question != turn.WhatBecame { // then it is in doubt already
			c.call(r, refs, CallAsked)
		}
		c.Approvals = append(c.Approvals, Approval{
			Tenant: c.Tenant, ID: refs.Approval, Session: c.Session, Call: refs.Call, Tool: Text(refs.Tool), Class: classOf(refs.Class),
			Question: b.Question, Asked: r.Time, Expires: b.Expires,
		})
	case *closing:
		c.close(refs.Approval)
		if b.Grant != nil && b.State == approval.Approved && b.Grant.Scope != policy.ScopeUser { // that one is in the user's stream
			c.grant(r, *b.Grant)
		}
	case *turn.GrantRevoked:
		c.revoke(b.Grant)
		return
	default:
		if !c.byHeader(r, refs) {
			return
		}
	}
	c.Updated = r.Time
}

// byHeader does what an event's header tells, and says whether the session's row
// changed.
func (c *Change) byHeader(r *audit.Record, refs turn.Refs) bool {
	switch r.Type {
	case "turn.started":
		open := Text(refs.Turn)
		c.Turn = &open
		return true
	case "turn.ended":
		none := ""
		c.Turn = &none
		return true
	case "call.started":
		c.call(r, refs, CallStarted)
	case "call.unknown":
		c.call(r, refs, CallInDoubt)
	case "call.ended":
		c.call(r, refs, CallState(refs.State))
	}
	return false
}

func (c *Change) call(r *audit.Record, refs turn.Refs, state CallState) {
	c.Calls = slices.DeleteFunc(c.Calls, func(o Call) bool { return o.ID == refs.Call })
	c.Calls = append(c.Calls, Call{
		Tenant: c.Tenant, ID: refs.Call, Session: c.Session, Turn: Text(refs.Turn), Tool: Text(refs.Tool), Class: classOf(refs.Class),
		State: state, At: r.Time,
	})
}

func (c *Change) close(id string) {
	c.Approvals = slices.DeleteFunc(c.Approvals, func(a Approval) bool { return a.ID == id })
	c.Closed = append(c.Closed, id)
}

// inBook reads the stream of a user's grants.
func (c *Change) inBook(r *audit.Record) error {
	if r.State != audit.Whole || r.Type != "grant.made" && r.Type != "grant.revoked" {
		return nil // an erased grant grants nothing
	}
	var g policy.Grant
	if err := json.Unmarshal(r.Payload, &g); err != nil {
		return err
	}
	if r.Type == "grant.revoked" {
		c.revoke(g.ID)
	} else {
		c.grant(r, g)
	}
	return nil
}

func (c *Change) grant(r *audit.Record, g policy.Grant) {
	row := Grant{
		Tenant: c.Tenant, ID: g.ID, Session: c.Session, Principal: c.Principal, Scope: g.Scope, Kind: g.Kind, Source: Text(g.Source),
		Tool: Text(g.Name), Class: g.Class, Call: g.Call, By: Text(g.By), At: r.Time,
	}
	if !g.Expires.IsZero() {
		row.Expires = g.Expires.UnixMilli()
	}
	c.Grants = append(c.Grants, row)
}

func (c *Change) revoke(id string) {
	c.Grants = slices.DeleteFunc(c.Grants, func(g Grant) bool { return g.ID == id })
	c.Revoked = append(c.Revoked, id)
}

// classOf reads the word of a header: anything else counts as unknown.
func classOf(word string) policy.Class {
	class, _ := policy.ReadClass(word)
	return class
}
