package audit_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/fault"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// salt is fixed, so that records can be compared with golden ones.
func salt(n int) []byte { return bytes.Repeat([]byte{byte(n)}, audit.SaltSize) }

func draft(typ, header, payload string) audit.Draft {
	return audit.Draft{Type: typ, Version: 1, Time: time.UnixMilli(1_780_000_000_000), Header: []byte(header), Payload: []byte(payload)}
}

// chain seals drafts one after the other, with fixed salts.
func chain(t testing.TB, stream string, drafts ...audit.Draft) (recs []audit.Record) {
	t.Helper()
	head := audit.Genesis("acme", stream)
	for i, d := range drafts {
		r, err := head.Seal(d, salt(i+1))
		if err != nil {
			t.Fatal(err)
		}
		recs, head = append(recs, r), r.Head()
	}
	return recs
}

// story is a small log with every form that a line can have.
func story(t testing.TB) []audit.Record {
	recs := chain(t, "session/s1",
		draft("turn_started", `{"turn":"t1"}`, `{"text":"Hello, \"world\" <é>"}`),
		draft("call_started", `{"turn":"t1","call":"c1"}`, `{"args":{"amount":1e2,  "a":1,"a":2}}`),
		draft("call_finished", `{"turn":"t1","call":"c1","note":"}{\"\\"}`, "text\nwith two lines"),
		draft("turn_ended", "", ""),
		draft("turn_started", `{"turn":"t2"}`, `"secret"`),
		draft("turn_ended", `{"turn":"t2"}`, "null"),
		draft("turn_started", `{"turn":"t3"}`, "\xff\x00"),
		draft("turn_ended", `{"turn":"t3"}`, ` {"spaces":"around"} `),
	)
	recs[4].Erase()
	recs = append(recs, chain(t, "policy", draft("published", `{"version":2}`, `{"by":"p1"}`))...)
	return append(recs, chain(t, audit.Admin, draft(audit.TypeErased, `{"stream":"session/s1","seqs":[[5,5]]}`, ""))...)
}

func lines(recs []audit.Record) []byte {
	var b []byte
	for i := range recs {
		b = recs[i].AppendLine(b, nil)
	}
	return b
}

// proves: V6 (the bytes of a log never change: a log of every release verifies)
func TestGolden(t *testing.T) {
	const path = "testdata/story.jsonl"
	got := lines(story(t))
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the log is written differently:\n%s\nwant:\n%s", got, want)
	}
}

// The specification of the hash, written a second time: a change of the code
// that keeps record and check in step is found here.
func TestHashIsAsSpecified(t *testing.T) {
	n := func(v uint64) string { return string(binary.BigEndian.AppendUint64(nil, v)) }
	text := func(s string) string { return n(uint64(len(s))) + s }
	prev := sha256.Sum256([]byte("assent/genesis/1\x00" + text("acme") + text("s")))
	r := chain(t, "s", draft("noted", `{"turn":"t1"}`, "payload"))[0]

	mac := hmac.New(sha256.New, salt(1))
	mac.Write([]byte("payload"))
	commitment := mac.Sum(nil)
	hash := sha256.Sum256([]byte("assent/record/1\x00" + text("acme") + text("s") + n(1) + n(1) + text("noted") +
		n(1_780_000_000_000) + text(`{"turn":"t1"}`) + string(commitment) + string(prev[:])))
	if fmt.Sprintf("%x", commitment) != r.Commitment.String() || fmt.Sprintf("%x", hash) != r.Hash.String() || prev != r.Prev {
		t.Errorf("commitment %x, hash %x, prev %x; the record has %v", commitment, hash, prev, r)
	}
}

func TestSealRefuses(t *testing.T) {
	good := draft("noted", "{}", "{}")
	for name, change := range map[string]func(*audit.Draft){
		"no type":                    func(d *audit.Draft) { d.Type = "" },
		"a type with a quote":        func(d *audit.Draft) { d.Type = `a","x":"` },
		"a type in capitals":         func(d *audit.Draft) { d.Type = "Noted" },
		"a long type":                func(d *audit.Draft) { d.Type = strings.Repeat("a", audit.MaxType+1) },
		"no version":                 func(d *audit.Draft) { d.Version = 0 },
		"a large version":            func(d *audit.Draft) { d.Version = 1 << 16 },
		"no time":                    func(d *audit.Draft) { d.Time = time.Time{} },
		"a time after 9999":          func(d *audit.Draft) { d.Time = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"a header that is text":      func(d *audit.Draft) { d.Header = []byte(`"{}"`) },
		"a header with a line break": func(d *audit.Draft) { d.Header = []byte("{\n}") },
		"a header with more behind":  func(d *audit.Draft) { d.Header = []byte(`{},"hash":""`) },
		"a header of invalid UTF-8":  func(d *audit.Draft) { d.Header = []byte("{\"a\":\"\xff\"}") },
		"a large header":             func(d *audit.Draft) { d.Header = []byte(`{"a":"` + strings.Repeat("x", audit.MaxHeader) + `"}`) },
		"a large payload":            func(d *audit.Draft) { d.Payload = make([]byte, audit.MaxPayload+1) },
	} {
		d := good
		change(&d)
		if _, err := audit.Genesis("acme", "s").Seal(d, salt(1)); fault.CodeOf(err) != fault.BadEvent {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := audit.Genesis("acme", "s").Seal(good, salt(1)[1:]); fault.CodeOf(err) != fault.BadEvent {
		t.Errorf("a short salt: error %v", err)
	}
	if _, err := audit.Genesis("acme", "s").Seal(good, salt(1)); err != nil {
		t.Errorf("a good draft: %v", err)
	}
}

func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"session/01J-x_y.z:1@a": true, strings.Repeat("n", audit.MaxName): true,
		"": false, strings.Repeat("n", audit.MaxName+1): false, "a b": false, "a\n": false, `a"`: false, `a\`: false, "é": false, "\x7f": false,
	} {
		if err := audit.CheckName(name); (err == nil) != ok {
			t.Errorf("CheckName(%q) = %v", name, err)
		}
	}
}

// proves: V6 (a record follows only the one that it was made behind)
func TestAfter(t *testing.T) {
	recs := chain(t, "s", draft("noted", "", "1"), draft("noted", "", "2"), draft("noted", "", "3"))
	other := recs[0].Head()
	other.Hash[0]++
	for name, c := range map[string]struct {
		r    audit.Record
		head audit.Head
		ok   bool
	}{
		"the first behind nothing":         {recs[0], audit.Genesis("acme", "s"), true},
		"the second behind the first":      {recs[1], recs[0].Head(), true},
		"the third behind the first":       {recs[2], recs[0].Head(), false},
		"the second behind itself":         {recs[1], recs[1].Head(), false},
		"the second behind another first":  {recs[1], other, false},
		"behind a stream of another name":  {recs[0], audit.Genesis("acme", "t"), false},
		"behind a stream of other tenants": {recs[0], audit.Genesis("other", "s"), false},
	} {
		if err := c.r.After(c.head); (err == nil) != c.ok || err != nil && fault.CodeOf(err) != fault.BadChain {
			t.Errorf("%s: %v", name, err)
		}
	}
	skipped := recs[2]
	skipped.Prev = recs[0].Hash
	if skipped.After(recs[0].Head()) == nil {
		t.Error("a gap that is linked passes")
	}
}
