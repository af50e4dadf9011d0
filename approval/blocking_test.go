package approval_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
)

// got is what a reply brought.
type got struct {
	answer approval.Answer
	by     approval.Decided
	err    error
}

// box collects replies.
type box struct{ ch chan got }

func newBox() box { return box{make(chan got, 100)} }

func (b box) reply(a approval.Answer, by approval.Decided, err error) { b.ch <- got{a, by, err} }

func ask(id string) approval.Request {
	r := everything()
	r.ID, r.Digest, r.Args = id, "sha256:"+id, approval.Exact(`{"id":"A-1001"}`)
	r.Tool.Name = "cancel_order"
	return r
}

// proves: P1
func TestAHandlerIsAskedAndItsAnswerComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBox()
		desk := approval.Blocking(approval.Func(func(_ context.Context, r approval.Request) (approval.Answer, error) {
			time.Sleep(time.Hour) // a person thinks; P4: no limit of its own
			if string(r.Args) != `{"id":"A-1001"}` {
				t.Errorf("the handler was shown %s", r.Args)
			}
			return approval.ApproveForSession(), nil
		}), nil)
		desk.Open(ask("ap_1"), b.reply)
		g := <-b.ch
		if g.err != nil || g.answer.State() != approval.Approved || !g.answer.ForSession {
			t.Errorf("got %+v", g)
		}
		if g.by.Via != "handler" || !g.by.At.Equal(time.Now()) {
			t.Errorf("decided %+v", g.by)
		}
	})
}

// proves: P11
func TestAHandlerThatFailsDecidesNothing(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.7: refused")
	for name, handler := range map[string]approval.Func{
		"P11 an error": func(context.Context, approval.Request) (approval.Answer, error) {
			return approval.Approve(), secret
		},
		"P11 a panic": func(context.Context, approval.Request) (approval.Answer, error) { panic(secret) },
		"P11 an end of its goroutine": func(context.Context, approval.Request) (approval.Answer, error) {
			runtime.Goexit()
			return approval.Approve(), nil
		},
		"P11 junk": func(context.Context, approval.Request) (approval.Answer, error) {
			return approval.Answer{Approved: true, Scope: 77}, nil
		},
		"P11 nil": nil,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBox()
			desk := approval.Blocking(handler, nil)
			desk.Open(ask("ap_1"), b.reply)
			g := <-b.ch
			if fault.CodeOf(g.err) != fault.Undecided {
				t.Errorf("got error %v, want code %s", g.err, fault.Undecided)
			}
			if g.answer.Approved {
				t.Error("an answer came that approves")
			}
			if strings.Contains(fault.TextOf(g.err), "10.0.0.7") {
				t.Errorf("the text tells the cause: %s", fault.TextOf(g.err))
			}
		})
	}
}

// proves: P4
func TestClosingEndsTheHandlersContextAndSaysWhy(t *testing.T) {
	for state, code := range map[approval.State]fault.Code{
		approval.Cancelled:  fault.Cancelled,
		approval.Superseded: fault.Cancelled,
		approval.Expired:    fault.Expired,
		approval.Covered:    fault.AlreadyDecided,
		approval.Stale:      fault.AlreadyDecided,
	} {
		t.Run("P4 "+state.String(), func(t *testing.T) {
			b, causes, late := newBox(), make(chan error, 1), make(chan approval.Refusal, 1)
			desk := approval.Blocking(approval.Func(func(ctx context.Context, _ approval.Request) (approval.Answer, error) {
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return approval.Approve(), nil // P5: too late
			}), &approval.BlockingOptions{By: "rita", Late: func(r approval.Refusal) { late <- r }})
			desk.Open(ask("ap_1"), b.reply)
			desk.Open(ask("ap_2"), b.reply)
			desk.Close("ap_1", state, "because")

			over, ok := errors.AsType[*approval.OverError](<-causes)
			if !ok || over.State != state || over.Text != "because" || fault.CodeOf(over) != code {
				t.Errorf("the cause is %v", over)
			}
			r := <-late
			if r.ID != "ap_1" || !r.Answer.Approved || r.By.By != "rita" || fault.CodeOf(r.Err) != code {
				t.Errorf("the late answer is reported as %+v", r)
			}
			desk.Close("ap_1", state, "again")
			desk.Close("ap_9", state, "never opened")
			if err := desk.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if len(b.ch) != 0 {
				t.Errorf("P5 a late answer was delivered: %+v", <-b.ch)
			}
		})
	}
}

// proves: P5
func TestAnOpenIdIsNotAskedTwice(t *testing.T) {
	b, again := newBox(), newBox()
	release := make(chan struct{})
	desk := approval.Blocking(approval.Func(func(context.Context, approval.Request) (approval.Answer, error) {
		<-release
		return approval.Approve(), nil
	}), nil)
	desk.Open(ask("ap_1"), b.reply)
	desk.Open(ask("ap_1"), again.reply)
	if g := <-again.ch; fault.CodeOf(g.err) != fault.Conflict || g.answer.Approved {
		t.Errorf("got %+v", g)
	}
	close(release)
	if g := <-b.ch; g.err != nil || !g.answer.Approved {
		t.Errorf("the first one got %+v", g)
	}
}

// proves: P12
func TestShutdownEndsEveryQuestionAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, stubborn := newBox(), make(chan struct{})
		desk := approval.Blocking(approval.Func(func(ctx context.Context, r approval.Request) (approval.Answer, error) {
			<-ctx.Done()
			if r.ID == "ap_3" {
				<-stubborn
			}
			return approval.Answer{}, ctx.Err()
		}), nil)
		for _, id := range []string{"ap_1", "ap_2", "ap_3"} {
			desk.Open(ask(id), b.reply)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := desk.Shutdown(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "with 1 approval") {
			t.Errorf("got %v", err)
		}
		close(stubborn)
		if err := desk.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if len(b.ch) != 0 {
			t.Error("a question that stays asked got an answer")
		}
		desk.Open(ask("ap_4"), b.reply)
		if g := <-b.ch; fault.CodeOf(g.err) != fault.Closed {
			t.Errorf("after the end: %+v", g)
		}
	})
}

// proves: P1
func TestWithoutAHandlerTheAnswerIsNo(t *testing.T) {
	var notices []string
	desk := approval.None(func(text string) { notices = append(notices, text) })
	for _, id := range []string{"ap_1", "ap_2"} {
		var answers []got
		desk.Open(ask(id), func(a approval.Answer, by approval.Decided, err error) { answers = append(answers, got{a, by, err}) })
		desk.Close(id, approval.Denied, "")
		if len(answers) != 1 || answers[0].err != nil || answers[0].answer.State() != approval.Denied {
			t.Errorf("got %+v", answers)
		}
		if answers[0].answer.Reason != approval.NoHandler || answers[0].by.Via != "none" {
			t.Errorf("got %+v", answers)
		}
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "approval handler") {
		t.Errorf("notices: %q", notices)
	}
	approval.None(nil).Open(ask("ap_3"), func(approval.Answer, approval.Decided, error) {})
}
