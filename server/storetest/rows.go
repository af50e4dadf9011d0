package storetest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/server/store"
	"github.com/assentdev/assent/turn"
)

// checkRows compares what the store says of a session with what the machine says.
func checkRows(t testing.TB, s store.Store, tenant string, h *History) {
	t.Helper()
	row, err := s.Session(t.Context(), tenant, h.id)
	wantNone(t, "Session", err)
	open := ""
	if h.S.Turn.Open() {
		open = h.S.Turn.ID
	}
	want := store.Session{
		Tenant: tenant, ID: h.id, Agent: h.S.Agent, Principal: store.Text(h.S.Principal), Mode: h.S.Mode, Owner: h.S.Owner,
		Member: store.MemberOf(h.S.Owner), Epoch: h.S.Epoch, Turn: open, Started: row.Started, Updated: row.Updated,
	}
	if row != want {
		t.Fatalf("the session is\n%+v, want\n%+v", row, want)
	}
	checkApprovals(t, s, tenant, h)
	checkCalls(t, s, tenant, h)
	grants, err := s.Grants(t.Context(), tenant, store.GrantQuery{Session: h.id, Limit: store.MaxLimit})
	wantNone(t, "Grants", err)
	got, wantIDs := []string{}, []string{}
	for _, g := range grants {
		got = append(got, fmt.Sprint(g.ID, g.Tool, g.Scope, g.Class, g.Call, g.Principal))
	}
	for _, g := range h.S.Grants {
		wantIDs = append(wantIDs, fmt.Sprint(g.ID, g.Name, g.Scope, g.Class, g.Call, store.Text(h.S.Principal)))
	}
	slices.Sort(got)
	slices.Sort(wantIDs)
	if !slices.Equal(got, wantIDs) {
		t.Fatalf("grants %v, want %v", got, wantIDs)
	}
}

func checkApprovals(t testing.TB, s store.Store, tenant string, h *History) {
	t.Helper()
	got, err := s.Approvals(t.Context(), tenant, store.ApprovalQuery{Session: h.id})
	wantNone(t, "Approvals", err)
	var want []store.Approval
	for _, a := range h.S.Approvals {
		if !a.Open() {
			continue
		}
		want = append(want, store.Approval{
			Tenant: tenant, ID: a.ID, Session: h.id, Agent: h.S.Agent, Principal: store.Text(h.S.Principal), Call: a.Call, Tool: h.S.Call(a.Call).Decided.Name,
			Class: a.Class, Question: a.Question, Asked: a.At, Expires: a.Expires,
		})
	}
	id := func(a store.Approval) string { return a.ID }
	if got, want = sorted(got, id), sorted(want, id); !slices.Equal(got, want) {
		t.Fatalf("open approvals are\n%+v, want\n%+v", got, want)
	}
}

func checkCalls(t testing.TB, s store.Store, tenant string, h *History) {
	t.Helper()
	list, err := s.Calls(t.Context(), tenant, h.id, store.MaxLimit)
	wantNone(t, "Calls", err)
	states := map[string]store.CallState{}
	for _, c := range list {
		states[c.ID] = c.State
	}
	if h.S.Turn == nil {
		return
	}
	for _, c := range h.S.Turn.Calls {
		var want store.CallState
		switch c.State {
		case turn.Ended:
			want = store.CallState(c.Ended.Outcome)
		case turn.Started:
			want = store.CallStarted
		case turn.Doubtful:
			want = store.CallInDoubt
		case turn.Waiting:
			want = store.CallAsked
		default:
			continue
		}
		if states[c.ID] != want {
			t.Fatalf("call %s is %q, want %q", c.ID, states[c.ID], want)
		}
	}
}

// proves: S1
func testProjections(t *testing.T, s store.Store) {
	histories := 12
	if testing.Short() {
		histories = 4
	}
	seen := map[store.CallState]int{}
	for i := range histories {
		h := NewHistory(t, fmt.Sprint("s", i), uint64(i))
		j := s.Journal("acme")
		last := uint64(0)
		for range 15 {
			last = play(t, j, h, last, 5)
			checkRows(t, s, "acme", h)
		}
	}
	written := rowsOf(t, s, "acme")
	for _, c := range written.Calls {
		seen[c.State]++
	}
	if !testing.Short() && (len(seen) < 7 || len(written.Grants) == 0 || len(written.Approvals) == 0) {
		t.Errorf("the histories are poor: calls %v, %d grants, %d approvals", seen, len(written.Grants), len(written.Approvals))
	}
	wantNone(t, "Rebuild", s.Rebuild(t.Context()))
	if rebuilt := rowsOf(t, s, "acme"); !reflect.DeepEqual(rebuilt, written) {
		t.Errorf("made anew, the rows are\n%+v\nwritten were\n%+v", rebuilt, written)
	}
}

// begin starts a session whose turn asks one question, which expires at expires.
func begin(t testing.TB, s store.Store, tenant, id, owner string, at, expires int64) {
	t.Helper()
	refs := turn.Refs{Turn: "t" + id, Call: "c" + id, Approval: "a" + id, Tool: "put", Class: "write"}
	mustAppend(t, s.Journal(tenant), audit.SessionStream(id), 0, Drafts(t,
		turn.Event{At: at, Body: &turn.SessionStarted{Session: id, Agent: "agent" + id[len(id)-1:], Principal: "alice", Mode: policy.Ask}},
		turn.Event{At: at, Body: &turn.SessionOwned{Owner: owner, Epoch: 1}},
		turn.Event{At: at, Refs: turn.Refs{Turn: "t" + id}, Body: &turn.TurnStarted{Kind: turn.ByMessage, Mode: policy.Ask}},
		turn.Event{At: at, Refs: refs, Body: &turn.Asked{Question: turn.MayRun, Digest: "d", Class: policy.Write, Expires: expires}},
	)...)
}

func ids[T any](list []T, id func(T) string) (all []string) {
	for _, v := range list {
		all = append(all, id(v))
	}
	return all
}

func sessionID(s store.Session) string   { return s.ID }
func approvalID(a store.Approval) string { return a.ID }

// proves: S2
func testOrphans(t *testing.T, s store.Store) {
	ctx := t.Context()
	wantNone(t, "Join", s.Join(ctx, "alive", time.Minute))
	begin(t, s, "acme", "s1", "alive/owner_1", 1000, 0)
	begin(t, s, "acme", "s2", "dead/owner_2", 2000, 0)
	begin(t, s, "other", "s3", "dead", 3000, 0)
	begin(t, s, "acme", "s4", "dead/owner_3", 4000, 0)
	mustAppend(t, s.Journal("acme"), "session/s4", 4, Drafts(t,
		turn.Event{At: 5000, Refs: turn.Refs{Turn: "ts4", Call: "cs4", Approval: "as4", State: "cancelled"}, Body: &turn.ApprovalClosed{State: 6}},
		turn.Event{At: 5000, Refs: turn.Refs{Turn: "ts4", State: "stopped"}, Body: &turn.TurnEnded{End: turn.Stopped}},
	)...)
	mustAppend(t, s.Journal("acme"), "session/s5", 0, Drafts(t, // it waits for its model, not for a person
		turn.Event{At: 2500, Body: &turn.SessionStarted{Session: "s5", Agent: "agent5", Mode: policy.Ask}},
		turn.Event{At: 2500, Body: &turn.SessionOwned{Owner: "dead/owner_4", Epoch: 1}},
		turn.Event{At: 2500, Refs: turn.Refs{Turn: "ts5"}, Body: &turn.TurnStarted{Kind: turn.ByMessage, Mode: policy.Ask}},
	)...)
	orphans := func() []string {
		list, err := s.Orphans(ctx, 10)
		wantNone(t, "Orphans", err)
		return ids(list, sessionID)
	}
	if got := orphans(); !slices.Equal(got, []string{"s2", "s5", "s3"}) {
		t.Errorf("orphans %v, want s2, s5 and s3", got)
	}
	// Taking one is an event of its log.
	mustAppend(t, s.Journal("acme"), "session/s2", 4, Drafts(t, turn.Event{At: 6000, Body: &turn.SessionOwned{Owner: "alive/owner_1", Epoch: 2}})...)
	wantNone(t, "Leave", s.Leave(ctx, "alive"))
	if got := orphans(); !slices.Equal(got, []string{"s1", "s5", "s3", "s2"}) {
		t.Errorf("after its member left: orphans %v", got)
	}
	if list, err := s.Orphans(ctx, 1); err != nil || len(list) != 1 {
		t.Errorf("at most one: %v, %v", list, err)
	}
}

// proves: P4
func testDue(t *testing.T, s store.Store) {
	begin(t, s, "acme", "s1", "m", 1000, 9000)
	begin(t, s, "other", "s2", "m", 1000, 8000)
	begin(t, s, "acme", "s3", "m", 1000, 0)
	for before, want := range map[int64][]string{8000: nil, 8001: {"as2"}, 9001: {"as2", "as1"}} {
		list, err := s.Due(t.Context(), time.UnixMilli(before), 10)
		if got := ids(list, approvalID); err != nil || !slices.Equal(got, want) {
			t.Errorf("before %d: due %v, %v, want %v", before, got, err, want)
		}
	}
}

func testPages(t *testing.T, s store.Store) {
	ctx := t.Context()
	const n = 23
	for i := range n {
		begin(t, s, "acme", fmt.Sprintf("s%02d", i), "m", 1000+int64(i/3), 0) // some at the same time
	}
	var sessions, approvals []string
	for after := (store.Cursor{}); len(sessions) <= n; {
		page, err := s.Sessions(ctx, "acme", store.SessionQuery{Open: true, After: after, Limit: 4})
		wantNone(t, "Sessions", err)
		if len(page) == 0 {
			break
		}
		sessions = append(sessions, ids(page, sessionID)...)
		after = page[len(page)-1].Cursor()
	}
	for after := (store.Cursor{}); len(approvals) <= n; {
		page, err := s.Approvals(ctx, "acme", store.ApprovalQuery{After: after, Limit: 4})
		wantNone(t, "Approvals", err)
		if len(page) == 0 {
			break
		}
		approvals = append(approvals, ids(page, approvalID)...)
		after = page[len(page)-1].Cursor()
	}
	for i := range n {
		if want := fmt.Sprintf("s%02d", n-1-i); len(sessions) != n || len(approvals) != n || sessions[i] != want || approvals[i] != "a"+want {
			t.Fatalf("row %d: session %v, approval %v, want %s", i, sessions, approvals, want)
		}
	}
	some, err := s.Sessions(ctx, "acme", store.SessionQuery{Principal: "alice", Agent: "agent3"})
	if got := ids(some, sessionID); err != nil || !slices.Equal(got, []string{"s13", "s03"}) {
		t.Errorf("sessions of agent3: %v, %v", got, err)
	}
	asked, err := s.Approvals(ctx, "acme", store.ApprovalQuery{Agent: "agent3"})
	if got := ids(asked, approvalID); err != nil || !slices.Equal(got, []string{"as13", "as03"}) {
		t.Errorf("approvals of agent3: %v, %v", got, err)
	}
	if none, err := s.Sessions(ctx, "acme", store.SessionQuery{Principal: "bob"}); err != nil || len(none) > 0 {
		t.Errorf("sessions of bob: %v, %v", none, err)
	}
	one, err := s.Approval(ctx, "acme", "as07")
	if err != nil || one.Session != "s07" || one.Agent != "agent7" || one.Principal != "alice" {
		t.Errorf("approval as07: %+v, %v", one, err)
	}
	_, err = s.Approval(ctx, "acme", "none")
	wantCode(t, "an approval that is not open", err, fault.NotFound)
}

// proves: P3
func testUserGrants(t *testing.T, s store.Store) {
	ctx := t.Context()
	stream := "user/" + base64.RawURLEncoding.EncodeToString([]byte("alice@example.org"))
	entry := func(kind string, g policy.Grant) audit.Draft {
		b, err := json.Marshal(g)
		wantNone(t, "Marshal", err)
		return audit.Draft{Type: kind, Version: 1, Time: time.UnixMilli(7000), Payload: b}
	}
	g := policy.Grant{ID: "g1", Scope: policy.ScopeUser, Kind: policy.Host, Name: "put", Class: policy.Write, By: "alice", Call: "c1", Expires: time.UnixMilli(99_000)}
	mustAppend(t, s.Journal("acme"), stream, 0, entry("grant.made", g), entry("grant.made", policy.Grant{ID: "g2", Name: "get"}))
	want := store.Grant{
		Tenant: "acme", ID: "g1", Principal: "alice@example.org", Scope: policy.ScopeUser, Kind: policy.Host, Tool: "put", Class: policy.Write,
		Call: "c1", By: "alice", At: 7000, Expires: 99_000,
	}
	got, err := s.Grants(ctx, "acme", store.GrantQuery{Principal: "alice@example.org"})
	if err != nil || len(got) != 2 || got[1] != want {
		t.Fatalf("grants %+v, %v, want g2 and %+v", got, err, want)
	}
	mustAppend(t, s.Journal("acme"), stream, 2, entry("grant.revoked", policy.Grant{ID: "g2"}))
	wantNone(t, "Rebuild", s.Rebuild(ctx))
	got, err = s.Grants(ctx, "acme", store.GrantQuery{})
	if err != nil || len(got) != 1 || got[0] != want {
		t.Fatalf("after the revocation: %+v, %v", got, err)
	}
	wantNone(t, "Erase", s.Journal("acme").Erase(ctx, stream, 1))
	if got, err = s.Grants(ctx, "acme", store.GrantQuery{}); err != nil || len(got) > 0 {
		t.Fatalf("after its erasure: %+v, %v", got, err)
	}
}
