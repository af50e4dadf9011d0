package journal_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

func testKey(t testing.TB) (ed25519.PrivateKey, []ed25519.PublicKey) {
	t.Helper()
	key, err := audit.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return key, []ed25519.PublicKey{key.Public().(ed25519.PublicKey)}
}

func printed(t testing.TB, path string, opts *audit.VerifyOptions) string {
	t.Helper()
	report, err := journal.VerifyFile(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// proves: V6 (a file is verified offline with a public key and a saved checkpoint)
func TestVerifyFile(t *testing.T) {
	path, l := sample(t)
	key, public := testKey(t)
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	saved, err := journal.CheckpointFile(path, key, at)
	if err != nil {
		t.Fatal(err)
	}
	opts := &audit.VerifyOptions{Keys: public, Saved: []*audit.Signed{saved}}
	id := audit.KeyID(public[0])
	for name, c := range map[string]struct {
		file []byte
		opts *audit.VerifyOptions
		want string
	}{
		"V6 as it was": {join(l...), opts,
			"6 records in 2 streams\nsound: everything up to 2026-11-30T12:00:00Z is proven by key " + id + "\n"},
		"V6 without a checkpoint": {join(l...), nil,
			"6 records in 2 streams\nsound in itself: without a signed checkpoint nothing shows whether its end was cut off or all of it made anew\n"},
		"a write that did not finish": {join(l[0], l[1], l[2], l[3], l[4], l[5][:20]), nil,
			"3 records in 2 streams\n3 lines at the end left out: a write that did not finish\nsound in itself: without a signed checkpoint nothing shows whether its end was cut off or all of it made anew\n"},
		"V6 a whole batch cut off": {join(l[:3]...), opts,
			"3 records in 2 streams\nstream a, record 4: the stream ends with record 1 and a signed checkpoint knows more (truncated)\nNOT SOUND: 1 problem\n"},
		"V6 an edit": {join(replaced(l[0], `{"n":1}`, `{"n":9}`), l[1], l[2]), nil,
			"3 records in 2 streams\nline 1: stream a, record 1: its payload was changed (edited)\nNOT SOUND: 1 problem\n"},
		"V6 a line of something else": {join(l[0], []byte("{}\n"), l[1], l[2]), nil,
			"3 records in 2 streams\nline 2: no record: what stands at byte 1 of the line was not written by a log (malformed)\nNOT SOUND: 1 problem\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, c.file, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := printed(t, path, c.opts); got != c.want {
				t.Errorf("printed\n%swant\n%s", got, c.want)
			}
		})
	}
	t.Run("V6 what is not sound is not signed", func(t *testing.T) {
		if err := os.WriteFile(path, join(l[0], l[3], l[4], l[5], l[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := journal.CheckpointFile(path, key, at)
		wantCode(t, "CheckpointFile", err, fault.BadChain)
	})
	t.Run("a file that is not there", func(t *testing.T) {
		_, err := journal.VerifyFile(path+".none", nil)
		wantCode(t, "VerifyFile", err, fault.BadJournal)
	})
}

// proves: V6 (exportable, from a file that a process has open or from a journal)
func TestExportFile(t *testing.T) {
	path, l := sample(t)
	key, public := testKey(t)
	opts := &audit.VerifyOptions{Keys: public}
	out := logPath(t)

	var b bytes.Buffer
	if _, err := journal.ExportFile(&b, path, &audit.ExportOptions{Key: key}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := printed(t, out, opts); !strings.HasPrefix(got, "6 records in 2 streams\nsound: ") {
		t.Errorf("the export: %s", got)
	}
	if _, err := journal.ExportFile(&b, out, nil); fault.CodeOf(err) != fault.BadJournal {
		t.Errorf("exported again: %v", err)
	}
	if err := os.WriteFile(out, b.Bytes()[:b.Len()-30], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := printed(t, out, opts); !strings.Contains(got, "(incomplete)") {
		t.Errorf("an export without its end: %s", got)
	}

	j := mustOpen(t, path)
	if err := j.Erase(t.Context(), "a", 2); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if _, err := audit.Export(&b, journal.Records(t.Context(), j), &audit.ExportOptions{Key: key}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := printed(t, out, opts); !strings.HasPrefix(got, "7 records in 3 streams, 1 erased\nsound: ") {
		t.Errorf("the export of an open journal: %s", got)
	}
	if got := printed(t, path, nil); !strings.HasPrefix(got, "7 records in 3 streams, 1 erased\nsound in itself") {
		t.Errorf("the file of an open journal: %s", got)
	}

	mustClose(t, j)
	if err := os.WriteFile(path, join(l[0], []byte("x\n"), l[1], l[2]), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := journal.ExportFile(&b, path, nil)
	wantCode(t, "a file that cannot be read", err, fault.BadJournal)
	if !strings.Contains(fault.TextOf(err), "line 2: ") {
		t.Errorf("the line is not named: %v", err)
	}
}

// proves: V6 (an export that names streams tells of nothing else)
func TestRecords(t *testing.T) {
	onEach(t, func(t *testing.T, j journal.Journal) {
		mustAppend(t, j, "b", 0, "1")
		mustAppend(t, j, audit.Admin, 0, "2")
		mustAppend(t, j, "z", 0, "3")
		for _, c := range []struct{ streams, want string }{
			{"", "1 3 2"}, {"z", "3"}, {"admin b", "1 2"}, {"none", ""},
		} {
			all := journal.Records(t.Context(), j, strings.Fields(c.streams)...)
			for range 2 { // the sequence can be used again
				if got := payloads(collect(t, all)); got != c.want {
					t.Errorf("%q: %q, want %q", c.streams, got, c.want)
				}
			}
		}
		mustClose(t, j)
		wantCode(t, "Records", firstError(journal.Records(t.Context(), j)), fault.Closed)
		if _, err := audit.Export(new(bytes.Buffer), journal.Records(t.Context(), j, "b"), nil); !errors.As(err, new(*fault.Error)) {
			t.Errorf("Export: %v", err)
		}
	})
}
