package model_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assentdev/assent/model"
)

// shouter is a model that needs no provider.
type shouter struct{}

func (shouter) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text := strings.ToUpper(req.Messages[len(req.Messages)-1].Text)
	if emit != nil {
		emit(model.Delta{Text: text})
	}
	return &model.Answer{Message: model.Message{Role: model.Assistant, Text: text}, Finish: model.FinishStop, Attempts: 1}, nil
}

func ExampleModel() {
	var m model.Model = shouter{}
	answer, err := m.Generate(context.Background(), &model.Request{Messages: []model.Message{{Role: model.User, Text: "hello"}}}, nil)
	fmt.Println(answer.Message.Text, err)
	// Output: HELLO <nil>
}

func ExampleTools_Encoded() {
	tools := model.NewTools([]model.Tool{{Name: "read_page"}, {Name: "list_pages"}})
	names := func(list []model.Tool) ([]byte, error) {
		var out []string
		for _, t := range list {
			out = append(out, t.Name)
		}
		return json.Marshal(out)
	}
	b, err := tools.Encoded("names", names)
	fmt.Println(string(b), err)
	// Output: ["read_page","list_pages"] <nil>
}
