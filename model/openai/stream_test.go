package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

// stream is what a server sends: one line an event's data.
func stream(events ...string) reply {
	return reply{status: 200, body: "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"}
}

// ask answers one request with that reply and no retries.
func ask(t *testing.T, r reply, req *model.Request, change func(*openai.Options)) (*model.Answer, heard, error) {
	t.Helper()
	m := newModel(t, "http://model.test/v1", func(o *openai.Options) {
		o.HTTPClient = &http.Client{Transport: &replies{list: []reply{r}}}
		o.MaxRetries = -1
		if change != nil {
			change(o)
		}
	})
	var h heard
	a, err := m.Generate(t.Context(), req, h.emit)
	return a, h, err
}

// delta is an event with one choice.
func delta(d string) string { return `{"choices":[{"index":0,"delta":` + d + `}]}` }

func finish(word string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + word + `"}]}`
}

func calls(pieces string) string { return delta(`{"tool_calls":[` + pieces + `]}`) }

// What servers send for calls, as seen in the wild. Each row is "id name args".
func TestPiecesOfCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []string
		want   string
	}{
		{"the index says which call goes on", []string{
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`), calls(`{"index":1,"id":"b","function":{"name":"g","arguments":"["}}`),
			calls(`{"index":0,"function":{"arguments":"{}"}}`), calls(`{"index":1,"function":{"arguments":"]"}}`)}, "a f {}|b g []"},
		{"two pieces of different calls in one event", []string{
			calls(`{"index":0,"id":"a","function":{"name":"f"}},{"index":1,"id":"b","function":{"name":"g"}}`),
			calls(`{"index":0,"function":{"arguments":"1"}},{"index":1,"function":{"arguments":"2"}}`)}, "a f 1|b g 2"},
		{"an index that begins at 1", []string{calls(`{"index":1,"id":"a","function":{"name":"f","arguments":"{"}}`), calls(`{"index":1,"function":{"arguments":"}"}}`)}, "a f {}"},
		{"a name in pieces", []string{calls(`{"index":0,"id":"a","function":{"name":"get_"}}`), calls(`{"index":0,"function":{"name":"page"}}`), calls(`{"index":0,"function":{"arguments":"{}"}}`)}, "a get_page {}"},
		{"id and name repeated with each piece", []string{
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), calls(`{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}`)}, `a f {"x":1}`},
		{"another id with each piece, and no name", []string{
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`), calls(`{"index":0,"id":"b","function":{"arguments":"}"}}`)}, "a f {}"},
		{"the same index, another id: another call", []string{
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`), calls(`{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}`)}, "a f {}|b f {}"},
		{"no index and no id: whole calls", []string{
			calls(`{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"{}"}}`), calls(`{"function":{"name":"g","arguments":""}}`)}, "call_1_0 f {}|call_1_1 f {}|call_1_2 g "},
		{"two whole calls without arguments in one event", []string{calls(`{"function":{"name":"f"}},{"function":{"name":"f"}}`)}, "call_1_0 f |call_1_1 f "},
		{"no index: the id says which call goes on", []string{
			calls(`{"id":"a","function":{"name":"f","arguments":"{"}}`), calls(`{"id":"b","function":{"name":"f","arguments":"["}}`),
			calls(`{"id":"a","function":{"arguments":"}"}}`), calls(`{"id":"b","function":{"arguments":"]"}}`)}, "a f {}|b f []"},
		{"S2 the same id again after a whole call is a second call", []string{
			calls(`{"id":"a","function":{"name":"f","arguments":"{}"}}`), calls(`{"id":"a","function":{"name":"f","arguments":"{}"}}`)}, "a f {}|a f {}"},
		{"an id that comes late", []string{calls(`{"index":0,"function":{"name":"f"}}`), calls(`{"index":0,"id":"a","function":{"arguments":"{}"}}`)}, "a f {}"},
		{"arguments as an object and not as a string", []string{calls(`{"index":0,"id":"a","function":{"name":"f","arguments":{"n":12345678901234567890}}}`)}, `a f {"n":12345678901234567890}`},
		{"arguments that are null", []string{calls(`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`)}, "a f "},
		{"A6 arguments encoded twice stay so", []string{calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"\"{}\""}}`)}, `a f "{}"`},
		{"A5 a lone surrogate does not become a character", []string{calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"\"\ud800\""}}`)}, "a f \"\xed\xa0\x80\""},
		{"a name that differs in case is not repaired", []string{calls(`{"index":0,"id":"a","function":{"name":"READ_Page","arguments":"{}"}}`)}, "a READ_Page {}"},
		{"what is no piece", []string{calls(`null`), calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`)}, "a f {}"},
		{"a piece with nothing before it", []string{calls(`{"index":0,"function":{"arguments":"{}"}}`)}, "call_1_0  {}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _, err := ask(t, stream(append(c.events, finish("tool_calls"), "[DONE]")...), question("hi"), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, call := range a.Message.Calls {
				got = append(got, call.ID+" "+call.Name+" "+call.Args)
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
			if a.Finish != model.FinishCalls {
				t.Errorf("finish %q", a.Finish)
			}
		})
	}
}

func TestFinish(t *testing.T) {
	call := calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`)
	for _, c := range []struct {
		name   string
		events []string
		want   model.Finish // "" for an error
	}{
		{"stop", []string{delta(`{"content":"x"}`), finish("stop")}, model.FinishStop},
		{"a call behind stop is asked for", []string{call, finish("stop")}, model.FinishCalls},
		{"tool_calls without calls is the end", []string{delta(`{"content":"x"}`), finish("tool_calls")}, model.FinishStop},
		{"calls behind length are not to be run", []string{call, finish("length")}, model.FinishLength},
		{"calls behind max_tokens are not to be run", []string{call, finish("MAX_TOKENS")}, model.FinishLength},
		{"calls behind an unknown word are not to be run", []string{call, finish("zebra")}, model.FinishLength},
		{"text behind an unknown word is text", []string{delta(`{"content":"x"}`), finish("zebra")}, model.FinishStop},
		{"a filter's calls are not to be run", []string{call, finish("content_filter")}, model.FinishFilter},
		{"a refusal is text that the provider put in the answer's place", []string{delta(`{"content":null,"refusal":"I can"}`), delta(`{"refusal":"not."}`), finish("stop")}, model.FinishFilter},
		{"a server that gave up", []string{delta(`{"content":"x"}`), finish("abort")}, ""},
		{"neither finish nor [DONE] is a cut stream", []string{call}, ""},
		{"an event that is no JSON", []string{delta(`{"content":"x"}`), `{"choices":[`, finish("stop")}, ""},
		{"no choice at all", []string{`{"choices":[]}`, "[DONE]"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _, err := ask(t, stream(c.events...), question("hi"), nil)
			if c.want == "" {
				if err == nil {
					t.Errorf("an answer: %+v", a)
				}
				return
			}
			if err != nil || a.Finish != c.want {
				t.Errorf("got %+v, error %v", a, err)
			}
		})
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []string
		want   string
	}{
		{"a refusal is the text", []string{delta(`{"refusal":"I can"}`), delta(`{"refusal":"not."}`)}, "I cannot."},
		{"a list of parts", []string{delta(`{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"a"},{"type":"text","text":"b"}]}`)}, "ab"},
		{"every escape", []string{delta(`{"content":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`)}, "\"\\/\b\f\n\r\té😀"},
		{"bytes that are no UTF-8", []string{delta("{\"content\":\"a\xffb\"}")}, "a\ufffdb"},
		{"a second choice is not read", []string{delta(`{"content":"a"}`), `{"choices":[{"index":1,"delta":{"content":"b"}}]}`}, "a"},
		{"a choice that is counted from 1", []string{`{"choices":[{"index":1,"delta":{"content":"b"}}]}`}, "b"},
		{"reasoning is not the answer", []string{delta(`{"reasoning_content":"hm"}`), delta(`{"content":"a"}`)}, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, h, err := ask(t, stream(append(c.events, finish("stop"), "[DONE]")...), question("hi"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if a.Message.Text != c.want || h.text != c.want {
				t.Errorf("got %q, emitted %q, want %q", a.Message.Text, h.text, c.want)
			}
		})
	}
}

func TestWholeAnswer(t *testing.T) {
	a, h, err := ask(t, reply{status: 200, header: map[string]string{"Content-Type": "application/json; charset=utf-8"}, body: `{"model":"m-2","choices":[{"index":0,"message":{"role":"assistant","content":"hi","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_cache_hit_tokens":1}}`}, question("hi"), nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, a, &model.Answer{
		Message: model.Message{Role: model.Assistant, Text: "hi", Calls: []model.Call{{ID: "a", Name: "f", Args: "{}"}}},
		Finish:  model.FinishCalls, Usage: model.Usage{Input: 5, Output: 2, Cached: 1}, Model: "m-2", Attempts: 1,
	})
	if h.text != "hi" {
		t.Errorf("emitted %q", h.text)
	}
}

// S3: what the server said beside text and calls is kept and sent again,
// verbatim, as long as the message still has its calls.
func TestRaw(t *testing.T) {
	a, _, err := ask(t, stream(
		delta(`{"reasoning_content":"I "}`), delta(`{"reasoning_content":"think","reasoning_details":[{"a":1}]}`), delta(`{"reasoning_details":[{"b":2}]}`),
		calls(`{"index":0,"id":"a","extra_content":{"google":{"thought_signature":"x=="}},"function":{"name":"f","arguments":"{}"}}`),
		finish("tool_calls")), question("hi"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const said = `{"role":"assistant","content":null,"reasoning_content":"I think","reasoning_details":[{"a":1},{"b":2}],"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"x=="}}}]}`
	for _, c := range []struct {
		name    string
		message model.Message
		want    string
	}{
		{"with its calls", a.Message, said},
		{"after its calls were dropped", model.Message{Role: model.Assistant, Text: "x", Raw: a.Message.Raw}, `{"role":"assistant","content":"x"}`},
		{"raw of another provider", model.Message{Role: model.Assistant, Text: "x", Raw: json.RawMessage(`{"anthropic":{"content":[]}}`)}, `{"role":"assistant","content":"x"}`},
		{"raw that is no JSON", model.Message{Role: model.Assistant, Text: "x", Raw: json.RawMessage(`{"openai.chat":`)}, `{"role":"assistant","content":"x"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			rt := &bodies{replies: replies{list: []reply{stream(delta(`{"content":"ok"}`), finish("stop"))}}}
			m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = &http.Client{Transport: rt} })
			if _, err := m.Generate(t.Context(), &model.Request{Messages: []model.Message{c.message}}, nil); err != nil {
				t.Fatal(err)
			}
			if _, got, _ := strings.Cut(rt.last, `"messages":[`); got != c.want+"]}" {
				t.Errorf("sent %s", got)
			}
		})
	}
}
