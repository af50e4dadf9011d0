// Package journaltest holds what every [journal.Journal] must do, as one suite
// that runs on each of them.
package journaltest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

// Tenant is whose log a journal must be that the suite runs on.
const Tenant = journal.DefaultTenant

// Run runs the suite. open makes an empty journal of the tenant Tenant for each
// of its tests, which close it.
func Run(t *testing.T, open func(t testing.TB) journal.Journal) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, j journal.Journal)
	}{
		{"S1 the log is what it was told, in order", testAppendAndRead},
		{"S1 what is not well formed or comes late is refused", testAppendRefuses},
		{"S1 two writers cannot both append seq n", testOneWriterIsFirst},
		{"V6 a payload can be erased and the chain verifies", testErase},
		{"an ended context and a closed journal say so", testCancelledAndClosed},
		{"S1 what is read is a whole beginning of the stream", testConcurrentUse},
		{"V6 a checkpoint of the heads vouches for the records", testHeads},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := open(t)
			defer j.Close()
			c.test(t, j)
		})
	}
}

// proves: S1 (the log is what it was told, in order) and V6 (it is chained)
func testAppendAndRead(t *testing.T, j journal.Journal) {
	mustAppend(t, j, "session/a", 0, `{"n":1}`, `{"n":2}`)
	mustAppend(t, j, "policy", 0, "not JSON \x00\n\xff")
	recs := mustAppend(t, j, "session/a", 2, `{"n":3}`)
	if recs[0].Seq != 3 {
		t.Fatalf("seq %d, want 3", recs[0].Seq)
	}
	all := collect(t, j.Read(t.Context(), "session/a", 0))
	if got, want := payloads(all), `{"n":1} {"n":2} {"n":3}`; got != want {
		t.Fatalf("read %s, want %s", got, want)
	}
	checkChain(t, "session/a", all)
	for after, want := range []string{`{"n":1} {"n":2} {"n":3}`, `{"n":2} {"n":3}`, `{"n":3}`, "", ""} {
		if got := payloads(collect(t, j.Read(t.Context(), "session/a", uint64(after)))); got != want {
			t.Errorf("after %d: read %q, want %q", after, got, want)
		}
	}
	if got := payloads(collect(t, j.Read(t.Context(), "policy", 0))); got != "not JSON \x00\n\xff" {
		t.Errorf("bytes came back as %q", got)
	}
	if got := collect(t, j.Read(t.Context(), "session/none", 0)); got != nil {
		t.Errorf("a stream that does not exist has %v", got)
	}
	if got, want := collect(t, j.Streams(t.Context())), []string{"policy", "session/a"}; !slices.Equal(got, want) {
		t.Errorf("streams %v, want %v", got, want)
	}
}

func testAppendRefuses(t *testing.T, j journal.Journal) {
	mustAppend(t, j, "s", 0, "1", "2")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	bad := func(change func(*audit.Draft)) []audit.Draft {
		d := draft("4")
		change(&d)
		return []audit.Draft{draft("3"), d}
	}
	for name, c := range map[string]struct {
		ctx    context.Context
		stream string
		last   uint64
		drafts []audit.Draft
		want   fault.Code
	}{
		"S1 a writer that knows too little":    {t.Context(), "s", 1, drafts("3"), fault.Conflict},
		"S1 a writer that knows too much":      {t.Context(), "s", 3, drafts("3"), fault.Conflict},
		"an empty batch that knows too little": {t.Context(), "s", 1, nil, fault.Conflict},
		"a context that has ended":             {gone, "s", 2, drafts("3"), fault.Cancelled},
		"a stream without a name":              {t.Context(), "", 0, drafts("3"), fault.BadEvent},
		"a stream with a line break":           {t.Context(), "s\n", 0, drafts("3"), fault.BadEvent},
		"a stream with a quote":                {t.Context(), `s"`, 0, drafts("3"), fault.BadEvent},
		"an event without a type":              {t.Context(), "s", 2, bad(func(d *audit.Draft) { d.Type = "" }), fault.BadEvent},
		"an event without a version":           {t.Context(), "s", 2, bad(func(d *audit.Draft) { d.Version = 0 }), fault.BadEvent},
		"an event without a time":              {t.Context(), "s", 2, bad(func(d *audit.Draft) { d.Time = time.Time{} }), fault.BadEvent},
		"a header that is no object":           {t.Context(), "s", 2, bad(func(d *audit.Draft) { d.Header = []byte("[]") }), fault.BadEvent},
		"a header on two lines":                {t.Context(), "s", 2, bad(func(d *audit.Draft) { d.Header = []byte("{\n}") }), fault.BadEvent},
	} {
		recs, err := j.Append(c.ctx, c.stream, c.last, c.drafts)
		wantCode(t, name, err, c.want)
		if recs != nil {
			t.Errorf("%s: got records %v", name, recs)
		}
	}
	if got := payloads(collect(t, j.Read(t.Context(), "s", 0))); got != "1 2" {
		t.Errorf("a refused batch left %q", got)
	}
}

// proves: S1 (two writers cannot both append seq n)
func testOneWriterIsFirst(t *testing.T, j journal.Journal) {
	const writers, rounds = 8, 25
	for n := range uint64(rounds) {
		won := make(chan int, writers)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				_, err := j.Append(t.Context(), "s", n, drafts(fmt.Sprint(w)))
				if err == nil {
					won <- w
				} else if fault.CodeOf(err) != fault.Conflict {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d writers appended record %d", n, len(won), n+1)
		}
	}
	checkChain(t, "s", collect(t, j.Read(t.Context(), "s", 0)))
}

// proves: V6 (a person's data can be erased and the chain still verifies)
func testErase(t *testing.T, j journal.Journal) {
	mustAppend(t, j, "s", 0, "1", "2", "3", "4", "5")
	before := collect(t, j.Read(t.Context(), "s", 0))
	wantCode(t, "a record that does not exist", j.Erase(t.Context(), "s", 1, 6), fault.NotFound)
	wantCode(t, "record 0", j.Erase(t.Context(), "s", 0), fault.NotFound)
	if got := payloads(collect(t, j.Read(t.Context(), "s", 0))); got != "1 2 3 4 5" {
		t.Fatalf("a refused erasure left %q", got)
	}
	if err := j.Erase(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if err := j.Erase(t.Context(), "s", 4, 2, 3, 2); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, j, "s", 5, "6")
	recs := collect(t, j.Read(t.Context(), "s", 0))
	checkChain(t, "s", recs)
	if got := payloads(recs); got != "1    5 6" {
		t.Errorf("payloads %q", got)
	}
	for i, r := range recs {
		want := audit.Whole
		if r.Seq >= 2 && r.Seq <= 4 {
			want = audit.Erased
		}
		if r.State != want || (r.Salt == nil) != (want == audit.Erased) {
			t.Errorf("record %d is %v with salt %x", i+1, r.State, r.Salt)
		}
	}
	if before[1].State != audit.Whole || string(before[1].Payload) != "2" {
		t.Error("an erasure changed records that were read before")
	}
	said := collect(t, j.Read(t.Context(), audit.Admin, 0))
	checkChain(t, audit.Admin, said)
	if len(said) != 1 || said[0].Type != audit.TypeErased || string(said[0].Header) != `{"stream":"s","seqs":[[2,4]]}` {
		t.Errorf("the erasure was recorded as %v", said)
	}
}

func testCancelledAndClosed(t *testing.T, j journal.Journal) {
	mustAppend(t, j, "s", 0, "1", "2", "3")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen int
	var last error
	for _, err := range j.Read(ctx, "s", 0) {
		seen, last = seen+1, err
		cancel()
	}
	if seen != 2 {
		t.Errorf("an ended context let %d answers through, want one record and one error", seen)
	}
	wantCode(t, "Read", last, fault.Cancelled)
	wantCode(t, "Streams", firstError(j.Streams(ctx)), fault.Cancelled)
	wantCode(t, "Erase", j.Erase(ctx, "s", 1), fault.Cancelled)

	for range 2 {
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := j.Append(t.Context(), "s", 3, drafts("4"))
	wantCode(t, "Append", err, fault.Closed)
	wantCode(t, "Read", firstError(j.Read(t.Context(), "s", 0)), fault.Closed)
	wantCode(t, "Streams", firstError(j.Streams(t.Context())), fault.Closed)
	wantCode(t, "Erase", j.Erase(t.Context(), "s", 1), fault.Closed)
}

// Everything at once: what is read is always a whole beginning of the stream.
func testConcurrentUse(t *testing.T, j journal.Journal) {
	const rounds = 30
	var wg sync.WaitGroup
	for w := range 3 {
		stream := fmt.Sprint(w)
		wg.Go(func() {
			for i := range uint64(rounds) {
				if _, err := j.Append(t.Context(), stream, i, drafts(stream)); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range rounds {
				head := audit.Genesis(Tenant, stream)
				for r, err := range j.Read(t.Context(), stream, 0) {
					if err := errors.Join(err, r.After(head), r.Check()); err != nil {
						t.Error(err)
					}
					head = r.Head()
				}
				if head.Seq > 0 && head.Seq%5 == 0 {
					if err := j.Erase(t.Context(), stream, head.Seq); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	report, err := audit.Verify(audit.Records(journal.Records(t.Context(), j)), nil)
	if err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
}

// proves: V6 (a checkpoint of a journal's heads vouches for its records)
func testHeads(t *testing.T, j journal.Journal) {
	h, ok := j.(interface{ Heads() []audit.Head })
	if !ok {
		t.Skip("this journal gives its heads in another way")
	}
	b := mustAppend(t, j, "b", 0, "1", "2")
	a := mustAppend(t, j, "a", 0, "3")
	want := []audit.Head{a[0].Head(), b[1].Head()}
	if !slices.Equal(h.Heads(), want) {
		t.Errorf("heads %v, want %v", h.Heads(), want)
	}
}
