package openai_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

// A turn of these benchmarks is two requests: a tool call that arrives in 7
// events, and a text in 22. The server is a process of its own, so that the CPU
// time of this one is the client's alone: "cpu-µs/op" is that figure.

// serveEnv makes this test binary the benchmarks' server.
const serveEnv = "ASSENT_BENCH_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		s := assenttest.NewModelServer(nil, pages{}, &assenttest.ModelServerOptions{ArgsPiece: 3, Discard: true})
		fmt.Println(s.URL)
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the parent is gone
		s.Close()
		return
	}
	os.Exit(m.Run())
}

// pages reads a page and tells what it says.
type pages struct{}

func (pages) Generate(_ context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if req.Messages[len(req.Messages)-1].Role != model.ToolRole {
		a := assenttest.Ask(model.Call{ID: "call_abc123", Name: "read_page", Args: `{"page":    12}`})
		a.Finish = model.FinishCalls
		return &a, nil
	}
	a := assenttest.Say("")
	a.Finish = model.FinishStop
	for i := range 20 {
		piece := fmt.Sprintf("part %d of the answer ", i)
		a.Message.Text += piece
		emit(model.Delta{Text: piece})
	}
	return &a, nil
}

func startServer(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveEnv+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(url)
}

func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

const (
	pageSchema  = `{"type":"object","properties":{"page":{"type":"integer","description":"The page number."}},"required":["page"]}`
	oldQuestion = "What is on page 11, and does it agree with what the summary on the first page says about it?"
	oldAnswer   = "Page 11 has the table of connectors; the summary counts twelve of them, and the table lists the same twelve."
)

type pageArgs struct {
	Page int `json:"page"`
}

func toolName(i int) string {
	if i == 0 {
		return "read_page"
	}
	return fmt.Sprintf("other_tool_%d", i)
}

// byHand is the loop that someone writes on openai-go.
func byHand(url string, tools, history int) func(context.Context) (string, error) {
	client := sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"))
	var list []sdk.ChatCompletionToolUnionParam
	for i := range tools {
		list = append(list, sdk.ChatCompletionFunctionTool(sdk.FunctionDefinitionParam{
			Name: toolName(i), Description: sdk.String("Reads a page."),
			Parameters: sdk.FunctionParameters{"type": "object", "properties": map[string]any{"page": map[string]any{"type": "integer", "description": "The page number."}}, "required": []string{"page"}}}))
	}
	return func(ctx context.Context) (string, error) {
		p := sdk.ChatCompletionNewParams{Model: "mock", Tools: list, Messages: []sdk.ChatCompletionMessageParamUnion{sdk.SystemMessage("You help with documents.")}}
		for range history {
			p.Messages = append(p.Messages, sdk.UserMessage(oldQuestion), sdk.AssistantMessage(oldAnswer))
		}
		p.Messages = append(p.Messages, sdk.UserMessage("What is on page 12?"))
		for {
			s := client.Chat.Completions.NewStreaming(ctx, p)
			var acc sdk.ChatCompletionAccumulator
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
			for _, call := range m.ToolCalls {
				var a pageArgs
				if err := json.Unmarshal([]byte(call.Function.Arguments), &a); err != nil {
					return "", err
				}
				p.Messages = append(p.Messages, sdk.ToolMessage(fmt.Sprintf("text of page %d", a.Page), call.ID))
			}
		}
	}
}

// ours is the same loop on this package.
func ours(b *testing.B, url string, tools, history int) func(context.Context) (string, error) {
	m := newModel(b, url, func(o *openai.Options) { o.Key = "none" })
	var list []model.Tool
	for i := range tools {
		list = append(list, model.Tool{Name: toolName(i), Description: "Reads a page.", Input: json.RawMessage(pageSchema)})
	}
	offered := model.NewTools(list)
	return func(ctx context.Context) (string, error) {
		req := &model.Request{System: "You help with documents.", Tools: offered}
		for range history {
			req.Messages = append(req.Messages, model.Message{Role: model.User, Text: oldQuestion}, model.Message{Role: model.Assistant, Text: oldAnswer})
		}
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "What is on page 12?"})
		for {
			answer, err := m.Generate(ctx, req, func(model.Delta) {})
			if err != nil || len(answer.Message.Calls) == 0 {
				if err != nil {
					return "", err
				}
				return answer.Message.Text, nil
			}
			req.Messages = append(req.Messages, answer.Message)
			for _, call := range answer.Message.Calls {
				var a pageArgs
				if err := json.Unmarshal([]byte(call.Args), &a); err != nil {
					return "", err
				}
				req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, CallID: call.ID, Text: fmt.Sprintf("text of page %d", a.Page)})
			}
		}
	}
}

func BenchmarkTurn(b *testing.B) {
	url := startServer(b)
	for _, size := range []struct{ tools, history int }{{1, 0}, {201, 0}, {1, 100}} {
		for _, loop := range []struct {
			name string
			turn func(context.Context) (string, error)
		}{{"byhand", byHand(url, size.tools, size.history)}, {"assent", ours(b, url, size.tools, size.history)}} {
			b.Run(fmt.Sprintf("tools=%d/history=%d/%s", size.tools, size.history, loop.name), func(b *testing.B) {
				b.ReportAllocs()
				before := cpu()
				for b.Loop() {
					text, err := loop.turn(b.Context())
					if err != nil || !strings.HasSuffix(text, "part 19 of the answer ") {
						b.Fatalf("%q, error %v", text, err)
					}
				}
				b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
	}
}
