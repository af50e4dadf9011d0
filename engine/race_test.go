package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// busy is a model that never tires of asking for the same calls.
type busy struct{ n atomic.Int64 }

func (m *busy) Generate(_ context.Context, _ *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	n := m.n.Add(1)
	emit(model.Delta{Text: "let me"})
	msg := says("let me", call("a", "get", fmt.Sprintf(`{"id":"A%d"}`, n)), call("b", "put", fmt.Sprintf(`{"id":"B%d"}`, n)), call("c", "drop", fmt.Sprintf(`{"id":"C%d"}`, n)))
	if n%4 == 0 {
		msg = says("done")
	}
	return &model.Answer{Message: msg, Finish: model.FinishStop}, nil
}

// Everything at once: messages, answers given twice, stops, modes, grants,
// other tools and policies, sessions that sleep and wake. Whatever comes of it,
// each turn ends, no attempt of a call runs twice or without its claim, and
// nothing is left running.
//
// proves: P5, P12, S2, B1
func TestEverythingAtOnce(t *testing.T) {
	before := runtime.NumGoroutine()
	var mu sync.Mutex
	ran := map[string]int{}
	f := setUpWith(t, policy.Ask, func(f *fixture, o *engine.Options) {
		o.Keep, o.Model, o.Limits = 1, &busy{}, turn.Limits{Steps: 8}
		o.Desk = &twice{}
		o.Tools = counted(t, f, ran, &mu)
	})
	ids := []string{f.session}
	for range 2 {
		id, err := f.e.Create(engine.Who{Principal: "bob"}, policy.Auto)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for _, id := range ids {
		wg.Go(func() { f.disturb(id, stop) })
	}
	wg.Go(func() { f.replace(t, ran, &mu, stop) })
	var talkers sync.WaitGroup
	for _, id := range ids {
		talkers.Go(func() {
			for range 15 {
				f.converse(t, id)
			}
		})
	}
	talkers.Wait()
	close(stop)
	wg.Wait()
	for _, id := range ids { // one more turn in peace, in which something runs
		if err := f.e.Do(id, turn.SetMode{Mode: policy.Auto}); err != nil {
			t.Error(err)
		}
		f.converse(t, id)
	}
	if err := f.e.Close(); err != nil {
		t.Error(err)
	}
	f.claimed(t, ids, ran)
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, before there were %d", runtime.NumGoroutine(), before)
}

// twice is a desk that gives every answer two times, and sometimes none.
type twice struct{ n atomic.Int64 }

func (d *twice) Open(r approval.Request, reply approval.Reply) {
	answers := []approval.Answer{approval.Approve(), approval.Deny("no"), approval.ApproveForSession(), {Args: []byte(`{"id":"edited"}`)}}
	a := answers[int(d.n.Add(1))%len(answers)]
	for range 2 {
		reply(a, approval.Decided{By: "alice", At: time.Now()}, nil)
	}
}

func (*twice) Close(string, approval.State, string) {}

// counted is the tools, counting the runs of each attempt.
func counted(t *testing.T, f *fixture, ran map[string]int, mu *sync.Mutex) *engine.Toolbox {
	var list []*tool.Tool
	for name, class := range map[string]policy.Class{"get": policy.Read, "put": policy.Write, "drop": policy.Destructive} {
		x := f.tool(name, class)
		x.Confirm = func(context.Context, []byte) (bool, error) { return false, nil }
		x.Run = func(ctx context.Context, args []byte) (tool.Result, error) {
			c := tool.FromContext(ctx)
			mu.Lock()
			ran[fmt.Sprint(c.ID, " ", c.Attempt)]++
			mu.Unlock()
			c.Progress(string(args))
			return tool.Result{Text: "ok"}, nil
		}
		list = append(list, x)
	}
	return box(t, list...)
}

// disturb does to a session whatever can be done to one.
func (f *fixture) disturb(id string, stop chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		switch n % 4 {
		case 0:
			_ = f.e.Do(id, turn.SetMode{Mode: policy.Mode(n / 4 % 4)})
		case 1:
			var grants []policy.Grant
			_ = f.e.View(id, func(s *turn.Session) { grants = slices.Clone(s.Grants) })
			for _, g := range grants {
				_ = f.e.Do(id, turn.Revoke{Grant: g.ID})
			}
		case 2:
			_ = f.e.Do(id, turn.Tick{})
		case 3:
			if n%40 == 3 {
				_ = f.e.Do(id, turn.Stop{})
			}
		}
		runtime.Gosched()
	}
}

// replace gives the engine other tools and policies again and again.
func (f *fixture) replace(t *testing.T, ran map[string]int, mu *sync.Mutex, stop chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		f.e.SetTools(counted(t, f, ran, mu))
		f.gov.set(t, &policy.Document{Version: fmt.Sprint(n)})
		time.Sleep(time.Millisecond)
	}
}

func (f *fixture) converse(t *testing.T, id string) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	turnID, w, err := f.e.Begin(id, turn.Say{Text: "go"})
	if err != nil {
		t.Error(err)
		return
	}
	defer w.Stop()
	for {
		u, err := w.Next(ctx)
		if err != nil {
			t.Errorf("turn %s: %v", turnID, err)
			return
		}
		if u.Event != nil && u.Event.Body.Type() == "turn.ended" {
			return
		}
	}
}

// claimed looks whether every attempt that ran has its claim, and ran once.
func (f *fixture) claimed(t *testing.T, ids []string, ran map[string]int) {
	claims := map[string]int{}
	for _, id := range ids {
		for r, err := range f.o.Journal.Read(t.Context(), audit.SessionStream(id), 0) {
			if err != nil {
				t.Fatal(err)
			}
			ev, err := turn.Decode(turn.Type(r.Type), r.Version, r.Time, r.Header, r.Payload)
			if err != nil {
				t.Fatal(err)
			}
			if b, ok := ev.Body.(*turn.CallStarted); ok {
				claims[fmt.Sprint(ev.Refs.Call, " ", b.Attempt)]++
			}
		}
	}
	for attempt, n := range ran {
		if n != 1 || claims[attempt] != 1 {
			t.Errorf("attempt %s ran %d times with %d claims", attempt, n, claims[attempt])
		}
	}
	if len(ran) == 0 {
		t.Error("nothing ran")
	}
}

// proves: S2
func TestRecoverLeavesSessionsAloneThatHaveNothingOpen(t *testing.T) {
	f := setUp(t, policy.Ask, says("hello"), says("", call("a", "drop", `{"id":"A"}`)))
	over := f.session
	finish(t, f.send(t, "go"))
	var err error
	if f.session, err = f.e.Create(engine.Who{}, policy.Ask); err != nil {
		t.Fatal(err)
	}
	f.send(t, "go")
	f.desk.next(t)
	f.e.Close()
	f.restart(t)
	f.desk.next(t) // the open one is taken up
	types := []string{}
	for r, err := range f.o.Journal.Read(t.Context(), audit.SessionStream(over), 0) {
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, r.Type)
	}
	if last := types[len(types)-1]; last != "turn.ended" {
		t.Errorf("a restart wrote %s to a session that nobody used:\n%s", last, strings.Join(types, "\n"))
	}
	if _, _, err := f.e.Follow(over); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
}
