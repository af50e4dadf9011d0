package journal_test

import (
	"errors"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/engine/journal/journaltest"
	"github.com/assentdev/assent/fault"
)

// kinds are the journals that behave alike: each test of the suite runs on all.
var kinds = map[string]func(t testing.TB) journal.Journal{
	"memory": func(testing.TB) journal.Journal { return journal.NewMemory() },
	"file": func(t testing.TB) journal.Journal {
		j, err := journal.OpenFile(filepath.Join(t.TempDir(), "log.jsonl"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return j
	},
}

func onEach(t *testing.T, test func(t *testing.T, j journal.Journal)) {
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) {
			j := open(t)
			defer j.Close()
			test(t, j)
		})
	}
}

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
	head := audit.Genesis(journal.DefaultTenant, stream)
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

// proves: S1 (the log is what it was told, in order; two writers cannot both
// append seq n), V6 (a person's data can be erased and the chain still verifies)
func TestJournals(t *testing.T) {
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) { journaltest.Run(t, open) })
	}
}
