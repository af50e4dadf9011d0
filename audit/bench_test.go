package audit_test

import (
	"bytes"
	"testing"

	"github.com/assentdev/assent/audit"
)

const decision = `{"tool":"orders_refund","class":"write","verdict":"ask","basis":"table","mode":"ask","digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","trace":"mode ask, class write"}`

// BenchmarkSeal is what a record costs before it is written: commitment, chain
// and line.
func BenchmarkSeal(b *testing.B) {
	d := draft("call_decided", `{"turn":"01J9Z3","call":"01J9Z4"}`, decision)
	head, buf := audit.Genesis("acme", "session/1"), make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		r, err := head.Seal(d, audit.NewSalt())
		if err != nil {
			b.Fatal(err)
		}
		head, buf = r.Head(), r.AppendLine(buf[:0], nil)
	}
}

// BenchmarkParse is what a record costs to read and check.
func BenchmarkParse(b *testing.B) {
	r := chain(b, "session/1", draft("call_decided", `{"turn":"01J9Z3","call":"01J9Z4"}`, decision))[0]
	line := bytes.TrimSuffix(r.AppendLine(nil, nil), []byte("\n"))
	b.ReportAllocs()
	for b.Loop() {
		r, _, err := audit.ParseLine(line)
		if err == nil {
			err = r.Check()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
