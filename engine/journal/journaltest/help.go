package journaltest

import (
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

func draft(payload string) audit.Draft {
	return audit.Draft{Type: "noted", Version: 1, Time: time.UnixMilli(1_700_000_000_000), Payload: []byte(payload)}
}

func drafts(payloads ...string) (list []audit.Draft) {
	for _, p := range payloads {
		list = append(list, draft(p))
	}
	return list
}

func mustAppend(t testing.TB, j journal.Journal, stream string, last uint64, payloads ...string) []audit.Record {
	t.Helper()
	recs, err := j.Append(t.Context(), stream, last, drafts(payloads...))
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

func firstError[T any](seq iter.Seq2[T, error]) error {
	for _, err := range seq {
		if err != nil {
			return err
		}
	}
	return nil
}

func payloads(recs []audit.Record) string {
	var list []string
	for _, r := range recs {
		list = append(list, string(r.Payload))
	}
	return strings.Join(list, " ")
}

// checkChain is the oracle of these tests: it walks a stream by hand.
func checkChain(t testing.TB, stream string, recs []audit.Record) {
	t.Helper()
	head := audit.Genesis(Tenant, stream)
	for i := range recs {
		if err := errors.Join(recs[i].After(head), recs[i].Check()); err != nil {
			t.Fatal(err)
		}
		head = recs[i].Head()
	}
}

func wantCode(t testing.TB, what string, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Fatalf("%s: code %q (%v), want %q", what, got, err, want)
	}
}
