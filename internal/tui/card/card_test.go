package card_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/internal/tui/card"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
	"pgregory.net/rapid"
)

func request(class policy.Class, args string) approval.Request {
	scopes := approval.Scopes(policy.ScopeUser)
	return approval.Request{
		ID: "ap_1", Digest: schema.Digest([]byte(args)), Args: approval.Exact(args), Mode: policy.Ask,
		Tool:   approval.Tool{Name: "delete_page", Title: "Delete page 2", Source: tool.Source{Kind: policy.Server, Name: "hub"}},
		Class:  approval.Class{Declared: class, Effective: class},
		Schema: json.RawMessage(`{"type":"object","properties":{"page":{"type":"integer"},"key":{"type":"string","writeOnly":true}}}`),
		Why:    []approval.Why{{Code: "x", Text: "rule 7 'delete_*' asks"}},
		Preview: &tool.Preview{Summary: "Page 2 is lost.", Changes: []tool.Change{
			{Label: "R1", Before: "330R"}, {Label: "R2", After: "10k"}, {Label: "net", Before: "A", After: "B"},
		}},
		Scopes: scopes, Allowed: approval.Choices(scopes, true), ModelText: "The user wants it.",
	}
}

func draw(r approval.Request, width int) string {
	return strings.Join(card.Draw(approval.NewCard(r), ink.Ink{Width: width}, "the first of 2"), "\n")
}

// proves: P2 P14
func TestDraw(t *testing.T) {
	got := draw(request(policy.Destructive, `{"key":"s3cret","page":2,"why":null}`), 200)
	want := `| May this run? (the first of 2)
| Delete page 2
| [DESTRUCTIVE] cannot easily be changed back, or sends something away
| Tool: delete_page, from hub, a server that administrators registered
| Asks because: rule 7 'delete_*' asks
|
| What would change: Page 2 is lost.
|   R1: 330R (lost)
|   R2: 10k (new)
|   net: A -> B
|
| Arguments
|   key: ••• (a secret)
|   page: 2
|   why: null
|
| The assistant says: The user wants it.
|
| y  Allow once
| x  Allow these arguments again: 'delete_page' in this session, with exactly these arguments
| e  Change the arguments
| n  Deny
| r  Deny and say why
| w  Allow more than this once
| Esc stops the turn. Enter alone decides nothing.`
	if got = strings.ReplaceAll(got, "`", "'"); got != want { // a raw string holds no backquotes
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// An id stands first, and its name behind it.
//
// proves: R8 P14
func TestDrawShowsWhatAnIDStandsFor(t *testing.T) {
	r := request(policy.Write, `{"customer":"c_81","items":["A"],"key":"s3cret","page":2}`)
	r.Filled = []string{"/customer"}
	r.Preview = &tool.Preview{Names: []tool.Named{
		{Pointer: "/customer", Label: `Ann "A" Smith`}, {Pointer: "/items", Label: "the basket"}, {Pointer: "/items/0", Label: "Article A"},
		{Pointer: "/page", Label: "Supply"}, {Pointer: "/key", Label: "of the safe"},
	}}
	got := draw(r, 200)
	for _, want := range []string{
		"| The tool cannot say beforehand what would change.\n",
		`|   customer: "c_81" = "Ann \"A\" Smith" [the default]` + "\n",
		`|   items: 1 item = "the basket"` + "\n",
		`|     0: "A" = "Article A"` + "\n",
		"|   key: ••• (a secret)\n",
		`|   page: 2 = "Supply"` + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %sin\n%s", want, got)
		}
	}
}

// Where a preview failed, its reason stands in its place, in the tool's words.
//
// proves: P2 T4
func TestDrawSaysWhyThereIsNoPreview(t *testing.T) {
	r := request(policy.Destructive, `{"page":2}`)
	r.Preview, r.NoPreview = &tool.Preview{Names: []tool.Named{{Pointer: "/page", Label: "Supply"}}}, "page 2 is locked\nby Ann"
	got := draw(r, 200)
	for _, want := range []string{`| ! What would change cannot be said: page 2 is locked\nby Ann` + "\n", `|   page: 2 = "Supply"` + "\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %sin\n%s", want, got)
		}
	}
	r.Preview = request(policy.Destructive, `{}`).Preview
	if got := draw(r, 200); strings.Contains(got, "cannot be said") {
		t.Errorf("both:\n%s", got)
	}
}

// No value can be written so that it looks like an id with a name or a mark, and
// no name so that it looks like more than that.
//
// proves: R8 P14
func TestNoValueLooksLikeANamedOne(t *testing.T) {
	pieces := []string{`c_81`, `"`, ` = `, `\`, `Ann`, ` [the default]`, ` `, `\"`}
	text := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6), func(s []string) string { return strings.Join(s, "") })
	drawn := func(value, label string, filled bool) string {
		args, err := json.Marshal(map[string]string{"id": value})
		if err != nil {
			t.Fatal(err)
		}
		r := request(policy.Write, string(args))
		r.Preview = &tool.Preview{Names: []tool.Named{{Pointer: "/id", Label: label}}}
		if filled {
			r.Filled = []string{"/id"}
		}
		_, rest, _ := strings.Cut(draw(r, 500), "Arguments\n")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	rapid.Check(t, func(t *rapid.T) {
		type row struct {
			value, label string
			filled       bool
		}
		draw := rapid.Custom(func(t *rapid.T) row {
			return row{text.Draw(t, "value"), text.Draw(t, "label"), rapid.Bool().Draw(t, "filled")}
		})
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		if x, y := drawn(a.value, a.label, a.filled), drawn(b.value, b.label, b.filled); x == y && a != b {
			t.Fatalf("%+v and %+v are both drawn as %s", a, b, x)
		}
	})
	if plain, named := drawn(`c_81" = "Ann`, "", false), drawn("c_81", "Ann", false); plain == named {
		t.Errorf("both are drawn as %s", plain)
	}
}

// Wide scopes of strict calls stand one step away.
//
// proves: P3 P14
func TestOption(t *testing.T) {
	for _, test := range []struct {
		name  string
		class policy.Class
		key   rune
		wider bool
		want  approval.Choice
	}{
		{"y allows once", policy.Write, 'y', false, approval.ChooseApprove},
		{"P3 s allows a write for the session at once", policy.Write, 's', false, approval.ChooseSession},
		{"P3 s does not allow what destroys for the session at once", policy.Destructive, 's', false, ""},
		{"P3 nor what is unknown", policy.Unknown, 's', false, ""},
		{"P3 it does one step further", policy.Destructive, 's', true, approval.ChooseSession},
		{"n denies", policy.Unknown, 'n', false, approval.ChooseDeny},
		{"e changes", policy.Unknown, 'e', false, approval.ChooseEdit},
		{"another key is no choice", policy.Write, 'q', true, ""},
		{"the second key is none at first", policy.Destructive, card.Confirm, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := approval.NewCard(request(test.class, `{}`))
			o, ok := card.Option(c, test.key, test.wider)
			if o.Choice != test.want || ok != (test.want != "") {
				t.Errorf("%c is %q", test.key, o.Choice)
			}
			if strict := test.class >= policy.Destructive; ok && test.want != approval.ChooseDeny && test.want != approval.ChooseEdit && o.Twice != strict {
				t.Errorf("needs a second key: %v", o.Twice)
			}
		})
	}
}

func TestWide(t *testing.T) {
	c := approval.NewCard(request(policy.Destructive, `{}`))
	if got := strings.Join(card.Wide(c, ink.Ink{}), "\n"); !strings.Contains(got, "s  Allow for this session: `delete_page` in this session, any arguments") {
		t.Errorf("got %s", got)
	}
	if card.HasWider(approval.NewCard(request(policy.Write, `{}`))) {
		t.Error("a write has scopes one step away")
	}
}

// Whatever the texts of a call are, every line of its card begins with the bar,
// fits, and hides nothing.
//
// proves: P14
func TestNoTextLeavesTheCard(t *testing.T) {
	hostile := rapid.StringOf(rapid.SampledFrom([]rune("ab \n\r\x1b[2J|\u202e\u200b\u2028世😀\\")))
	rapid.Check(t, func(t *rapid.T) {
		name := hostile.Draw(t, "name")
		value, err := json.Marshal(map[string]string{name: hostile.Draw(t, "value")})
		if err != nil {
			t.Fatal(err)
		}
		args, err := schema.Parse(value, nil)
		if err != nil {
			t.Skip("these names differ only by case")
		}
		r := request(policy.Unknown, string(args))
		r.Tool.Title, r.Tool.Name, r.ModelText = hostile.Draw(t, "title"), hostile.Draw(t, "tool"), hostile.Draw(t, "words")
		r.Why[0].Text, r.Preview.Summary = hostile.Draw(t, "why"), hostile.Draw(t, "summary")
		r.Preview.Names = []tool.Named{{Pointer: "/" + name, Label: hostile.Draw(t, "label")}}
		width := rapid.IntRange(24, 100).Draw(t, "width")
		for _, line := range strings.Split(draw(r, width), "\n") {
			look := safetext.Look(line)
			if !strings.HasPrefix(line, "|") || ink.Columns(line) > width || look.Hidden+look.Broken > 0 || strings.ContainsAny(line, "\r\x1b") {
				t.Fatalf("%q at %d columns", line, width)
			}
		}
	})
}
