package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

// FuzzStream: whatever a server sends, the answer is a whole message whose text
// is what was emitted, or an error that people may see. proves: S3, P9
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		whole.body,
		stream(delta(`{"content":[{"type":"text","text":"a"}],"refusal":""}`), finish("stop")).body,
		stream(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}},{"function":{"arguments":{"a":[1]}}}`), finish("length")).body,
		stream(delta(`{"reasoning_content":"x","reasoning_details":[{}],"tool_calls":[{"extra_content":{}}]}`), "[DONE]").body,
		stream(`{"error":{"message":"x","code":7}}`).body,
		stream(`{"usage":{"prompt_tokens":1e9,"prompt_tokens_details":{"cached_tokens":-1}},"choices":[]}`).body,
		"data: {\"choices\":[{\"delta\":{\"content\":\"\\ud83d\\\\\xff\"}}]}\r\n\r\n: hm\nevent: x\ndata:\n\n",
	} {
		f.Add(seed, "text/event-stream")
		f.Add(strings.TrimPrefix(seed, "data: "), "application/json")
	}
	f.Fuzz(func(t *testing.T, body, contentType string) {
		m := newModel(t, "http://model.test/v1", func(o *openai.Options) {
			o.HTTPClient = &http.Client{Transport: &replies{list: []reply{{status: 200, body: body, header: map[string]string{"Content-Type": contentType}}}}}
			o.MaxRetries, o.Strict = -1, true
		})
		req := question("hi")
		req.Tools = model.NewTools([]model.Tool{{Name: "f", Input: json.RawMessage(object(`"a":{"type":"string"}`, ``))}})
		var h heard
		a, err := m.Generate(t.Context(), req, h.emit)
		if err != nil {
			if fault.CodeOf(err) != fault.ModelFailed || a != nil {
				t.Fatalf("answer %v, error %v", a, err)
			}
			return
		}
		if a.Message.Text != h.text || !utf8.ValidString(h.text) || a.Usage.Input < 0 || a.Usage.Cached < 0 {
			t.Errorf("answer %+v, emitted %q", a, h.text)
		}
		if a.Message.Raw != nil && !json.Valid(a.Message.Raw) {
			t.Errorf("raw %s", a.Message.Raw)
		}
		for _, c := range a.Message.Calls {
			if c.ID == "" {
				t.Errorf("a call without an id: %+v", a.Message)
			}
		}
		if a.Finish == model.FinishCalls && len(a.Message.Calls) == 0 {
			t.Error("calls are asked for, and there are none")
		}
		req.Messages = append(req.Messages, a.Message)
		if _, err := m.Generate(t.Context(), req, nil); err != nil {
			t.Errorf("the message cannot be sent again: %v", err)
		}
	})
}

// FuzzStrict: a schema and arguments of anyone. What comes back is the same
// JSON but for nulls, and text that is no JSON is not touched. proves: A7
func FuzzStrict(f *testing.F) {
	f.Add(object(`"a":{"$ref":"#"},"b":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/c"}]}`, `,"$defs":{"c":{"type":"integer"}},"required":["b"]`), `{"a":{"a":null,"b":null},"b":1e2}`)
	f.Add(object(`"a":{"type":"array","items":{"enum":[1,"x"]}}`, ``), `{"\u0061":null}`)
	f.Add(`{"type":["object"],"properties":{"a":{"const":null}}}`, `{"a":null,"a":null}`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		if !json.Valid([]byte(schema)) {
			t.Skip()
		}
		got := received(t, schema, args, true).Calls[0].Args
		sent, _ := json.Marshal(args) // as the server's JSON carries it
		var want string
		_ = json.Unmarshal(sent, &want)
		if got == want {
			return
		}
		if !json.Valid([]byte(want)) || !json.Valid([]byte(got)) || len(got) >= len(want) {
			t.Fatalf("%q became %q", want, got)
		}
		if again := received(t, schema, got, true).Calls[0].Args; again != got {
			t.Errorf("%q became %q and then %q", want, got, again)
		}
		if parameters, _ := offered(t, schema); !json.Valid([]byte(parameters)) {
			t.Errorf("offered %s", parameters)
		}
	})
}

// Any text, however it is cut into pieces and escaped, comes out as it went in.
func TestAnyTextAnyPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		args := rapid.String().Draw(rt, "args")
		var events []string
		cut := func(s string, event func(quoted string) string) {
			for s != "" {
				r := []rune(s)
				n := rapid.IntRange(1, len(r)).Draw(rt, "piece")
				quoted, _ := json.Marshal(string(r[:n]))
				events = append(events, event(string(quoted)))
				s = string(r[n:])
			}
		}
		cut(text, func(q string) string { return delta(`{"content":` + q + `}`) })
		events = append(events, calls(`{"index":0,"id":"a","function":{"name":"f"}}`))
		cut(args, func(q string) string { return calls(`{"index":0,"function":{"arguments":` + q + `}}`) })
		a, h, err := ask(t, stream(append(events, finish("tool_calls"))...), question("hi"), nil)
		if err != nil {
			rt.Fatal(err)
		}
		if a.Message.Text != text || h.text != text || a.Message.Calls[0].Args != args {
			rt.Errorf("got %+v", a.Message)
		}
	})
}
