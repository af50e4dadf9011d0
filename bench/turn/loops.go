package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/engine/journal"
	model "github.com/assentdev/assent/model/openai"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

const (
	instructions = "You help with documents."
	question     = "What is on page 12?"
	earlier      = "Earlier question: what is on the page before?"
	earlierText  = "An earlier answer of some length, as they are."
)

// order is the order in which the loops are measured and printed.
var order = []string{"hand", "assent", "file"}

// loops make a turn and what ends the loop.
var loops = map[string]func(url string, tools, history int) (turn func() (string, error), end func(), err error){
	"hand": byHand,
	"assent": func(url string, tools, history int) (func() (string, error), func(), error) {
		return governed(url, tools, history, nil)
	},
	"file": func(url string, tools, history int) (func() (string, error), func(), error) {
		dir, err := os.MkdirTemp(".", "journal")
		if err != nil {
			return nil, nil, err
		}
		j, err := journal.OpenFile(filepath.Join(dir, "journal"), nil)
		if err != nil {
			return nil, nil, err
		}
		turn, end, err := governed(url, tools, history, j)
		return turn, func() {
			end()
			j.Close()
			os.RemoveAll(dir)
		}, err
	},
}

func toolName(i int) string {
	if i == 0 {
		return "read_page"
	}
	return fmt.Sprintf("other_tool_%d", i)
}

// byHand is the loop that one writes without an SDK: no check, no decision, no log.
func byHand(url string, tools, history int) (func() (string, error), func(), error) {
	client := openai.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"))
	var list []openai.ChatCompletionToolUnionParam
	for i := range tools {
		list = append(list, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: toolName(i), Description: openai.String("Reads a page of the open document."),
			Parameters: openai.FunctionParameters{
				"type": "object", "properties": map[string]any{"page": map[string]any{"type": "integer", "description": "The page number."}},
				"required": []string{"page"}, "additionalProperties": false,
			},
		}))
	}
	base := []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(instructions)}
	for range history {
		base = append(base, openai.UserMessage(earlier), openai.AssistantMessage(earlierText))
	}
	turn := func() (string, error) {
		p := openai.ChatCompletionNewParams{Model: "mock", Tools: list, Messages: append(base[:len(base):len(base)], openai.UserMessage(question))}
		for {
			s := client.Chat.Completions.NewStreaming(context.Background(), p)
			var acc openai.ChatCompletionAccumulator
			for s.Next() {
				acc.AddChunk(s.Current())
			}
			if err := s.Err(); err != nil {
				return "", err
			}
			m := acc.Choices[0].Message
			if len(m.ToolCalls) == 0 {
				return m.Content, nil
			}
			p.Messages = append(p.Messages, m.ToParam())
			for _, c := range m.ToolCalls {
				var in struct {
					Page int `json:"page"`
				}
				if err := json.Unmarshal([]byte(c.Function.Arguments), &in); err != nil {
					return "", err
				}
				p.Messages = append(p.Messages, openai.ToolMessage(page(in.Page), c.ID))
			}
		}
	}
	return turn, func() {}, nil
}

func page(n int) string { return fmt.Sprintf("text of page %d", n) }

// governed is the same with the SDK. A turn with a history goes on in one
// session whose earlier exchanges went through the server, so it is somewhat
// longer each time.
func governed(url string, tools, history int, j journal.Journal) (func() (string, error), func(), error) {
	m, err := model.New(model.Options{BaseURL: url, Key: "none", Model: "mock"})
	if err != nil {
		return nil, nil, err
	}
	var list []*assent.Tool
	for i := range tools {
		list = append(list, assent.Define(toolName(i), "Reads a page of the open document.",
			func(_ context.Context, in struct {
				Page int `json:"page" doc:"The page number."`
			}) (string, error) {
				return page(in.Page), nil
			}, nil))
		list[i].Class = assent.Read
	}
	opts := []assent.Option{assent.WithModel(m), assent.WithTools(list...), assent.WithInstructions(instructions)}
	if j != nil {
		opts = append(opts, assent.WithJournal(j))
	}
	agent, err := assent.New(opts...)
	if err != nil {
		return nil, nil, err
	}
	ctx := context.Background()
	if err := agent.Start(ctx); err != nil {
		return nil, nil, err
	}
	var s *assent.Session
	turn := func() (string, error) {
		if history == 0 || s == nil {
			if s, err = agent.StartSession(ctx); err != nil {
				return "", err
			}
			for range history {
				if _, err := s.Send(ctx, earlier).Wait(); err != nil {
					return "", err
				}
			}
		}
		r, err := s.Send(ctx, question).Wait()
		if err != nil {
			return "", err
		}
		return r.Text, nil
	}
	return turn, func() { agent.Close() }, nil
}
