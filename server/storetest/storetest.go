// Package storetest holds what every [store.Store] must do, as one suite that
// runs on each of them.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/engine/journal/journaltest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// Run runs the suite. open makes an empty store for each of its tests and closes
// it when the test ends.
func Run(t *testing.T, open func(t testing.TB) store.Store) {
	t.Run("journal", func(t *testing.T) {
		journaltest.Run(t, func(t testing.TB) journal.Journal { return open(t).Journal(journaltest.Tenant) })
	})
	for _, c := range []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"V10 tenants see nothing of each other", testTenants},
		{"S1 many callers share a commit and each gets an answer of its own", testManyCallers},
		{"D8 one that cannot be written fails alone", testOneBadRequest},
		{"S2 a member that was silent stays dead", testMembers},
		{"the inbox keeps a command until it is done", testInbox},
		{"S1 rows say what the machine says, and can be made anew", testProjections},
		{"S2 sessions without a live owner are found", testOrphans},
		{"P4 approvals that expire are found", testDue},
		{"lists come in pages without gaps", testPages},
		{"P3 grants of a user are listed until they are revoked", testUserGrants},
		{"V6 an erased session is not listed, and its chain holds", testErasedRows},
		{"who listens hears of what was written", testHints},
		{"V6 the ends of all streams are known", testHeads},
		{"a sound store says so", testCheck},
		{"an ended context and a closed store say so", testEnded},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
	t.Run("V11 an export can be imported into another store", func(t *testing.T) { testTransfer(t, open(t), open(t)) })
}

func note(text string) audit.Draft {
	return audit.Draft{Type: "noted", Version: 1, Time: time.UnixMilli(1_700_000_000_000), Payload: []byte(text)}
}

func mustAppend(t testing.TB, j journal.Journal, stream string, last uint64, drafts ...audit.Draft) []audit.Record {
	t.Helper()
	recs, err := j.Append(t.Context(), stream, last, drafts)
	if err != nil {
		t.Fatalf("Append(%s, %d): %v", stream, last, err)
	}
	return recs
}

func collect[T any](t testing.TB, seq iter.Seq2[T, error]) (list []T) {
	t.Helper()
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

func wantCode(t testing.TB, what string, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Fatalf("%s: code %q (%v), want %q", what, got, err, want)
	}
}

func wantNone(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// checkChain walks a stream by hand.
func checkChain(t testing.TB, tenant, stream string, recs []audit.Record) {
	t.Helper()
	head := audit.Genesis(tenant, stream)
	for i := range recs {
		if err := errors.Join(recs[i].After(head), recs[i].Check()); err != nil {
			t.Fatal(err)
		}
		head = recs[i].Head()
	}
}

// verify verifies all logs of a store.
func verify(t testing.TB, s store.Store) *audit.Report {
	t.Helper()
	report, err := audit.Verify(audit.Records(store.Records(t.Context(), s)), nil)
	if err != nil || report.Err() != nil {
		t.Fatalf("%v, %v", err, report.Err())
	}
	return report
}

// play lets a session go on for some steps.
func play(t testing.TB, j journal.Journal, h *History, last uint64, steps int) uint64 {
	t.Helper()
	for range steps {
		if drafts := h.Step(t); len(drafts) > 0 {
			mustAppend(t, j, audit.SessionStream(h.id), last, drafts...)
			last += uint64(len(drafts))
		}
	}
	return last
}

// within says whether something comes true soon.
func within(t testing.TB, what string, d time.Duration, is func() bool) {
	t.Helper()
	for end := time.Now().Add(d); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, d)
		}
	}
}

func testHeads(t *testing.T, s store.Store) {
	b := mustAppend(t, s.Journal("acme"), "b", 0, note("1"), note("2"))
	a := mustAppend(t, s.Journal("acme"), "a", 0, note("3"))
	mustAppend(t, s.Journal("other"), "c", 0, note("4"))
	heads, err := s.Heads(t.Context(), "acme")
	wantNone(t, "Heads", err)
	if want := []audit.Head{a[0].Head(), b[1].Head()}; fmt.Sprint(heads) != fmt.Sprint(want) {
		t.Errorf("heads %v, want %v", heads, want)
	}
	tenants, err := s.Tenants(t.Context())
	wantNone(t, "Tenants", err)
	if fmt.Sprint(tenants) != "[acme other]" {
		t.Errorf("tenants %v", tenants)
	}
}

func testCheck(t *testing.T, s store.Store) {
	play(t, s.Journal("acme"), NewHistory(t, "s1", 1), 0, 30)
	wantNone(t, "Check", s.Check(t.Context()))
	wantNone(t, "Sweep", s.Sweep(t.Context()))
}

func testEnded(t *testing.T, s store.Store) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	asks := map[string]func(ctx context.Context) error{
		"Tenants":   func(ctx context.Context) error { _, err := s.Tenants(ctx); return err },
		"Session":   func(ctx context.Context) error { _, err := s.Session(ctx, "acme", "s1"); return err },
		"Approvals": func(ctx context.Context) error { _, err := s.Approvals(ctx, "acme", store.ApprovalQuery{}); return err },
		"Orphans":   func(ctx context.Context) error { _, err := s.Orphans(ctx, 1); return err },
		"Join":      func(ctx context.Context) error { return s.Join(ctx, "m1", time.Second) },
		"Post": func(ctx context.Context) error {
			return s.Post(ctx, store.Command{Tenant: "acme", Session: "s1", Key: "k"})
		},
		"Take":    func(ctx context.Context) error { _, err := s.Take(ctx, "acme", "s1"); return err },
		"Restore": func(ctx context.Context) error { return s.Restore(ctx, make([]audit.Record, 1)) },
		"Check":   s.Check,
		"Sweep":   s.Sweep,
	}
	for name, ask := range asks {
		wantCode(t, name+" with an ended context", ask(gone), fault.Cancelled)
	}
	hints := s.Changes(t.Context())
	for range 2 {
		wantNone(t, "Close", s.Close())
	}
	for name, ask := range asks {
		wantCode(t, name+" of a closed store", ask(t.Context()), fault.Closed)
	}
	_, err := s.Journal("acme").Append(t.Context(), "s", 0, []audit.Draft{note("1")})
	wantCode(t, "Append to a closed store", err, fault.Closed)
	within(t, "the hints end", 5*time.Second, func() bool { _, open := <-hints; return !open })
}
