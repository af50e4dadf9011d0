package scripted_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/scripted"
)

func ExampleReadScript() {
	script, err := scripted.ReadScript([]byte(`{
	  "name": "shop",
	  "rules": [
	    {"words": ["order"], "steps": [
	      {"calls": [{"tool": "orders_get", "args": {"id": "{{find ` + "`W\\\\d+`" + ` .User}}"}}]},
	      {"say": "It is {{path \"status\" .Last}}."}]}],
	  "otherwise": "Ask me about an order."
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	said := []model.Message{{Role: model.User, Text: "Where is order W17?"}}
	first, err := script.Generate(context.Background(), &model.Request{Messages: said}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	call := first.Message.Calls[0]
	fmt.Println(first.Message.Text)
	fmt.Println(call.Name, call.Args)

	said = append(said, first.Message, model.Message{Role: model.ToolRole, CallID: call.ID, Text: `{"status":"shipped"}`})
	second, err := script.Generate(context.Background(), &model.Request{Messages: said}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(second.Message.Text)
	// Output:
	// I am a script, not a model: I answer to a few words.
	// orders_get {"id":"W17"}
	// It is shipped.
}

func ExampleReadScript_error() {
	_, err := scripted.ReadScript([]byte("{\n  \"rules\": [],\n  \"otherwize\": \"\"\n}"))
	fmt.Println(fault.TextOf(err))
	// Output: line 3: unknown member "otherwize"
}

func ExampleNewScript() {
	script, err := scripted.NewScript(scripted.Definition{Otherwise: "You said: {{.User}}"})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := script.Generate(context.Background(), &model.Request{Messages: []model.Message{{Role: model.User, Text: "hello"}}}, nil)
	fmt.Println(strings.TrimPrefix(answer.Message.Text, scripted.Notice), err)
	// Output: You said: hello <nil>
}

func ExampleRecording() {
	r := &scripted.Recording{Messages: []model.Message{
		{Role: model.User, Text: "Hi"},
		{Role: model.Assistant, Text: "Hello, how can I help?"},
	}}
	answer, err := r.Generate(context.Background(), &model.Request{Messages: r.Messages[:1]}, nil)
	fmt.Println(answer.Message.Text, err)

	_, err = r.Generate(context.Background(), &model.Request{Messages: []model.Message{{Role: model.User, Text: "Hey"}}}, nil)
	fmt.Println(fault.TextOf(err))
	// Output:
	// Hello, how can I help? <nil>
	// The conversation left its recording at message 0: sent "Hey", recorded "Hi"
}
