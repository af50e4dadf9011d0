package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

var three = says("let me",
	call("a", "drop", `{"id":"A"}`), call("b", "drop", `{"id":"B"}`), call("c", "get", `{"id":"C"}`))

func TestBatch(t *testing.T) {
	cases := []struct {
		name   string
		answer func(f *fixture, first, second approval.Request)
		told   []string
		ran    int
	}{
		{"P7 approve and deny, in call order", func(f *fixture, a, b approval.Request) {
			f.desk.answer(a, approval.Approve())
			f.desk.answer(b, approval.Deny("no"))
		}, []string{"a: drop ok", "b: Error: Not run: this call was denied. Reason: no", "c: get ok"}, 2},
		{"P7 deny and approve, answered backwards", func(f *fixture, a, b approval.Request) {
			f.desk.answer(b, approval.Approve())
			f.desk.answer(a, approval.Deny(""))
		}, []string{"a: Error: Not run: this call was denied.", "b: drop ok", "c: get ok"}, 2},
		{"P7 approved for the session, the sibling is covered", func(f *fixture, a, _ approval.Request) {
			f.desk.answer(a, approval.ApproveForSession())
		}, []string{"a: drop ok", "b: drop ok", "c: get ok"}, 3},
		{"P11 no decision could be had", func(f *fixture, a, b approval.Request) {
			f.desk.reply[a.ID](approval.Answer{}, approval.Decided{}, fault.Wrap(errors.New("boom"), fault.Undecided, "the handler failed"))
			f.desk.answer(b, approval.Deny(""))
		}, []string{"a: Error: Not run: no decision could be had.", "b: Error: Not run: this call was denied.", "c: get ok"}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUp(t, policy.Ask, three)
			w := f.send(t, "go")
			a, b := f.desk.next(t), f.desk.next(t)
			if string(a.Args) != `{"id":"A"}` || string(b.Args) != `{"id":"B"}` {
				t.Fatalf("asked for %s and %s: not in call order", a.Args, b.Args)
			}
			c.answer(f, a, b)
			finish(t, w)
			want(t, "told", f.told(), c.told)
			if n := len(strings.Split(f.list(), "\n")); n != c.ran {
				t.Errorf("%d calls ran, want %d: %s", n, c.ran, f.list())
			}
		})
	}
}

// proves: P7
func TestAnswersTakeEffectAtOnce(t *testing.T) {
	f := setUp(t, policy.Ask, three)
	w := f.send(t, "go")
	a, b := f.desk.next(t), f.desk.next(t)
	f.desk.answer(a, approval.Approve())
	for n := 0; n < 2; { // get and drop A end while B still waits
		u, err := w.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if u.Event != nil && u.Event.Body.Type() == "call.ended" {
			n++
		}
	}
	if len(f.model.seen) != 1 {
		t.Error("the model was called before every call had its result")
	}
	f.desk.answer(b, approval.Approve())
	finish(t, w)
	want(t, "told", f.told(), []string{"a: drop ok", "b: drop ok", "c: get ok"})
}

// proves: P7
func TestQuestionsAreInCallOrderWhateverThePreviewsTake(t *testing.T) {
	first := make(chan struct{})
	f := setUpWith(t, policy.Ask, func(f *fixture, o *engine.Options) {
		put := f.tool("put", policy.Write)
		put.Preview = func(_ context.Context, args []byte) (*tool.Preview, error) {
			if string(args) == `{"id":"A"}` {
				<-first
			} else {
				close(first) // the second preview is there before the first
			}
			return &tool.Preview{Summary: string(args)}, nil
		}
		o.Tools = box(t, put, f.tool("get", policy.Read))
	}, says("", call("a", "put", `{"id":"A"}`), call("b", "put", `{"id":"B"}`), call("c", "get", `{"id":"C"}`)))
	w := f.send(t, "go")
	for _, want := range []string{`{"id":"A"}`, `{"id":"B"}`} {
		r := f.desk.next(t)
		if string(r.Args) != want {
			t.Errorf("asked about %s, want %s", r.Args, want)
		}
		f.desk.answer(r, approval.Approve())
	}
	finish(t, w)
	want(t, "told", f.told(), []string{"a: put ok", "b: put ok", "c: get ok"})
}

// proves: P3, P7
func TestCoveredSiblingClosesItsCard(t *testing.T) {
	f := setUp(t, policy.Ask, three, says("", call("d", "drop", `{"id":"D"}`), call("e", "put", `{"id":"E"}`)))
	w := f.send(t, "go")
	a, b := f.desk.next(t), f.desk.next(t)
	f.desk.answer(a, approval.ApproveForSession())
	e := f.desk.next(t) // put is another tool: the grant does not cover it
	if e.Tool.Name != "put" {
		t.Fatalf("asked for %s", e.Tool.Name)
	}
	f.desk.answer(e, approval.Deny(""))
	finish(t, w)
	if s := f.desk.state(b.ID); s != approval.Covered {
		t.Errorf("the sibling's card closed as %v", s)
	}
	var grants []policy.Grant
	_ = f.e.View(f.session, func(s *turn.Session) { grants = append(grants, s.Grants...) })
	if len(grants) != 1 || grants[0].By != "alice" || grants[0].Pin == "" {
		t.Fatalf("grants: %+v", grants)
	}
	f.do(t, turn.Revoke{Grant: grants[0].ID})
	f.model.list = append(f.model.list, says("", call("f", "drop", `{"id":"F"}`)))
	w = f.send(t, "again")
	f.desk.answer(f.desk.next(t), approval.Deny("")) // P3: revoked means asked again
	finish(t, w)
}

// proves: P3, B16
func TestExactGrantCoversTheSameArgumentsOnly(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "put", `{"id":"A"}`)),
		says("", call("b", "put", ` { "id" : "\u0041" } `)), says("", call("c", "put", `{"id":"C"}`)))
	w := f.send(t, "go")
	f.desk.answer(f.desk.next(t), approval.ApproveExact())
	r := f.desk.next(t)
	if string(r.Args) != `{"id":"C"}` {
		t.Fatalf("asked for %s", r.Args)
	}
	f.desk.answer(r, approval.Deny(""))
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{"put{\"id\":\"A\"}\nput{\"id\":\"A\"}"})
}

func TestEdit(t *testing.T) {
	deny := &policy.Document{Version: "2", Rules: []policy.Rule{{ID: "no-X", Effect: policy.EffectDeny, Tools: []string{"put"}, When: idIs("X"), WhenSchema: []byte(`{"properties":{"id":{"const":"X"}}}`)}}}
	cases := []struct {
		name, args, told string
		did              string
	}{
		{"P8 valid arguments run, and the model is told", `{"id":"B"}`, "a: [A person changed the arguments of this call to {\"id\":\"B\"}]\nput ok", `put{"id":"B"}`},
		{"P8 denied arguments do not run", `{"id":"X"}`, "a: [A person changed the arguments of this call to {\"id\":\"X\"}]\nError: Not run: this tool is not allowed.", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUp(t, policy.Ask, says("", call("a", "put", `{"id":"A"}`)))
			f.gov.set(t, deny)
			w := f.send(t, "go")
			r := f.desk.next(t)
			if err := f.e.Answer(r.ID, r.Digest, approval.Edit([]byte(`{"id":7}`)), approval.Decided{}); fault.CodeOf(err) != fault.BadArguments {
				t.Errorf("arguments that do not fit: %v", err)
			}
			if err := f.e.Answer(r.ID, r.Digest, approval.Edit([]byte(c.args)), approval.Decided{By: "bob"}); err != nil {
				t.Fatal(err)
			}
			finish(t, w)
			want(t, "told", f.told(), []string{c.told})
			want(t, "did", []string{f.list()}, []string{c.did})
			_ = f.e.View(f.session, func(s *turn.Session) {
				if len(s.Grants) != 0 {
					t.Error("P8: an edit left a grant")
				}
			})
		})
	}
}

// proves: P8, P11
func TestEditThatDoesNotFitIsNoDecision(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "put", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	if err := f.e.CheckEdit(r.ID, []byte(`{"id":7}`)); fault.CodeOf(err) != fault.BadArguments {
		t.Errorf("checked first: %v", err)
	}
	f.desk.answer(r, approval.Edit([]byte(`{"id":7}`)))
	finish(t, w)
	want(t, "told", f.told(), []string{"a: Error: Not run: no decision could be had."})
}

// idIs is the condition that the argument id has a value.
type idIs string

func (v idIs) Match(args []byte) (match, known bool) {
	return string(args) == `{"id":"`+string(v)+`"}`, args != nil
}

// proves: P10
func TestDenialIsRemembered(t *testing.T) {
	same := says("", call("b", "drop", `{ "id": "A" }`))
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)), same, says("ok"), same)
	w := f.send(t, "go")
	f.desk.answer(f.desk.next(t), approval.Deny("")) // the repeat is not asked
	finish(t, w)
	told := f.told()
	if got := told[len(told)-1]; got != "b: Error: Not run: this same call was denied before, and nobody was asked again." {
		t.Errorf("the repeat was told %q", got)
	}
	w = f.send(t, "now do it") // the user's next message forgets
	r := f.desk.next(t)
	f.desk.answer(r, approval.Approve())
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{`drop{"id":"A"}`})
}

// proves: P10
func TestThreeDenialsOfOneToolEndTheTurn(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`), call("b", "drop", `{"id":"B"}`), call("c", "drop", `{"id":"C"}`), call("d", "put", `{"id":"D"}`)))
	w := f.send(t, "go")
	for range 3 {
		f.desk.answer(f.desk.next(t), approval.Deny(""))
	}
	seen := finish(t, w)
	if last := seen[len(seen)-1]; last != "turn.ended denied" {
		t.Errorf("the turn ended as %q", last)
	}
	if r := f.desk.next(t); f.desk.state(r.ID) != approval.Cancelled {
		t.Errorf("the fourth question closed as %v", f.desk.state(r.ID))
	}
	if len(f.model.seen) != 1 {
		t.Error("the model was asked again")
	}
}

// proves: P4, P9
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUpWith(t, policy.Ask, func(_ *fixture, o *engine.Options) {
			o.Wait = 10 * time.Minute
			o.Limits.Time = time.Minute // waiting for a person counts towards no limit
		}, says("", call("a", "drop", `{"id":"A"}`)))
		w := f.send(t, "go")
		r := f.desk.next(t)
		if got := r.ExpiresAt.Sub(r.CreatedAt); got != 10*time.Minute {
			t.Fatalf("the question is open for %v", got)
		}
		time.Sleep(10*time.Minute - time.Millisecond)
		synctest.Wait()
		if !f.desk.isOpen(r.ID) {
			t.Fatal("closed before its time")
		}
		time.Sleep(time.Millisecond)
		finish(t, w)
		want(t, "told", f.told(), []string{"a: Error: Not run: nobody answered in time."})
		err := f.e.Answer(r.ID, r.Digest, approval.Approve(), approval.Decided{By: "bob"})
		if fault.CodeOf(err) != fault.AlreadyDecided {
			t.Errorf("P5: a late answer: %v", err)
		}
		if f.list() != "" || f.desk.state(r.ID) != approval.Expired {
			t.Errorf("ran %q, closed as %v", f.list(), f.desk.state(r.ID))
		}
	})
}

// proves: P5, G-A10
func TestFiftyAnswersRunOnce(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := map[fault.Code]int{}
	for range 50 {
		wg.Go(func() {
			err := f.e.Answer(r.ID, r.Digest, approval.Approve(), approval.Decided{By: "bob"})
			mu.Lock()
			defer mu.Unlock()
			codes[fault.CodeOf(err)]++
		})
	}
	wg.Wait()
	finish(t, w)
	if codes[""] != 1 {
		t.Errorf("%d answers were taken: %v", codes[""], codes)
	}
	want(t, "did", []string{f.list()}, []string{`drop{"id":"A"}`})
}

// proves: P6, G-A01
func TestAnswerForOtherArgumentsChangesNothing(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	for _, digest := range []string{"", strings.Repeat("0", 64)} {
		if err := f.e.Answer(r.ID, digest, approval.Approve(), approval.Decided{}); err == nil {
			t.Errorf("digest %q was taken", digest)
		}
	}
	if err := f.e.Answer("approval_of_nobody", r.Digest, approval.Approve(), approval.Decided{}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a foreign id: %v", err)
	}
	f.desk.answer(r, approval.Deny(""))
	finish(t, w)
	if f.list() != "" {
		t.Errorf("ran %s", f.list())
	}
}

// proves: P1
func TestWithoutAHandlerTheAnswerIsNo(t *testing.T) {
	f := setUpWith(t, policy.Ask, func(_ *fixture, o *engine.Options) { o.Desk = nil }, three)
	finish(t, f.send(t, "go"))
	want(t, "did", []string{f.list()}, []string{`get{"id":"C"}`})
}

// proves: P3, P5, D7
func TestChangedToolIsAskedAgain(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "put", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	changed := f.tool("put", policy.Write)
	changed.Description = "puts, and tells the whole world"
	f.e.SetTools(box(t, changed))
	f.desk.answer(r, approval.Approve())
	again := f.desk.next(t)
	if f.desk.state(r.ID) != approval.Stale || again.Tool.Pin == r.Tool.Pin {
		t.Errorf("the first card closed as %v", f.desk.state(r.ID))
	}
	if f.list() != "" {
		t.Fatal("ran what nobody saw")
	}
	f.desk.answer(again, approval.Approve())
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{`put{"id":"A"}`})
}

// proves: P8
func TestEditThatMakesTheCallStricterIsAskedAgain(t *testing.T) {
	f := setUpWith(t, policy.Ask, func(f *fixture, o *engine.Options) {
		put := f.tool("put", policy.Write)
		put.Raise = func(_ context.Context, args []byte) (policy.Class, error) {
			if string(args) == `{"id":"all"}` {
				return policy.Destructive, nil
			}
			return policy.Write, nil
		}
		o.Tools = box(t, put)
	}, says("", call("a", "put", `{"id":"A"}`)))
	w := f.send(t, "go")
	f.desk.answer(f.desk.next(t), approval.Edit([]byte(`{"id":"all"}`)))
	r := f.desk.next(t)
	if r.Class.Effective != policy.Destructive || len(r.Changed) != 1 || r.Changed[0] != "/id" {
		t.Errorf("class %v, changed %v", r.Class.Effective, r.Changed)
	}
	if f.list() != "" {
		t.Fatal("ran before the second answer")
	}
	f.desk.answer(r, approval.Deny(""))
	finish(t, w)
}

// proves: P3
func TestAnswerWiderThanTheCapIsRefused(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "put", `{"id":"A"}`)), says("", call("b", "put", `{"id":"B"}`)))
	f.gov.set(t, &policy.Document{Version: "1", Caps: map[policy.Class]policy.Scope{policy.Write: policy.ScopeExact}})
	w := f.send(t, "go")
	r := f.desk.next(t)
	for _, a := range []approval.Answer{approval.ApproveForSession(), approval.ApproveWith(policy.ScopeUser, time.Now().Add(time.Hour))} {
		if err := f.e.Answer(r.ID, r.Digest, a, approval.Decided{By: "alice"}); fault.CodeOf(err) != fault.BadAnswer {
			t.Errorf("an answer that is wider than its cap: %v", err)
		}
	}
	if err := f.e.Answer(r.ID, r.Digest, approval.ApproveExact(), approval.Decided{By: "alice"}); err != nil {
		t.Fatal(err)
	}
	f.desk.answer(f.desk.next(t), approval.Deny(""))
	finish(t, w)
}
