package resource_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// proves: R1, R2, R4, R8
func TestTheCheckNamesPlaceAndNextStepOfEachMistake(t *testing.T) {
	for _, tt := range mistakes {
		t.Run(tt.name, func(t *testing.T) {
			r := resource.New("orders")
			tt.make(r)
			app := resource.NewApp(nil, r)
			err := app.Check()
			if err == nil {
				t.Fatal("nothing is wrong")
			}
			line := string(tt.code) + ": " + tt.place
			if !strings.HasPrefix(err.Error(), line) || !strings.Contains(err.Error(), tt.words) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q\nwant %q … %q, and nothing else", err, line, tt.words)
			}
			if _, err := app.Tools(); err == nil {
				t.Error("an app with a mistake gives tools")
			}
		})
	}
}

// proves: R4
func TestOneCheckFindsAllMistakesOfAnApp(t *testing.T) {
	var all []*resource.Resource
	for i, tt := range mistakes {
		// Each in a resource of its own, in the place of orders.
		r := resource.New("orders" + string(rune('a'+i)))
		tt.make(r)
		all = append(all, r)
	}
	text := resource.NewApp(nil, all...).Check().Error()
	if n := strings.Count(text, "\n") + 1; n != len(mistakes) {
		t.Errorf("%d lines for %d mistakes:\n%s", n, len(mistakes), text)
	}
	for i, tt := range mistakes {
		line := string(tt.code) + ": " + strings.Replace(tt.place, "orders", "orders"+string(rune('a'+i)), 1)
		if !strings.Contains("\n"+text, "\n"+line) {
			t.Errorf("there is no line %s…", line)
		}
	}
}

// proves: R4
func TestAllThatIsWrongWithOneDefinitionIsSaid(t *testing.T) {
	type address struct {
		ID     string  `param:"id"`
		Reason string  `param:"reason"`
		Amount float64 `param:"amount"`
	}
	type payload struct {
		Reason string `json:"reason"`
		ID     string `json:"id"`
	}
	r := resource.New("orders")
	action[address, payload](r, "Pay").SetClass(policy.Read).SetAgentOptions(about("Pays."))
	err := resource.NewApp(nil, r, resource.New("Orders"), resource.New("orders")).Check()
	var codes []string
	for line := range strings.Lines(err.Error()) {
		code, _, _ := strings.Cut(line, ":")
		codes = append(codes, code)
	}
	want := "E_AGENT_NAME_INVALID E_AGENT_PARAM_COLLISION E_AGENT_PARAM_COLLISION E_DEFINITION E_DEFINITION E_DEFINITION E_DEFINITION"
	if got := strings.Join(codes, " "); got != want {
		t.Errorf("got %s:\n%v", got, err)
	}
}

// proves: R2, R4
func TestWhatIsNoToolWorksForPeople(t *testing.T) {
	r := resource.New("orders")
	ran := ""
	resource.Action(r, "raw", func(_ *resource.Context, _ key, p json.RawMessage) (resource.Node, error) {
		ran = string(p)
		return nil, nil
	})
	resource.Action(r, "collides", func(_ *resource.Context, k key, p keyed) (resource.Node, error) {
		ran = k.ID + " " + p.ID
		return nil, nil
	})
	app := resource.NewApp(nil, r)
	if err := app.Check(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"raw": `{"id":"8"}`, "collides": "7 8"} {
		res := app.HandleAction(t.Context(), resource.ActionCall{Resource: "orders", Action: name,
			Params: map[string]string{"id": "7"}, Payload: json.RawMessage(`{ "id": "8" }`)})
		if res.Kind != resource.Success || ran != want {
			t.Errorf("%s got %q: %s", name, ran, res.JSON())
		}
	}
	if tools, err := app.AgentTools(); len(tools) > 0 || err != nil {
		t.Errorf("the tools are %v, %v", tools, err)
	}
}

// proves: R8
func TestAnActionThatDeclaresNoClassIsUnknownWithAWarning(t *testing.T) {
	r := resource.New("orders")
	action[none, none](r, "silent").SetAgentOptions(about("Says nothing."))
	action[none, none](r, "writes").SetClass(policy.Write).SetAgentOptions(about("Writes."))
	action[none, none](r, "destroys").SetClass(policy.Destructive).SetAgentOptions(about("Destroys."))
	action[none, none](r, "unknown").SetClass(policy.Unknown).SetAgentOptions(about("Says so."))
	action[none, none](r, "hidden")
	app := resource.NewApp(nil, r)
	got := app.Warnings()
	if len(got) != 2 || !strings.Contains(got[0], "orders.silent declares no class") || !strings.Contains(got[1], "orders.writes is of class write and declares no undo") {
		t.Errorf("the warnings are %q", got)
	}
	tools, err := app.AgentTools()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []policy.Class{policy.Unknown, policy.Write, policy.Destructive, policy.Unknown} {
		if tools[i].Class() != want {
			t.Errorf("%s is %v, want %v", tools[i].Name, tools[i].Class(), want)
		}
	}
}
