package openai_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

// heard keeps what was emitted and checks the contract of model.Delta.
type heard struct {
	text   string
	resets int
	pieces int
}

func (h *heard) emit(d model.Delta) {
	h.pieces++
	if d.Reset {
		h.text = ""
		h.resets++
		return
	}
	h.text += d.Text
}

func newModel(t testing.TB, url string, change func(*openai.Options)) *openai.Model {
	t.Helper()
	o := openai.Options{BaseURL: url, Model: "test", Key: "sk-secret-0123456789"}
	if change != nil {
		change(&o)
	}
	m, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func question(text string) *model.Request {
	return &model.Request{System: "You help.", Messages: []model.Message{{Role: model.User, Text: text}}}
}

func TestAnswers(t *testing.T) {
	read := model.Call{ID: "a1", Name: "read_page", Args: `{"page": 12, "note":"ä\n\"x\" \ud83d\ude00 <b>"}`}
	list := model.Call{ID: "a2", Name: "List_Pages", Args: ``}
	for _, c := range []struct {
		name   string
		answer model.Answer
		server assenttest.ModelServerOptions
		fault  assenttest.ModelFault
		want   func(*model.Answer) // changes the expectation, which is the answer itself
	}{
		{"text arrives in pieces and whole", assenttest.Say("Grüße, 世界! <ok> & \"done\"\n😀"), assenttest.ModelServerOptions{TextPiece: 1}, assenttest.ModelFault{}, nil},
		{"an empty message is a message", assenttest.Say(""), assenttest.ModelServerOptions{}, assenttest.ModelFault{}, nil},
		{"arguments come back byte for byte, also in single bytes", assenttest.Ask(read), assenttest.ModelServerOptions{ArgsPiece: 1}, assenttest.ModelFault{}, nil},
		{"parallel calls stay apart and in order", assenttest.Ask(read, list), assenttest.ModelServerOptions{ArgsPiece: 3}, assenttest.ModelFault{}, nil},
		{"text and calls together", model.Answer{Message: model.Message{Text: "Let me see.", Calls: []model.Call{read}}}, assenttest.ModelServerOptions{}, assenttest.ModelFault{}, nil},
		{"calls without an index", assenttest.Ask(read, list), assenttest.ModelServerOptions{ArgsPiece: 4}, assenttest.ModelFault{NoIndex: true}, nil},
		{"calls that all have the index 0", assenttest.Ask(read, list), assenttest.ModelServerOptions{ArgsPiece: 4}, assenttest.ModelFault{SameIndex: true}, nil},
		{"whole calls in one piece each", assenttest.Ask(read, list), assenttest.ModelServerOptions{}, assenttest.ModelFault{WholeCalls: true}, nil},
		{"whole calls without an index", assenttest.Ask(read, list), assenttest.ModelServerOptions{}, assenttest.ModelFault{WholeCalls: true, NoIndex: true}, nil},
		{"empty ids are replaced by stable ones", assenttest.Ask(read, list), assenttest.ModelServerOptions{}, assenttest.ModelFault{NoIDs: true}, func(a *model.Answer) {
			a.Message.Calls[0].ID, a.Message.Calls[1].ID = "call_1_0", "call_1_1"
		}},
		{"whole calls with neither index nor id", assenttest.Ask(read, read), assenttest.ModelServerOptions{}, assenttest.ModelFault{WholeCalls: true, NoIndex: true, NoIDs: true}, func(a *model.Answer) {
			a.Message.Calls[0].ID, a.Message.Calls[1].ID = "call_1_0", "call_1_1"
		}},
		{"S2 the same id twice in a message is passed on for the session to refuse", assenttest.Ask(read, list), assenttest.ModelServerOptions{}, assenttest.ModelFault{SameIDs: true}, func(a *model.Answer) {
			a.Message.Calls[1].ID = "a1"
		}},
		{"S6 the tokens that a limit counts", model.Answer{Message: model.Message{Text: "x"}, Usage: model.Usage{Input: 9, Output: 3, Cached: 4}}, assenttest.ModelServerOptions{}, assenttest.ModelFault{}, nil},
		{"a server that counts no tokens", model.Answer{Message: model.Message{Text: "x"}, Usage: model.Usage{Input: 9}}, assenttest.ModelServerOptions{}, assenttest.ModelFault{NoUsage: true}, func(a *model.Answer) { a.Usage = model.Usage{} }},
		{"length", model.Answer{Message: model.Message{Text: "x", Calls: []model.Call{read}}, Finish: model.FinishLength}, assenttest.ModelServerOptions{}, assenttest.ModelFault{}, nil},
		{"filter", model.Answer{Message: model.Message{Text: "x"}, Finish: model.FinishFilter}, assenttest.ModelServerOptions{}, assenttest.ModelFault{}, nil},
		{"stop beside calls means calls", model.Answer{Message: model.Message{Calls: []model.Call{read}}, Finish: model.FinishStop}, assenttest.ModelServerOptions{}, assenttest.ModelFault{}, func(a *model.Answer) { a.Finish = model.FinishCalls }},
		{"no [DONE] after a finish", assenttest.Ask(read), assenttest.ModelServerOptions{}, assenttest.ModelFault{NoDone: true}, nil},
		{"no finish before a [DONE]", assenttest.Ask(read), assenttest.ModelServerOptions{}, assenttest.ModelFault{NoFinish: true}, nil},
		{"keep-alive comments", assenttest.Say("hello"), assenttest.ModelServerOptions{TextPiece: 2}, assenttest.ModelFault{Comments: true}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := assenttest.NewModelServer(t, assenttest.Answers(c.answer), &c.server)
			s.Fail(c.fault)
			m := newModel(t, s.URL, nil)
			var h heard
			got, err := m.Generate(t.Context(), question("hi"), h.emit)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := assenttest.Answers(c.answer).Generate(t.Context(), nil, nil)
			want.Model = "test"
			want.Message.Calls = append([]model.Call(nil), want.Message.Calls...)
			if c.want != nil {
				c.want(want)
			}
			equal(t, got, want)
			if h.text != want.Message.Text || h.resets != 0 {
				t.Errorf("emitted %q with %d resets", h.text, h.resets)
			}
		})
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	g, _ := json.MarshalIndent(got, "", " ")
	w, _ := json.MarshalIndent(want, "", " ")
	if string(g) != string(w) {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// A request is compared as a whole, because servers refuse what they do not know.
func TestRequest(t *testing.T) {
	s := assenttest.NewModelServer(t, assenttest.Answers(assenttest.Say("ok")), nil)
	half := 0.5
	m := newModel(t, s.URL, func(o *openai.Options) {
		o.Temperature = &half
		o.Extra = map[string]any{"seed": 7}
		o.Headers = http.Header{"X-Team": {"a", "b"}}
	})
	req := &model.Request{
		System: "Help \"them\".",
		Messages: []model.Message{
			{Role: model.User, Text: "tab\there \x01 \xff <&>"},
			{Role: model.Assistant, Text: "ok", Calls: []model.Call{{ID: "1", Name: "f", Args: `{"a": 1}`}, {ID: "2", Name: "g"}}},
			{Role: model.ToolRole, CallID: "1", Name: "f", Text: "r"},
			{Role: model.ToolRole, CallID: "2", Name: "g", Text: ""},
			{Role: model.Assistant, Text: ""},
		},
		Tools: model.NewTools([]model.Tool{{Name: "f", Description: "d", Input: json.RawMessage("{\n\"type\": \"object\" }")}, {Name: "g"}}),
	}
	if _, err := m.Generate(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	const want = `{"model":"test","stream":true,"temperature":0.5,"seed":7,"stream_options":{"include_usage":true},` +
		`"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"g"}}],` +
		`"messages":[{"role":"system","content":"Help \"them\"."},{"role":"user","content":"tab\there \u0001 ` + "\ufffd" + ` <&>"},` +
		`{"role":"assistant","content":"ok","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"r"},{"role":"tool","tool_call_id":"2","content":""},{"role":"assistant","content":""}]}`
	if string(got.Body) != want {
		t.Errorf("got\n%s\nwant\n%s", got.Body, want)
	}
	if h := got.Header; h.Get("Authorization") != "Bearer sk-secret-0123456789" || strings.Join(h.Values("X-Team"), ",") != "a,b" {
		t.Errorf("headers: %v", h)
	}
	for name := range got.Header {
		if strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("the server is told %s", name)
		}
	}
}

func TestNothingIsReadFromTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-env")
	t.Setenv("OPENAI_ORG_ID", "org-env")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Env: 1")
	s := assenttest.NewModelServer(t, assenttest.Answers(assenttest.Say("ok")), nil)
	m := newModel(t, s.URL, func(o *openai.Options) { o.Key = "" })
	if _, err := m.Generate(t.Context(), question("hi"), nil); err != nil {
		t.Fatal(err)
	}
	for name, values := range s.Requests()[0].Header {
		if strings.Contains(name+strings.Join(values, ""), "env") || name == "Authorization" || name == "X-Env" {
			t.Errorf("%s: %v", name, values)
		}
	}
}

func TestOptions(t *testing.T) {
	nan := new(float64)
	*nan /= *nan
	for _, c := range []struct {
		name string
		o    openai.Options
	}{
		{"no model", openai.Options{}},
		{"an address without a scheme", openai.Options{Model: "m", BaseURL: "localhost:11434/v1"}},
		{"another scheme", openai.Options{Model: "m", BaseURL: "file:///v1"}},
		{"what is written here", openai.Options{Model: "m", Extra: map[string]any{"tools": 1}}},
		{"what has no JSON form", openai.Options{Model: "m", Extra: map[string]any{"x": func() {}}}},
		{"no number", openai.Options{Model: "m", Temperature: nan}},
	} {
		t.Run(c.name+" is refused", func(t *testing.T) {
			if _, err := openai.New(c.o); fault.CodeOf(err) != fault.BadConfig {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A caller that goes away ends the request, and the error is the caller's own.
func TestCancelled(t *testing.T) {
	asked := stuck(make(chan struct{}))
	s := assenttest.NewModelServer(t, asked, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := newModel(t, s.URL, nil).Generate(ctx, question("hi"), nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// stuck is a model that says once that it was asked, and never answers.
type stuck chan struct{}

func (s stuck) Generate(ctx context.Context, _ *model.Request, _ func(model.Delta)) (*model.Answer, error) {
	close(s)
	<-ctx.Done()
	return nil, ctx.Err()
}

// B23: a piece is handed on when it arrives, not when the next one does.
func TestPiecesAreNotHeldBack(t *testing.T) {
	heard := make(chan string)
	s := assenttest.NewModelServer(t, talker(func(emit func(model.Delta)) {
		emit(model.Delta{Text: "one"})
		<-heard // the model goes on only when the first piece was heard
		emit(model.Delta{Text: "two"})
	}), nil)
	var n int
	_, err := newModel(t, s.URL, nil).Generate(t.Context(), question("hi"), func(d model.Delta) {
		if n++; n == 1 {
			heard <- d.Text
		}
	})
	if err != nil || n != 2 {
		t.Errorf("%d pieces, error %v", n, err)
	}
}

type talker func(emit func(model.Delta))

func (f talker) Generate(_ context.Context, _ *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	var b strings.Builder
	f(func(d model.Delta) { b.WriteString(d.Text); emit(d) })
	return &model.Answer{Message: model.Message{Text: b.String()}, Finish: model.FinishStop}, nil
}

// The connection is kept: a session asks many times.
func TestOneConnection(t *testing.T) {
	answers := make([]model.Answer, 5)
	for i := range answers {
		answers[i] = assenttest.Say("hello")
	}
	s := assenttest.NewModelServer(t, assenttest.Answers(answers...), nil)
	dials := &dialCounter{}
	m := newModel(t, s.URL, func(o *openai.Options) { o.HTTPClient = dials.client(t); o.Logger = slog.New(slog.DiscardHandler) })
	for range answers {
		if _, err := m.Generate(t.Context(), question("hi"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := dials.n.Load(); n != 1 {
		t.Errorf("%d connections for %d requests", n, len(answers))
	}
}
