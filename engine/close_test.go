package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// until reads updates to the error that ends them.
func until(t *testing.T, w *engine.Watcher) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for {
		if _, err := w.Next(ctx); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				t.Fatal("nobody woke the watcher")
			}
			return err
		}
	}
}

// setTool replaces put by one that runs f.
func (f *fixture) setTool(t *testing.T, class policy.Class, run func(ctx context.Context, args []byte) (tool.Result, error)) {
	t.Helper()
	put := f.tool("put", class)
	put.Run = run
	f.o.Tools = box(t, put, f.tool("drop", policy.Destructive))
	f.e.SetTools(f.o.Tools)
}

var putA = says("", call("a", "put", `{"id":"A"}`))

// proves: S2, P12
func TestCloseEndsEverything(t *testing.T) {
	cases := []struct {
		name   string
		run    func(ctx context.Context) (tool.Result, error)
		took   time.Duration
		code   fault.Code // of Close
		result string     // what the log has of the call; "": nothing
	}{
		{"S2 a tool that ends when it is cancelled is in doubt", func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}, 0, "", ""},
		{"S2 a result that comes back in time is kept", func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			time.Sleep(time.Second)
			return tool.Result{Text: "it is done"}, nil
		}, time.Second, "", "it is done"},
		{"S2 a tool's own error that comes back in time is kept", func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, errors.New("half done")
		}, 0, "", "Error: half done"},
		{"a tool that ignores its cancellation is not waited for for ever", func(context.Context) (tool.Result, error) {
			time.Sleep(time.Hour)
			return tool.Result{Text: "late"}, nil
		}, 5 * time.Second, fault.OutcomeUnknown, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := setUp(t, policy.Auto, says("", call("a", "put", `{"id":"A"}`), call("b", "drop", `{"id":"B"}`)))
				f.setTool(t, policy.Write, func(ctx context.Context, _ []byte) (tool.Result, error) { return c.run(ctx) })
				w := f.send(t, "go")
				r := f.desk.next(t)
				synctest.Wait()
				began := time.Now()
				if err := f.e.Close(); code(err) != c.code {
					t.Errorf("closed with %v", err)
				}
				if took := time.Since(began); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
				if err := until(t, w); fault.CodeOf(err) != fault.Closed {
					t.Errorf("the watcher ended with %v", err)
				}
				if f.desk.isOpen(r.ID) {
					t.Error("a card stands at the desk of an engine that is closed")
				}
				f.restart(t)
				f.check(t, "a", c.result)
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

func code(err error) fault.Code {
	if err == nil {
		return ""
	}
	return fault.CodeOf(err)
}

// check compares the result of a call of the open turn.
func (f *fixture) check(t *testing.T, provider, result string) {
	t.Helper()
	err := f.e.View(f.session, func(s *turn.Session) {
		for _, c := range s.Turn.Calls {
			got := ""
			if c.Ended != nil {
				got = c.Ended.Text
			}
			if c.Provider == provider && (got != result || result == "" && c.State != turn.Doubtful) {
				t.Errorf("call %s is %s with %q, want %q", provider, c.State, got, result)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// proves: P5
func TestAnAnswerWhileTheEngineClosesRunsNothing(t *testing.T) {
	f := setUp(t, policy.Ask, says("", call("b", "drop", `{"id":"B"}`)))
	f.send(t, "go")
	r := f.desk.next(t)
	f.e.Close()
	f.desk.answer(r, approval.Approve())
	if err := f.e.Answer(r.ID, r.Digest, approval.Approve(), approval.Decided{}); fault.CodeOf(err) != fault.Closed {
		t.Errorf("answered with %v", err)
	}
	if f.list() != "" {
		t.Errorf("ran %s", f.list())
	}
	f.restart(t)
	if again := f.desk.next(t); again.ID != r.ID {
		t.Errorf("asked anew as %s, want %s", again.ID, r.ID)
	}
}

// proves: P12
func TestNextEndsAfterStopAndAfterTheTurn(t *testing.T) {
	f := setUp(t, policy.Ask, says("hello"))
	w := f.send(t, "go")
	finish(t, w)
	if err := until(t, w); fault.CodeOf(err) != fault.Closed {
		t.Errorf("after the turn: %v", err)
	}
	f.model.list = []model.Message{says("", call("b", "drop", `{"id":"B"}`))}
	w = f.send(t, "again")
	f.desk.next(t)
	w.Stop()
	if err := until(t, w); fault.CodeOf(err) != fault.Closed {
		t.Errorf("after Stop: %v", err)
	}
}

// proves: P12
func TestStopOfATurnThatIsOverLeavesTheNextOneAlone(t *testing.T) {
	f := setUp(t, policy.Ask, says("hello"), says("", call("b", "drop", `{"id":"B"}`)))
	first, w, err := f.e.Begin(f.session, turn.Say{Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	finish(t, w)
	w = f.send(t, "again")
	r := f.desk.next(t)
	f.do(t, turn.Stop{Turn: first})
	f.desk.answer(r, approval.Approve())
	finish(t, w)
	want(t, "did", []string{f.list()}, []string{`drop{"id":"B"}`})
}
