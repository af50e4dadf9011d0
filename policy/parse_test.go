package policy_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/policy"
)

func parse(text string) (*policy.Document, []policy.Warning, error) {
	return policy.Parse([]byte(text), &policy.Options{Condition: compileCondition})
}

// rule wraps the fields of one rule into a document, from line 3 on.
func rule(fields string) string { return "{\n \"rules\": [\n  {" + fields + "}\n ]\n}" }

func TestParseRefuses(t *testing.T) {
	const allow = `"id":"7","effect":"allow","source":{"kind":"host"},"tools":["order_delete"],"pins":["p"],"classes":["write"]`
	without := func(field string) string { return strings.Replace(allow, field, "", 1) }
	for _, row := range []struct {
		name, text string
		line       int
		says       string
	}{
		{"D5 G-P10 a misspelt field", rule(`"id":"7","efect":"deny"`), 3, `rule "7": unknown field "efect"`},
		{"D5 a misspelt field of the document", "{\n\"rule\":[]}", 2, `unknown field "rule"`},
		{"D5 a field of another case", rule(`"ID":"7","effect":"deny"`), 3, `unknown field "ID"`},
		{"D5 C7 an unknown effect", rule(`"id":"7","effect":"block"`), 3, `rule "7": unknown effect "block": write deny, ask_each, ask or allow`},
		{"D5 C7 an unknown class", rule(`"id":"7","effect":"deny","classes":["harmless"]`), 3, `rule "7": unknown class "harmless"`},
		{"D5 C7 an unknown mode", rule(`"id":"7","effect":"deny","modes":["yolo"]`), 3, `rule "7": unknown mode "yolo"`},
		{"D5 an empty class", rule(`"id":"7","effect":"deny","classes":[""]`), 3, "a word is empty"},
		{"D5 the id stands behind the mistake", rule(`"effect":"block","id":"7"`), 3, `rule "7"`},
		{"D5 a rule without an id", rule(`"effect":"block"`), 3, "rule number 1"},
		{"D5 a rule without an id, else right", rule(`"effect":"deny"`), 3, "has no id"},
		{"D5 a rule without an effect", rule(`"id":"7"`), 3, `rule "7": it has no effect`},
		{"D5 duplicate keys", rule(`"id":"7","effect":"deny","effect":"allow"`), 3, `"effect" comes twice`},
		{"D5 duplicate keys, one written with an escape", rule(`"id":"7","effect":"deny","\u0065ffect":"allow"`), 3, `"effect" comes twice`},
		{"D5 duplicate keys deep in a when", rule(`"id":"7","effect":"deny","when":{"not":{"const":1,"const":2}}`), 3, `"const" comes twice`},
		{"D5 two rules of one id", "{\"rules\":[{\"id\":\"7\",\"effect\":\"deny\"},{\"id\":\"7\",\"effect\":\"ask\"}]}", 0, `rule "7": another rule has this id`},
		{"D5 two limits of one id", `{"limits":[{"id":"l","mode":"ask"},{"id":"l","mode":"off"}]}`, 0, `limit "l": another limit`},
		{"D5 trailing text", "{}\n{}", 2, "not valid JSON"},
		{"D5 no text", "", 1, "not valid JSON"},
		{"D5 half a text", "{\n\"rules\":[", 2, "not valid JSON"},
		{"D5 a comment", "{\n// nothing\n}", 2, "not valid JSON"},
		{"D5 another type", "[]", 1, "expected an object"},
		{"D5 a list that is none", `{"rules":{}}`, 1, "expected a list"},
		{"D5 a text that is none", rule(`"id":7,"effect":"deny"`), 3, "expected a text"},
		{"D5 null is no list", rule(`"id":"7","effect":"deny","tools":null`), 3, "expected a list"},
		{"D5 an empty list could be read as none", rule(`"id":"7","effect":"deny","tools":[]`), 3, "a list is empty"},
		{"D5 an empty list of classes", rule(`"id":"7","effect":"deny","classes":[]`), 3, "a list is empty"},
		{"D5 an empty name", rule(`"id":"7","effect":"deny","tools":[""]`), 3, "a name is empty"},
		{"D5 tainted that is no flag", rule(`"id":"7","effect":"deny","tainted":"no"`), 3, "expected true or false"},
		{"D5 invalid UTF-8", "{\n\"version\":\"\xff\"}", 2, "not valid UTF-8"},
		{"D5 half of a surrogate pair", "{\n\"version\":\"\\ud800\"}", 2, "half of a surrogate pair"},
		{"D5 a low surrogate alone", "{\n\"version\":\"\\\\\\udc00\"}", 2, "half of a surrogate pair"},
		{"D5 too many levels", rule(`"id":"7","effect":"deny","when":{"not":` + strings.Repeat(`{"not":`, 70) + "{}" + strings.Repeat("}", 71)), 3, "levels deep"},
		{"D5 a source name without its kind", rule(`"id":"7","effect":"deny","source":{"name":"hub"}`), 3, "no kind"},
		{"D5 an unknown kind of source", rule(`"id":"7","effect":"deny","source":{"kind":"cloud"}`), 3, "unknown kind"},
		{"D5b a when that does not compile", rule(`"id":"7","effect":"deny","when":{"not":5}`), 3, `rule "7": when: cannot be read`},
		{"D5b a when that says nothing", rule(`"id":"7","effect":"deny","when":{ }`), 3, "when must be a schema that says something"},
		{"D5b a when that is true", rule(`"id":"7","effect":"deny","when":true`), 3, "when must be a schema"},
		{"P4 a wait over 30 days", rule(`"id":"7","effect":"ask","wait_seconds":2592001`), 3, "from 1 to 2592000"},
		{"P4 a wait of nothing", rule(`"id":"7","effect":"ask","wait_seconds":0`), 3, "from 1 to 2592000"},
		{"P4 a wait that overflows", rule(`"id":"7","effect":"ask","wait_seconds":9223372036854775807`), 3, "from 1 to 2592000"},
		{"P4 a wait that is no number", rule(`"id":"7","effect":"ask","wait_seconds":1.5`), 3, "whole number"},
		{"P4 a deny rule that waits", rule(`"id":"7","effect":"deny","wait_seconds":60`), 3, "only a rule that asks can wait"},
		{"D5 a date that is none", rule(`"id":"7","effect":"deny","expires":"tomorrow"`), 3, "expected a time"},
		{"D1 an allow rule with a pattern", rule(strings.Replace(allow, "order_delete", "order_*", 1)), 3, "exact tools"},
		{"D1 an allow rule without names", rule(without(`"tools":["order_delete"],`)), 3, "exact tools"},
		{"D1 P3 an allow rule without a source", rule(without(`"source":{"kind":"host"},`)), 3, "bound to a source"},
		{"D1 P3 an allow rule without pins", rule(without(`"pins":["p"],`)), 3, "bound to descriptors"},
		{"D1 P3 an allow rule without a class", rule(without(`,"classes":["write"]`)), 3, "bound to one class"},
		{"D1 P3 an allow rule with two classes", rule(strings.Replace(allow, `"write"`, `"read","write"`, 1)), 3, "bound to one class"},
		{"D1 an allow rule for a destructive tool without a when", rule(strings.Replace(allow, "write", "destructive", 1)), 3, "needs a when"},
		{"D1 an allow rule for an unknown tool without a when", rule(strings.Replace(allow, "write", "unknown", 1)), 3, "needs a when"},
		{"D1 an allow rule with exceptions", rule(allow + `,"except":["order_delete"]`), 3, "remove except"},
		{"D1 pins on a deny rule", rule(`"id":"7","effect":"deny","pins":["p"]`), 3, "only an allow rule has pins"},
		{"C5 C7 a limit of an unknown mode", "{\"limits\":[\n{\"id\":\"l\",\"mode\":\"some\"}]}", 2, `limit "l": unknown mode`},
		{"C5 a limit without a mode", `{"limits":[{"id":"l"}]}`, 1, "it has no mode"},
		{"P3 a cap of an unknown class", `{"caps":{"harmless":"once"}}`, 1, "unknown class"},
		{"P3 a cap of an unknown scope", `{"caps":{"write":"always"}}`, 1, "unknown scope"},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc, _, err := parse(row.text)
			e, ok := errors.AsType[*policy.Error](err)
			if !ok || doc != nil {
				t.Fatalf("%+v, %v", doc, err)
			}
			if e.Code != policy.CodeBadPolicy || e.Line != row.line || !strings.Contains(e.Text, row.says) {
				t.Errorf("%v, want line %d and %q", e, row.line, row.says)
			}
		})
	}
}

func TestParseWithoutACompiler(t *testing.T) {
	t.Run("D5b a when that nothing compiles refuses", func(t *testing.T) {
		text := rule(`"id":"7","effect":"deny","when":{"type":"object"}`)
		if _, _, err := policy.Parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), "nothing here compiles") {
			t.Error(err)
		}
	})
	t.Run("D5b a compiler that gives nothing refuses", func(t *testing.T) {
		text := rule(`"id":"7","effect":"deny","when":{"type":"object"}`)
		none := func(json.RawMessage, *policy.Rule) (policy.Condition, error) { return nil, nil }
		_, _, err := policy.Parse([]byte(text), &policy.Options{Condition: none})
		if err == nil || !strings.Contains(err.Error(), "no condition") {
			t.Error(err)
		}
	})
}

// TestParseWhole reads a document that uses every field.
//
// proves: D1 D5 D5b D6 C5 P3 P4
func TestParseWhole(t *testing.T) {
	text, err := os.ReadFile("testdata/policy.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, warnings, err := parse(string(text))
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	deny, allow := doc.Rules[0], doc.Rules[2]
	switch {
	case doc.Version != "2027-01-04", len(doc.Rules) != 3, len(doc.Limits) != 1, len(doc.Contract.Entries) != 2:
		t.Errorf("%+v", doc)
	case *deny.Tainted != true, deny.Source.Name != "hub", deny.Except[0] != "*_read", deny.When == nil:
		t.Errorf("%+v", deny)
	case doc.Rules[1].Wait != 72*time.Hour, allow.Expires != time.Date(2027, 3, 31, 22, 0, 0, 0, time.UTC):
		t.Errorf("%+v", doc.Rules[1:])
	case doc.Caps[policy.Destructive] != policy.ScopeExact, doc.Limits[0].Max != policy.Ask:
		t.Errorf("%+v %+v", doc.Caps, doc.Limits)
	}
	again, err := policy.Marshal(doc)
	if err != nil || string(again) != string(text) {
		t.Errorf("written again it is not the same (%v):\n%s", err, again)
	}
}

func TestParseContract(t *testing.T) {
	t.Run("C7 a class that is no word counts as unknown, with a warning", func(t *testing.T) {
		text := "{\"tools\":[\n{\"class\":\"harmless\",\"tool\":\"a\"},\n{\"tool\":\"b\",\"class\":7},{\"tool\":\"c\",\"class\":null}]}"
		c, warnings, err := policy.ParseContract([]byte(text))
		if err != nil || len(warnings) != 3 {
			t.Fatal(err, warnings)
		}
		for i, w := range warnings {
			if c.Entries[i].Class != policy.Unknown || w.At != c.Entries[i].Tool || w.Line != min(i+2, 3) {
				t.Errorf("%+v %+v", c.Entries[i], w)
			}
		}
	})
	t.Run("D6 an entry without a class", func(t *testing.T) {
		c, warnings, err := policy.ParseContract([]byte(`{"tools":[{"tool":"a"}]}`))
		if err != nil || len(warnings) != 0 || c.Entries[0].Class != policy.NotGiven {
			t.Error(c, warnings, err)
		}
	})
	for _, row := range []struct{ name, text, says string }{
		{"D6 D8 a contract that lost its tools is not an empty one", `{}`, "it has no tools"},
		{"D8 G-P08 half a contract", `{"tools":[{"tool":"a"`, "not valid JSON"},
		{"D6 a tool that is listed twice", `{"tools":[{"tool":"a"},{"tool":"a","class":"read"}]}`, "listed twice"},
		{"D6 an entry without a tool", `{"tools":[{"class":"read"}]}`, "name its tool"},
		{"D7 an empty pin", `{"tools":[{"tool":"a","pins":[""]}]}`, "pin is empty"},
		{"D6 an unknown field", `{"tools":[{"name":"a"}]}`, "unknown field"},
		{"D6 another type", `null`, "expected an object"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, _, err := policy.ParseContract([]byte(row.text))
			e, ok := errors.AsType[*policy.Error](err)
			if !ok || c != nil || e.Code != policy.CodeBadContract || !strings.Contains(e.Text, row.says) {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
	t.Run("D8 none, empty and unreadable read back as themselves", func(t *testing.T) {
		for _, text := range []string{`{"contract":null}`, `{"contract":{"tools":[]}}`, `{"contract":{"unreadable":true}}`} {
			doc, _, err := parse(text)
			if err != nil {
				t.Fatal(err)
			}
			written, err := policy.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := parse(string(written))
			if err != nil || (again.Contract == nil) != (doc.Contract == nil) || again.Contract != nil && again.Contract.Unreadable != doc.Contract.Unreadable {
				t.Errorf("%s became %s: %v", text, written, err)
			}
		}
	})
	t.Run("D6 a contract alone", func(t *testing.T) {
		text := "{\n  \"tools\": [\n    {\n      \"tool\": \"a<b\",\n      \"class\": \"write\"\n    }\n  ]\n}\n"
		c, _, err := policy.ParseContract([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if written, err := policy.MarshalContract(c); err != nil || string(written) != text {
			t.Errorf("%s %v", written, err)
		}
		if _, err := policy.MarshalContract(nil); err == nil {
			t.Error("no contract is written")
		}
	})
}

// TestCompileRefuses checks that a document made in code is held to the rules of Parse.
func TestCompileRefuses(t *testing.T) {
	with := func(change func(*policy.Rule)) *policy.Document {
		r := policy.Rule{ID: "7"}
		change(&r)
		return ruled(r)
	}
	for name, doc := range map[string]*policy.Document{
		"D5 nothing":                        nil,
		"D5 no id":                          with(func(r *policy.Rule) { r.ID = "" }),
		"D5 an effect that does not exist":  with(func(r *policy.Rule) { r.Effect = 9 }),
		"D5 a class that was not given":     with(func(r *policy.Rule) { r.Classes = []policy.Class{policy.NotGiven} }),
		"D5 a mode that does not exist":     with(func(r *policy.Rule) { r.Modes = []policy.Mode{9} }),
		"D5b a schema without condition":    with(func(r *policy.Rule) { r.WhenSchema = []byte(`{"type":"object"}`) }),
		"D5b a condition without schema":    with(func(r *policy.Rule) { r.When = panics{} }),
		"D5 a name that is no UTF-8":        with(func(r *policy.Rule) { r.Agents = []string{"\xff"} }),
		"D5 a reason that is no UTF-8":      with(func(r *policy.Rule) { r.Reason = "\xff" }),
		"D5 a year that cannot be written":  with(func(r *policy.Rule) { r.Expires = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }),
		"P4 a negative wait":                with(func(r *policy.Rule) { r.Effect, r.Wait = policy.EffectAsk, -time.Second }),
		"P4 a wait of half a second":        with(func(r *policy.Rule) { r.Effect, r.Wait = policy.EffectAsk, time.Second/2 }),
		"D1 an allow rule that binds less":  with(func(r *policy.Rule) { r.Effect = policy.EffectAllow }),
		"P3 a cap that does not exist":      {Caps: map[policy.Class]policy.Scope{policy.Read: 9}},
		"P3 a cap of a class not given":     {Caps: map[policy.Class]policy.Scope{policy.NotGiven: policy.ScopeOnce}},
		"C5 a limit that does not exist":    {Limits: []policy.Limit{{ID: "l", Max: 9}}},
		"C5 a limit without id":             {Limits: []policy.Limit{{}}},
		"C5 a limit for an empty group":     {Limits: []policy.Limit{{ID: "l", Groups: []string{""}}}},
		"D6 a contract's class":             {Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "a", Class: 9}}}},
		"D6 a contract's name that is none": {Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "\xff"}}}},
		"D5 a version that is no UTF-8":     {Version: "\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			if p, err := policy.Compile(doc); err == nil || p != nil {
				t.Error("it compiles")
			}
			if text, err := policy.Marshal(doc); err == nil {
				t.Errorf("it is written: %s", text)
			}
		})
	}
}

func TestReview(t *testing.T) {
	known := []policy.Tool{
		{Kind: policy.Host, Name: "order_get", Class: policy.Read, Pin: "pin-a"},
		{Kind: policy.Host, Name: "order_delete", Class: policy.Write, Pin: "pin-a"},
		{Kind: policy.Server, Source: "hub", Name: "drop", Class: policy.Destructive, Pin: "pin-b"},
	}
	allow := func(change func(*policy.Rule)) policy.Rule {
		r := allowing("7", policy.Write)
		change(&r)
		return r
	}
	for _, row := range []struct {
		name    string
		rule    policy.Rule
		flagged bool
	}{
		{"D5 a pattern that meets a known tool", policy.Rule{ID: "7", Tools: []string{"x", "order_*"}}, false},
		{"D5 a pattern that meets none", policy.Rule{ID: "7", Tools: []string{"ordr_*"}}, true},
		{"D5 a source that has no such tool", policy.Rule{ID: "7", Tools: []string{"drop"}, Source: policy.Source{Kind: policy.Host}}, true},
		{"D5 a source that is not known", policy.Rule{ID: "7", Source: policy.Source{Kind: policy.Server, Name: "hubb"}}, true},
		{"D5 exceptions that leave nothing", policy.Rule{ID: "7", Tools: []string{"drop"}, Except: []string{"*"}}, true},
		{"D5 an allow rule for a known tool", allow(func(*policy.Rule) {}), false},
		{"D5 an allow rule with an old pin", allow(func(r *policy.Rule) { r.Pins = []string{"pin-z"} }), true},
		{"D5 an allow rule for a class that the tool has left", allow(func(r *policy.Rule) { r.Classes[0] = policy.Read }), true},
		{"D5 an allow rule for another source", allow(func(r *policy.Rule) { r.Source.Name = "plug" }), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := ruled(row.rule).Review(known)
			if (len(w) > 0) != row.flagged || row.flagged && (w[0].At != "7" || !strings.Contains(w[0].Text, "no known tool")) {
				t.Errorf("%+v", w)
			}
		})
	}
	t.Run("D6 a contract that leaves no host tool", func(t *testing.T) {
		doc := &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "drop"}}}}
		if w := doc.Review(known); len(w) != 2 || w[0].At != "drop" || !strings.Contains(w[1].Text, "leaves no host tool") {
			t.Errorf("%+v", w)
		}
		doc.Contract.Entries = append(doc.Contract.Entries, policy.Entry{Tool: "order_get"})
		if w := doc.Review(known); len(w) != 1 || w[0].At != "drop" {
			t.Errorf("%+v", w)
		}
	})
}
