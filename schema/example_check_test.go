package schema_test

import (
	"errors"
	"fmt"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

// search is the input schema of a tool that finds orders.
var search = []byte(`{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1},
		"page":  {"type": "integer", "minimum": 1, "default": 1}
	},
	"required": ["query"],
	"additionalProperties": false
}`)

func ExampleSchema_Check() {
	s, err := schema.Compile(search, &schema.Options{FillDefaults: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	args, err := s.Check([]byte(` { "query": "unpaid" } `))
	fmt.Println(string(args.Canonical), args.Filled, err)
	// Output: {"page":1,"query":"unpaid"} [/page] <nil>
}

func ExampleSchema_Check_invalid() {
	s, err := schema.Compile(search, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = s.Check([]byte(`{"page": "2", "qery": "unpaid"}`))
	fmt.Println(fault.CodeOf(err))
	fmt.Println("Error: " + fault.TextOf(err))
	// Output:
	// bad_arguments
	// Error: Invalid arguments: /page: expected an integer, got a string, "2"; /qery: is not a known property; did you mean "query"?; /query: is required
}

func ExampleInvalid() {
	s, err := schema.Compile(search, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = s.Check([]byte(`{"query": ""}`))
	if invalid, ok := errors.AsType[*schema.Invalid](err); ok {
		for _, p := range invalid.Problems {
			fmt.Printf("%s fails %s\n", p.Pointer, p.Keyword)
		}
	}
	// Output: /query fails minLength
}

func ExampleSchema_Valid() {
	s, err := schema.Compile(search, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Valid([]byte(`{"query":"unpaid","page":2.0}`)))
	fmt.Println(s.Valid([]byte(`{"query":"unpaid","Page":2}`)))
	// Output:
	// true
	// false
}

func ExampleSchema_Defaults() {
	s, err := schema.Compile(search, &schema.Options{Foreign: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	args, err := s.Check([]byte(`{"query":"unpaid"}`))
	fmt.Println(string(args.Canonical), err)
	for _, d := range s.Defaults(args.Canonical) {
		fmt.Printf("%s: %s (default)\n", d.Pointer, d.Value)
	}
	// Output:
	// {"query":"unpaid"} <nil>
	// /page: 1 (default)
}

func ExampleSchema_Warnings() {
	s, err := schema.Compile([]byte(`{"properties":{"code":{"pattern":"(unclosed"}}}`), nil)
	fmt.Println(s.Warnings(), err)
	// Output: [/properties/code/pattern: no engine can express this pattern, so it is not enforced: (unclosed] <nil>
}

func ExampleCompile_refused() {
	_, err := schema.Compile([]byte(`{"properties":{"file":{"$ref":"https://example.org/file.json"}}}`), nil)
	fmt.Println(fault.TextOf(err))
	// Output: The schema cannot be used: keyword "$ref" at /properties/file/$ref: https://example.org/file.json lies outside the document, and nothing is loaded.
}

func ExampleParse() {
	canonical, err := schema.Parse([]byte(`{"b": 1e2, "a": "\u0041"}`), nil)
	fmt.Println(string(canonical), err)

	_, err = schema.Parse([]byte(`{"path": "/tmp", "path": "/etc"}`), nil)
	fmt.Println(fault.TextOf(err))
	// Output:
	// {"a":"A","b":100} <nil>
	// Invalid arguments: not strict JSON: the key "path" is there twice at byte 17, near "path": "/etc"}
}

func ExampleCanonical() {
	canonical, err := schema.Canonical([]byte(`[1.0, "\/", null]`), nil)
	fmt.Println(string(canonical), err)
	// Output: [1,"/",null] <nil>
}

func ExampleDigest() {
	fmt.Println(schema.Digest([]byte(`{"n":9007199254740993}`)) == schema.Digest([]byte(`{"n":9007199254740992}`)))
	// Output: false
}

func ExampleLimits() {
	_, err := schema.Parse([]byte(`{"a":{"b":{}}}`), &schema.Limits{Levels: 2})
	fmt.Println(fault.TextOf(err))
	// Output: Invalid arguments: not strict JSON: nested too deeply at byte 10, near {}}}
}

func ExampleCompileCondition() {
	large, err := schema.CompileCondition([]byte(`{"properties":{"amount":{"exclusiveMinimum":100}}}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(large.Match([]byte(`{"amount":250}`)))
	fmt.Println(large.Match([]byte(`{"amount":20}`)))
	fmt.Println(large.Match([]byte(`{}`))) // not known: counts as met for deny and ask
	// Output:
	// true true
	// false true
	// false false
}

func ExampleCompileCondition_unknownProperty() {
	_, err := schema.CompileCondition([]byte(`{"properties":{"pge":{"minimum":2}}}`), search)
	fmt.Println(fault.TextOf(err))
	// Output: The condition cannot be used: keyword "properties" at /properties: the tool has no property pge.
}
