package assent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
)

// Who is asked about a call that would be refused reads the refusal, and what
// the ids are, beside an error too.
//
// proves: T4 P2
func TestAPreviewThatFailsSaysWhy(t *testing.T) {
	const schema = `{"type":"object","properties":{"id":{"type":"string"}}}`
	run := func(context.Context, []byte) (any, error) { return "", nil }
	remove := assent.DefineRaw("remove", "Removes.", json.RawMessage(schema), run, &assent.RawOptions{
		Class: assent.Destructive,
		Preview: func(context.Context, []byte) (*assent.Preview, error) {
			return &assent.Preview{Names: []assent.Named{{Pointer: "/id", Label: "Ann"}}}, errors.New("7 is locked")
		},
	})
	person := assenttest.NewPerson().Answers("", approval.Deny("no"))
	s := session(t, start(t, assent.WithTools(remove), assent.WithApprovals(person)))
	if _, err := s.Call(t.Context(), "remove", []byte(`{"id":"7"}`)).Wait(); err != nil {
		t.Fatal(err)
	}
	asked := person.Asked()
	if len(asked) != 1 || asked[0].NoPreview != "7 is locked" || asked[0].Preview == nil || asked[0].Preview.Names[0].Label != "Ann" {
		t.Errorf("asked %+v", asked)
	}
}
