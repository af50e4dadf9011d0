package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/turn"
)

func record(kind, header, payload string) audit.Record {
	if header == "" {
		header = "{}"
	}
	return audit.Record{Type: kind, Version: 1, Time: 7000, Header: []byte(header), Payload: []byte(payload)}
}

const asked = `{"turn":"t1","call":"c1","approval":"a1","tool":"put","class":"write","state":"asked"}`

// proves: S1 (what the log says is what is listed)
func TestProject(t *testing.T) {
	gone := func(r audit.Record) audit.Record { r.Erase(); return r }
	question := record("approval.asked", asked, `{"question":"may_run","digest":"d","pin":"p","class":"write","expires":9000,"cap":"user"}`)
	open := store.Approval{Tenant: "acme", ID: "a1", Session: "s1", Call: "c1", Tool: "put", Class: policy.Write, Question: turn.MayRun, Asked: 7000, Expires: 9000}
	call := store.Call{Tenant: "acme", ID: "c1", Session: "s1", Turn: "t1", Tool: "put", Class: policy.Write, At: 7000}
	in := func(state store.CallState) []store.Call { c := call; c.State = state; return []store.Call{c} }
	owner, none, ask := "m1/owner_1", "", policy.Ask

	for name, c := range map[string]struct {
		recs []audit.Record
		want store.Change
	}{
		"a session begins": {
			[]audit.Record{record("session.started", "", `{"session":"other","agent":"shop","principal":"a\u0000b","mode":"ask"}`), record("session.owned", "", `{"owner":"m1/owner_1","epoch":4}`)},
			store.Change{Started: &store.Session{Tenant: "acme", ID: "s1", Agent: "shop", Principal: "a\uFFFDb", Mode: policy.Ask, Started: 7000}, Owner: &owner, Epoch: 4, Updated: 7000},
		},
		"a mode":                          {[]audit.Record{record("mode.set", "", `{"mode":"ask"}`)}, store.Change{Mode: &ask, Updated: 7000}},
		"a question":                      {[]audit.Record{question}, store.Change{Approvals: []store.Approval{open}, Calls: in("asked"), Updated: 7000}},
		"a question that is closed again": {[]audit.Record{question, record("approval.closed", asked, `{"state":"denied"}`)}, store.Change{Closed: []string{"a1"}, Approvals: []store.Approval{}, Calls: in("asked"), Updated: 7000}},
		"a question on what became of it": {
			[]audit.Record{record("call.unknown", asked, `{"attempt":1}`), record("approval.asked", asked, `{"question":"what_became"}`)},
			store.Change{Approvals: []store.Approval{{Tenant: "acme", ID: "a1", Session: "s1", Call: "c1", Tool: "put", Class: policy.Write, Question: turn.WhatBecame, Asked: 7000}}, Calls: in("in_doubt"), Updated: 7000},
		},
		"a call, from its claim to its end": {
			[]audit.Record{record("call.started", asked, `{}`), record("call.ended", strings.Replace(asked, `"asked"`, `"ok"`, 1), `{}`)},
			store.Change{Calls: in("ok")},
		},
		"the end of a turn": {[]audit.Record{record("turn.started", `{"turn":"t1"}`, `{}`), record("turn.ended", `{"turn":"t1"}`, `{}`)}, store.Change{Turn: &none, Updated: 7000}},
		"a grant of an approval": {
			[]audit.Record{record("approval.closed", asked, `{"state":"approved","grant":{"id":"g1","scope":"session","kind":"host","name":"put","pin":"p","class":"write","by":"alice"}}`)},
			store.Change{Closed: []string{"a1"}, Updated: 7000, Grants: []store.Grant{{Tenant: "acme", ID: "g1", Session: "s1", Scope: policy.ScopeSession, Kind: policy.Host, Tool: "put", Class: policy.Write, By: "alice", At: 7000}}},
		},
		"a grant for the user is in another stream": {
			[]audit.Record{record("approval.closed", asked, `{"state":"approved","grant":{"id":"g1","scope":"user","kind":"host","name":"put","pin":"p","class":"write"}}`)},
			store.Change{Closed: []string{"a1"}, Updated: 7000},
		},
		"a grant that is revoked": {[]audit.Record{record("grant.revoked", "", `{"grant":"g1"}`)}, store.Change{Revoked: []string{"g1"}}},
		"what was erased counts as far as its header tells": {
			[]audit.Record{gone(record("session.started", "", "")), gone(question), gone(record("approval.closed", asked, "")), gone(record("call.started", asked, "")), gone(record("grant.revoked", "", ""))},
			store.Change{Closed: []string{"a1"}, Calls: in("started")},
		},
		"what says nothing about rows": {[]audit.Record{record("model.answered", "", "nonsense"), record("a.later.event", "", "{}"), record("noted", "", "")}, store.Change{}},
	} {
		got, err := store.Project("acme", "session/s1", c.recs)
		c.want.Tenant, c.want.Session = "acme", "s1"
		if err != nil || !reflect.DeepEqual(got, &c.want) {
			t.Errorf("%s:\n%+v, %v, want\n%+v", name, got, err, &c.want)
		}
	}
}

func TestProjectRefusesWhatItCannotRead(t *testing.T) {
	for _, r := range []audit.Record{record("session.owned", "", `{"epoch":"one"}`), record("approval.closed", asked, `{"state":"nonsense"}`), record("call.ended", `{"call":1}`, `{}`)} {
		if _, err := store.Project("acme", "session/s1", []audit.Record{r}); fault.CodeOf(err) != fault.BadEvent {
			t.Errorf("%s: %v", r.Type, err)
		}
	}
	for _, stream := range []string{"policy", "admin", "user/", "user/!", "sessions/x"} {
		if c, err := store.Project("acme", stream, []audit.Record{record("session.owned", "", "nonsense")}); c != nil || err != nil {
			t.Errorf("stream %s: %v, %v", stream, c, err)
		}
	}
}

func TestMemberOf(t *testing.T) {
	for owner, want := range map[string]string{"m1/owner_x": "m1", "host/m1/owner_x": "host/m1", "m1": "m1", "": ""} {
		if got := store.MemberOf(owner); got != want {
			t.Errorf("MemberOf(%q) = %q, want %q", owner, got, want)
		}
	}
}

// proves: V10 (ids cannot be guessed), and that new rows stand beside each other
func TestIDsSortByTimeAndNeverRepeat(t *testing.T) {
	seen := map[string]bool{}
	var prefixes []string
	for range 2000 {
		id := store.NewID("session")
		if seen[id] || !strings.HasPrefix(id, "session_") || len(id) != len("session_")+26 || audit.CheckName(audit.SessionStream(id)) != nil {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
		prefixes = append(prefixes, id[:len("session_")+9]) // the time: 45 of its 48 bits
	}
	if !slices.IsSorted(prefixes) {
		t.Error("later ids do not sort behind earlier ones")
	}
}
