package engine_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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

// nth is a journal whose n-th append fails, once.
type nth struct {
	journal.Journal
	mu      sync.Mutex
	n, seen int
	code    fault.Code
}

func (j *nth) Append(ctx context.Context, stream string, last uint64, drafts []audit.Draft) ([]audit.Record, error) {
	j.mu.Lock()
	j.seen++
	fails := j.seen == j.n
	j.mu.Unlock()
	if fails {
		return nil, fault.New(j.code, "append %d fails", j.n)
	}
	return j.Journal.Append(ctx, stream, last, drafts)
}

// count is how often a call is started in the log, by its id.
func count(t *testing.T, j journal.Journal, session string) map[string]int {
	t.Helper()
	n := map[string]int{}
	for r, err := range j.Read(t.Context(), audit.SessionStream(session), 0) {
		if err != nil {
			t.Fatal(err)
		}
		ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if r.Type == "call.started" {
			n[ev.Refs.Call]++
		}
	}
	return n
}

// person is a desk that approves, and that looks at what was done before it says
// what became of a call.
type person struct{ did func(call string) bool }

func (p person) Open(r approval.Request, reply approval.Reply) {
	a := approval.Approve()
	if r.Lost {
		a = approval.Became(approval.ChooseRunAgain)
		if p.did(r.Call) {
			a = approval.Became(approval.ChooseHappened)
		}
	}
	reply(a, approval.Decided{By: "alice", At: time.Now()}, nil)
}

func (person) Close(string, approval.State, string) {}

// scenario is a turn with calls that run, ask and are invalid, and one more turn.
// Whatever append fails, nothing has run that is not in the log, nothing ran
// twice, nothing hangs, and the conversation goes on to its end.
//
// proves: D8, S2, G-L01
func TestEachAppendMayFail(t *testing.T) {
	for _, code := range []fault.Code{fault.Unwritable, fault.Conflict} {
		for n := 1; ; n++ {
			j := &nth{Journal: journal.NewMemory(), n: n, code: code}
			scenario(t, fmt.Sprintf("%s at append %d", code, n), j)
			if j.seen < n || t.Failed() {
				if n < 8 {
					t.Errorf("only %d appends failed", n)
				}
				break
			}
		}
	}
}

func scenario(t *testing.T, name string, j *nth) {
	t.Helper()
	var mu sync.Mutex
	did := map[string]int{}
	tools := &shelf{}
	var list []*tool.Tool
	for name, class := range map[string]policy.Class{"get": policy.Read, "put": policy.Write, "drop": policy.Destructive} {
		x := tools.tool(name, class)
		x.Run = func(ctx context.Context, _ []byte) (tool.Result, error) {
			mu.Lock()
			defer mu.Unlock()
			if c := tool.FromContext(ctx); class != policy.Read {
				did[c.ID]++
			}
			return tool.Result{Text: "ok"}, nil
		}
		list = append(list, x)
	}
	m := &lines{list: []model.Message{says("", call("a", "get", `{"id":"A"}`), call("b", "put", `{"id":"B"}`), call("c", "drop", `{"id":"C"}`), call("d", "drop", `{`))}}
	gov := &governor{}
	gov.set(t, &policy.Document{Version: "1"})
	e, err := engine.New(engine.Options{Journal: j, Model: m, Governor: gov, Tools: box(t, list...), Desk: person{func(call string) bool {
		mu.Lock()
		defer mu.Unlock()
		return did[call] > 0
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	id, err := e.Create(engine.Who{}, policy.Auto)
	if err != nil {
		id, err = e.Create(engine.Who{}, policy.Auto)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := talk(t, e, id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := e.Close(); err != nil {
		t.Errorf("%s: close: %v", name, err)
	}
	started := count(t, j.Journal, id)
	for call, times := range did {
		if times != 1 || started[call] == 0 {
			t.Errorf("%s: call %s ran %d times with %d claims", name, call, times, started[call])
		}
	}
}

// talk brings a message to the end of its turn, as an application does whose log
// fails now and then.
func talk(t *testing.T, e *engine.Engine, id string) error {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, w, err := e.Begin(id, turn.Say{Text: "go"})
	if err != nil {
		_, w, err = e.Begin(id, turn.Say{Text: "go"})
	}
	for err == nil {
		var u engine.Update
		if u, err = w.Next(ctx); err == nil && u.Event != nil && u.Event.Body.Type() == "turn.ended" {
			return nil
		}
		if fault.CodeOf(err) == fault.Unwritable {
			w.Stop()
			if _, w, err = e.Follow(id); fault.CodeOf(err) == fault.NotFound {
				return nil // it has ended meanwhile
			}
		}
	}
	return err
}

// proves: S2, P12
func TestATurnThatBeginsAfterAFailureIsWatchedToItsEnd(t *testing.T) {
	j := &failing{Journal: journal.NewMemory()}
	f := setUpWith(t, policy.Ask, func(_ *fixture, o *engine.Options) { o.Journal = j }, says("", call("a", "drop", `{"id":"A"}`)))
	w := f.send(t, "go")
	f.desk.next(t)
	j.broken = func(drafts []audit.Draft) bool { return drafts[0].Type == "turn.ended" || len(drafts) > 1 }
	_ = f.e.Do(f.session, turn.Stop{})
	if err := until(t, w); fault.CodeOf(err) != fault.Unwritable {
		t.Fatal(err)
	}
	j.broken = nil
	f.e.Close()
	f.o.Journal = withStop(t, j.Journal, f.session)
	f.start(t) // and nobody recovers
	f.model.list = []model.Message{says("hello")}
	id, w, err := f.e.Begin(f.session, turn.Say{Text: "again"})
	if err != nil {
		t.Fatal(err)
	}
	for ended := false; !ended; {
		u, err := w.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ended = u.Event != nil && u.Event.Body.Type() == "turn.ended" && u.Event.Refs.Turn == id
	}
}

// withStop is the journal as if the process had ended right after a stop.
func withStop(t *testing.T, j journal.Journal, session string) journal.Journal {
	t.Helper()
	stream, last, turnID := audit.SessionStream(session), uint64(0), ""
	for r, err := range j.Read(t.Context(), stream, 0) {
		if err != nil {
			t.Fatal(err)
		}
		ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
		if err != nil {
			t.Fatal(err)
		}
		last, turnID = r.Seq, ev.Refs.Turn
	}
	stop := turn.Event{At: time.Now().UnixMilli(), Refs: turn.Refs{Turn: turnID}, Body: &turn.StopAsked{End: turn.Stopped}}
	header, payload, err := stop.Encode()
	if err != nil {
		t.Fatal(err)
	}
	d := audit.Draft{Type: string(stop.Body.Type()), Version: turn.Version, Time: time.Now(), Header: header, Payload: payload}
	if _, err := j.Append(t.Context(), stream, last, []audit.Draft{d}); err != nil {
		t.Fatal(err)
	}
	return j
}

// touchy is a desk that panics.
type touchy struct{}

func (touchy) Open(approval.Request, approval.Reply) { panic("boom") }
func (touchy) Close(string, approval.State, string)  { panic("boom") }

// gone is a governor that panics.
type gone struct{}

func (gone) Policy() *policy.Policy { panic("boom") }

// proves: P11, D8, T2
func TestNothingThatTheApplicationBringsTakesAnEngineDown(t *testing.T) {
	exits := func(f *fixture) *tool.Tool {
		x := f.tool("put", policy.Write)
		x.Run = func(context.Context, []byte) (tool.Result, error) {
			runtime.Goexit()
			return tool.Result{}, nil
		}
		return x
	}
	picky := func(f *fixture) *tool.Tool {
		x := f.tool("put", policy.Write)
		x.Accept = func([]byte) error { panic("boom") }
		return x
	}
	cases := []struct {
		name   string
		mode   policy.Mode
		change func(f *fixture, o *engine.Options)
		told   string
	}{
		{"P11 a desk that panics", policy.Ask, func(f *fixture, o *engine.Options) { o.Desk = touchy{} }, "a: Error: Not run: no decision could be had."},
		{"D8 a governor that panics", policy.Auto, func(f *fixture, o *engine.Options) { o.Governor = gone{} }, "a: Error: Not run: this tool is not allowed."},
		{"A1 a type that panics when it is read", policy.Ask, func(f *fixture, o *engine.Options) { o.Tools = box(t, picky(f)) }, "a: Error: Invalid arguments: the tool cannot read them."},
		{"T2 a tool that ends its goroutine", policy.Auto, func(f *fixture, o *engine.Options) {
			o.Tools = box(t, exits(f))
		}, "a: Error: the tool failed unexpectedly. The effect of this call is not known. Do not repeat it without asking."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := setUpWith(t, c.mode, c.change, putA)
			finish(t, f.send(t, "go"))
			want(t, "told", f.told(), []string{c.told})
		})
	}
}

// proves: S2
func TestALostCallThatMayNotRunAgainIsNotCalledNotRun(t *testing.T) {
	f := setUp(t, policy.Auto, putA)
	f.setTool(t, policy.Write, func(ctx context.Context, _ []byte) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	f.await(t, f.send(t, "go"), "call.started")
	f.e.Close()
	f.restart(t)
	r := f.desk.next(t)
	_, w, err := f.e.Follow(f.session)
	if err != nil {
		t.Fatal(err)
	}
	f.gov.set(t, &policy.Document{Version: "2", Rules: []policy.Rule{{ID: "no", Effect: policy.EffectDeny, Tools: []string{"put"}}}})
	f.desk.answer(r, approval.Became(approval.ChooseRunAgain))
	finish(t, w)
	if told := f.told(); len(told) != 1 || !strings.Contains(told[0], "The effect of this call is not known") {
		t.Errorf("told %q", told)
	}
}

// reads counts how often a session is read from its journal.
type reads struct {
	journal.Journal
	n atomic.Int64
}

func (j *reads) Read(ctx context.Context, stream string, after uint64) iter.Seq2[audit.Record, error] {
	j.n.Add(1)
	return j.Journal.Read(ctx, stream, after)
}

// slowly is a model that takes its time.
type slowly struct{ model.Model }

func (m slowly) Generate(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	time.Sleep(time.Minute)
	return m.Model.Generate(ctx, r, emit)
}

// proves: S2, B13
func TestASessionThatNobodyWatchesLeavesTheMemoryWhenItsTurnIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &reads{Journal: journal.NewMemory()}
		f := setUpWith(t, policy.Auto, func(f *fixture, o *engine.Options) { o.Keep, o.Journal, o.Model = 1, j, slowly{f.model} })
		f.send(t, "go").Stop()
		others := func() {
			for range 3 {
				if _, err := f.e.Create(engine.Who{}, policy.Auto); err != nil {
					t.Fatal(err)
				}
			}
		}
		others() // it is busy: it stays
		time.Sleep(time.Hour)
		others()
		before := j.n.Load()
		if err := f.e.View(f.session, func(*turn.Session) {}); err != nil {
			t.Fatal(err)
		}
		if j.n.Load() == before {
			t.Error("a session in which nothing happens is still in memory")
		}
	})
}
