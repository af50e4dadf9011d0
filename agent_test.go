package assent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// start is a started agent that the test closes.
func start(t testing.TB, opts ...assent.Option) *assent.Agent {
	t.Helper()
	a, err := assent.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

func session(t testing.TB, a *assent.Agent, mode ...assent.Mode) *assent.Session {
	t.Helper()
	s, err := a.StartSession(t.Context(), mode...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type empty struct{}

// does is a tool without arguments.
func does[Out any](name string, class assent.Class, run func(ctx context.Context) (Out, error)) *assent.Tool {
	return assent.Define(name, name, func(ctx context.Context, _ empty) (Out, error) { return run(ctx) }, &assent.ToolOptions[empty]{Class: class})
}

func says(text string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return text, nil }
}

func TestSessionsStartInAsk(t *testing.T) {
	m := func(m assent.Mode) *assent.Mode { return &m }
	cases := []struct {
		name         string
		app, profile *assent.Mode
		named        []assent.Mode
		want         assent.Mode
	}{
		{"C4 nobody says anything", nil, nil, nil, assent.Ask},
		{"C4 the application's default is stricter", m(assent.ReadOnly), nil, nil, assent.ReadOnly},
		{"C4 the application's default is never wider", m(assent.Auto), nil, nil, assent.Ask},
		{"C4 the profile's default is stricter", nil, m(assent.Off), nil, assent.Off},
		{"C4 the stricter of both", m(assent.ReadOnly), m(assent.Ask), nil, assent.ReadOnly},
		{"C4 naming a mode is the user's choice", m(assent.ReadOnly), nil, []assent.Mode{assent.Auto}, assent.Auto},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			authority, err := assent.Local(assent.Profile{DefaultMode: c.profile}, nil)
			if err != nil {
				t.Fatal(err)
			}
			opts := []assent.Option{assent.WithAuthority(authority)}
			if c.app != nil {
				opts = append(opts, assent.WithDefaultMode(*c.app))
			}
			if got := session(t, start(t, opts...), c.named...).Mode(); got != c.want {
				t.Errorf("mode %v, want %v", got, c.want)
			}
		})
	}
}

// proves: C5
func TestEffectiveModeIsNarrowedByLimits(t *testing.T) {
	doc := &policy.Document{Version: "1", Limits: []policy.Limit{{ID: "careful", Max: policy.ReadOnly, Groups: []string{"interns"}}}}
	ran := false
	a := start(t, assent.WithPolicy(doc), assent.WithPrincipal("ada", "interns"), assent.WithTools(does("put", assent.Write, func(context.Context) (string, error) {
		ran = true
		return "", nil
	})))
	s := session(t, a, assent.Auto)
	if m, why := s.EffectiveMode(); m != assent.ReadOnly || why != "careful" {
		t.Errorf("effective mode %v by %q", m, why)
	}
	if r, err := s.Call(t.Context(), "put", nil).Wait(); err != nil || ran || r.Calls[0].Category != policy.ByMode {
		t.Errorf("ran: %v, %+v, %v", ran, r, err)
	}
}

type order struct {
	ID    string `json:"id"`
	Total int64  `json:"total"`
}

func TestWhatAFunctionReturns(t *testing.T) {
	cases := []struct {
		name string
		tool *assent.Tool
		text string
	}{
		{"T2 a string as it is", does("x", assent.Read, says(`<b>"ok"</b>`)), `<b>"ok"</b>`},
		{"T2 anything else as JSON, exactly", does("x", assent.Read, func(context.Context) (order, error) { return order{"<A>", 9007199254740993}, nil }), `{"id":"<A>","total":9007199254740993}`},
		{"T2 nothing as the empty string", does("x", assent.Read, func(context.Context) (*order, error) { return nil, nil }), ""},
		{"T2 an error with its message", does("x", assent.Read, func(context.Context) (any, error) { return nil, errors.New("no such order") }), "Error: no such order"},
		{"T2 a panic without its words", does("x", assent.Read, func(context.Context) (any, error) { panic("/etc/secret") }), "Error: the tool failed unexpectedly."},
		{"T1 the raw form", assent.DefineRaw("x", "x", json.RawMessage(`{"type":"object"}`), func(_ context.Context, args []byte) (any, error) { return string(args), nil }, &assent.RawOptions{Class: assent.Read}), `{"a":1,"b":[2]}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := session(t, start(t, assent.WithTools(c.tool)))
			args := "{}"
			if strings.HasPrefix(c.name, "T1") {
				args = ` {"b" : [2], "a": 1.0}`
			}
			r, err := s.Call(t.Context(), "x", []byte(args)).Wait()
			if err != nil || r.Calls[0].Text != c.text {
				t.Errorf("got %q, %v, want %q", r.Calls[0].Text, err, c.text)
			}
		})
	}
}

// Programs get the structured form of a result, and the model its text.
//
// proves: T2
func TestAResultHasAFormForPrograms(t *testing.T) {
	found := tool.Result{Text: "2 orders", Structured: json.RawMessage(`{"total": 2, "ids": ["A", "<B>"]}`)}
	const want = `{"ids":["A","<B>"],"total":2}`
	for _, c := range []struct {
		name string
		tool *assent.Tool
		want string
		undo bool
	}{
		{"T2 a function that returns a result", does("find", assent.Read, func(context.Context) (tool.Result, error) { return found, nil }), want, false},
		{"T4 one that can be undone", does("find", assent.Read, func(context.Context) (assent.Undoable, error) { return assent.Undoable{Result: found, Undo: 1}, nil }), want, true},
		{"T1 the raw form", assent.DefineRaw("find", "x", json.RawMessage(`{"type":"object"}`), func(context.Context, []byte) (any, error) { return found, nil }, &assent.RawOptions{Class: assent.Read}), want, false},
		{"T2 a string has none", does("find", assent.Read, says("2 orders")), "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := assenttest.Answers(assenttest.Ask(model.Call{ID: "1", Name: "find", Args: "{}"}), assenttest.Say("done"))
			s := session(t, start(t, assent.WithModel(m), assent.WithTools(c.tool)))
			r, err := s.Send(t.Context(), "go").Wait()
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Calls[0]; got.Text != "2 orders" || string(got.Structured) != c.want || got.CanUndo != c.undo {
				t.Errorf("got %+v with %s", got, got.Structured)
			}
			seen, err := json.Marshal(s.Messages())
			if err != nil || !strings.Contains(string(seen), "2 orders") || strings.Contains(string(seen), "ids") {
				t.Errorf("the model got %s, %v", seen, err)
			}
			if c.tool.Output != nil {
				t.Errorf("its output schema describes the wrapping: %s", c.tool.Output)
			}
		})
	}
}

// proves: T1, A1, A5
func TestTypedArguments(t *testing.T) {
	var got []int64
	add := assent.Define("add", "Adds.", func(_ context.Context, in struct {
		N int64 `json:"n" min:"0" doc:"A number."`
	}) (string, error) {
		got = append(got, in.N)
		return "ok", nil
	}, nil)
	add.Class = assent.Read
	s := session(t, start(t, assent.WithTools(add)))
	for args, text := range map[string]string{
		`{"n":9007199254740993}`:           "ok",
		`{"n":3.0}`:                        "ok",
		`{"n":"3"}`:                        "Error: Invalid arguments: ",
		`{"n":-1}`:                         "Error: Invalid arguments: ",
		`{"n":1,"n":2}`:                    "Error: Invalid arguments: ",
		`{"n":99999999999999999999999999}`: "Error: Invalid arguments: ",
	} {
		r, err := s.Call(t.Context(), "add", []byte(args)).Wait()
		if err != nil || !strings.HasPrefix(r.Calls[0].Text, text) {
			t.Errorf("%s: %q, %v", args, r.Calls[0].Text, err)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, []int64{3, 9007199254740993}) {
		t.Errorf("the function received %v", got)
	}
}

type tree struct {
	Kids []tree `json:"kids"`
}

// proves: T1, T5
func TestNewReportsEveryBadDefinition(t *testing.T) {
	bad := assent.Define("rec", "x", func(context.Context, tree) (string, error) { return "", nil }, nil)
	named := does("no spaces", assent.Read, says(""))
	_, err := assent.New(assent.WithTools(bad, named))
	if fault.CodeOf(err) != fault.BadTool {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"rec", "no spaces"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing about %q in: %v", want, err)
		}
	}
}

// proves: S8
func TestAnAgentRefusesAToolThatRunsOnADevice(t *testing.T) {
	far := does("beep", assent.Write, says("")).Descriptor().Remote()
	if _, err := assent.Start(t.Context(), assent.WithTools(far)); fault.CodeOf(err) != fault.BadTool {
		t.Errorf("%v", err)
	}
}

// proves: T3
func TestTheCallTellsAboutItself(t *testing.T) {
	var c assent.Call
	put := does("put", assent.Write, func(ctx context.Context) (string, error) {
		c = *assent.CallFrom(ctx)
		c.Progress("half")
		c.Log.Info("hello")
		return "", nil
	})
	person := assenttest.NewPerson().Answers("put", yes)
	a := start(t, assent.WithTools(put), assent.WithApprovals(person), assent.WithPrincipal("ada"))
	s := session(t, a)
	turn := s.Call(t.Context(), "put", nil)
	progress := ""
	for ev, err := range turn.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := ev.(assent.CallProgress); ok {
			progress = p.Text
		}
	}
	asked := person.Asked()[0]
	if c.ID != asked.Call || c.Turn != turn.ID() || c.Session != s.ID() || c.Agent != "agent" || c.Tool != "put" ||
		c.Class != assent.Write || c.Mode != assent.Ask || c.Approved.ID != asked.ID || c.Approved.By != "ada" || c.Approved.Via != "handler" || progress != "half" {
		t.Errorf("%+v, progress %q", c, progress)
	}
}

// Each of a tool's functions learns who acts. One that writes into what it
// learned changes that for no later one.
//
// proves: T3, T4
func TestTheCallTellsWhoActs(t *testing.T) {
	var seen []string
	look := func(ctx context.Context, where string) {
		c := assent.CallFrom(ctx)
		seen = append(seen, where+": "+c.Principal+" "+strings.Join(c.Groups, "+"))
		if where == "preview" || where == "run" { // the copies that those have
			for i := range c.Groups {
				c.Groups[i] = "admins"
			}
		}
	}
	put := assent.Define("put", "Puts.", func(ctx context.Context, in empty) (assent.Undoable, error) {
		look(ctx, "run")
		return assent.Undoable{Undo: in}, nil
	}, &assent.ToolOptions[empty]{
		Class: assent.Write,
		Raise: func(ctx context.Context, _ empty) (assent.Class, error) {
			look(ctx, "raise")
			return assent.NotGiven, nil
		},
		Confirm: func(ctx context.Context, _ empty) (bool, error) { look(ctx, "confirm"); return false, nil },
		Preview: func(ctx context.Context, _ empty) (*assent.Preview, error) { look(ctx, "preview"); return nil, nil },
		Undo:    assent.UndoWith(func(ctx context.Context, _ empty) (string, error) { look(ctx, "undo"); return "", nil }),
	})
	for _, c := range []struct {
		name, who string
		groups    []string
		want      string
	}{
		{"T3 a user of two groups", "ada", []string{"staff", "night"}, "ada staff+night"},
		{"T3 a user of none", "ben", nil, "ben "},
		{"T3 nobody", "", nil, " "},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen = nil
			s := session(t, start(t, assent.WithTools(put), assent.WithPrincipal(c.who, c.groups...)), assent.Auto)
			if _, err := s.Call(t.Context(), "put", nil).Wait(); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Undo(t.Context(), s.Undoable()[0].ID).Wait(); err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, where := range []string{"raise", "confirm", "preview", "run", "undo"} {
				want = append(want, where+": "+c.want)
			}
			if !slices.Equal(seen, want) {
				t.Errorf("got %q, want %q", seen, want)
			}
		})
	}
}

// plugins is a tool source that notes what happens to it.
type plugins struct {
	tools   []*assent.Tool
	profile assent.Profile
	closed  bool
}

func (p *plugins) Tools(_ context.Context, sc assent.SourceContext) ([]*assent.Tool, error) {
	p.profile = sc.Profile
	return p.tools, nil
}

func (p *plugins) Close() error {
	p.closed = true
	return nil
}

// proves: S4, T7, T3b
func TestToolSources(t *testing.T) {
	source := &plugins{tools: []*assent.Tool{does("read", assent.Destructive, says("the plugin's")), does("extra", assent.Write, says("extra"))}}
	authority, err := assent.Local(assent.Profile{Slug: "desk"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, assent.WithAuthority(authority), assent.WithToolSource(source), assent.WithTools(does("read", assent.Read, says("the application's"))))
	if source.profile.Slug != "desk" {
		t.Errorf("the source was told of profile %+v", source.profile)
	}
	var list []string
	for _, info := range a.Tools() {
		list = append(list, info.Name+" "+info.Class.String())
	}
	if got := strings.Join(list, ", "); got != "read read, extra write" {
		t.Errorf("tools: %s", got)
	}
	if r, _ := session(t, a).Call(t.Context(), "read", nil).Wait(); r.Text != "the application's" {
		t.Errorf("called %q", r.Text)
	}
	if len(a.Notices()) != 1 {
		t.Errorf("notices: %v", a.Notices())
	}
	if err := a.Close(); err != nil || !source.closed {
		t.Errorf("closed: %v, %v", source.closed, err)
	}
}

// registry is an authority that notes the manifest, or does not take it.
type registry struct {
	assent.Authority
	got *manifest.Manifest
	err error
}

func (r *registry) Report(_ context.Context, m *manifest.Manifest) (manifest.Answer, error) {
	r.got = m
	return manifest.Answer{}, r.err
}

func TestManifest(t *testing.T) {
	cases := []struct {
		name string
		err  error
		opts []assent.Option
		sent bool
	}{
		{"M1 it is sent, with every host tool", nil, nil, true},
		{"M2 it is not sent when event reporting is off", nil, []assent.Option{assent.WithoutEventReporting()}, false},
		{"M2 one that is not taken does not fail the start", errors.New("no"), nil, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			local, err := assent.Local(assent.Profile{}, &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "other"}}}})
			if err != nil {
				t.Fatal(err)
			}
			r := &registry{Authority: local, err: c.err}
			start(t, append(c.opts, assent.WithAuthority(r), assent.WithApp(assent.App{Name: "Viewer", Version: "2.4.0"}), assent.WithTools(does("get", assent.Read, says(""))))...)
			if sent := r.got != nil; sent != c.sent {
				t.Fatalf("sent: %v", sent)
			}
			if c.sent && (r.got.App.Name != "Viewer" || len(r.got.Tools) != 1) {
				t.Errorf("%+v", r.got)
			}
		})
	}
}

// asking is a model that calls the tool put once and then says done.
type asking struct{}

func (asking) Generate(_ context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if last := req.Messages[len(req.Messages)-1]; last.Role == model.ToolRole || last.Text == "never mind" {
		emit(model.Delta{Text: "do"})
		emit(model.Delta{Text: "ne"})
		return &model.Answer{Message: model.Message{Role: model.Assistant, Text: "done"}, Finish: model.FinishStop}, nil
	}
	return &model.Answer{Message: model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "1", Name: "put", Args: "{}"}}}, Finish: model.FinishCalls}, nil
}

// proves: P12, P4
func TestANewMessageSupersedesAndTheContextStops(t *testing.T) {
	waiting := make(chan struct{}, 2)
	handler := assent.WithApprovalFunc(func(ctx context.Context, _ request) (answer, error) {
		waiting <- struct{}{}
		<-ctx.Done() // the handler's signal ends when the turn is stopped
		return answer{}, ctx.Err()
	})
	s := session(t, start(t, assent.WithModel(asking{}), assent.WithTools(does("put", assent.Write, says("ok"))), handler))
	first := s.Send(t.Context(), "go")
	<-waiting
	second, err := s.Send(t.Context(), "never mind").Wait()
	if err != nil || second.Text != "done" {
		t.Fatalf("%+v, %v", second, err)
	}
	if r, err := first.Wait(); err != nil || r.End != turn.BySupersede || r.Calls[0].Outcome != turn.Superseded {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	third := s.Send(ctx, "go")
	<-waiting
	cancel()
	if r, err := third.Wait(); err != nil || r.End != turn.Stopped || r.Calls[0].Outcome != turn.Cancelled {
		t.Errorf("%+v, %v", r, err)
	}
}

// proves: S3
func TestDeltasCarryMessageAttemptAndOffset(t *testing.T) {
	s := session(t, start(t, assent.WithModel(asking{})))
	var text strings.Builder
	for ev, err := range s.Send(t.Context(), "never mind").Events() {
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := ev.(assent.TextDelta); ok {
			if d.Message != 1 || d.Attempt != 1 || d.Offset != text.Len() {
				t.Errorf("%+v after %q", d, text.String())
			}
			text.WriteString(d.Text)
		}
	}
	if text.String() != "done" {
		t.Errorf("streamed %q", text.String())
	}
}

// failingModel fails once.
type failingModel struct{ failed bool }

func (m *failingModel) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if !m.failed && req.Messages[len(req.Messages)-1].Role == model.ToolRole {
		m.failed = true
		return nil, fault.New(fault.ModelFailed, "the server is busy")
	}
	return asking{}.Generate(ctx, req, emit)
}

// proves: S2, B12
func TestRetryGoesOnFromTheResult(t *testing.T) {
	ran := 0
	put := does("put", assent.Write, func(context.Context) (string, error) { ran++; return "ok", nil })
	s := session(t, start(t, assent.WithModel(&failingModel{}), assent.WithTools(put)), assent.Auto)
	if r, err := s.Send(t.Context(), "go").Wait(); fault.CodeOf(err) != fault.ModelFailed || r.End != turn.ByModelFailure {
		t.Fatalf("%+v, %v", r, err)
	}
	r, err := s.Retry(t.Context()).Wait()
	if err != nil || r.Text != "done" || ran != 1 {
		t.Errorf("%+v, %v; ran %d times", r, err, ran)
	}
}

// proves: S10
func TestTheModelCanReadTheRestOfALongResult(t *testing.T) {
	long := strings.Repeat("0123456789", 20_000)
	a := start(t, assent.WithLimits(assent.Limits{ResultBytes: 1000}), assent.WithResultReader(), assent.WithTools(does("get", assent.Read, says(long))))
	s := session(t, a)
	r, err := s.Call(t.Context(), "get", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	got, offset := "", 0
	for offset < len(long) {
		args, _ := json.Marshal(map[string]any{"call": r.Calls[0].Call, "offset": offset})
		part, err := s.Call(t.Context(), assent.ReadResultName, args).Wait()
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(part.Text, "\n[bytes")
		got += text
		offset += len(text)
	}
	if got != long {
		t.Errorf("read %d of %d bytes", len(got), len(long))
	}
}

type (
	request = approval.Request
	answer  = approval.Answer
)

var yes = approval.Approve()
