package assent_test

import (
	"context"
	"testing"

	"github.com/assentdev/assent"
)

// A call without a model has no message, so its result is the turn's text.
func TestTheResultOfADirectCallIsItsText(t *testing.T) {
	echo := assent.Define("echo", "Says what it is told.",
		func(_ context.Context, in struct {
			Text string `json:"text"`
		}) (string, error) {
			return in.Text, nil
		}, &assent.ToolOptions[struct {
			Text string `json:"text"`
		}]{Class: assent.Read})
	agent, err := assent.New(assent.WithTools(echo))
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	if err := agent.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	session, err := agent.StartSession(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := session.Call(t.Context(), "echo", []byte(`{"text":"hello"}`)).Wait()
	if err != nil || got.Text != "hello" {
		t.Errorf("Text = %q, %v; want hello", got.Text, err)
	}
}
