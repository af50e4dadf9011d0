package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// slow is a tool that runs until its context ends or the test lets it go.
func (f *fixture) slow(name string, class policy.Class) (*tool.Tool, chan struct{}, chan struct{}) {
	started, free := make(chan struct{}, 1), make(chan struct{})
	t := f.tool(name, class)
	t.Run = func(ctx context.Context, args []byte) (tool.Result, error) {
		f.note(name + string(args))
		started <- struct{}{}
		select {
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		case <-free:
			return tool.Result{Text: name + " ok"}, nil
		}
	}
	return t, started, free
}

// proves: P12, P9
func TestStop(t *testing.T) {
	f := setUp(t, policy.Auto, says("", call("a", "put", `{"id":"A"}`), call("b", "drop", `{"id":"B"}`), call("c", "drop", `{"id":"C"}`)))
	slow, started, _ := f.slow("put", policy.Write)
	f.e.SetTools(box(t, slow, f.tool("drop", policy.Destructive)))
	w := f.send(t, "go")
	<-started
	b, c := f.desk.next(t), f.desk.next(t)
	if err := f.e.Stop(t.Context(), f.session, turn.Stop{By: "alice"}); err != nil {
		t.Fatal(err)
	}
	finish(t, w)
	for _, r := range []approval.Request{b, c} {
		if s := f.desk.state(r.ID); s != approval.Cancelled {
			t.Errorf("a question closed as %v", s)
		}
	}
	f.model.list = nil
	finish(t, f.send(t, "and now?"))
	want(t, "told", f.told(), []string{
		"a: Error: the turn was stopped while the tool was running. The effect of this call is not known. Do not repeat it without asking.",
		"b: Error: Not run: the turn was stopped.",
		"c: Error: Not run: the turn was stopped.",
	})
}

// proves: P12
func TestNewMessageIsBusyUntilTheTurnIsSuperseded(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	if _, _, err := f.e.Begin(f.session, turn.Say{Text: "wait"}); fault.CodeOf(err) != fault.Busy {
		t.Fatalf("a message into an open turn: %v", err)
	}
	if err := f.e.Stop(t.Context(), f.session, turn.Stop{End: turn.BySupersede}); err != nil {
		t.Fatal(err)
	}
	finish(t, w)
	finish(t, f.send(t, "do something else"))
	want(t, "told", f.told(), []string{"a: Error: Not run: the user sent a new message instead of an answer."})
	if s := f.desk.state(r.ID); s != approval.Superseded {
		t.Errorf("the card closed as %v", s)
	}
}

func TestModes(t *testing.T) {
	auto := says("", call("a", "put", `{"id":"A"}`))
	cases := []struct {
		name string
		mode policy.Mode
		told string
		seen string // an event that must be among those seen
	}{
		{"D4 a hidden tool is refused, with a notice", policy.ReadOnly, "a: Error: Not run: this tool is not allowed.", "notice"},
		{"C1 off hides everything", policy.Off, "a: Error: Not run: this tool is not allowed.", "call.ended not_allowed Error: Not run: this tool is not allowed."},
		{"C1 auto runs a write tool", policy.Auto, "a: put ok", "call.decided run"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUp(t, c.mode, auto)
			seen := finish(t, f.send(t, "go"))
			want(t, "told", f.told(), []string{c.told})
			if !strings.Contains(strings.Join(seen, "\n"), c.seen) {
				t.Errorf("no %q in\n%s", c.seen, strings.Join(seen, "\n"))
			}
			if f.desk.asked() != 0 {
				t.Error("somebody was asked")
			}
		})
	}
}

// proves: D3, D4
func TestUnknownToolIsRefusedBeforeItsArguments(t *testing.T) {
	f := setUp(t, policy.Auto, says("", call("a", "nothing", `{broken`), call("b", "constructor", ``)))
	finish(t, f.send(t, "go"))
	want(t, "told", f.told(), []string{"a: Error: Not run: there is no tool of this name.", "b: Error: Not run: there is no tool of this name."})
}

// proves: D3, D4
func TestHiddenToolIsRefusedBeforeItsArguments(t *testing.T) {
	f := setUp(t, policy.ReadOnly, says("", call("a", "put", `{broken`)))
	w := f.send(t, "go")
	denied := map[string]string{}
	for u, err := w.Next(t.Context()); u.Event == nil || u.Event.Body.Type() != "turn.ended"; u, err = w.Next(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Event == nil {
			continue
		}
		if b, ok := u.Event.Body.(*turn.Noticed); ok && b.Code == "tool_denied" {
			denied = b.Params
		}
	}
	if denied["tool"] != "put" || denied["category"] != string(policy.ByMode) {
		t.Errorf("notice %v", denied)
	}
	want(t, "told", f.told(), []string{"a: Error: Not run: this tool is not allowed."})
}

// proves: C6
func TestNarrowerModeCountsAtOnceAndWiderWithTheNextTurn(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "put", `{"id":"A"}`)), says("ok"), says("", call("b", "put", `{"id":"B"}`)), says("", call("c", "put", `{"id":"C"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	f.do(t, turn.SetMode{Mode: policy.ReadOnly})
	finish(t, w)
	if s := f.desk.state(r.ID); s != approval.Stale {
		t.Errorf("the question closed as %v", s)
	}
	f.do(t, turn.SetMode{Mode: policy.Ask})
	w = f.send(t, "again")
	r = f.desk.next(t)
	f.do(t, turn.SetMode{Mode: policy.Auto}) // this turn keeps asking
	f.desk.answer(r, approval.Approve())
	f.desk.answer(f.desk.next(t), approval.Deny(""))
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{`put{"id":"B"}`})
}

// proves: C6, D3, P5
func TestWhatIsTightenedWinsAtTheClaim(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	f.gov.set(t, &policy.Document{Version: "2", Rules: []policy.Rule{{ID: "no", Effect: policy.EffectDeny, Tools: []string{"drop"}}}})
	f.desk.answer(r, approval.Approve())
	finish(t, w)
	if f.list() != "" {
		t.Fatalf("ran %s although a rule denies", f.list())
	}
	if s := f.desk.state(r.ID); s != approval.Stale {
		t.Errorf("closed as %v", s)
	}
}

// proves: D8
func TestUnreadablePolicyRunsNothing(t *testing.T) {
	f := setUp(t, policy.Auto, says("", call("a", "get", `{"id":"A"}`)))
	f.gov.p.Store(nil)
	finish(t, f.send(t, "go"))
	want(t, "told", f.told(), []string{"a: Error: Not run: this tool is not allowed."})
}

// failing is a journal that cannot be written while it is broken.
type failing struct {
	journal.Journal
	broken func(drafts []audit.Draft) bool
}

func (j *failing) Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	if j.broken != nil && j.broken(drafts) {
		return nil, fault.New(fault.Unwritable, "no space left")
	}
	return j.Journal.Append(ctx, stream, last, drafts)
}

// proves: D8, G-L01
func TestUnwritableLogRunsNothing(t *testing.T) {
	j := &failing{Journal: journal.NewMemory()}
	f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) { o.Journal = j },
		says("", call("a", "get", `{"id":"A"}`), call("b", "put", `{"id":"B"}`)))
	j.broken = func(drafts []audit.Draft) bool {
		for _, d := range drafts {
			if d.Type == "call.started" {
				return true
			}
		}
		return false
	}
	w := f.send(t, "go")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for {
		if _, err := w.Next(ctx); err != nil {
			if fault.CodeOf(err) != fault.Unwritable {
				t.Errorf("the turn ended with %v", err)
			}
			break
		}
	}
	if f.list() != "" {
		t.Errorf("ran %s without a record", f.list())
	}
	j.broken = nil // space again: the session goes on without a restart
	if err := f.e.View(f.session, func(*turn.Session) {}); err != nil {
		t.Fatal(err)
	}
}

// restart is a new process on the same journal: the old engine is forgotten.
func (f *fixture) restart(t *testing.T) {
	t.Helper()
	f.desk, f.model = newDesk(), &lines{} // the old process may go on for a while
	f.o.Desk, f.o.Model = f.desk, f.model
	f.start(t)
	if err := f.e.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// proves: S2, P13
func TestRestart(t *testing.T) {
	cases := []struct {
		name   string
		class  policy.Class
		settle turn.Choice
		told   string
		did    string
	}{
		{"S2 a read call runs again", policy.Read, "", "a: slow ok", "slow{}\nslow{}"},
		{"S2 a write call that happened", policy.Write, turn.Happened, "a: A person says that this call had its effect. Its result was lost.", "slow{}"},
		{"S2 a write call that is run again", policy.Write, turn.RunAgain, "a: slow ok", "slow{}\nslow{}"},
		{"S2 a write call that is left", policy.Write, turn.GiveUp, "a: Error: The effect of this call is not known, and a person decided to leave it.", "slow{}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUp(t, policy.Auto, says("", call("a", "slow", `{}`)))
			slow, started, free := f.slow("slow", c.class)
			slow.Input = json.RawMessage(`{"type":"object"}`)
			f.o.Tools = box(t, slow)
			f.e.SetTools(f.o.Tools)
			f.send(t, "go")
			<-started
			f.o.Journal = copyJournal(t, f.o.Journal, "call.started") // the crash: nothing after the claim is kept
			f.restart(t)
			_, w, err := f.e.Follow(f.session)
			if err != nil {
				t.Fatal(err)
			}
			close(free)
			if c.settle != "" {
				f.settle(t, c.settle)
			}
			finish(t, w)
			want(t, "told", f.told(), []string{c.told})
			want(t, "did", []string{f.list()}, []string{c.did})
		})
	}
}

// copyJournal is a journal as a crash leaves it right after the first event of a type.
func copyJournal(t *testing.T, from journal.Journal, last string) journal.Journal {
	t.Helper()
	to := journal.NewMemory()
	for stream, err := range from.Streams(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range from.Read(t.Context(), stream, 0) {
			if err != nil {
				t.Fatal(err)
			}
			d := audit.Draft{Type: r.Type, Version: r.Version, Time: r.When(), Header: r.Header, Payload: r.Payload}
			if _, err := to.Append(t.Context(), stream, r.Seq-1, []audit.Draft{d}); err != nil {
				t.Fatal(err)
			}
			if r.Type == last {
				break
			}
		}
	}
	return to
}

func (f *fixture) settle(t *testing.T, choice turn.Choice) {
	t.Helper()
	id := ""
	_ = f.e.View(f.session, func(s *turn.Session) {
		for _, a := range s.Approvals {
			if a.Question == turn.WhatBecame && a.Open() {
				id = a.ID
			}
		}
	})
	f.do(t, turn.Answer{Approval: id, Choice: choice, By: "alice"})
}

// proves: S2, B11
func TestOpenQuestionSurvivesARestart(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("a", "drop", `{"id":"A"}`)))
	f.send(t, "go")
	before := f.desk.next(t)
	f.e.Close()
	f.restart(t)
	r := f.desk.next(t)
	if r.ID != before.ID || r.Digest != before.Digest {
		t.Fatalf("asked anew as %s, not as %s", r.ID, before.ID)
	}
	_, w, err := f.e.Follow(f.session)
	if err != nil {
		t.Fatal(err)
	}
	f.desk.answer(r, approval.Approve())
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{`drop{"id":"A"}`})
}

// proves: S2
func TestProviderIDs(t *testing.T) {
	f := setUp(t, policy.Auto, says("", call("x", "get", `{"id":"A"}`), call("x", "get", `{"id":"B"}`)), says("", call("x", "get", `{"id":"C"}`)))
	finish(t, f.send(t, "go"))
	same := "Error: Invalid arguments: two calls of this message have the same id. Send each call with an id of its own."
	want(t, "told", f.told(), []string{"x: " + same, "x_b: " + same, "x: get ok"})
	want(t, "did", []string{f.list()}, []string{`get{"id":"C"}`})
}

func TestLimits(t *testing.T) {
	again := func(id string) model.Message { return says("", call(id, "get", `{"id":"A"}`)) }
	cases := []struct {
		name   string
		limits turn.Limits
		end    string
	}{
		{"S6 steps", turn.Limits{Steps: 2}, "turn.ended limit"},
		{"S6 calls", turn.Limits{Calls: 2}, "turn.ended limit"},
		{"S6 repeats", turn.Limits{Repeats: 2}, "turn.ended limit"},
		{"S6 none reached", turn.Limits{}, "turn.ended done"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) { o.Limits = c.limits }, again("a"), again("b"), again("c"), says("ok"))
			seen := finish(t, f.send(t, "go"))
			if last := seen[len(seen)-1]; last != c.end {
				t.Errorf("ended as %q:\n%s", last, strings.Join(seen, "\n"))
			}
		})
	}
}

// proves: S6
func TestTimeLimitStopsARunningTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) { o.Limits.Time = time.Minute }, says("", call("a", "get", `{"id":"A"}`)))
		slow, started, _ := f.slow("get", policy.Read)
		f.e.SetTools(box(t, slow))
		w := f.send(t, "go")
		<-started
		began := time.Now()
		seen := finish2(t, w)
		if d := time.Since(began); d != time.Minute {
			t.Errorf("ended after %v", d)
		}
		if last := seen[len(seen)-1]; last != "turn.ended limit" {
			t.Errorf("ended as %q", last)
		}
	})
}

// finish2 is finish without a limit of real time, for a fake clock.
func finish2(t *testing.T, w *engine.Watcher) (seen []string) {
	t.Helper()
	for {
		u, err := w.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if u.Event != nil {
			seen = append(seen, strings.TrimSpace(string(u.Event.Body.Type())+" "+u.Event.Refs.State))
			if u.Event.Body.Type() == "turn.ended" {
				return seen
			}
		}
	}
}

func TestResults(t *testing.T) {
	doubt := " The effect of this call is not known. Do not repeat it without asking."
	cases := []struct {
		name  string
		class policy.Class
		run   func(ctx context.Context, args []byte) (tool.Result, error)
		told  string
	}{
		{"T2 a string as it is", policy.Read, func(context.Context, []byte) (tool.Result, error) { return tool.Result{Text: "<ok>"}, nil }, "a: <ok>"},
		{"T2 an error becomes its message", policy.Write, func(context.Context, []byte) (tool.Result, error) { return tool.Result{}, errors.New("no such page") }, "a: Error: no such page"},
		{"T2 a panic of a read tool", policy.Read, func(context.Context, []byte) (tool.Result, error) { panic("secret path") }, "a: Error: the tool failed unexpectedly."},
		{"T2 a panic of a write tool leaves its effect unknown", policy.Write, func(context.Context, []byte) (tool.Result, error) { panic("secret path") }, "a: Error: the tool failed unexpectedly." + doubt},
		{"S10 too long is cut with a marker", policy.Read, func(context.Context, []byte) (tool.Result, error) {
			return tool.Result{Text: strings.Repeat("ä", 60)}, nil
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) {
				o.Limits.ResultBytes = 111
				get := f.tool("get", c.class)
				get.Run = c.run
				o.Tools = box(t, get)
			}, says("", call("a", "get", `{"id":"A"}`)))
			finish(t, f.send(t, "go"))
			got := f.told()[0]
			if c.told != "" {
				want(t, "told", []string{got}, []string{c.told})
				return
			}
			first, marker, _ := strings.Cut(got, "\n")
			if first != "a: "+strings.Repeat("ä", 55) || !strings.HasPrefix(marker, "[cut: the first 110 of 120 bytes; the whole result is kept as call_") {
				t.Fatalf("told %q", got)
			}
			id := strings.TrimSuffix(marker[strings.LastIndex(marker, " ")+1:], "]")
			if whole, err := f.e.Result(t.Context(), f.session, id); err != nil || whole != strings.Repeat("ä", 60) {
				t.Errorf("the whole result: %q, %v", whole, err)
			}
		})
	}
}

// proves: T2, S2
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) {
			put := f.tool("put", policy.Write)
			put.Timeout = time.Second
			put.Run = func(ctx context.Context, _ []byte) (tool.Result, error) { // ignores its context
				time.Sleep(time.Hour)
				return tool.Result{Text: "late"}, nil
			}
			o.Tools = box(t, put)
		}, says("", call("a", "put", `{"id":"A"}`)))
		w := f.send(t, "go")
		began := time.Now()
		finish2(t, w)
		if d := time.Since(began); d != 6*time.Second { // its time and the grace
			t.Errorf("given up after %v", d)
		}
		want(t, "told", f.told(), []string{"a: Error: the tool did not come back. The effect of this call is not known. Do not repeat it without asking."})
		time.Sleep(time.Hour) // its late result is not used
		synctest.Wait()
		want(t, "told", f.told(), []string{"a: Error: the tool did not come back. The effect of this call is not known. Do not repeat it without asking."})
	})
}

func TestHooks(t *testing.T) {
	cases := []struct {
		name  string
		hook  func(*tool.Tool)
		asked bool
		class policy.Class
	}{
		{"C8 raise makes one call stricter", func(p *tool.Tool) {
			p.Raise = func(context.Context, []byte) (policy.Class, error) { return policy.Destructive, nil }
		}, true, policy.Destructive},
		{"C8 raise never makes a call looser", func(p *tool.Tool) {
			p.Raise = func(context.Context, []byte) (policy.Class, error) { return policy.Read, nil }
		}, false, policy.Write},
		{"D8 a raise that fails counts as unknown", func(p *tool.Tool) {
			p.Raise = func(context.Context, []byte) (policy.Class, error) { panic("boom") }
		}, true, policy.Unknown},
		{"T4 confirm asks where nobody would be asked", func(p *tool.Tool) {
			p.Confirm = func(context.Context, []byte) (bool, error) { return true, nil }
		}, true, policy.Write},
		{"D8 a confirm that fails asks", func(p *tool.Tool) {
			p.Confirm = func(context.Context, []byte) (bool, error) { return false, errors.New("boom") }
		}, true, policy.Write},
		{"T4 a confirm that says no changes nothing", func(p *tool.Tool) {
			p.Confirm = func(context.Context, []byte) (bool, error) { return false, nil }
		}, false, policy.Write},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) {
				put := f.tool("put", policy.Write)
				put.Preview = func(context.Context, []byte) (*tool.Preview, error) { return &tool.Preview{Summary: "changes A"}, nil }
				c.hook(put)
				o.Tools = box(t, put)
			}, says("", call("a", "put", `{"id":"A"}`)))
			w := f.send(t, "go")
			if c.asked {
				r := f.desk.next(t)
				if r.Class.Effective != c.class || r.Preview == nil || r.Preview.Summary != "changes A" {
					t.Errorf("class %v, preview %+v", r.Class.Effective, r.Preview)
				}
				f.desk.answer(r, approval.Approve())
			}
			finish(t, w)
			want(t, "told", f.told(), []string{"a: put ok"})
			if !c.asked && f.desk.asked() != 0 {
				t.Error("somebody was asked")
			}
		})
	}
}

// proves: T4
func TestUndo(t *testing.T) {
	value := "old"
	f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) {
		put := f.tool("put", policy.Write)
		put.Run = func(_ context.Context, args []byte) (tool.Result, error) {
			undo, _ := json.Marshal(map[string]string{"was": value})
			value = string(args)
			return tool.Result{Text: "put", Undo: undo}, nil
		}
		put.Undo = func(_ context.Context, args []byte) (tool.Result, error) {
			if value != `{"id":"A"}` {
				return tool.Result{}, fault.New(fault.CannotUndo, "it has changed since")
			}
			value = string(args)
			return tool.Result{Text: "taken back"}, nil
		}
		o.Tools = box(t, put)
	}, says("", call("a", "put", `{"id":"A"}`)))
	finish(t, f.send(t, "go"))
	id := ""
	_ = f.e.View(f.session, func(s *turn.Session) { id = s.Undo[0].Call })
	undo := func(mode policy.Mode) (string, error) {
		f.do(t, turn.SetMode{Mode: mode})
		_, w, err := f.e.Begin(f.session, turn.TakeBack{Call: id})
		if err != nil {
			return "", err
		}
		seen := finish(t, w)
		return strings.Join(seen, "\n"), nil
	}
	if seen, err := undo(policy.ReadOnly); err != nil || !strings.Contains(seen, "not_allowed") {
		t.Errorf("an undo is a governed call: %v\n%s", err, seen)
	}
	if seen, err := undo(policy.Auto); err != nil || !strings.Contains(seen, "call.ended ok taken back") || value != `{"was":"old"}` {
		t.Errorf("%v %s\n%s", err, value, seen)
	}
	if _, err := undo(policy.Auto); fault.CodeOf(err) != fault.CannotUndo {
		t.Errorf("undone twice: %v", err)
	}
	f.model.list = append(f.model.list, says("", call("b", "put", `{"id":"A"}`)))
	finish(t, f.send(t, "again"))
	_ = f.e.View(f.session, func(s *turn.Session) { id = s.Undo[0].Call })
	value = "changed by somebody"
	if seen, err := undo(policy.Auto); err != nil || !strings.Contains(seen, "call.ended error Error: it has changed since") {
		t.Errorf("a thing that changed: %v\n%s", err, seen)
	}
}

// proves: S2, P5, B13
func TestSleepingSessionKeepsItsQuestion(t *testing.T) {
	f := setUpWith(t, policy.Ask, func(_ *fixture, o *engine.Options) { o.Keep = 1 }, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	r := f.desk.next(t)
	w.Stop()
	for range 3 { // others push it out of memory
		if _, err := f.e.Create(engine.Who{}, policy.Ask); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.e.Answer(r.ID, r.Digest, approval.Approve(), approval.Decided{By: "alice"}); err != nil {
		t.Fatal(err)
	}
	if _, w, err := f.e.Follow(f.session); err == nil {
		finish(t, w)
	}
	want(t, "did", []string{f.list()}, []string{`drop{"id":"A"}`})
	if n := f.desk.asked(); n != 1 {
		t.Errorf("%d cards for one question", n)
	}
	_ = f.e.View(f.session, func(s *turn.Session) {
		if s.Epoch != 1 {
			t.Errorf("epoch %d: waking up is no take-over", s.Epoch)
		}
	})
}

// lost is a lease that another process has taken.
type lost struct{ held func(epoch uint64) bool }

func (l lost) Held(_ string, epoch uint64) error {
	if l.held(epoch) {
		return nil
	}
	return errors.New("taken over")
}

// proves: S2
func TestOwnerWithoutItsLeaseDoesNothing(t *testing.T) {
	asked := make(chan uint64, 1)
	f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) {
		o.Lease = lost{func(epoch uint64) bool { asked <- epoch; return false }}
	}, says("", call("a", "put", `{"id":"A"}`)))
	f.send(t, "go")
	if epoch := <-asked; epoch != 1 {
		t.Errorf("asked for epoch %d", epoch)
	}
	f.o.Lease = nil
	f.restart(t) // whoever takes over finds the claim and asks a person
	r := f.desk.next(t)
	if !r.Lost || f.list() != "" {
		t.Errorf("lost: %v, did %q", r.Lost, f.list())
	}
}
