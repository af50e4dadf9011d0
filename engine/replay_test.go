package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
	"pgregory.net/rapid"
)

// script is a random conversation: what a model may write, what a tool may give,
// what a person may answer.
type script struct {
	*rapid.T
	calls int
}

// texts are such as a log must not change, or must change before anybody sees them.
var texts = []string{"", "ok", "<b>&amp;\u2028", "\xff\xfe", "half \xe2\x82", "ä\x00\x1b[2J", "\U0001F600"}

func (s *script) text() string { return rapid.SampledFrom(texts).Draw(s.T, "text") }

func (s *script) message() model.Message {
	m := model.Message{Role: model.Assistant, Text: s.text()}
	for range rapid.IntRange(0, 3).Draw(s.T, "calls") {
		s.calls++
		id := rapid.SampledFrom([]string{fmt.Sprint("c", s.calls), "same", "", "\xff"}).Draw(s.T, "id")
		name := rapid.SampledFrom([]string{"get", "put", "drop", "drop", "none", "\xff"}).Draw(s.T, "name")
		args := rapid.SampledFrom([]string{`{"id":"A"}`, `{"id": "<B>"}`, `{"id":"é"}`, `{"id":1}`, "{\"id\":\"\xff\"}", `{`}).Draw(s.T, "args")
		m.Calls = append(m.Calls, call(id, name, args))
	}
	m.Raw = json.RawMessage(rapid.SampledFrom([]string{"", `{"a": [1, 2]}`, "{not json"}).Draw(s.T, "raw"))
	return m
}

func (s *script) answer() approval.Answer {
	switch rapid.IntRange(0, 6).Draw(s.T, "answer") {
	case 0:
		return approval.Deny(s.text())
	case 1:
		return approval.ApproveForSession()
	case 2:
		return approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact(rapid.SampledFrom([]string{`{"properties": {"id": {"const": "A"}}}`, `{`, `{"nonsense":1}`}).Draw(s.T, "pattern"))}
	case 3:
		return approval.Answer{Args: []byte(rapid.SampledFrom([]string{`{"id":"edited"}`, `{"id":2}`}).Draw(s.T, "edit"))}
	case 4:
		return approval.Answer{ForSession: true, Reason: s.text()}
	}
	return approval.Approve()
}

// proves: S1, S2, P5
func TestASessionIsTheSameWhenItsLogIsReadAgain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &script{T: rt}
		list := rapid.SliceOfN(rapid.Custom(func(*rapid.T) model.Message { return s.message() }), 1, 4).Draw(rt, "messages")
		result, failure, undo := s.text(), s.text(), s.text()
		d := &answering{answers: rapid.SliceOfN(rapid.Custom(func(*rapid.T) approval.Answer { return s.answer() }), 8, 8).Draw(rt, "answers")}
		j := journal.NewMemory()
		shelf := &shelf{}
		get, put := shelf.tool("get", policy.Read), shelf.tool("put", policy.Write)
		get.Run = func(context.Context, []byte) (tool.Result, error) { return tool.Result{Text: result}, nil }
		put.Run = func(_ context.Context, args []byte) (tool.Result, error) {
			args[2] = '#' // a tool that writes into its arguments
			if failure != "" {
				return tool.Result{Text: result}, errors.New(failure)
			}
			own := json.RawMessage(`{"was": "` + undo + `"}`)
			return tool.Result{Text: result, Structured: own, Undo: own}, nil
		}
		put.Undo = put.Run
		p, err := policy.Compile(&policy.Document{Version: "1"})
		if err != nil {
			rt.Fatal(err)
		}
		e, err := engine.New(engine.Options{
			Journal: j, Model: &lines{list: list}, Governor: engine.Fixed(p), Desk: d, Limits: turn.Limits{ResultBytes: 3, Denials: 9},
			Tools: box(t, get, put, shelf.tool("drop", policy.Destructive)),
		})
		if err != nil {
			rt.Fatal(err)
		}
		defer e.Close()
		mode := rapid.SampledFrom([]policy.Mode{policy.ReadOnly, policy.Ask, policy.Auto}).Draw(rt, "mode")
		id, err := e.Create(engine.Who{Principal: "alice", Groups: []string{"g"}}, mode)
		if err != nil {
			rt.Fatal(err)
		}
		for range 2 {
			s.turn(e, id, turn.Say{Text: s.text()})
		}
		for range 2 {
			s.takeBack(e, id)
		}
		s.compare(e, j, id)
	})
}

// answering is a desk that answers at once, in the order in which it is asked.
type answering struct {
	answers []approval.Answer
	n       atomic.Int64
}

func (d *answering) Open(r approval.Request, reply approval.Reply) {
	answer := d.answers[int(d.n.Add(1))%len(d.answers)]
	reply(answer, approval.Decided{By: "alice\xff", Via: "test", At: time.Now()}, nil)
}

func (d *answering) Close(string, approval.State, string) {}

// turn runs a turn to its end, or stops it where a question was left open.
func (s *script) turn(e *engine.Engine, id string, in turn.Input) {
	_, w, err := e.Begin(id, in)
	if err != nil {
		s.Fatal(err)
	}
	defer w.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for {
		u, err := w.Next(ctx)
		if err != nil {
			s.Fatal(err)
		}
		if u.Event != nil && u.Event.Body.Type() == "turn.ended" {
			return
		}
	}
}

func (s *script) takeBack(e *engine.Engine, id string) {
	undoable := ""
	_ = e.View(id, func(t *turn.Session) {
		if len(t.Undo) > 0 {
			undoable = t.Undo[0].Call
		}
	})
	if undoable != "" {
		s.turn(e, id, turn.TakeBack{Call: undoable})
	}
}

func (s *script) compare(e *engine.Engine, j journal.Journal, id string) {
	err := e.View(id, func(live *turn.Session) { // nothing is written meanwhile
		again := s.fold(j, id)
		a, b := reflect.ValueOf(live).Elem(), reflect.ValueOf(again).Elem()
		for i := range a.NumField() {
			if x, y := spell(a.Field(i)), spell(b.Field(i)); a.Type().Field(i).Name != "compile" && x != y {
				s.Errorf("%s was\n%s\nand is after a restart\n%s", a.Type().Field(i).Name, x, y)
			}
		}
	})
	if err != nil {
		s.Fatal(err)
	}
}

// fold is what the log adds up to.
func (s *script) fold(j journal.Journal, id string) *turn.Session {
	again := turn.New(func(p json.RawMessage) (policy.Condition, error) { return schema.CompileCondition(p, nil) })
	for r, err := range j.Read(context.Background(), audit.SessionStream(id), 0) {
		if err != nil {
			s.Fatal(err)
		}
		ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err == nil {
			err = again.Apply(ev)
		}
		if err != nil {
			s.Fatal(err)
		}
	}
	return again
}

// spell writes a value with everything that it points to. Nil and empty are the
// same; functions and compiled conditions are left out.
func spell(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		if v.Type().Name() == "Condition" {
			return "condition"
		}
		return spell(v.Elem())
	case reflect.Struct:
		out := v.Type().Name() + "{"
		for i := range v.NumField() {
			out += v.Type().Field(i).Name + ":" + spell(v.Field(i)) + " "
		}
		return out + "}"
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return fmt.Sprintf("%q", v.Bytes())
		}
		out := "["
		for i := range v.Len() {
			out += spell(v.Index(i)) + " "
		}
		return out + "]"
	case reflect.Map:
		return spellMap(v)
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Func:
		return "func"
	}
	return fmt.Sprint(v)
}

func spellMap(v reflect.Value) string {
	byKey := map[string]string{}
	for it := v.MapRange(); it.Next(); {
		byKey[spell(it.Key())] = spell(it.Value())
	}
	return fmt.Sprint(byKey) // sorted
}

// proves: P11, D8
func TestAnAnswerThatIsJunkHarmsNoSession(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	for _, pattern := range []string{`{`, `{"nonsense":1}`, `[]`} {
		a := approval.Answer{Approved: true, Scope: policy.ScopePattern, Pattern: approval.Exact(pattern)}
		f.gov.set(t, &policy.Document{Version: "2"})
		if err := f.e.Answer(r.ID, r.Digest, a, approval.Decided{By: "alice"}); fault.CodeOf(err) != fault.BadAnswer {
			t.Errorf("pattern %s: %v", pattern, err)
		}
	}
	if _, err := f.e.Create(engine.Who{Principal: "\xff"}, policy.Ask); fault.CodeOf(err) != fault.BadConfig {
		t.Errorf("a principal that is no text: %v", err)
	}
	if err := f.e.Do(f.session, turn.SetMode{Mode: 9}); fault.CodeOf(err) != fault.BadMode {
		t.Errorf("mode 9: %v", err)
	}
	if err := f.e.Answer(r.ID, r.Digest, approval.Approve(), approval.Decided{By: "alice"}); err != nil {
		t.Fatal(err)
	}
	finish(t, w)
}
