package engine_test

import (
	"context"
	"testing"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// second makes another engine on the fixture's journal, with a desk of its own.
func (f *fixture) second(t *testing.T) (*engine.Engine, *desk) {
	t.Helper()
	o, d := f.o, newDesk()
	o.Desk, o.Model = d, &lines{}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e, d
}

// proves: S2
func TestAFencedEngineStops(t *testing.T) {
	f := setUp(t, policy.Auto, says("", call("a", "put", `{"id":"A"}`), call("b", "drop", `{"id":"B"}`)))
	started, ended := make(chan struct{}), make(chan struct{})
	f.setTool(t, policy.Write, func(ctx context.Context, args []byte) (tool.Result, error) {
		f.note("put" + string(args))
		close(started)
		<-ctx.Done()
		close(ended)
		return tool.Result{}, ctx.Err()
	})
	w := f.send(t, "go")
	<-started
	r := f.desk.next(t)
	other, d := f.second(t)
	if err := other.View(f.session, func(*turn.Session) {}); err != nil { // takes it over
		t.Fatal(err)
	}
	f.desk.answer(r, approval.Approve()) // at the engine that does not own it any more
	if err := until(t, w); fault.CodeOf(err) != fault.Fenced {
		t.Errorf("the watcher ended with %v", err)
	}
	<-ended // what ran is cancelled
	if f.desk.state(r.ID) != approval.Asked || f.desk.isOpen(r.ID) {
		t.Error("the card of a fenced engine stays")
	}
	if err := f.e.Do(f.session, turn.SetMode{Mode: policy.Off}); fault.CodeOf(err) != fault.Fenced {
		t.Errorf("a fenced engine wrote: %v", err)
	}
	lost, b := d.next(t), d.next(t)
	if !lost.Lost || b.ID != r.ID {
		t.Errorf("the new owner asks %v %s", lost.Lost, b.ID)
	}
	d.answer(b, approval.Deny(""))
	want(t, "did", []string{f.list()}, []string{`put{"id":"A"}`})
}

// between is a journal that does something before an append.
type between struct {
	journal.Journal
	before func(drafts []audit.Draft)
}

func (j *between) Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	if f := j.before; f != nil {
		f(drafts)
	}
	return j.Journal.Append(ctx, stream, last, drafts)
}

// proves: S2
func TestOfTwoEnginesThatTakeASessionAtOnceOneOwnsIt(t *testing.T) {
	f := setUp(t, policy.Auto, putA)
	started := make(chan struct{}, 9)
	f.setTool(t, policy.Write, func(ctx context.Context, args []byte) (tool.Result, error) {
		f.note("put" + string(args))
		started <- struct{}{}
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	f.send(t, "go")
	<-started
	winner, d := f.second(t)
	j := &between{Journal: f.o.Journal}
	f.o.Journal = j
	loser, _ := f.second(t)
	j.before = func([]audit.Draft) { // both have read epoch 1
		j.before = nil
		if err := winner.View(f.session, func(*turn.Session) {}); err != nil {
			t.Error(err)
		}
		d.answer(d.next(t), approval.Became(approval.ChooseRunAgain))
		<-started
	}
	if err := loser.Do(f.session, turn.Tick{}); err != nil { // decides again on what it reads then
		t.Fatal(err)
	}
	_ = loser.View(f.session, func(s *turn.Session) {
		if s.Epoch != 3 {
			t.Errorf("epoch %d is owned twice", s.Epoch)
		}
	})
	if n := len(started); n != 0 {
		t.Error("the call of the other owner ran again")
	}
}

// proves: S2
func TestAnEngineOfTheSameNameIsAnotherOwner(t *testing.T) {
	f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) { o.Owner = "server-1" }, putA)
	f.setTool(t, policy.Write, func(ctx context.Context, args []byte) (tool.Result, error) {
		f.note("put" + string(args))
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	w := f.send(t, "go")
	f.await(t, w, "call.started")
	f.o.Journal = copyJournal(t, f.o.Journal, "call.started")
	f.restart(t)
	if r := f.desk.next(t); !r.Lost {
		t.Error("not asked what became of the call")
	}
	f.check(t, "a", "")
}

// await reads updates up to an event of a type.
func (f *fixture) await(t *testing.T, w *engine.Watcher, kind turn.Type) {
	t.Helper()
	for {
		u, err := w.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if u.Event != nil && u.Event.Body.Type() == kind {
			return
		}
	}
}

// proves: C6, D3
func TestTheToolThatWasDecidedOnRuns(t *testing.T) {
	j := &between{Journal: journal.NewMemory()}
	f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) { o.Journal = j }, putA)
	other := f.tool("put", policy.Destructive)
	other.Run = func(context.Context, []byte) (tool.Result, error) {
		f.note("another tool")
		return tool.Result{}, nil
	}
	swapped := box(t, other)
	j.before = func(drafts []audit.Draft) { // between the decision and the run
		for _, d := range drafts {
			if d.Type == "call.started" {
				f.e.SetTools(swapped)
			}
		}
	}
	finish(t, f.send(t, "go"))
	want(t, "did", []string{f.list()}, []string{`put{"id":"A"}`})
}

// proves: D8, T4
func TestAToolThatIsReplacedWhileItIsExamined(t *testing.T) {
	hooked := func(f *fixture, asks bool, hook func()) *tool.Tool {
		put := f.tool("put", policy.Write)
		put.Confirm = func(context.Context, []byte) (bool, error) {
			hook()
			return asks, nil
		}
		return put
	}
	cases := []struct {
		name string
		next func(f *fixture) *tool.Tool
		ask  bool
		told string
	}{
		{"T4 by another of the same name, which is heard itself", func(f *fixture) *tool.Tool {
			put := hooked(f, true, func() {})
			put.Description = "another put"
			return put
		}, true, "a: put ok"},
		{"D3 by one that has nothing to say", func(f *fixture) *tool.Tool { return f.tool("put", policy.Write) }, false, "a: put ok"},
		{"D4 by none", func(f *fixture) *tool.Tool { return f.tool("get", policy.Read) }, false, "a: Error: Not run: this tool is not allowed."},
	}
	for _, c := range cases {
		for _, when := range []string{"before", "meanwhile"} {
			t.Run(c.name+" "+when, func(t *testing.T) {
				j := &between{Journal: journal.NewMemory()}
				f := setUpWith(t, policy.Auto, func(_ *fixture, o *engine.Options) { o.Journal = j }, putA)
				next := box(t, c.next(f))
				first := hooked(f, false, func() { f.e.SetTools(next) })
				f.e.SetTools(box(t, first))
				j.before = func(drafts []audit.Draft) {
					if when == "before" && drafts[0].Type == "model.answered" {
						f.e.SetTools(next)
					}
				}
				w := f.send(t, "go")
				if c.ask {
					f.desk.answer(f.desk.next(t), approval.Approve())
				}
				finish(t, w)
				want(t, "told", f.told(), []string{c.told})
			})
		}
	}
}

// proves: D7, D8, C8
func TestAToolThatIsReplacedBeforeItsQuestionIsAskedCountsAsUnknown(t *testing.T) {
	began, free := make(chan struct{}), make(chan struct{})
	f := setUpWith(t, policy.Ask, func(f *fixture, o *engine.Options) {
		put := f.tool("put", policy.Write)
		put.Preview = func(context.Context, []byte) (*tool.Preview, error) {
			close(began)
			<-free
			return nil, nil
		}
		o.Tools = box(t, put, f.tool("drop", policy.Write))
	}, says("", call("a", "put", `{"id":"A"}`), call("b", "drop", `{"id":"B"}`)))
	w := f.send(t, "go")
	<-began // b is decided, and waits for the question before it
	drop := f.tool("drop", policy.Write)
	drop.Description = "another drop"
	drop.Raise = func(context.Context, []byte) (policy.Class, error) { return policy.Destructive, nil }
	put := f.tool("put", policy.Write)
	put.Preview = func(context.Context, []byte) (*tool.Preview, error) { return nil, nil }
	f.e.SetTools(box(t, put, drop))
	close(free)
	a, b := f.desk.next(t), f.desk.next(t)
	if b.Class.Effective != policy.Unknown {
		t.Errorf("asked as %v, although what would raise it was not heard", b.Class.Effective)
	}
	f.desk.answer(a, approval.Deny(""))
	f.desk.answer(b, approval.Deny(""))
	finish(t, w)
}
