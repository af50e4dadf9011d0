package openai_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

// A request to a server of one's own. Text streams while it is written.
func Example() {
	server := assenttest.NewModelServer(nil, assenttest.Answers(assenttest.Say("It is sunny.")), &assenttest.ModelServerOptions{TextPiece: 6})
	defer server.Close()

	m, err := openai.New(openai.Options{BaseURL: server.URL, Model: "llama-3.3-70b"})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := m.Generate(context.Background(), &model.Request{
		System:   "You talk about the weather.",
		Messages: []model.Message{{Role: model.User, Text: "How is it?"}},
	}, func(d model.Delta) { fmt.Printf("%q ", d.Text) })
	if err != nil {
		fmt.Println(fault.TextOf(err))
		return
	}
	fmt.Println(answer.Finish)
	// Output: "It is " "sunny." stop
}

// In strict mode the model writes null for what is optional. A session never
// sees that null: its checks are those of the tool's own schema.
func ExampleOptions_strict() {
	call := model.Call{ID: "1", Name: "read_page", Args: `{"page":12,"language":null}`}
	server := assenttest.NewModelServer(nil, assenttest.Answers(assenttest.Ask(call)), nil)
	defer server.Close()

	m, err := openai.New(openai.Options{BaseURL: server.URL, Model: "gpt-5", Strict: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := m.Generate(context.Background(), &model.Request{
		Messages: []model.Message{{Role: model.User, Text: "Page 12, please."}},
		Tools: model.NewTools([]model.Tool{{Name: "read_page", Input: json.RawMessage(
			`{"type":"object","properties":{"page":{"type":"integer"},"language":{"type":"string"}},"required":["page"]}`)}}),
	}, nil)
	if err != nil {
		fmt.Println(fault.TextOf(err))
		return
	}
	fmt.Println(answer.Message.Calls[0].Args)
	// Output: {"page":12}
}
