package scripted_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/scripted"
)

const shop = `{
  "name": "shop",
  "pace": {"piece": 5},
  "rules": [
    {"words": ["refund"], "tools": ["orders_refund"], "steps": [
      {"say": "Refunding.", "calls": [
        {"tool": "orders_refund", "args": {"id": "{{find ` + "`W\\\\d+`" + ` .User}}", "amount": "{{number (word 3 .User)}}", "note": "a \"b\"", "tags": [1, true, null]}},
        {"tool": "orders_get", "args": "{{.User}"}]},
      {"say": "{{if .Failed}}It failed: {{.Last}}{{else}}Refunded, now {{path \"order.total\" .Last}}.{{end}}"}]},
    {"words": ["refund"], "steps": [{"say": "I cannot refund here, only {{range .Offered}}{{.}} {{end}}"}]},
    {"words": ["good morning"], "steps": [{"calls": [{"tool": "ping"}]}]}
  ],
  "otherwise": "Say refund."
}`

func user(text string) model.Message { return model.Message{Role: model.User, Text: text} }

func answer(t *testing.T, m model.Model, tools []string, messages ...model.Message) *model.Answer {
	t.Helper()
	var list []model.Tool
	for _, name := range tools {
		list = append(list, model.Tool{Name: name})
	}
	var said strings.Builder
	a, err := m.Generate(t.Context(), &model.Request{Messages: messages, Tools: model.NewTools(list)}, func(d model.Delta) { said.WriteString(d.Text) })
	if err != nil {
		t.Fatal(err)
	}
	if said.String() != a.Message.Text {
		t.Errorf("streamed %q, answered %q", said.String(), a.Message.Text)
	}
	return a
}

func read(t *testing.T, text string) *scripted.Script {
	t.Helper()
	s, err := scripted.ReadScript([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestScript(t *testing.T) {
	s := read(t, strings.Replace(shop, `"{{.User}"`, `"{{.User}}"`, 1))
	before := []model.Message{user("hello"), {Role: model.Assistant, Text: "x"}}
	ask := user("REFUND W12 30.50 please")
	asked := model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "1"}, {ID: "2"}}}
	for _, c := range []struct {
		name     string
		tools    []string
		messages []model.Message
		text     string
		calls    string
	}{
		{"the first message says what it is", nil, []model.Message{user("hello")}, scripted.Notice + "Say refund.", ""},
		{"calls alone do not hide what it is", nil, []model.Message{user("Good morning!")}, strings.TrimSpace(scripted.Notice), "ping {}"},
		{"later messages do not repeat it", nil, append(before, user("hello")), "Say refund.", ""},
		{"words in any case, arguments filled in", []string{"orders_refund"}, append(before, ask), "Refunding.", `orders_refund {"id":"W12","amount":30.50,"note":"a \"b\"","tags":[1,true,null]}|orders_get REFUND W12 30.50 please`},
		{"a rule whose tool is hidden is passed over", []string{"ping"}, append(before, ask), "I cannot refund here, only ping ", ""},
		{"a part of a word is no word", []string{"orders_refund"}, append(before, user("refunded")), "Say refund.", ""},
		{"words of a phrase stand side by side", nil, append(before, user("good early morning")), "Say refund.", ""},
		{"the next step follows the results", []string{"orders_refund"}, append(before, ask, asked,
			model.Message{Role: model.ToolRole, Text: "x"}, model.Message{Role: model.ToolRole, Text: `{"order":{"total":12345678901234567890}}`}), "Refunded, now 12345678901234567890.", ""},
		{"P9 a script can tell a denial from a result", []string{"orders_refund"}, append(before, ask, asked, model.Message{Role: model.ToolRole, Text: "Error: denied"}), "It failed: Error: denied", ""},
		{"behind the last step", []string{"orders_refund"}, append(before, ask, asked, asked), "Say refund.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := answer(t, s, c.tools, c.messages...)
			var calls []string
			ids := map[string]bool{}
			for _, call := range a.Message.Calls {
				calls = append(calls, call.Name+" "+call.Args)
				ids[call.ID] = true
			}
			if a.Message.Text != c.text || strings.Join(calls, "|") != c.calls || len(ids) != len(calls) {
				t.Errorf("said %q, called %q", a.Message.Text, calls)
			}
			if want := map[bool]model.Finish{true: model.FinishCalls, false: model.FinishStop}[len(calls) > 0]; a.Finish != want || a.Model != "script:shop" || a.Attempts != 1 {
				t.Errorf("answer %+v", a)
			}
			again := answer(t, s, c.tools, c.messages...)
			if again.Message.Text != a.Message.Text || len(a.Message.Calls) > 0 && again.Message.Calls[0] != a.Message.Calls[0] {
				t.Error("the same request was answered in another way")
			}
		})
	}
}

func TestReadScriptNamesTheLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no JSON", "{\n\"rules\": [\n}", "line 3: "},
		{"cut", "{\n\"rules\": [\n", "line 2: "},
		{"nothing", "", "line 1: "},
		{"text behind", "{}\n{}", "line 2: text behind"},
		{"an unknown member", "{\n\"name\": \"x\",\n\"rulez\": []}", `line 3: unknown member "rulez"`},
		{"an unknown member deep down", "{\"rules\": [\n{\"steps\": [\n{\"say\": \"x\",\n\"cals\": []}]}]}", `line 4: unknown member "cals"`},
		{"a member twice", "{\"rules\": [{\"steps\": [{\"say\": \"x\"}],\n\"steps\": []}]}", `line 2: "steps" is there twice`},
		{"a wrong type", "{\"rules\": [\n{\"words\": \"refund\"}]}", `line 2: "words" is a list`},
		{"a word that is none", "{\"rules\": [{\"words\": [\n7]}]}", "line 2: text is expected"},
		{"a rule without steps", "{\"rules\": [\n{\"words\": []}]}", "line 2: a rule needs steps"},
		{"an empty step", "{\"rules\": [{\"steps\": [\n{}]}]}", "line 2: a step says or calls"},
		{"a call without a tool", "{\"rules\": [{\"steps\": [{\"calls\": [\n{}]}]}]}", "line 2: a call needs a tool"},
		{"a broken template", "{\n\"otherwise\": \"{{\"}", "line 2: template"},
		{"a broken template in arguments", "{\"rules\": [{\"steps\": [{\"calls\": [{\"tool\": \"f\", \"args\": {\"a\":\n\"{{nope .User}}\"}}]}]}]}", "line 2: template"},
		{"half a template in arguments", "{\"rules\": [{\"steps\": [{\"calls\": [{\"tool\": \"f\", \"args\": {\"a\":\n\"W{{.User}}\"}}]}]}]}", "line 2: a template in args is a whole value"},
		{"a wait without a unit", "{\"pace\": {\n\"wait\": \"20\"}}", "line 2: wait"},
		{"a piece that is no number", "{\"pace\": {\n\"piece\": \"20\"}}", "line 2: piece"},
		{"a list in place of an object", "[]", "line 1: an object"},
		{"too deep", strings.Repeat("[", 200), "line 1: more than"},
		{"the example above", shop, "line 8: template"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scripted.ReadScript([]byte(c.text))
			if fault.CodeOf(err) != fault.BadConfig || !strings.HasPrefix(fault.TextOf(err), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestNewScriptNamesTheStep(t *testing.T) {
	for _, c := range []struct {
		name string
		rule scripted.Rule
		want string
	}{
		{"no steps", scripted.Rule{}, "rule 1: it has no steps"},
		{"an empty step", scripted.Rule{Steps: []scripted.Step{{Say: "x"}, {}}}, "rule 1: step 2: it neither"},
		{"a call without a tool", scripted.Rule{Steps: []scripted.Step{{Calls: []scripted.Call{{}}}}}, "rule 1: step 1: a call names no tool"},
		{"a broken template", scripted.Rule{Steps: []scripted.Step{{Say: "{{"}}}, "rule 1: step 1: template"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scripted.NewScript(scripted.Definition{Rules: []scripted.Rule{c.rule}})
			if fault.CodeOf(err) != fault.BadConfig || !strings.HasPrefix(fault.TextOf(err), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A template that fails only with what was said is the model's failure.
func TestScriptCannotFillIn(t *testing.T) {
	s, err := scripted.NewScript(scripted.Definition{Otherwise: "{{number .User}}"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Generate(t.Context(), &model.Request{Messages: []model.Message{user("x")}}, nil)
	if fault.CodeOf(err) != fault.ModelFailed {
		t.Errorf("error %v", err)
	}
}

func TestPace(t *testing.T) {
	text := "One two three, four five. " + strings.Repeat("x", 100)
	for _, c := range []struct {
		name   string
		pace   scripted.Pace
		pieces int
		took   time.Duration
	}{
		{"small pieces of whole words", scripted.Pace{}, 4, 0},
		{"single words", scripted.Pace{Piece: 1, Wait: 20 * time.Millisecond}, 33, 660 * time.Millisecond},
		{"all at once", scripted.Pace{Piece: -1, Wait: time.Second}, 1, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &scripted.Recording{Messages: []model.Message{user("hi"), {Role: model.Assistant, Text: text}}, Pace: c.pace}
				start := time.Now()
				n := 0
				a, err := r.Generate(t.Context(), &model.Request{Messages: r.Messages[:1]}, func(model.Delta) { n++ })
				if err != nil || a.Message.Text != text || n != c.pieces || time.Since(start) != c.took {
					t.Errorf("%d pieces in %v, error %v", n, time.Since(start), err)
				}
			})
		})
	}
}
