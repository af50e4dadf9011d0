package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

// offered returns a tool's parameters and whether they are strict, as sent.
func offered(t *testing.T, schema string) (parameters string, strict bool) {
	t.Helper()
	rt := &bodies{replies: replies{list: []reply{whole}}}
	req := question("hi")
	req.Tools = model.NewTools([]model.Tool{{Name: "f", Input: json.RawMessage(schema)}})
	m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = client(rt); o.Strict = true })
	if _, err := m.Generate(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Tools []struct {
			Function struct {
				Parameters json.RawMessage
				Strict     bool
			}
		}
	}
	if err := json.Unmarshal([]byte(rt.last), &sent); err != nil {
		t.Fatal(err)
	}
	if string(req.Tools.List()[0].Input) != schema {
		t.Error("the descriptor's schema was changed")
	}
	f := sent.Tools[0].Function
	return string(f.Parameters), f.Strict
}

func object(properties, rest string) string {
	return `{"type":"object","properties":{` + properties + `}` + rest + `}`
}

func TestStrictSchemas(t *testing.T) {
	const closed = `,"additionalProperties":false`
	for _, c := range []struct{ name, schema, want string }{ // want "": not strict, as it is
		{"what is required stays", object(`"a":{"type":"string"}`, `,"required":["a"]`), object(`"a":{"type":"string"}`, `,"required":["a"]`+closed)},
		{"what is optional may be null", object(`"a":{"type":"string","description":"d"}`, ``), object(`"a":{"description":"d","type":["string","null"]}`, `,"required":["a"]`+closed)},
		{"properties keep their order", object(`"z":{"type":"integer"},"a":{"type":"integer"}`, `,"required":["a","z"]`), object(`"z":{"type":"integer"},"a":{"type":"integer"}`, `,"required":["z","a"]`+closed)},
		{"an optional enum allows null too", object(`"a":{"type":"string","enum":["x","y"]}`, ``), object(`"a":{"type":["string","null"],"enum":["x","y",null]}`, `,"required":["a"]`+closed)},
		{"an enum without a type gets it", object(`"a":{"enum":["x",1]}`, `,"required":["a"]`), object(`"a":{"type":["string","number"],"enum":["x",1]}`, `,"required":["a"]`+closed)},
		{"a constant is an enum of one", object(`"a":{"const":"x"}`, `,"required":["a"]`), object(`"a":{"type":"string","enum":["x"]}`, `,"required":["a"]`+closed)},
		{"bounds stay, lengths and defaults go", object(`"a":{"type":"number","minimum":0,"maximum":1e3,"default":3,"exclusiveMinimum":true},"b":{"type":"string","minLength":2,"pattern":"^a$","format":"date"},"c":{"type":"string","pattern":"(?=x)","format":"regex"}`, `,"required":["a","b","c"],"$schema":"x","title":"T"`),
			`{"title":"T","type":"object","properties":{"a":{"minimum":0,"maximum":1e3,"type":"number"},"b":{"pattern":"^a$","format":"date","type":"string"},"c":{"type":"string"}},"required":["a","b","c"],"additionalProperties":false}`},
		{"inner objects are shaped too", object(`"o":`+object(`"a":{"type":"string"}`, ``), `,"required":["o"]`), object(`"o":`+object(`"a":{"type":["string","null"]}`, `,"required":["a"]`+closed), `,"required":["o"]`+closed)},
		{"items are shaped", object(`"l":{"type":"array","minItems":1,"items":`+object(`"a":{"type":"string"}`, ``)+`}`, ``),
			object(`"l":{"minItems":1,"type":["array","null"],"items":`+object(`"a":{"type":["string","null"]}`, `,"required":["a"]`+closed)+`}`, `,"required":["l"]`+closed)},
		{"oneOf becomes anyOf", object(`"a":{"oneOf":[{"type":"string"},{"type":"integer"}]}`, ``), object(`"a":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, `,"required":["a"]`+closed)},
		{"definitions are shaped, references stand alone", object(`"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n","description":"d"},"c":{"$ref":"#/$defs/m"}`, `,"required":["a"],"$defs":{"n":`+object(`"next":{"$ref":"#/$defs/n"}`, ``)+`,"m":{"type":"string"}}`),
			object(`"a":{"$ref":"#/$defs/n"},"b":{"description":"d","anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]},"c":{"anyOf":[{"$ref":"#/$defs/m"},{"type":"null"}]}`,
				`,"required":["a","b","c"],"additionalProperties":false,"$defs":{"n":`+object(`"next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}`, `,"required":["next"]`+closed)+`,"m":{"type":"string"}}`)},
		{"a root that refers to itself", object(`"child":{"$ref":"#"}`, ``), object(`"child":{"anyOf":[{"$ref":"#"},{"type":"null"}]}`, `,"required":["child"]`+closed)},
		{"no arguments", `{"type":"object"}`, object(``, `,"required":[]`+closed)},
		{"a root without a type but with properties", `{"properties":{"a":{"type":"string"}},"required":["a"]}`, object(`"a":{"type":"string"}`, `,"required":["a"]`+closed)},

		{"optional and nullable: null would mean two things", object(`"a":{"type":["string","null"]}`, ``), ""},
		{"optional and nullable by an alternative", object(`"a":{"anyOf":[{"type":"string"},{"type":"null"}]}`, ``), ""},
		{"optional and nullable by a definition", object(`"a":{"$ref":"#/$defs/n"}`, `,"$defs":{"n":{"type":["string","null"]}}`), ""},
		{"optional and nullable by an enum", object(`"a":{"enum":["x",null]}`, ``), ""},
		{"free properties", object(`"m":{"type":"object","additionalProperties":{"type":"string"}}`, `,"required":["m"]`), ""},
		{"an object of anything", object(`"m":{"type":"object"}`, `,"required":["m"]`), ""},
		{"a value of any type", object(`"m":{}`, `,"required":["m"]`), ""},
		{"a list of anything", object(`"m":{"type":"array"}`, `,"required":["m"]`), ""},
		{"true", object(`"m":true`, `,"required":["m"]`), ""},
		{"allOf", object(`"m":{"allOf":[{"type":"string"}]}`, `,"required":["m"]`), ""},
		{"tuples", object(`"m":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"string"}}`, `,"required":["m"]`), ""},
		{"open at the root", object(`"a":{"type":"string"}`, `,"additionalProperties":true`), ""},
		{"a union at the root", `{"anyOf":[` + object(`"a":{"type":"string"}`, ``) + `]}`, ""},
		{"a reference elsewhere", object(`"a":{"$ref":"https://x.test/s"}`, ``), ""},
		{"required but not described", object(``, `,"required":["a"]`), ""},
		{"too deep", strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 11) + `{"type":"string"}` + strings.Repeat(`}}`, 11), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, strict := offered(t, c.schema)
			want := c.want
			if want == "" {
				want = c.schema
			}
			if got != want || strict != (c.want != "") {
				t.Errorf("strict %v\ngot  %s\nwant %s", strict, got, want)
			}
		})
	}
}

// received returns the message that a session gets of a call with args.
func received(t *testing.T, schema, args string, strict bool) model.Message {
	t.Helper()
	quoted, _ := json.Marshal(args)
	req := question("hi")
	req.Tools = model.NewTools([]model.Tool{{Name: "f", Input: json.RawMessage(schema)}})
	a, _, err := ask(t, stream(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":`+string(quoted)+`}}`), finish("tool_calls")), req, func(o *openai.Options) { o.Strict = strict })
	if err != nil {
		t.Fatal(err)
	}
	return a.Message
}

func TestNullsOfStrictMode(t *testing.T) {
	opt := `"a":{"type":"string"},"n":{"type":"integer"}`
	line := object(opt, `,"required":["n"]`)
	either := `{"anyOf":[` + object(`"kind":{"const":"x"},"p":{"type":"string"}`, `,"required":["kind"]`) + `,` + object(`"kind":{"const":"y"},"p":{"type":["string","null"]}`, `,"required":["kind","p"]`) + `]}`
	deep := strings.Repeat(`{"a":null,"next":`, 70) + `{}` + strings.Repeat(`}`, 70)
	for _, c := range []struct{ name, schema, args, want string }{
		{"A7 null for an optional property is removed", object(opt, ``), `{"a":null,"n":1}`, `{"n":1}`},
		{"A7 the last and the only one too", object(opt, ``), `{"n":null}`, `{}`},
		{"A7 all of them", object(opt, ``), `{ "a" : null , "n" : null }`, `{}`},
		{"A7 null for a required property stays for A2 to refuse", line, `{"a":null,"n":null}`, `{"n":null}`},
		{"A7 null for an unknown property stays for A2 to refuse", object(opt, ``), `{"a":null,"x":null}`, `{"x":null}`},
		{"A7 a required property that may be null stays", object(`"a":{"type":["string","null"]},"b":{"type":"string"}`, `,"required":["a"]`), `{"a":null,"b":null}`, `{"a":null}`},
		{"A7 within objects", object(`"o":`+line, ``), `{"o":{"a":null,"n":1}}`, `{"o":{"n":1}}`},
		{"A7 within lists", object(`"l":{"type":"array","items":`+line+`}`, ``), `{"l":[{"a":null,"n":1},{"n":2,"a":"x"},{"n":3,"a":null}]}`, `{"l":[{"n":1},{"n":2,"a":"x"},{"n":3}]}`},
		{"A7 nulls in a list are values", object(`"l":{"type":"array","items":{"type":["string","null"]}},"a":{"type":"string"}`, ``), `{"l":[null,"x"],"a":null}`, `{"l":[null,"x"]}`},
		{"A7 behind references, at any depth", object(`"next":{"$ref":"#"},"v":{"type":"integer"}`, `,"required":["v"]`), `{"v":1,"next":{"v":2,"next":{"v":3,"next":null}}}`, `{"v":1,"next":{"v":2,"next":{"v":3}}}`},
		{"A7 in the alternative that is meant", object(`"s":`+either, `,"required":["s"]`), `{"s":{"kind":"x","p":null}}`, `{"s":{"kind":"x"}}`},
		{"A7 but not in the other", object(`"a":{"type":"string"},"s":`+either, ``), `{"a":null,"s":{"kind":"y","p":null}}`, `{"s":{"kind":"y","p":null}}`},
		{"A7 numbers stay exact", object(opt, ``), `{"n":123456789012345678901234567890123.4500e+07,"a":null}`, `{"n":123456789012345678901234567890123.4500e+07}`},
		{"A7 text stays as it was written", object(opt, ``), `{"a":"\u0041\/\"null\" \ud83d","n":null}`, `{"a":"\u0041\/\"null\" \ud83d"}`},
		{"A7 a key with escapes is the same key", object(opt, ``), `{"\u0061":null}`, `{}`},
		{"A7 null as text is text", object(opt, ``), `{"a":"null"}`, `{"a":"null"}`},
		{"A5 a key twice stays invalid", object(opt, ``), `{"a":null,"a":null,"n":null}`, `{"a":null,"a":null,"n":null}`},
		{"A7 text that is no JSON passes untouched", object(opt, ``), `{"a":null,`, `{"a":null,`},
		{"A5 trailing text passes untouched", object(opt, ``), `{"a":null} x`, `{"a":null} x`},
		{"A6 an object encoded twice passes untouched", object(opt, ``), `"{\"a\":null}"`, `"{\"a\":null}"`},
		{"A7 null itself passes untouched", object(opt, ``), `null`, `null`},
		{"A5 what is too deep passes untouched", object(`"next":{"$ref":"#"},"a":{"type":"string"}`, ``), deep, deep},
		{"A7 a tool that was not shaped keeps its nulls", object(`"a":{"type":["string","null"]}`, ``), `{"a":null}`, `{"a":null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := received(t, c.schema, c.args, true)
			if got := m.Calls[0].Args; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if kept := strings.Contains(string(m.Raw), "null"); kept != (c.args != c.want) {
				t.Errorf("S3: the model's own text is kept where it differs: %s", m.Raw)
			}
			if got := received(t, c.schema, c.args, false).Calls[0].Args; got != c.args {
				t.Errorf("A7 is of strict mode only: got %s", got)
			}
		})
	}
}
