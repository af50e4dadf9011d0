package assenttest_test

import (
	"context"
	"fmt"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/model"
)

// A model that says what the test wants, and a person who denies what no rule
// of theirs covers.
func Example() {
	define := func(name string) *assent.Tool {
		return assent.Define(name, "", func(context.Context, struct{}) (string, error) { return name + " ran", nil },
			&assent.ToolOptions[struct{}]{Class: assent.Write})
	}
	person := assenttest.NewPerson().Answers("save", approval.Approve())
	scripted := assenttest.Answers(
		assenttest.Ask(model.Call{ID: "1", Name: "save", Args: `{}`}, model.Call{ID: "2", Name: "send", Args: `{}`}),
		assenttest.Say("Saved, and not sent."),
	)

	ctx := context.Background()
	agent, err := assent.Start(ctx, assent.WithTools(define("save"), define("send")), assent.WithModel(scripted), assent.WithApprovals(person))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	session, err := agent.StartSession(ctx)
	if err != nil {
		panic(err)
	}
	result, err := session.Send(ctx, "Save and send it.").Wait()
	if err != nil {
		panic(err)
	}
	for _, c := range result.Calls {
		fmt.Println(c.Tool, c.Outcome)
	}
	fmt.Println(result.Text, len(person.Asked()), "questions")
	// Unordered output:
	// save ok
	// send denied
	// Saved, and not sent. 2 questions
}
