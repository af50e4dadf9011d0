package storetest

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/store"
)

// proves: V10
func testTenants(t *testing.T, s store.Store) {
	ctx := t.Context()
	h := NewHistory(t, "s1", 3)
	last := play(t, s.Journal("acme"), h, 0, 60)
	wantNone(t, "Post", s.Post(ctx, store.Command{Tenant: "acme", Session: "s1", Key: "k", Input: []byte("hello")}))
	for _, other := range []string{"other", "acm", "acme/x", "ACME"} {
		if got := collect(t, s.Journal(other).Streams(ctx)); got != nil {
			t.Errorf("%s sees the streams %v", other, got)
		}
		if got := collect(t, s.Journal(other).Read(ctx, "session/s1", 0)); got != nil {
			t.Errorf("%s reads %d records", other, len(got))
		}
		if got := rowsOf(t, s, other); !reflect.DeepEqual(got, rows{}) {
			t.Errorf("%s sees rows: %+v", other, got)
		}
		_, err := s.Session(ctx, other, "s1")
		wantCode(t, "Session", err, fault.NotFound)
		_, _, err = s.Result(ctx, other, "k")
		wantCode(t, "Result", err, fault.NotFound)
		wantCode(t, "Done", s.Done(ctx, other, "k", nil), fault.NotFound)
		wantCode(t, "Erase", s.Journal(other).Erase(ctx, "session/s1", 1), fault.NotFound)
		if list, err := s.Take(ctx, other, "s1"); err != nil || len(list) > 0 {
			t.Errorf("%s takes %v, %v", other, list, err)
		}
		if calls, err := s.Calls(ctx, other, "s1", 0); err != nil || len(calls) > 0 {
			t.Errorf("%s sees calls %v, %v", other, calls, err)
		}
	}
	// The same names are other things there, and neither is in the other's way.
	before := rowsOf(t, s, "acme")
	other := NewHistory(t, "s1", 4)
	play(t, s.Journal("other"), other, 0, 60)
	if got := rowsOf(t, s, "acme"); !reflect.DeepEqual(got, before) {
		t.Error("what one tenant wrote changed the rows of another")
	}
	checkRows(t, s, "other", other)
	all := make([]uint64, last)
	for i := range all {
		all[i] = uint64(i + 1)
	}
	wantNone(t, "Erase", s.Journal("acme").Erase(ctx, "session/s1", all...))
	checkRows(t, s, "other", other)
	verify(t, s)
	wantCode(t, "a tenant without a name", firstError(s, ""), fault.BadEvent)
	wantCode(t, "a tenant with a quote", firstError(s, `a"b`), fault.BadEvent)
}

func firstError(s store.Store, tenant string) error {
	_, err := s.Journal(tenant).Append(context.Background(), "s", 0, []audit.Draft{note("1")})
	return err
}

// proves: S1
func testManyCallers(t *testing.T, s store.Store) {
	const callers, rounds = 64, 10
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			j := s.Journal(fmt.Sprint("tenant", c%4))
			stream := fmt.Sprint("stream/", c)
			for i := range uint64(rounds) {
				if _, err := j.Append(t.Context(), stream, i*2, []audit.Draft{note("1"), note("2")}); err != nil {
					t.Error(err)
				}
				// One that is too late, in the midst of all others.
				if _, err := j.Append(t.Context(), stream, i*2, []audit.Draft{note("3")}); fault.CodeOf(err) != fault.Conflict {
					t.Errorf("a second record %d: %v", i*2+1, err)
				}
			}
		})
	}
	wg.Wait()
	if report := verify(t, s); report.Records != callers*rounds*2 {
		t.Errorf("%d records, want %d", report.Records, callers*rounds*2)
	}
}

// proves: D8
func testOneBadRequest(t *testing.T, s store.Store) {
	var wg sync.WaitGroup
	for c := range 16 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if c%2 == 0 {
				cancel()
			}
			defer cancel()
			_, err := s.Journal("acme").Append(ctx, fmt.Sprint(c), 0, []audit.Draft{note("1")})
			if (err == nil) != (c%2 == 1) {
				t.Errorf("caller %d: %v", c, err)
			}
		})
	}
	wg.Wait()
	bad := []audit.Draft{{Type: "approval.asked", Version: 1, Time: time.UnixMilli(1), Header: []byte(`{"call":"c"}`), Payload: []byte(`"nonsense"`)}}
	_, err := s.Journal("acme").Append(t.Context(), "session/s1", 0, bad)
	wantCode(t, "an event that the rows cannot be made of", err, fault.BadEvent)
	if got := collect(t, s.Journal("acme").Read(t.Context(), "session/s1", 0)); got != nil {
		t.Error("a refused event was written")
	}
}

// proves: V6
func testErasedRows(t *testing.T, s store.Store) {
	ctx := t.Context()
	h := NewHistory(t, "s1", 5)
	j := s.Journal("acme")
	play(t, j, h, 0, 40)
	play(t, j, NewHistory(t, "s2", 6), 0, 40)
	before := rowsOf(t, s, "acme")
	wantNone(t, "Erase", j.Erase(ctx, "session/s1", 1))
	_, err := s.Session(ctx, "acme", "s1")
	wantCode(t, "a session whose beginning was erased", err, fault.NotFound)
	if after := rowsOf(t, s, "acme"); len(after.Sessions) != len(before.Sessions)-1 {
		t.Errorf("%d sessions are listed", len(after.Sessions))
	}
	written := rowsOf(t, s, "acme")
	wantNone(t, "Rebuild", s.Rebuild(ctx))
	if rebuilt := rowsOf(t, s, "acme"); !reflect.DeepEqual(rebuilt, written) {
		t.Error("made anew, the rows are others than those that the erasure left")
	}
	verify(t, s)
}

func testHints(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	hints := s.Changes(ctx)
	mustAppend(t, s.Journal("acme"), "policy", 0, note("1"))
	wantNone(t, "Post", s.Post(ctx, store.Command{Tenant: "acme", Session: "s1", Key: "k"}))
	for _, want := range []store.Hint{{Tenant: "acme", Stream: "policy"}, {Tenant: "acme", Stream: "session/s1"}} {
		select {
		case got := <-hints:
			if got != want {
				t.Errorf("hint %v, want %v", got, want)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("no hint came")
		}
	}
	// Who does not listen is not waited for.
	for i := range 400 {
		mustAppend(t, s.Journal("acme"), "admin", uint64(i), note("1"))
	}
	cancel()
	within(t, "the hints end", 5*time.Second, func() bool { _, open := <-hints; return !open })
}

// proves: V11, V6
func testTransfer(t *testing.T, from, to store.Store) {
	ctx := t.Context()
	for i := range 6 {
		play(t, from.Journal(fmt.Sprint("tenant", i%2)), NewHistory(t, fmt.Sprint("s", i), uint64(i)), 0, 30)
	}
	mustAppend(t, from.Journal("tenant0"), "policy", 0, note("1"), note("not JSON \x00\xff"), note(""))
	wantNone(t, "Erase", from.Journal("tenant0").Erase(ctx, "policy", 1))
	wantNone(t, "Erase", from.Journal("tenant1").Erase(ctx, "session/s1", 1, 2))

	refusedRecords(t, to, collect(t, from.Journal("tenant1").Read(ctx, "session/s3", 0)))
	var file bytes.Buffer
	_, err := store.Export(ctx, from, &file, nil)
	wantNone(t, "Export", err)
	refusedImports(t, to, file.String())
	for range 2 { // the second time, all of it is there
		report, err := store.Import(ctx, to, bytes.NewReader(file.Bytes()), nil)
		wantNone(t, "Import", err)
		if report.Records == 0 || report.Erased != 3 {
			t.Errorf("imported: %+v", report)
		}
	}
	var again bytes.Buffer
	_, err = store.Export(ctx, to, &again, nil)
	wantNone(t, "Export", err)
	if cutCheckpoint(file.String()) != cutCheckpoint(again.String()) {
		t.Error("an import and an export later, the records are others")
	}
	for _, tenant := range []string{"tenant0", "tenant1"} {
		if a, b := rowsOf(t, from, tenant), rowsOf(t, to, tenant); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the rows are others after an import", tenant)
		}
	}
	// Both go on from there, each in its own way.
	last := uint64(len(collect(t, to.Journal("tenant0").Read(ctx, "policy", 0))))
	mustAppend(t, from.Journal("tenant0"), "policy", last, note("here"))
	mustAppend(t, to.Journal("tenant0"), "policy", last, note("there"))
	var forked bytes.Buffer
	_, err = store.Export(ctx, from, &forked, nil)
	wantNone(t, "Export", err)
	_, err = store.Import(ctx, to, bytes.NewReader(forked.Bytes()), nil)
	wantCode(t, "another record in the same place", err, fault.BadChain)
}

func refusedRecords(t *testing.T, to store.Store, recs []audit.Record) {
	t.Helper()
	change := func(f func(list []audit.Record)) []audit.Record {
		list := slices.Clone(recs)
		f(list)
		return list
	}
	for name, list := range map[string][]audit.Record{
		"a gap":                   slices.Delete(slices.Clone(recs), 2, 3),
		"no beginning":            recs[1:],
		"a changed payload":       change(func(l []audit.Record) { l[2].Payload = []byte("{}") }),
		"a changed type":          change(func(l []audit.Record) { l[2].Type = "other" }),
		"a record of elsewhere":   change(func(l []audit.Record) { l[2].Prev = audit.Hash{} }),
		"two that were exchanged": change(func(l []audit.Record) { l[2], l[3] = l[3], l[2] }),
	} {
		wantCode(t, name, to.Restore(t.Context(), list), fault.BadChain)
	}
	withheld := change(func(l []audit.Record) { l[2].State, l[2].Payload, l[2].Salt = audit.Withheld, nil, nil })
	wantCode(t, "a payload that was left out", to.Restore(t.Context(), withheld), fault.BadJournal)
	wantNone(t, "Restore of nothing", to.Restore(t.Context(), nil))
}

func cutCheckpoint(lines string) string {
	head, _, _ := strings.Cut(lines, `{"checkpoint":`)
	return head
}

func refusedImports(t *testing.T, to store.Store, file string) {
	t.Helper()
	withheld := new(bytes.Buffer)
	_, err := audit.Export(withheld, toRecords(file), &audit.ExportOptions{Filter: audit.Filter{Turn: "none"}})
	wantNone(t, "Export", err)
	for name, c := range map[string]struct {
		text string
		want fault.Code
	}{
		"a changed record":           {strings.Replace(file, `"alice"`, `"mallory"`, 1), fault.BadChain},
		"a line that is none":        {"nonsense\n" + file, fault.BadChain},
		"an export that was cut off": {cutCheckpoint(file), fault.BadChain},
		"payloads that are left out": {withheld.String(), fault.BadJournal},
	} {
		_, err := store.Import(t.Context(), to, strings.NewReader(c.text), nil)
		wantCode(t, name, err, c.want)
	}
	tenants, err := to.Tenants(t.Context())
	if err != nil || len(tenants) > 0 {
		t.Fatalf("a refused import left %v, %v", tenants, err)
	}
}

func toRecords(file string) func(yield func(audit.Record, error) bool) {
	return func(yield func(audit.Record, error) bool) {
		for line, err := range audit.Lines(strings.NewReader(file)) {
			if line.Signed == nil && !yield(line.Record, err) {
				return
			}
		}
	}
}

func sorted[T any](list []T, id func(T) string) []T {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(id(a), id(b)) })
	return list
}
