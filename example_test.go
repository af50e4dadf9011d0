package assent_test

import (
	"context"
	"fmt"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/model"
)

// greeter is a model that calls the tool greet and then says what it gave. A
// real one comes from package model/openai.
type greeter struct{}

func (greeter) Generate(_ context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	last := req.Messages[len(req.Messages)-1]
	if last.Role == model.ToolRole {
		emit(model.Delta{Text: last.Text})
		return &model.Answer{Message: model.Message{Role: model.Assistant, Text: last.Text}, Finish: model.FinishStop}, nil
	}
	call := model.Call{ID: "1", Name: "greet", Args: `{"name":"Ada"}`}
	return &model.Answer{Message: model.Message{Role: model.Assistant, Calls: []model.Call{call}}, Finish: model.FinishCalls}, nil
}

func Example() {
	greet := assent.Define("greet", "Greets somebody.",
		func(_ context.Context, in struct {
			Name string `json:"name" doc:"Whom to greet."`
		}) (string, error) {
			return "Hello, " + in.Name + "!", nil
		}, nil)

	ctx := context.Background()
	agent, err := assent.Start(ctx,
		assent.WithModel(greeter{}),
		assent.WithTools(greet),
		assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
			fmt.Printf("May %s run with %s?\n", r.Tool.Name, r.Args)
			return approval.Approve(), nil
		}))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	session, err := agent.StartSession(ctx)
	if err != nil {
		panic(err)
	}
	result, err := session.Send(ctx, "Greet Ada.").Wait()
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Text)
	// Output:
	// May greet run with {"name":"Ada"}?
	// Hello, Ada!
}
