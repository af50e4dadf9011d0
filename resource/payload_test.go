package resource_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/resource"
)

// own declares an action whose payload a validator describes.
func own(v resource.Validator, got *string) *resource.App {
	r := resource.New("orders")
	resource.Action(r, "pay", func(_ *resource.Context, _ key, p json.RawMessage) (resource.Node, error) {
		*got = string(p)
		return nil, nil
	}).SetValidator(v).SetAgentOptions(about("Pays."))
	return resource.NewApp(nil, r)
}

// proves: R3, R4
func TestASchemaOfAConverterIsAPlainObjectOrRefused(t *testing.T) {
	const open = `"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]`
	for _, tt := range []struct {
		name, schema string
		input        string // what of it stands in the tool's input, or
		words        string // what is wrong
	}{
		{"a plain object", `{` + open + `,"additionalProperties":false}`, `"n":{"type":"integer"}},"required":["id","n"],"additionalProperties":false}`, ""},
		{"spaces are left out", "{ \"properties\" : { \"n\" : { \"type\" : \"string\" } } }", `"n":{"type":"string"}},"required":["id"],"additionalProperties":false}`, ""},
		{"definitions are kept", `{"properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`, `"n":{"$ref":"#/$defs/n"}},"required":["id"],"additionalProperties":false,"$defs":{"n":{"type":"integer"}}}`, ""},
		{"texts at the root are left out", `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"T","description":"D",` + open + `}`, `"n":{"type":"integer"}},"required":["id","n"],"additionalProperties":false}`, ""},
		{"nothing at all", `{}`, `"required":["id"],"additionalProperties":false}`, ""},
		{"order is kept", `{"properties":{"z":{},"a":{}}}`, `"z":{},"a":{}},"required":["id"]`, ""},
		{"a union at the root", `{"anyOf":[{` + open + `}]}`, "", `"anyOf" stands at its root`},
		{"a condition at the root", `{` + open + `,"if":{},"then":{}}`, "", `"if" stands at its root`},
		{"a reference at the root", `{"$ref":"#/$defs/n","$defs":{"n":{}}}`, "", `"$ref" stands at its root`},
		{"patterns of names", `{` + open + `,"patternProperties":{}}`, "", `"patternProperties" stands at its root`},
		{"other properties", `{` + open + `,"additionalProperties":true}`, "", "say additionalProperties false"},
		{"other properties with a schema", `{` + open + `,"additionalProperties":{"type":"string"}}`, "", "say additionalProperties false"},
		{"a list", `{"type":"array"}`, "", `its type is "array"`},
		{"an object or null", `{"type":["object","null"]}`, "", `its type is ["object","null"]`},
		{"required and not there", `{"properties":{},"required":["n"]}`, "", `it requires "n"`},
		{"required is a word", `{"required":"n"}`, "", "no list of names"},
		{"properties are a list", `{"properties":[]}`, "", "plain object"},
		{"true", `true`, "", "it is true"},
		{"null", `null`, "", "it is null"},
		{"no JSON", `{"type":"object"`, "", "no JSON"},
		{"two values", `{} {}`, "", "no JSON"},
		{"a key twice", `{"properties":{"n":{},"n":{}}}`, "", "cannot be used"},
		{"a type that is none", `{"properties":{"n":{"type":"int"}}}`, "", "cannot be used"},
		{"a definition that is not there", `{"properties":{"n":{"$ref":"#/$defs/n"}}}`, "", "cannot be used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tools, err := own(converter{schema: tt.schema}, new(string)).AgentTools()
			switch {
			case tt.words != "":
				if fault.CodeOf(err) != resource.SchemaNotObject || !strings.Contains(err.Error(), tt.words) || !strings.Contains(err.Error(), "orders.pay") {
					t.Errorf("got %v", err)
				}
			case err != nil || !strings.HasSuffix(string(tools[0].Input), tt.input) && !strings.Contains(string(tools[0].Input), tt.input):
				t.Errorf("got %v, %v", tools, err)
			}
		})
	}
}

type failing struct{ validator }

func (failing) JSONSchema() (json.RawMessage, error) { return nil, errors.New("no dialect") }

// proves: R4
func TestAConverterThatFailsIsNone(t *testing.T) {
	_, err := own(failing{}, new(string)).AgentTools()
	if fault.CodeOf(err) != resource.SchemaWithoutJSON || !strings.Contains(err.Error(), "orders.pay") {
		t.Errorf("got %v", err)
	}
}

// picky refuses a payload for what no schema can say.
type picky struct {
	converter
	saw *string
}

func (p picky) Validate(payload json.RawMessage) []resource.Issue {
	*p.saw = string(payload)
	if strings.Contains(string(payload), `"n":13`) {
		return resource.Invalid("brings bad luck", "n")
	}
	return nil
}

// proves: R3, R6
func TestAnOwnValidatorSeesTheCanonicalPayloadAfterItsSchema(t *testing.T) {
	const schema = `{"properties":{"n":{"type":"integer"},"word":{"type":"string","default":"hi"}},"required":["n"]}`
	for _, tt := range []struct{ name, payload, saw, result string }{
		{"a good one", ` { "n": 1e1 }`, `{"n":10,"word":"hi"}`, `{"kind":"success","status":200}`},
		{"one that it refuses", `{"n":13}`, `{"n":13,"word":"hi"}`, `{"kind":"invalid","status":422,"issues":[{"path":["n"],"message":"brings bad luck"}]}`},
		{"one that the schema refuses", `{"n":"1"}`, "", ""},
		{"another property", `{"n":1,"m":1}`, "", ""},
		{"the same key twice", `{"n":1,"n":13}`, "", ""},
		{"no JSON", `{"n":1`, "", ""},
		{"none", ``, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var saw, got string
			app := own(picky{converter{schema: schema}, &saw}, &got)
			res := app.HandleAction(t.Context(), resource.ActionCall{Resource: "orders", Action: "pay",
				Params: map[string]string{"id": "7"}, Payload: json.RawMessage(tt.payload)})
			if saw != tt.saw || tt.result != "" && string(res.JSON()) != tt.result {
				t.Errorf("the validator saw %q: %s", saw, res.JSON())
			}
			if tt.result == "" && (res.Kind != resource.Rejected || res.Status != 422) {
				t.Errorf("got %s", res.JSON())
			}
			if ran := got != ""; ran != (res.Kind == resource.Success) || ran && got != tt.saw {
				t.Errorf("the handler got %q", got)
			}
		})
	}
}
