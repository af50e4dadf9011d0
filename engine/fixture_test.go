package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// lines is a model that answers with one message after the other.
type lines struct {
	mu   sync.Mutex
	list []model.Message
	seen [][]model.Message
}

func (m *lines) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, req.Messages)
	msg := model.Message{Role: model.Assistant, Text: "done"}
	if len(m.list) > 0 {
		msg, m.list = m.list[0], m.list[1:]
	}
	emit(model.Delta{Text: msg.Text})
	finish := model.FinishStop
	if len(msg.Calls) > 0 {
		finish = model.FinishCalls
	}
	return &model.Answer{Message: msg, Finish: finish, Attempts: 1}, nil
}

func call(id, name, args string) model.Call { return model.Call{ID: id, Name: name, Args: args} }

func says(text string, calls ...model.Call) model.Message {
	return model.Message{Role: model.Assistant, Text: text, Calls: calls}
}

const idSchema = `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`

// shelf is three tools that note what they did.
type shelf struct {
	mu  sync.Mutex
	did []string
}

func (s *shelf) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.did = append(s.did, what)
}

func (s *shelf) list() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.did, "\n")
}

func (s *shelf) tool(name string, class policy.Class) *tool.Tool {
	return &tool.Tool{
		Name: name, Description: name, Class: class, Input: json.RawMessage(idSchema), Source: tool.Source{Kind: policy.Host},
		Run: func(ctx context.Context, args []byte) (tool.Result, error) {
			s.note(name + string(args))
			return tool.Result{Text: name + " ok"}, nil
		},
	}
}

type fixture struct {
	*shelf
	e       *engine.Engine
	model   *lines
	session string
	desk    *desk
	gov     governor
	o       engine.Options
}

// desk keeps requests until the test answers them.
type desk struct {
	mu     sync.Mutex
	open   []approval.Request
	reply  map[string]approval.Reply
	closed map[string]approval.State
	more   chan struct{}
}

func newDesk() *desk {
	return &desk{reply: map[string]approval.Reply{}, closed: map[string]approval.State{}, more: make(chan struct{}, 100)}
}

func (d *desk) Open(r approval.Request, reply approval.Reply) {
	d.mu.Lock()
	d.open = append(d.open, r)
	d.reply[r.ID] = reply
	d.mu.Unlock()
	d.more <- struct{}{}
}

func (d *desk) Close(id string, s approval.State, _ string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed[id] = s
}

func (d *desk) next(t *testing.T) approval.Request {
	t.Helper()
	select {
	case <-d.more:
	case <-time.After(5 * time.Second):
		t.Fatal("nobody was asked")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.open[0]
	d.open = d.open[1:]
	return r
}

func (d *desk) answer(r approval.Request, a approval.Answer) {
	d.mu.Lock()
	reply := d.reply[r.ID]
	d.mu.Unlock()
	reply(a, approval.Decided{By: "alice", Via: "test", At: time.Now()}, nil)
}

// setUp is an engine with three tools, get (read), put (write) and drop
// (destructive), and a model that says what it is given.
func setUp(t *testing.T, mode policy.Mode, messages ...model.Message) *fixture {
	t.Helper()
	return setUpWith(t, mode, nil, messages...)
}

func setUpWith(t *testing.T, mode policy.Mode, change func(f *fixture, o *engine.Options), messages ...model.Message) *fixture {
	t.Helper()
	f := &fixture{shelf: &shelf{}, model: &lines{list: messages}, desk: newDesk()}
	f.gov.set(t, &policy.Document{Version: "1"})
	f.o = engine.Options{Journal: journal.NewMemory(), Model: f.model, Governor: &f.gov, Desk: f.desk}
	f.o.Tools = box(t, f.tool("get", policy.Read), f.tool("put", policy.Write), f.tool("drop", policy.Destructive))
	if change != nil {
		change(f, &f.o)
	}
	f.start(t)
	var err error
	if f.session, err = f.e.Create(engine.Who{Principal: "alice"}, mode); err != nil {
		t.Fatal(err)
	}
	return f
}

// start makes an engine on the fixture's journal, as a process that begins.
func (f *fixture) start(t *testing.T) {
	t.Helper()
	var err error
	if f.e, err = engine.New(f.o); err != nil {
		t.Fatal(err)
	}
	e := f.e
	t.Cleanup(func() { e.Close() })
}

func box(t *testing.T, tools ...*tool.Tool) *engine.Toolbox {
	t.Helper()
	set, err := tool.NewSet(tools)
	if err != nil {
		t.Fatal(err)
	}
	b, warnings := engine.NewToolbox(set)
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	return b
}

// governor gives the newest document.
type governor struct{ p atomic.Pointer[policy.Policy] }

func (g *governor) Policy() *policy.Policy { return g.p.Load() }

func (g *governor) set(t *testing.T, d *policy.Document) {
	t.Helper()
	p, err := policy.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	g.p.Store(p)
}

// do gives the session an input that must be taken.
func (f *fixture) do(t *testing.T, in turn.Input) {
	t.Helper()
	if err := f.e.Do(f.session, in); err != nil {
		t.Fatal(err)
	}
}

// want compares what happened with what should have, line by line.
func want(t *testing.T, what string, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s:\n%s\nwant:\n%s", what, g, w)
	}
}

// told is what the model was told of the calls in its newest request.
func (f *fixture) told() (texts []string) {
	f.model.mu.Lock()
	defer f.model.mu.Unlock()
	if len(f.model.seen) == 0 {
		return nil
	}
	for _, m := range f.model.seen[len(f.model.seen)-1] {
		if m.Role == model.ToolRole {
			texts = append(texts, m.CallID+": "+m.Text)
		}
	}
	return texts
}

// state is the state in which an approval was closed at the desk. The desk hears
// of it right after the journal, so it is waited for.
func (d *desk) state(id string) approval.State {
	for range 500 {
		d.mu.Lock()
		s, ok := d.closed[id]
		d.mu.Unlock()
		if ok {
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	return approval.Asked
}

// open says whether an approval is still at the desk.
func (d *desk) isOpen(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, closed := d.closed[id]
	return !closed
}

// asked is how many requests were opened.
func (d *desk) asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.reply)
}

func (f *fixture) send(t *testing.T, text string) *engine.Watcher {
	t.Helper()
	_, w, err := f.e.Begin(f.session, turn.Say{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w
}

// finish reads updates to the end of the turn.
func finish(t *testing.T, w *engine.Watcher) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var seen []string
	for {
		u, err := w.Next(ctx)
		if err != nil {
			t.Fatalf("%v after %s", err, strings.Join(seen, "\n"))
		}
		if u.Event == nil {
			continue
		}
		line := string(u.Event.Body.Type()) + " " + u.Event.Refs.State
		if b, ok := u.Event.Body.(*turn.CallEnded); ok {
			line += " " + b.Text
		}
		seen = append(seen, strings.TrimSpace(line))
		if _, ok := u.Event.Body.(*turn.TurnEnded); ok {
			return seen
		}
	}
}
