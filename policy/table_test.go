package policy_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/assentdev/assent/policy"
)

func TestDecideWithoutAPolicy(t *testing.T) {
	for _, row := range []struct {
		name  string
		mode  policy.Mode
		class policy.Class
		want  policy.Verdict
	}{
		{"C1 off hides even a read tool", policy.Off, policy.Read, policy.Hidden},
		{"C1 read_only hides what writes", policy.ReadOnly, policy.Write, policy.Hidden},
		{"C1 ask asks about a write tool", policy.Ask, policy.Write, policy.AskFirst},
		{"C1 auto runs a write tool", policy.Auto, policy.Write, policy.Run},
		{"C1 auto still asks about a destructive tool", policy.Auto, policy.Destructive, policy.AskFirst},
		{"C1 unknown decides like destructive", policy.Auto, policy.Unknown, policy.AskFirst},
		{"C2 a class that nobody gave is unknown", policy.Auto, policy.NotGiven, policy.AskFirst},
		{"C7 a number that is no mode is off", 200, policy.Read, policy.Hidden},
		{"C7 a number that is no class is unknown", policy.Auto, 200, policy.AskFirst},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := policy.Decide(row.mode, row.class); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// TestWords checks that every word reads back as itself and that others are refused.
func TestWords(t *testing.T) {
	type word interface {
		fmt.Stringer
		MarshalText() ([]byte, error)
	}
	for _, row := range []struct {
		word  word
		text  string
		parse func(string) (word, error)
	}{
		{policy.Off, "off", func(s string) (word, error) { return policy.ParseMode(s) }},
		{policy.ReadOnly, "read_only", func(s string) (word, error) { return policy.ParseMode(s) }},
		{policy.Destructive, "destructive", func(s string) (word, error) { return policy.ParseClass(s) }},
		{policy.Unknown, "unknown", func(s string) (word, error) { return policy.ParseClass(s) }},
		{policy.Hidden, "hidden", func(s string) (word, error) { return policy.ParseVerdict(s) }},
		{policy.Deny, "deny", func(s string) (word, error) { return policy.ParseVerdict(s) }},
		{policy.AskFirst, "ask", func(s string) (word, error) { return policy.ParseVerdict(s) }},
		{policy.Run, "run", func(s string) (word, error) { return policy.ParseVerdict(s) }},
		{policy.EffectAskEach, "ask_each", func(s string) (word, error) { return policy.ParseEffect(s) }},
		{policy.EffectAllow, "allow", func(s string) (word, error) { return policy.ParseEffect(s) }},
		{policy.ScopeOnce, "once", func(s string) (word, error) { return policy.ParseScope(s) }},
		{policy.ScopeExact, "exact", func(s string) (word, error) { return policy.ParseScope(s) }},
		{policy.ScopePattern, "pattern", func(s string) (word, error) { return policy.ParseScope(s) }},
		{policy.ScopeSession, "session", func(s string) (word, error) { return policy.ParseScope(s) }},
		{policy.ScopeUser, "user", func(s string) (word, error) { return policy.ParseScope(s) }},
		{policy.BasisUnreadable, "unreadable", func(s string) (word, error) { return policy.ParseBasis(s) }},
		{policy.BasisTable, "table", func(s string) (word, error) { return policy.ParseBasis(s) }},
	} {
		t.Run(row.text, func(t *testing.T) {
			if b, _ := row.word.MarshalText(); string(b) != row.text {
				t.Errorf("written as %q", b)
			}
			if got, err := row.parse(row.text); err != nil || got != row.word {
				t.Errorf("read as %v, %v", got, err)
			}
			for _, wrong := range []string{"", row.text + " ", "YOLO"} {
				if _, err := row.parse(wrong); err == nil {
					t.Errorf("%q is read without an error", wrong)
				}
			}
		})
	}
}

func TestLenientWords(t *testing.T) {
	for _, s := range []string{"AUTO", "auto ", "", "7", "null"} {
		t.Run(fmt.Sprintf("C7 G-P06 mode text %q is off", s), func(t *testing.T) {
			if m := policy.ReadMode(s); m != policy.Off {
				t.Error(m)
			}
			if _, err := policy.ParseMode(s); err == nil {
				t.Error("in code it is no error")
			}
		})
	}
	t.Run("C7 known words are read", func(t *testing.T) {
		if m := policy.ReadMode("auto"); m != policy.Auto {
			t.Error(m)
		}
		if c, ok := policy.ReadClass("read"); c != policy.Read || !ok {
			t.Error(c, ok)
		}
	})
	t.Run("C7 other class text is unknown and deserves a warning", func(t *testing.T) {
		if c, ok := policy.ReadClass("harmless"); c != policy.Unknown || ok {
			t.Error(c, ok)
		}
	})
	t.Run("C2 no class text is not given", func(t *testing.T) {
		if c, ok := policy.ReadClass(""); c != policy.NotGiven || !ok {
			t.Error(c, ok)
		}
	})
}

// TestEveryInput runs the 1,280 rows of case G-P01: four classes, five states of
// the contract, four modes, four rules and four limits. Every row equals the
// reference, and is at most as free as each of its inputs alone.
//
// proves: C1 C2 C5 D1 D6 D8
func TestEveryInput(t *testing.T) {
	states := []*policy.Contract{
		nil, {Entries: []policy.Entry{}}, {Unreadable: true},
		{Entries: []policy.Entry{{Tool: "order_delete"}}},
		{Entries: []policy.Entry{{Tool: "order_get"}}},
	}
	rows := 0
	for _, class := range classes {
		for _, contract := range states {
			for _, mode := range modes {
				for _, effect := range words {
					for _, limit := range modes {
						rows++
						doc := ruled(effectRule("7", effect, class))
						doc.Contract, doc.Limits = contract, []policy.Limit{{ID: "l1", Max: limit}}
						f := plain(mode, class)
						f.Now = noon
						got := compiled(t, doc).Decide(&f)
						if want := oracle(doc, &f); bare(got) != want {
							t.Fatalf("%+v, want %+v", got, want)
						}
						atMost(t, doc, &f, got)
					}
				}
			}
		}
	}
	if rows != 1280 {
		t.Errorf("%d rows", rows)
	}
}

// atMost checks a decision against what each input would give alone.
func atMost(t *testing.T, doc *policy.Document, f *policy.Facts, got policy.Decision) {
	alone := []*policy.Document{
		{Contract: doc.Contract, Rules: allowOf(doc)},
		{Limits: doc.Limits, Rules: allowOf(doc)},
		{Rules: doc.Rules},
	}
	for _, one := range alone {
		if d := compiled(t, one).Decide(f); freer(got, d) {
			t.Fatalf("%s with all inputs, %s with fewer", got.Reason(), d.Reason())
		}
	}
}

func allowOf(doc *policy.Document) []policy.Rule {
	if doc.Rules[0].Effect == policy.EffectAllow {
		return doc.Rules
	}
	return nil
}

func TestNothingReadable(t *testing.T) {
	f := plain(policy.Auto, policy.Read)
	for name, p := range map[string]*policy.Policy{"D8 no policy": nil, "D8 the zero policy": {}} {
		t.Run(name, func(t *testing.T) {
			d, offered := p.Offer(&f)
			if d.Verdict != policy.Hidden || d.Category != policy.ByPolicy || offered {
				t.Errorf("%+v, offered %v", d, offered)
			}
			if m, _ := p.Effective(policy.Auto, "desk", nil); m != policy.Off {
				t.Errorf("mode %s", m)
			}
			if s := p.Cap(policy.Read); s != policy.ScopeOnce {
				t.Errorf("cap %s", s)
			}
			if got, trace := p.Explain(&f); got != d || len(trace.Steps) != 1 {
				t.Errorf("%+v %+v", got, trace)
			}
		})
	}
	t.Run("D8 no facts", func(t *testing.T) {
		if d := compiled(t, nothing).Decide(nil); d.Verdict != policy.Hidden || d.Category != policy.ByPolicy {
			t.Errorf("%+v", d)
		}
	})
	t.Run("D8 an unknown kind of source is held to both sides' rules", func(t *testing.T) {
		f := plain(policy.Auto, policy.Read)
		f.Tool.Kind = ""
		if d := compiled(t, nothing).Decide(&f); d.Class != policy.Unknown || d.Verdict != policy.AskFirst {
			t.Errorf("%+v", d)
		}
		doc := &policy.Document{Contract: &policy.Contract{Unreadable: true}}
		if d := compiled(t, doc).Decide(&f); d.Verdict != policy.Hidden {
			t.Errorf("%+v", d)
		}
	})
}

func TestLastGood(t *testing.T) {
	copy := &policy.Contract{}
	for _, row := range []struct {
		name string
		read time.Time
		want bool
	}{
		{"D6 just before 24 hours the last copy stands in", noon.Add(-24*time.Hour + 1), true},
		{"D6 after 24 hours it does not", noon.Add(-24 * time.Hour), false},
		{"D6 a copy that was never read does not", time.Time{}, false},
		{"D6 a copy of the future does not", noon.Add(1), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := policy.LastGood(copy, row.read, noon)
			if (got == copy) != row.want || got.Unreadable == row.want {
				t.Errorf("%+v", got)
			}
		})
	}
}

// panics is a condition that fails.
type panics struct{}

func (panics) Match([]byte) (match, known bool) { panic("broken") }

func TestAConditionThatPanics(t *testing.T) {
	for _, e := range words {
		t.Run("D5b G-P11 "+e.String(), func(t *testing.T) {
			r := effectRule("7", e, policy.Write)
			r.When, r.WhenSchema = panics{}, json.RawMessage(`{"type":"object"}`)
			f := plain(policy.Ask, policy.Write)
			d := compiled(t, ruled(r)).Decide(&f)
			if matched := d.Rule == "7"; matched == (e == policy.EffectAllow) {
				t.Errorf("%+v", d)
			}
		})
	}
	t.Run("P3 a grant", func(t *testing.T) {
		f := granted(plain(policy.Ask, policy.Write), policy.ScopePattern)
		f.Grants[0].When = panics{}
		if policy.Covers(f.Grants[0], &f, policy.Write) {
			t.Error("it covers")
		}
	})
}

// proves: P3 D8
func TestWithoutAClockNothingFrees(t *testing.T) {
	f := granted(plain(policy.Ask, policy.Write), policy.ScopeSession)
	f.Grants[0].Expires = noon
	if d := compiled(t, nothing).Decide(&f); d.Verdict != policy.AskFirst {
		t.Error("a grant with a date frees: ", d.Reason())
	}
	allow, deny := allowing("a", policy.Write), policy.Rule{ID: "b"}
	allow.Expires, deny.Expires = noon, noon
	if d := compiled(t, ruled(allow)).Decide(&f); d.Verdict != policy.AskFirst {
		t.Error("an allow rule with a date frees: ", d.Reason())
	}
	if d := compiled(t, ruled(deny)).Decide(&f); d.Verdict != policy.Deny {
		t.Error("a deny rule with a date is over: ", d.Reason())
	}
}
