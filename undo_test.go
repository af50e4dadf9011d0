package assent_test

import (
	"context"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
)

type renaming struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// An undo does the opposite of the call that it undoes, so its card must not
// carry that call's title.
//
// proves: T4, P14
func TestTheCardOfAnUndoSaysThatItUndoes(t *testing.T) {
	rename := assent.Define("rename", "Renames.",
		func(_ context.Context, in renaming) (assent.Undoable, error) {
			return assent.Undoable{Result: "done", Undo: in}, nil
		}, &assent.ToolOptions[renaming]{
			Class: assent.Write, Title: "Rename {from} to {to}",
			Undo: assent.UndoWith(func(context.Context, renaming) (string, error) { return "undone", nil }),
		})
	var titles []string
	agent, err := assent.New(assent.WithTools(rename), assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
		titles = append(titles, r.Tool.Title)
		return approval.Approve(), nil
	}))
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
	if _, err := session.Call(t.Context(), "rename", []byte(`{"from":"a","to":"b"}`)).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Undo(t.Context(), session.Undoable()[0].ID).Wait(); err != nil {
		t.Fatal(err)
	}
	if len(titles) != 2 || titles[0] != "Rename a to b" || titles[1] != "Undo: Rename a to b" {
		t.Errorf("titles of the cards: %q", titles)
	}
}
