package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/schema"
)

func ExampleFor() {
	type ReadPage struct {
		Page  int8   `json:"page" doc:"The page number." min:"1"`
		Style string `json:"style,omitempty" enum:"plain,rich" default:"plain"`
	}
	s, err := schema.For[ReadPage]()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(s))
	// Output: {"type":"object","properties":{"page":{"type":"integer","description":"The page number.","minimum":1,"maximum":127},"style":{"type":"string","enum":["plain","rich"],"default":"plain"}},"required":["page"],"additionalProperties":false}
}

func ExampleFor_mistake() {
	type Node struct {
		Name     string
		Children []Node
	}
	_, err := schema.For[Node]()
	fmt.Println(fault.CodeOf(err))
	fmt.Println(fault.TextOf(err))
	// Output:
	// bad_tool
	// schema_test.Node.Children[]: the type schema_test.Node contains itself (it begins at schema_test.Node): a schema without $ref cannot describe it, use json.RawMessage
}

func ExampleForResult() {
	type Pages struct {
		Titles []string `json:"titles"` // a nil slice is written as null
	}
	s, _ := schema.ForResult[Pages]()
	fmt.Println(string(s))
	none, _ := schema.ForResult[string]()
	fmt.Println(none == nil)
	// Output:
	// {"type":"object","properties":{"titles":{"type":["array","null"],"items":{"type":"string"}}},"required":["titles"],"additionalProperties":false}
	// true
}

func ExampleDecode() {
	var args struct {
		Account json.Number `json:"account"`
		Cents   float64     `json:"cents"`
	}
	err := schema.Decode([]byte(`{"account":12345678901234567890,"cents":5}`), &args)
	fmt.Println(args.Account, args.Cents, err)

	err = schema.Decode([]byte(`{"Account":1,"cents":9007199254740993}`), &args)
	fmt.Println(fault.TextOf(err))
	// Output:
	// 12345678901234567890 5 <nil>
	// Invalid arguments: /Account: unknown property; /cents: 9007199254740993 would become 9.007199254740992e+15 as a float64
}
