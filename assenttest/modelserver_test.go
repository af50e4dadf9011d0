package assenttest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// post asks for a completion and returns the body, as far as it came.
func post(t *testing.T, url, body string) (status int, answer string, err error) {
	t.Helper()
	res, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, string(b), err
}

const (
	streamed = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`
	atOnce   = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
)

func TestModelServerStreams(t *testing.T) {
	a := model.Answer{Message: model.Message{Text: "äbc", Calls: []model.Call{{ID: "x", Name: "f", Args: `{"é":1}`}, {ID: "y", Name: "g", Args: "{}"}}}, Usage: model.Usage{Input: 2, Output: 1}}
	event := func(d, finish string) string {
		return `data: {"id":"chatcmpl-test","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":` + d + `,"finish_reason":` + finish + `}]}`
	}
	all := []string{
		event(`{"role":"assistant","content":null}`, "null"), event(`{"content":"äb"}`, "null"), event(`{"content":"c"}`, "null"),
		event(`{"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}}]}`, "null"),
		event(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"é"}}]}`, "null"), event(`{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}`, "null"),
		event(`{"tool_calls":[{"index":1,"id":"y","type":"function","function":{"name":"g","arguments":""}}]}`, "null"), event(`{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}`, "null"),
		event(`{}`, `"tool_calls"`),
		`data: {"id":"chatcmpl-test","object":"chat.completion.chunk","created":0,"model":"m","choices":[],"usage":{"completion_tokens":1,"prompt_tokens":2,"prompt_tokens_details":{"cached_tokens":0},"total_tokens":3}}`,
		`data: [DONE]`,
	}
	full := strings.Join(all, "\n\n") + "\n\n"
	for _, c := range []struct {
		name  string
		fault assenttest.ModelFault
		want  string
		cut   bool
	}{
		{"nothing goes wrong", assenttest.ModelFault{}, full, false},
		{"a cut after some bytes", assenttest.ModelFault{CutAfter: 77}, full[:77], true},
		{"no end", assenttest.ModelFault{NoDone: true}, strings.TrimSuffix(full, "data: [DONE]\n\n"), false},
		{"no finish, no usage", assenttest.ModelFault{NoFinish: true, NoUsage: true}, strings.Join(all[:8], "\n\n") + "\n\n" + all[10] + "\n\n", false},
		{"no index", assenttest.ModelFault{NoIndex: true}, strings.NewReplacer(`[{"index":0,"id"`, `[{"id"`, `[{"index":1,"id"`, `[{"id"`, `[{"index":0,"function"`, `[{"function"`, `[{"index":1,"function"`, `[{"function"`).Replace(full), false},
		{"the same index", assenttest.ModelFault{SameIndex: true}, strings.ReplaceAll(full, `"index":1`, `"index":0`), false},
		{"no ids", assenttest.ModelFault{NoIDs: true}, strings.NewReplacer(`"id":"x",`, "", `"id":"y",`, "").Replace(full), false},
		{"the same ids", assenttest.ModelFault{SameIDs: true}, strings.ReplaceAll(full, `"id":"y"`, `"id":"x"`), false},
		{"an error in the stream", assenttest.ModelFault{ErrorAfter: 2, ErrorObject: `{"error":"e"}`}, all[0] + "\n\n" + all[1] + "\n\ndata: {\"error\":\"e\"}\n\n", true},
		{"comments", assenttest.ModelFault{Comments: true}, ": keep-alive\n\n" + strings.Join(all, "\n\n: keep-alive\n\n") + "\n\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := assenttest.NewModelServer(t, assenttest.Answers(a, assenttest.Say("next")), &assenttest.ModelServerOptions{TextPiece: 2, ArgsPiece: 4})
			s.Fail(c.fault)
			_, got, err := post(t, s.URL, streamed)
			if got != c.want || c.cut != (err != nil) {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, got, c.want)
			}
			if _, got, err := post(t, s.URL, streamed); err != nil || !strings.HasSuffix(got, "[DONE]\n\n") {
				t.Errorf("the request after the fault: error %v, got %s", err, got)
			}
		})
	}
}

func TestModelServerAtOnce(t *testing.T) {
	a := assenttest.Ask(model.Call{ID: "x", Name: "f", Args: `{"a":1}`})
	s := assenttest.NewModelServer(t, assenttest.Answers(a), nil)
	_, got, err := post(t, s.URL, atOnce)
	const want = `{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}}],"created":0,"id":"chatcmpl-test","model":"m","object":"chat.completion","usage":{"completion_tokens":0,"prompt_tokens":0,"prompt_tokens_details":{"cached_tokens":0},"total_tokens":0}}`
	if err != nil || got != want {
		t.Errorf("error %v, got %s", err, got)
	}
	if status, got, _ := post(t, s.URL, atOnce); status != 400 || !strings.Contains(got, "more than the 1 times") {
		t.Errorf("behind the last answer: %d %s", status, got)
	}
	if r := s.Requests(); len(r) != 2 || string(r[0].Body) != atOnce {
		t.Errorf("requests %q", r)
	}
}

func TestModelServerRefuses(t *testing.T) {
	s := assenttest.NewModelServer(t, assenttest.Answers(), nil)
	s.Fail(assenttest.ModelFault{Status: 429, Header: http.Header{"retry-after": {"3"}}}, assenttest.ModelFault{Status: 502, Body: "<html>"}, assenttest.ModelFault{})
	for _, c := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"a status", streamed, 429, "made to fail"},
		{"a status with a body", streamed, 502, "<html>"},
		{"no JSON", "{", 400, "invalid_request_error"},
		{"no messages", "{}", 400, "messages is empty"},
		{"a model that fails before it streams", streamed, 400, "more than the 0 times"},
	} {
		if status, got, err := post(t, s.URL, c.body); err != nil || status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %s, error %v", c.name, status, got, err)
		}
	}
}

// What a model gets is what was sent, in whatever form the API allows.
func TestModelServerReadsRequests(t *testing.T) {
	var got model.Request
	s := assenttest.NewModelServer(t, generate(func(_ context.Context, r *model.Request, _ func(model.Delta)) error { got = *r; return nil }), nil)
	_, _, err := post(t, s.URL, `{"model":"m","messages":[{"role":"system","content":"a"},{"role":"developer","content":"b"},{"role":"user","content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"r"}],
		"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(got.Messages)
	const want = `[{"role":"user","text":"cd"},{"role":"assistant","calls":[{"id":"1","name":"f","args":"{}"}]},{"role":"tool","text":"r","call_id":"1"}]`
	if string(b) != want || got.System != "a\n\nb" || len(got.Tools.List()) != 1 || string(got.Tools.List()[0].Input) != `{"type":"object"}` {
		t.Errorf("got %s and %+v", b, got)
	}
}

type generate func(context.Context, *model.Request, func(model.Delta)) error

func (f generate) Generate(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if err := f(ctx, r, emit); err != nil {
		return nil, err
	}
	return &model.Answer{Finish: model.FinishStop}, nil
}

// B23: each event leaves at once, though more is to come.
func TestModelServerFlushes(t *testing.T) {
	next := make(chan bool)
	s := assenttest.NewModelServer(t, generate(func(ctx context.Context, _ *model.Request, emit func(model.Delta)) error {
		for range 3 {
			emit(model.Delta{Text: "piece"})
			select {
			case <-next:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}), nil)
	res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	pieces := 0
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "piece") {
			pieces++
			next <- true // only now may the model go on
		}
	}
	if pieces != 3 {
		t.Errorf("%d pieces", pieces)
	}
}

// What a model takes back, and how it fails within a stream, shows on the wire.
func TestModelServerModelFailsInTheStream(t *testing.T) {
	s := assenttest.NewModelServer(t, generate(func(_ context.Context, r *model.Request, emit func(model.Delta)) error {
		emit(model.Delta{Text: "x"})
		if r.Messages[0].Text == "hi" {
			emit(model.Delta{Reset: true})
		}
		return fault.New(fault.ModelFailed, "no more")
	}), nil)
	if _, _, err := post(t, s.URL, streamed); err == nil {
		t.Error("a reset did not break the connection")
	}
	if _, got, err := post(t, s.URL, strings.Replace(streamed, "hi", "ho", 1)); err != nil || !strings.Contains(got, `"message":"no more"`) || strings.Contains(got, "[DONE]") {
		t.Errorf("error %v, got %s", err, got)
	}
}

// Close ends an answer that would drip for an hour.
func TestModelServerCloses(t *testing.T) {
	asked := make(chan struct{})
	s := assenttest.NewModelServer(nil, generate(func(context.Context, *model.Request, func(model.Delta)) error { close(asked); return nil }), nil)
	s.Fail(assenttest.ModelFault{Drip: time.Hour})
	done := make(chan error)
	go func() {
		res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(streamed))
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		done <- err
	}()
	<-asked
	s.Close()
	if err := <-done; err == nil {
		t.Error("the answer ended well")
	}
}

func TestModelServerListsModels(t *testing.T) {
	s := assenttest.NewModelServer(t, assenttest.Answers(), &assenttest.ModelServerOptions{Models: []string{"a", "b"}})
	res, err := http.Get(s.URL + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	const want = `{"object":"list","data":[{"id":"a","object":"model","created":0,"owned_by":"assent"},{"id":"b","object":"model","created":0,"owned_by":"assent"}]}` + "\n"
	if string(b) != want {
		t.Errorf("got %s", b)
	}
}
