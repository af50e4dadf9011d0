package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/turn"
)

// History is a session that goes on at random: a model, people, a clock and
// drivers that come and go say what they may say. The machine is the real one, so
// its log is such as a server writes. What the machine says of the session is the
// oracle for the rows about it.
type History struct {
	S   *turn.Session
	id  string
	rng *rand.Rand
	w   *turn.World
	n   int
}

// shelf is a tool of each class.
type shelf []*turn.Tool

func newShelf() (list shelf) {
	for _, c := range []struct {
		name  string
		class policy.Class
	}{{"get", policy.Read}, {"put", policy.Write}, {"drop", policy.Destructive}} {
		list = append(list, &turn.Tool{
			Tool: policy.Tool{Kind: policy.Host, Name: c.name, Pin: "p1", Class: c.class}, Wire: c.name,
			Check: func(raw []byte) (schema.Args, error) {
				return schema.Args{Canonical: slices.Clone(raw), Digest: "d" + string(raw)}, nil
			},
		})
	}
	return list
}

func (s shelf) All() []*turn.Tool { return s }

func (s shelf) Lookup(wire string) (*turn.Tool, bool) {
	i := slices.IndexFunc(s, func(t *turn.Tool) bool { return t.Wire == wire })
	if i < 0 {
		return nil, false
	}
	return s[i], true
}

// NewHistory returns a session that has not begun. The same seed gives the same
// history.
func NewHistory(t testing.TB, id string, seed uint64) *History {
	t.Helper()
	p, err := policy.Compile(&policy.Document{Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	h := &History{S: turn.New(nil), id: id, rng: rand.New(rand.NewPCG(seed, 1))}
	h.w = &turn.World{
		Now: time.UnixMilli(1_780_000_000_000), Epoch: 1, Policy: p, Tools: newShelf(), Limits: turn.Limits{Denials: 9},
		NewID: func(kind string) string { h.n++; return fmt.Sprintf("%s_%s_%d", kind, id, h.n) },
	}
	return h
}

// Step lets one thing happen, and returns its events as drafts: none where it
// changed nothing.
func (h *History) Step(t testing.TB) []audit.Draft {
	t.Helper()
	h.w.Now = h.w.Now.Add(time.Duration(1+h.rng.IntN(4000)) * time.Millisecond)
	h.w.Wait = time.Duration(h.rng.IntN(2)) * 10 * time.Second
	events, _ := h.S.Handle(h.input(), h.w) // what is refused changes nothing
	for done := 0; done < len(events); done++ {
		if err := h.S.Apply(events[done]); err != nil {
			t.Fatal(err)
		}
		if b, ok := events[done].Body.(*turn.SessionOwned); ok {
			h.w.Epoch = b.Epoch
		}
		if done == len(events)-1 {
			events = append(events, h.S.Next(h.w)...)
		}
	}
	return Drafts(t, events...)
}

// Drafts makes drafts of events, as package engine does.
func Drafts(t testing.TB, events ...turn.Event) (list []audit.Draft) {
	t.Helper()
	for _, e := range events {
		header, payload, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, audit.Draft{Type: string(e.Body.Type()), Version: turn.Version, Time: time.UnixMilli(e.At), Header: header, Payload: payload})
	}
	return list
}

func (h *History) input() turn.Input {
	if h.S.ID == "" {
		return turn.Begin{
			Session: h.id, Agent: []string{"support", "shop"}[h.rng.IntN(2)], Principal: []string{"alice", "bob", "z\x00e"}[h.rng.IntN(3)], Owner: "m1/owner_1",
			Mode: []policy.Mode{policy.Ask, policy.Auto}[h.rng.IntN(2)],
		}
	}
	switch h.rng.IntN(20) {
	case 0:
		return turn.Own{Owner: fmt.Sprintf("m%d/owner_%d", 1+h.rng.IntN(3), h.n)}
	case 1:
		return turn.SetMode{Mode: []policy.Mode{policy.Ask, policy.Ask, policy.Auto, policy.ReadOnly}[h.rng.IntN(4)], By: "alice"}
	case 2:
		return turn.Stop{By: "alice"}
	case 3:
		h.w.Now = h.w.Now.Add(11 * time.Second) // what expires, expires
		return turn.Tick{}
	case 4:
		if len(h.S.Grants) > 0 {
			return turn.Revoke{Grant: h.S.Grants[h.rng.IntN(len(h.S.Grants))].ID}
		}
	}
	if !h.S.Turn.Open() {
		if h.rng.IntN(3) == 0 {
			return turn.Direct{Wire: h.tool(), Args: `{"id":1}`}
		}
		return turn.Say{Text: "go on"}
	}
	return h.inTurn(h.S.Wants(h.w))
}

func (h *History) tool() string { return []string{"get", "put", "drop", "none"}[h.rng.IntN(4)] }

func (h *History) inTurn(want turn.Wants) turn.Input {
	switch {
	case len(want.Run) > 0 && h.rng.IntN(2) == 0:
		c := want.Run[h.rng.IntN(len(want.Run))]
		return turn.Finished{Call: c.ID, Attempt: c.Attempt, Kind: turn.FinishKind(h.rng.IntN(4)), Text: "result"}
	case len(want.Open) > 0 && h.rng.IntN(3) > 0:
		return h.answer(want.Open[h.rng.IntN(len(want.Open))])
	case want.Model:
		a := &model.Answer{Message: model.Message{Role: model.Assistant, Text: "well"}, Finish: model.FinishStop, Attempts: 1}
		for i := range h.rng.IntN(4) {
			a.Finish = model.FinishCalls
			a.Message.Calls = append(a.Message.Calls, model.Call{ID: fmt.Sprint(i), Name: h.tool(), Args: fmt.Sprintf(`{"id":%d}`, h.rng.IntN(3))})
		}
		return turn.Answered{Turn: h.S.Turn.ID, Step: h.S.Turn.Step + 1, Answer: a}
	}
	return turn.Tick{}
}

func (h *History) answer(a *turn.Approval) turn.Input {
	in := turn.Answer{Approval: a.ID, Digest: a.Digest, By: "alice", Via: "test"}
	if a.Question == turn.WhatBecame {
		in.Choice = []turn.Choice{turn.Happened, turn.RunAgain, turn.GiveUp}[h.rng.IntN(3)]
		return in
	}
	switch h.rng.IntN(6) {
	case 0:
		return turn.Unanswered{Approval: a.ID, Reason: "nobody there", Via: "test"}
	case 1:
		return in // a denial
	case 2:
		in.Edit = []byte(`{"id":9}`)
	case 3:
		in.Scope = policy.ScopeSession
	}
	in.Approved = true
	return in
}

// rows are what a store says about one tenant.
type rows struct {
	Sessions  []store.Session
	Approvals []store.Approval
	Calls     []store.Call
	Grants    []store.Grant
}

func rowsOf(t testing.TB, s store.Store, tenant string) (r rows) {
	t.Helper()
	var err error
	must := func(e error) {
		t.Helper()
		if e != nil {
			t.Fatal(e)
		}
	}
	r.Sessions, err = s.Sessions(t.Context(), tenant, store.SessionQuery{Limit: store.MaxLimit})
	must(err)
	r.Approvals, err = s.Approvals(t.Context(), tenant, store.ApprovalQuery{Limit: store.MaxLimit})
	must(err)
	r.Grants, err = s.Grants(t.Context(), tenant, store.GrantQuery{Limit: store.MaxLimit})
	must(err)
	for _, one := range r.Sessions {
		calls, err := s.Calls(t.Context(), tenant, one.ID, store.MaxLimit)
		must(err)
		r.Calls = append(r.Calls, calls...)
	}
	return r
}
