package resource_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

type parcelKey struct {
	No int `param:"no" lookup:"parcels.find"`
}

type sending struct {
	To    string   `json:"to" lookup:"parcels.towns"`
	Via   []string `json:"via,omitempty" lookup:"parcels.towns"`
	Grams int      `json:"grams" min:"1"`
}

// depot is an app whose definitions are of every class.
type depot struct {
	callers []resource.Caller
	sent    []sending
}

func (d *depot) app() *resource.App {
	r := resource.New("parcels", func(next resource.Handler) resource.Handler {
		return func(c *resource.Context) resource.Result {
			d.callers = append(d.callers, c.Caller)
			if c.Principal == "" {
				return resource.Errorf(resource.Forbidden, "Sign in first.").Result()
			}
			return next(c)
		}
	})
	show := resource.View(r, "show", func(_ *resource.Context, k parcelKey) (resource.Node, error) {
		if k.No == 13 {
			return nil, &resource.Error{Code: resource.Unknown, Text: "There is no parcel 13.", Next: &resource.Next{Tool: "parcels_find", Input: []byte(`{"query":"13"}`)}}
		}
		return resource.WithData(map[string]int{"no": k.No}, resource.Heading("Parcel"), resource.Text("on its way")), nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Opens a parcel.", Outside: true})
	resource.Lookup(r, "find", func(_ *resource.Context, _ resource.None, q string) ([]resource.Record, error) {
		return []resource.Record{{Value: "7", Label: "A heavy | box"}}, nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Finds parcels.", Search: true})
	resource.Lookup(r, "towns", func(_ *resource.Context, _ resource.None, q string) ([]resource.Record, error) {
		return nil, nil
	}).SetResolve(func(_ *resource.Context, _ resource.None, id string) (*resource.Record, error) {
		if id == "x" {
			return nil, nil
		}
		return &resource.Record{Value: id, Label: strings.ToUpper(id)}, nil
	})
	send := func(_ *resource.Context, k parcelKey, s sending) (resource.Node, error) {
		d.sent = append(d.sent, s)
		return show.Link(k, "The parcel"), nil
	}
	resource.Action(r, "send", send).SetClass(assent.Destructive).SetTitle("Send parcel").
		SetPreview(func(_ *resource.Context, _ parcelKey, s sending) (*assent.Preview, error) {
			if s.Grams > 100_000 {
				return nil, resource.Errorf(resource.Forbidden, "It is too heavy.")
			}
			return &assent.Preview{Summary: "It goes to " + s.To}, nil
		}).SetAgentOptions(resource.AgentOptions{Description: "Sends a parcel.", Title: "Send parcel {no} to {to}"})
	resource.Action(r, "label", send).SetClass(assent.Write).
		SetRaise(func(_ *resource.Context, _ parcelKey, s sending) assent.Class {
			if s.Grams > 1000 {
				return assent.Destructive
			}
			return assent.Write
		}).SetAgentOptions(resource.AgentOptions{Description: "Labels a parcel.", Result: resource.ResultJSON})
	resource.Action(r, "weigh", send).SetAgentOptions(resource.AgentOptions{Description: "Weighs a parcel."})
	resource.Action(r, "burn", send).SetClass(assent.Destructive) // not for agents
	return resource.NewApp(nil, r)
}

func (d *depot) session(t *testing.T, mode assent.Mode, person *assenttest.Person) *assent.Session {
	t.Helper()
	agent, err := assent.Start(t.Context(), assent.WithToolSource(d.app().Source()), assent.WithApprovals(person), assent.WithPrincipal("ann", "staff"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.Close() })
	s, err := agent.StartSession(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func called(t *testing.T, s *assent.Session, tool, args string) *assent.Result {
	t.Helper()
	r, err := s.Call(t.Context(), tool, []byte(args)).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const sent = `{"no":"7","to":"rome","grams":5}`

// Views and lookups read; an action has the class that it declares; one that
// declares none is unknown. The table of classes and modes holds for each.
//
// proves: R8, C1
func TestToolsHaveTheirClasses(t *testing.T) {
	d := &depot{}
	tools, err := d.app().Tools()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]policy.Class{
		"parcels_show": policy.Read, "parcels_find": policy.Read, "parcels_send": policy.Destructive,
		"parcels_label": policy.Write, "parcels_weigh": policy.NotGiven,
	}
	if len(tools) != len(want) {
		t.Errorf("%d tools, want %d: only what was opted in is a tool", len(tools), len(want))
	}
	for _, x := range tools {
		if class, ok := want[x.Name]; !ok || x.Class != class {
			t.Errorf("%s is %s, want %s", x.Name, x.Class, class)
		}
	}
	for _, mode := range []assent.Mode{assent.Off, assent.ReadOnly, assent.Ask, assent.Auto} {
		for _, x := range tools {
			checkTable(t, mode, x.Name, x.Class)
		}
	}
	if w := d.app().Warnings(); len(w) != 2 || !strings.Contains(w[0], "parcels.label") || !strings.Contains(w[1], "parcels.weigh") {
		t.Errorf("warnings: %q", w)
	}
}

// checkTable makes a valid call in a mode and looks whether it ran, and whether
// anybody was asked.
func checkTable(t *testing.T, mode assent.Mode, tool string, class policy.Class) {
	t.Helper()
	args := map[string]string{"parcels_show": `{"no":"7"}`, "parcels_find": `{"query":"a"}`}[tool]
	if args == "" {
		args = sent
	}
	d, person := &depot{}, assenttest.NewPerson().Answers("", approval.Approve())
	r := called(t, d.session(t, mode, person), tool, args)
	want := policy.Decide(mode, class)
	if ran := r.Calls[0].Outcome == "ok"; ran != (want != policy.Hidden) {
		t.Errorf("%s, %s: %s: %s", tool, mode, r.Calls[0].Outcome, r.Text)
	}
	if asked := len(person.Asked()) == 1; asked != (want == policy.AskFirst) {
		t.Errorf("%s, %s: asked: %v", tool, mode, asked)
	}
	if mode == assent.ReadOnly && len(d.sent) > 0 {
		t.Errorf("%s ran in read_only", tool)
	}
}

// A tool's call comes with who acts, and through the middleware.
//
// proves: R5, T3
func TestAToolsCallComesWithWhoActs(t *testing.T) {
	d := &depot{}
	r := called(t, d.session(t, assent.Auto, assenttest.NewPerson()), "parcels_label", sent)
	if len(d.callers) == 0 {
		t.Fatal("the middleware was not called")
	}
	by := d.callers[len(d.callers)-1]
	if by.Principal != "ann" || !slices.Equal(by.Groups, []string{"staff"}) || by.Door != resource.Tool || !by.Agent || by.CallID != r.Calls[0].Call {
		t.Errorf("caller: %+v", by)
	}
}

// What cannot be read is refused before anybody is asked: also an address that
// the schema, in which it is a string, lets pass.
//
// proves: A1, R4, R8
func TestNobodyIsAskedAboutWhatCannotBeRead(t *testing.T) {
	for _, args := range []string{
		`{"no":"seven","to":"rome","grams":5}`, `{"no":"","to":"rome","grams":5}`, `{"no":7,"to":"rome","grams":5}`,
		`{"no":"7","to":"rome","grams":0}`, `{"no":"7","to":"rome"}`, `{"no":"7","to":"rome","grams":5,"x":1}`, `{"no":null,"to":"rome","grams":5}`,
	} {
		d, person := &depot{}, assenttest.NewPerson().Answers("", approval.Approve())
		r := called(t, d.session(t, assent.Ask, person), "parcels_send", args)
		if r.Calls[0].Outcome != "invalid" || !strings.HasPrefix(r.Text, "Error: Invalid arguments: ") {
			t.Errorf("%s: %s: %s", args, r.Calls[0].Outcome, r.Text)
		}
		if len(person.Asked())+len(d.sent) > 0 {
			t.Errorf("%s: somebody was asked, or it ran", args)
		}
	}
}

// The card shows the preview, and what the ids stand for.
//
// proves: R8, P2
func TestTheCardShowsPreviewAndNames(t *testing.T) {
	d, person := &depot{}, assenttest.NewPerson().Answers("", approval.Approve())
	s := d.session(t, assent.Ask, person)
	called(t, s, "parcels_send", `{"no":"7","to":"rome","via":["x","oslo"],"grams":5}`)
	called(t, s, "parcels_label", sent) // has no preview of its own
	asked := person.Asked()
	if len(asked) != 2 {
		t.Fatalf("asked %d times", len(asked))
	}
	if asked[0].Tool.Title != "Send parcel 7 to rome" {
		t.Errorf("title %q", asked[0].Tool.Title)
	}
	want := []assent.Named{{Pointer: "/no", Label: "A heavy | box"}, {Pointer: "/to", Label: "ROME"}, {Pointer: "/via/1", Label: "OSLO"}}
	if p := asked[0].Preview; p == nil || p.Summary != "It goes to rome" || !slices.Equal(p.Names, want) {
		t.Errorf("preview: %+v", p)
	}
	if p := asked[1].Preview; p == nil || p.Summary != "" || !slices.Equal(p.Names, want[:2]) {
		t.Errorf("preview: %+v", p)
	}
}

// Who is asked about a call that would be refused reads why, beside the names.
//
// proves: R8, P2
func TestTheCardSaysWhatWouldBeRefused(t *testing.T) {
	d, person := &depot{}, assenttest.NewPerson().Answers("", approval.Deny("no"))
	called(t, d.session(t, assent.Auto, person), "parcels_send", `{"no":"7","to":"rome","grams":100001}`)
	asked := person.Asked()
	if len(asked) != 1 || asked[0].NoPreview != "It is too heavy." || asked[0].Preview == nil || len(asked[0].Preview.Names) != 2 {
		t.Errorf("asked %+v", asked)
	}
}

// A call may be stricter than its action.
//
// proves: C8, R8
func TestARaisedCallAsks(t *testing.T) {
	for grams, asks := range map[string]bool{"1000": false, "1001": true} {
		d, person := &depot{}, assenttest.NewPerson()
		called(t, d.session(t, assent.Auto, person), "parcels_label", `{"no":"7","to":"rome","grams":`+grams+`}`)
		if asked := len(person.Asked()) == 1; asked != asks {
			t.Errorf("%s g: asked: %v", grams, asked)
		}
	}
}

// What the model reads, and what programs get beside it.
//
// proves: R6, T2
func TestResultsOfTools(t *testing.T) {
	d := &depot{}
	s := d.session(t, assent.Auto, assenttest.NewPerson().Answers("", approval.Approve()))
	for _, test := range []struct{ tool, args, text, structured string }{
		{"parcels_show", `{"no":"7"}`, "# Parcel\non its way",
			`{"data":{"no":7},"kind":"success","node":{"kind":"view","name":"show","resource":"parcels","slots":{"content":[{"kind":"heading","text":"Parcel"},{"kind":"text","text":"on its way"}]}},"status":200}`},
		{"parcels_find", `{"query":""}`, "| value | label | description |\n| 7 | A heavy \\| box | |",
			`{"kind":"success","records":[{"label":"A heavy | box","value":"7"}],"status":200}`},
		{"parcels_send", sent, `The parcel [parcels_show {"no":"7"}]`,
			`{"kind":"success","link":{"params":{"no":"7"},"resource":"parcels","view":"show"},"status":200}`},
		{"parcels_show", `{"no":"13"}`, `Error: There is no parcel 13. Next, call parcels_find with {"query":"13"}.`, ""},
	} {
		r := called(t, s, test.tool, test.args)
		if r.Text != test.text {
			t.Errorf("%s %s: the model reads %q, want %q", test.tool, test.args, r.Text, test.text)
		}
		if got := string(r.Calls[0].Structured); got != test.structured {
			t.Errorf("%s %s: programs get %s, want %s", test.tool, test.args, got, test.structured)
		}
	}
}

// The tools of an app that has problems do not come at all.
//
// proves: R4
func TestAnAppWithProblemsGivesNoTools(t *testing.T) {
	r := resource.New("bad")
	resource.Action(r, "x", func(*resource.Context, resource.None, json.RawMessage) (resource.Node, error) { return nil, nil }).
		SetAgentOptions(resource.AgentOptions{Description: "Cannot be described."})
	_, err := assent.Start(t.Context(), assent.WithToolSource(resource.NewApp(nil, r).Source()))
	if fault.CodeOf(err) != resource.SchemaWithoutJSON {
		t.Errorf("%v", err)
	}
}
