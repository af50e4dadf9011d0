package journal_test

import (
	"bytes"
	"flag"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
)

var update = flag.Bool("update", false, "write a new golden file: only for a new format, beside the old one")

const golden = "testdata/format1.jsonl"

// proves: S1, V6 (a file of every release opens in later ones)
func TestGoldenFile(t *testing.T) {
	if *update {
		_, l := sample(t)
		if err := os.WriteFile(golden, join(l...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	path := logPath(t)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, path)
	if got := payloads(collect(t, j.Read(t.Context(), "a", 0))); got != `{"n":1} {"n":4} {"n":5} {"n":6}` {
		t.Errorf("stream a reads %s", got)
	}
	mustAppend(t, j, "b", 2, `{"n":7}`)
	if err := j.Erase(t.Context(), "b", 1); err != nil {
		t.Fatal(err)
	}
	mustClose(t, j)
	report, err := journal.VerifyFile(path, nil)
	if err != nil || report.Err() != nil || report.Records != 8 || report.Erased != 1 {
		t.Errorf("%v, %v, %+v", err, report.Err(), report)
	}
	// The payload and the salt are all that an erasure takes from a line.
	for line, err := range audit.Lines(bytes.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if r := line.Record; r.Stream == "b" && r.Seq == 1 {
			r.Erase()
			after, _ := os.ReadFile(path)
			if want := r.AppendLine(nil, nil); !bytes.Contains(after, want[1:]) {
				t.Errorf("the erased line is not %s", want)
			}
		}
	}
}

// What was cut off is said once, where the application looks.
func TestRepairIsLogged(t *testing.T) {
	path, l := sample(t)
	if err := os.WriteFile(path, join(l[0], l[1][:9]), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	opts := &journal.Options{Log: slog.New(slog.NewTextHandler(&said, nil))}
	for range 2 {
		j, err := journal.OpenFile(path, opts)
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, j)
	}
	if got := said.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "line=2 bytes=9") {
		t.Errorf("logged %q", got)
	}
}
