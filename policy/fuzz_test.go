package policy_test

import (
	"os"
	"slices"
	"testing"

	"github.com/assentdev/assent/policy"
	"pgregory.net/rapid"
)

// sameDecisions compares two documents on calls of their own tools and of the
// domain that the laws use.
func sameDecisions(t interface{ Fatalf(string, ...any) }, a, b *policy.Policy, calls []policy.Facts) {
	for i := range calls {
		f := &calls[i]
		if x, y := a.Decide(f), b.Decide(f); x != y {
			t.Fatalf("before %+v, after %+v, for %+v", x, y, f)
		}
		_, x := a.Offer(f)
		_, y := b.Offer(f)
		if x != y {
			t.Fatalf("offered before %v, after %v, for %+v", x, y, f)
		}
	}
}

// callsOf returns calls of the tools that a document names.
func callsOf(doc *policy.Document) (calls []policy.Facts) {
	names := slices.Clone(toolNames)
	if doc.Contract != nil {
		for _, e := range doc.Contract.Entries {
			names = append(names, e.Tool)
		}
	}
	for _, r := range doc.Rules {
		names = append(names, r.Tools...)
	}
	for _, name := range names[:min(len(names), 20)] {
		for _, mode := range modes {
			f := granted(plain(mode, policy.Write), policy.ScopeSession)
			f.Tool.Name, f.Now, f.Groups = name, noon, groups
			f.Args = []byte(`{"amount":100,"to":"ann"}`)
			calls = append(calls, f)
		}
	}
	return calls
}

// proves: D5
func TestADocumentReadsBackAsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		doc := g.document()
		text, err := policy.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		again, warnings, err := policy.Parse(text, &policy.Options{Condition: compileCondition})
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%v %v\n%s", err, warnings, text)
		}
		f := g.facts()
		sameDecisions(t, compiled(t, doc), compiled(t, again), append(callsOf(doc), *f))
	})
}

// FuzzParse reads any bytes: what parses compiles, and is written and read back
// as a document that decides alike.
//
// proves: D5 D8
func FuzzParse(f *testing.F) {
	if text, err := os.ReadFile("testdata/policy.json"); err == nil {
		f.Add(text)
	}
	f.Add([]byte(`{"rules":[{"id":"7","effect":"deny","tools":["a*"],"when":{"properties":{"amount":{"minimum":1}}}}]}`))
	f.Add([]byte(`{"contract":{"tools":[{"tool":"\u00e4\ud83d\ude00","class":"x"}]},"caps":{"write":"once"}}`))
	f.Add([]byte(`{"limits":[{"id":"l","mode":"ask","groups":["staff"]}],"version":"\\"}`))
	opt := &policy.Options{Condition: compileCondition}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, _, err := policy.Parse(text, opt)
		if err != nil {
			return
		}
		p, err := policy.Compile(doc)
		if err != nil {
			t.Fatalf("it parses and does not compile: %v", err)
		}
		written, err := policy.Marshal(doc)
		if err != nil {
			t.Fatalf("it parses and cannot be written: %v", err)
		}
		again, warnings, err := policy.Parse(written, opt)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%v %v\n%s", err, warnings, written)
		}
		sameDecisions(t, p, compiled(t, again), callsOf(doc))
		once, err := policy.Marshal(again)
		if err != nil || string(once) != string(written) {
			t.Fatalf("written twice it differs (%v):\n%s\n%s", err, written, once)
		}
	})
}

// FuzzContract reads any bytes as a contract.
//
// proves: C7 D6
func FuzzContract(f *testing.F) {
	f.Add([]byte(`{"tools":[{"tool":"a","class":"read","pins":["p"]},{"tool":"b","class":"no"}]}`))
	f.Add([]byte(`{"unreadable":true}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := policy.ParseContract(text)
		if err != nil {
			return
		}
		written, err := policy.MarshalContract(c)
		if err != nil {
			t.Fatalf("it parses and cannot be written: %v", err)
		}
		again, warnings, err := policy.ParseContract(written)
		if err != nil || len(warnings) > 0 || len(again.Entries) != len(c.Entries) && !c.Unreadable {
			t.Fatalf("%v %v\n%s", err, warnings, written)
		}
	})
}
