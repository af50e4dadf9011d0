package resource_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/schema"
)

// pay is a payload with a field of each kind of rule.
type pay struct {
	Cents  int      `json:"cents" min:"1" max:"500"`
	Reason string   `json:"reason,omitempty" enum:"damaged,late,other"`
	Tags   []string `json:"tags,omitempty" maxItems:"2"`
	Note   *string  `json:"note,omitempty" maxLength:"3"`
}

// payments has a tool of each kind. What it got is kept as text.
func payments(got *string) *resource.App {
	r := resource.New("orders")
	resource.View(r, "detail", func(_ *resource.Context, k key) (resource.Node, error) {
		*got = k.ID
		return nil, nil
	}).SetAgentOptions(about("Shows."))
	resource.Lookup(r, "find", func(_ *resource.Context, k key, query string) ([]resource.Record, error) {
		*got = k.ID + " " + query
		return nil, nil
	}).SetAgentOptions(about("Finds."))
	resource.Action(r, "pay", func(c *resource.Context, k key, p pay) (resource.Node, error) {
		*got = fmt.Sprint(k.ID, " ", p.Cents, " ", string(c.Payload))
		return nil, nil
	}).SetAgentOptions(about("Pays."))
	return resource.NewApp(nil, r)
}

// value draws JSON that often fits a property and often does not.
func value(t *rapid.T, label string) any {
	return rapid.OneOf(
		rapid.SampledFrom([]any{"7", "", "damaged", "lost", nil, true, 1.5, []any{}, []any{"a", "b"}, []any{"a", "b", "c"}, []any{1}, map[string]any{}}),
		rapid.Map(rapid.IntRange(-1, 502), func(n int) any { return n }),
		rapid.Map(rapid.StringN(0, 4, -1), func(s string) any { return s }),
	).Draw(t, label)
}

// proves: R3, R5
func TestTheDescriptionAcceptsWhatTheCallAccepts(t *testing.T) {
	got := ""
	app := payments(&got)
	tools, err := app.AgentTools()
	if err != nil {
		t.Fatal(err)
	}
	checks := make([]*schema.Schema, len(tools))
	for i, tool := range tools {
		if checks[i], err = schema.Compile(tool.Input, nil); err != nil {
			t.Fatalf("%s: %v", tool.Input, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(tools)-1).Draw(t, "tool")
		args := map[string]any{}
		for _, name := range []string{"id", "query", "cents", "reason", "tags", "note", "other"} {
			if rapid.IntRange(0, 9).Draw(t, "give "+name) < 6 {
				args[name] = value(t, name)
			}
		}
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		got = "nothing"
		res := app.Invoke(t.Context(), tools[i].Name, raw, resource.Caller{})
		_, refused := checks[i].Check(raw)
		fits := refused == nil && addressable(args["id"])
		if (res.Kind == resource.Success) != fits || (got != "nothing") != fits {
			t.Fatalf("%s %s: the schema says %v, the call %s", tools[i].Name, raw, refused, res.JSON())
		}
		if !fits && (res.Kind != resource.Rejected || len(res.Issues) == 0) {
			t.Fatalf("%s %s: %s", tools[i].Name, raw, res.JSON())
		}
	})
}

// addressable says whether a value of the right type is an address: that much
// more than its description is asked of it.
func addressable(id any) bool {
	text, _ := id.(string)
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// Arbitrary text is answered, never with a panic, and no handler runs unless the
// arguments fit.
//
// proves: R5, R6
func FuzzInvoke(f *testing.F) {
	for _, seed := range []string{
		`{"id":"7","cents":5}`, `{"id":"7","cents":1e2,"reason":"late"}`, `{"id":"7"}`, `{"id":"7","query":"x"}`, ``, `null`, `[]`, `{`, `{"id":"7","id":"8"}`,
		`{"ID":"7","cents":5}`, `{"id":"\ud800","cents":5}`, `{"id":null}`, `{"cents":5,"id":"7","tags":["a"],"note":null}`, "{\"id\":\"\xff\"}", `{"id":"7","cents":5} x`,
	} {
		f.Add(seed)
	}
	got := ""
	app := payments(&got)
	tools, err := app.AgentTools()
	if err != nil {
		f.Fatal(err)
	}
	checks := map[string]*schema.Schema{}
	for _, tool := range tools {
		if checks[tool.Name], err = schema.Compile(tool.Input, nil); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, args string) {
		for name, check := range checks {
			got = "nothing"
			res := app.Invoke(t.Context(), name, json.RawMessage(args), resource.Caller{})
			_, refused := check.Check([]byte(args))
			if refused != nil && (res.Kind != resource.Rejected || got != "nothing") {
				t.Errorf("%s %q does not fit (%v), and gives %s", name, args, refused, res.JSON())
			}
			if refused == nil && res.Kind != resource.Success && res.Status != 400 {
				t.Errorf("%s %q fits, and gives %s", name, args, res.JSON())
			}
			if !json.Valid(res.JSON()) {
				t.Errorf("the result is no JSON: %s", res.JSON())
			}
		}
	})
}
