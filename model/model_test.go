package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/assentdev/assent/model"
)

func TestToolsAreEncodedOnce(t *testing.T) {
	tools := model.NewTools([]model.Tool{{Name: "a"}, {Name: "b"}})
	var encoded sync.Map
	encode := func(form string) func([]model.Tool) ([]byte, error) {
		return func(list []model.Tool) ([]byte, error) {
			if _, twice := encoded.Swap(form, true); twice {
				t.Errorf("form %q was encoded twice", form)
			}
			return fmt.Appendf(nil, "%s of %d", form, len(list)), nil
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		for _, form := range []string{"x", "y"} {
			wg.Go(func() {
				if b, err := tools.Encoded(form, encode(form)); err != nil || string(b) != form+" of 2" {
					t.Errorf("got %q, error %v", b, err)
				}
			})
		}
	}
	wg.Wait()
}

func TestToolsKeepNoError(t *testing.T) {
	tools := model.NewTools(nil)
	broken := errors.New("broken")
	if _, err := tools.Encoded("x", func([]model.Tool) ([]byte, error) { return nil, broken }); err != broken {
		t.Errorf("error %v", err)
	}
	if b, err := tools.Encoded("x", func([]model.Tool) ([]byte, error) { return []byte("ok"), nil }); err != nil || string(b) != "ok" {
		t.Errorf("got %q, error %v", b, err)
	}
}

func TestNoTools(t *testing.T) {
	var none *model.Tools
	if none.List() != nil {
		t.Error("a nil list has tools")
	}
	if b, err := none.Encoded("x", func(list []model.Tool) ([]byte, error) { return fmt.Append(nil, len(list)), nil }); err != nil || string(b) != "0" {
		t.Errorf("got %q, error %v", b, err)
	}
}

// S3: what a model wrote survives a journal byte for byte.
func TestMessageThroughJSON(t *testing.T) {
	want := model.Message{Role: model.Assistant, Text: "<&>", Calls: []model.Call{{ID: "1", Name: "f", Args: `{ "n": 1.0, "n": 12345678901234567890 ` + "\n"}}, Raw: json.RawMessage(`{"openai.chat":{"n":12345678901234567890}}`)}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got model.Message
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Text != want.Text || got.Calls[0] != want.Calls[0] || string(got.Raw) != string(want.Raw) {
		t.Errorf("got %+v", got)
	}
}
