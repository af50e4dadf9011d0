package scripted_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/scripted"
)

const talk = `[
 {"role":"system","content":"Be kind."},
 {"role":"user","content":"hi"},
 {"role":"assistant","content":"Let me look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":""}}]},
 {"role":"tool","tool_call_id":"a","name":"f","content":"1"},
 {"role":"tool","tool_call_id":"b","name":"g","content":"2"},
 {"role":"assistant","content":null}
]`

func recording(t *testing.T) *scripted.Recording {
	t.Helper()
	r, err := scripted.ReadRecording([]byte(talk))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecording(t *testing.T) {
	r := recording(t)
	for _, n := range []int{1, 4} {
		a, err := r.Generate(t.Context(), &model.Request{System: "Be kind.", Messages: r.Messages[:n]}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := r.Messages[n]
		if a.Message.Text != want.Text || len(a.Message.Calls) != len(want.Calls) || a.Model != "recording" {
			t.Errorf("after %d messages: %+v", n, a)
		}
	}
}

func TestRecordingMismatch(t *testing.T) {
	long := strings.Repeat("a", 500)
	change := func(i int, f func(*model.Message)) func(*model.Request) {
		return func(r *model.Request) { f(&r.Messages[i]) }
	}
	for _, c := range []struct {
		name   string
		change func(*model.Request)
		index  int
		text   string // within the text of the error
	}{
		{"another system text", func(r *model.Request) { r.System = "Be rude." }, -1, `the system text: sent "Be rude.", recorded "Be kind."`},
		{"another text", change(0, func(m *model.Message) { m.Text = "ho" }), 0, `message 0: sent "ho", recorded "hi"`},
		{"another role", change(0, func(m *model.Message) { m.Role = model.Assistant }), 0, `sent "assistant hi", recorded "user hi"`},
		{"another call id", change(2, func(m *model.Message) { m.CallID = "z" }), 2, `sent "call id z", recorded "call id a"`},
		{"another tool's result", change(2, func(m *model.Message) { m.Name = "z" }), 2, `sent "tool z", recorded "tool f"`},
		{"arguments that are only equal as JSON", change(1, func(m *model.Message) { m.Calls[0].Args = `{"x":1}` }), 1, `sent "call a f {\"x\":1}", recorded "call a f {\"x\": 1}"`},
		{"another name", change(1, func(m *model.Message) { m.Calls[1].Name = "h" }), 1, `sent "call b h {}", recorded "call b g {}"`},
		{"a missing call", change(1, func(m *model.Message) { m.Calls = m.Calls[:1] }), 1, `sent "no call", recorded "call b g {}"`},
		{"a long text is shown where it parts", change(3, func(m *model.Message) { m.Text = long + "x" }), 3, `recorded "2"`},
		{"more than was recorded", func(r *model.Request) {
			r.Messages = append(r.Messages, model.Message{Role: model.Assistant}, model.Message{Role: model.User, Text: "more"})
		}, 5, `message 5: sent "user more", recorded ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := &model.Request{System: "Be kind.", Messages: recording(t).Messages[:4]}
			c.change(req)
			_, err := recording(t).Generate(t.Context(), req, nil)
			m, ok := errors.AsType[*scripted.Mismatch](err)
			if !ok || m.Index != c.index || fault.CodeOf(err) != fault.ModelFailed || !strings.Contains(fault.TextOf(err), c.text) || len(fault.TextOf(err)) > 600 {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestRecordingIsLenientWhereNothingIsMeant(t *testing.T) {
	r := recording(t)
	req := &model.Request{System: "Be kind.", Messages: recording(t).Messages[:4]}
	req.Messages[1].Calls[1].Args = "{}" // A5: empty text is {}
	req.Messages[2].Name = ""            // the API has no place for it
	if _, err := r.Generate(t.Context(), req, nil); err != nil {
		t.Error(err)
	}
}

func TestRecordingHasNoAnswer(t *testing.T) {
	r := recording(t)
	for _, n := range []int{0, 2, 5} {
		if _, err := r.Generate(t.Context(), &model.Request{System: "Be kind.", Messages: r.Messages[:n]}, nil); fault.CodeOf(err) != fault.ModelFailed {
			t.Errorf("after %d messages: error %v", n, err)
		}
	}
}

func TestReadRecording(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no list", `{}`, "no list"},
		{"text behind", `[] []`, "text behind"},
		{"an unknown role", `[{"role":"user"},{"role":"wizard"}]`, `message 1 has the role "wizard"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := scripted.ReadRecording([]byte(c.text)); fault.CodeOf(err) != fault.BadConfig || !strings.Contains(fault.TextOf(err), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
