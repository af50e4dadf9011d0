// Command first is the shortest program with a governed tool. It needs no model.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/assentdev/assent"
)

type order struct {
	ID string `json:"id" doc:"The order's number." pattern:"^[A-Z][0-9]+$"`
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	status := assent.Define("order_status", "Tells the status of an order.",
		func(_ context.Context, in order) (string, error) { return "order " + in.ID + " is packed", nil },
		&assent.ToolOptions[order]{Class: assent.Read})

	agent, err := assent.Start(ctx, assent.WithTools(status))
	if err != nil {
		return err
	}
	defer agent.Close()
	session, err := agent.StartSession(ctx)
	if err != nil {
		return err
	}
	for _, args := range []string{`{"id":"A1"}`, `{"id":"1A"}`} {
		result, err := session.Call(ctx, "order_status", []byte(args)).Wait()
		if err != nil {
			return err
		}
		fmt.Println(result.Text)
	}
	return nil
}
