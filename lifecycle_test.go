package assent_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/turn"
)

// proves: S4
func TestToolSourcesAndToolsMayUseTheirAgentAtAnyTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var agent *assent.Agent
		look := does("look", assent.Read, func(ctx context.Context) (string, error) {
			<-ctx.Done() // the agent is closing
			return agent.Tools()[0].Name + agent.Profile().Slug, nil
		})
		source := assent.ToolSourceFunc(func(_ context.Context, sc assent.SourceContext) ([]*assent.Tool, error) {
			if n := len(sc.Agent.Tools()) + len(sc.Agent.Notices()); n != 0 {
				t.Errorf("%d tools and notices before the start", n)
			}
			agent = sc.Agent
			return []*assent.Tool{look}, nil
		})
		a := start(t, assent.WithToolSource(source))
		s := session(t, a)
		events := s.Call(t.Context(), "look", nil)
		began := time.Now()
		if err := a.Close(); err != nil || time.Since(began) != 0 {
			t.Errorf("closed after %v with %v", time.Since(began), err)
		}
		if _, err := events.Wait(); fault.CodeOf(err) != fault.Closed {
			t.Errorf("the turn of a closed agent: %v", err)
		}
	})
}

// proves: D8
func TestAnAgentThatIsNotStartedSaysSo(t *testing.T) {
	a, err := assent.New()
	if err != nil {
		t.Fatal(err)
	}
	_, started := a.StartSession(t.Context())
	_, opened := a.OpenSession("s")
	_, listed := a.Sessions(t.Context())
	for what, err := range map[string]error{
		"StartSession": started, "OpenSession": opened, "Sessions": listed, "CheckEdit": a.CheckEdit("a", nil),
		"Answer": a.Answer("a", "", approval.Approve(), approval.Decided{}),
	} {
		if fault.CodeOf(err) != fault.BadConfig {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// turns is a model that waits in each turn whose message says so.
type turns struct{ emit chan func(model.Delta) }

func (m turns) Generate(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if r.Messages[len(r.Messages)-1].Text == "wait" {
		emit(model.Delta{Text: "let me"})
		m.emit <- emit
		<-ctx.Done()
		return nil, ctx.Err()
	}
	select {
	case late := <-m.emit: // a model that goes on although it was stopped
		late(model.Delta{Text: "of the turn before"})
	default:
	}
	return &model.Answer{Message: model.Message{Role: model.Assistant, Text: "ok"}, Finish: model.FinishStop}, nil
}

// proves: P12
func TestAContextStopsItsOwnTurnOnly(t *testing.T) {
	m := turns{make(chan func(model.Delta), 1)}
	s := session(t, start(t, assent.WithModel(m)))
	first, stopFirst := context.WithCancel(t.Context())
	if _, err := s.Send(first, "go").Wait(); err != nil {
		t.Fatal(err)
	}
	unread := s.Send(first, "go on") // its events are never read
	if _, err := s.Resume(t.Context()); err == nil {
		for range unread.Events() {
		}
	}
	second, stopSecond := context.WithCancel(t.Context())
	w := s.Send(second, "wait")
	for range w.Events() {
		break // which does not stop the turn
	}
	stopFirst()
	if err := s.SetMode(assent.Auto); err != nil {
		t.Fatal(err)
	}
	open, err := s.Resume(t.Context())
	if err != nil {
		t.Fatal("the context of a turn that is over stopped the next one")
	}
	stopSecond()
	if r, err := open.Wait(); err != nil || r.End != turn.Stopped {
		t.Errorf("%+v, %v", r, err)
	}
	for ev, err := range s.Send(t.Context(), "and now").Events() {
		if d, ok := ev.(assent.TextDelta); ok || err != nil {
			t.Errorf("%+v, %v", d, err)
		}
	}
	for _, err := range w.Events() {
		if fault.CodeOf(err) != fault.Closed {
			t.Errorf("read again: %v", err)
		}
	}
}

// proves: S3
func TestAResumedTurnKnowsItsTools(t *testing.T) {
	asked := make(chan approval.Request, 1)
	free := make(chan struct{})
	ask := func(ctx context.Context, r approval.Request) (approval.Answer, error) {
		asked <- r
		<-free
		return approval.Approve(), nil
	}
	s := session(t, start(t, assent.WithTools(does("put", assent.Write, says("ok"))), assent.WithApprovalFunc(ask)))
	s.Call(t.Context(), "put", nil)
	<-asked
	again, err := s.Resume(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	close(free)
	r, err := again.Wait()
	if err != nil || r.Text != "ok" || len(r.Calls) != 1 || r.Calls[0].Tool != "put" {
		t.Errorf("%+v, %v", r, err)
	}
}
