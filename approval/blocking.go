package approval

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
)

// BlockingOptions configures an Asker. Nil and the zero value are usable.
type BlockingOptions struct {
	// By and Via are who answers and how, as far as the application knows.
	// An empty Via is "handler".
	By, Via string
	// Late is told of an answer that came after its request was closed. It was
	// not delivered. Nil: nobody is told.
	Late func(Refusal)
}

// Asker is a Desk that asks a Handler. Each open request has one goroutine,
// from Open until the handler returns; Shutdown waits for all of them. It is
// safe for concurrent use.
type Asker struct {
	handler Handler
	opts    BlockingOptions

	mu   sync.Mutex
	open map[string]*waiting
	n    int           // handlers that run, also for closed requests
	idle chan struct{} // made by Shutdown, closed when n is 0
}

// waiting is one request that a handler thinks about.
type waiting struct {
	req    Request
	reply  Reply
	cancel context.CancelCauseFunc
	over   *OverError // set when the request was closed; guarded by Asker.mu
}

// Blocking returns a Desk that asks h, and decides nothing where h fails,
// panics, or answers what Validate refuses (SPEC P11).
func Blocking(h Handler, opts *BlockingOptions) *Asker {
	a := &Asker{handler: h, open: map[string]*waiting{}}
	if opts != nil {
		a.opts = *opts
	}
	if a.opts.Via == "" {
		a.opts.Via = "handler"
	}
	return a
}

// Open asks the handler in a goroutine of its own. An id that is open already
// gets an error with code fault.Conflict, and after Shutdown each one gets
// fault.Closed.
func (a *Asker) Open(r Request, reply Reply) {
	ctx, cancel := context.WithCancelCause(context.Background())
	w := &waiting{req: r, reply: reply, cancel: cancel}
	if err := a.enter(w); err != nil {
		cancel(err)
		reply(Answer{}, Decided{}, err)
		return
	}
	go a.wait(ctx, w)
}

func (a *Asker) enter(w *waiting) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.idle != nil {
		return fault.New(fault.Closed, "approval %q cannot be asked: the approval handler is shut down", w.req.ID)
	}
	if a.open[w.req.ID] != nil {
		return fault.New(fault.Conflict, "approval %q is open already", w.req.ID)
	}
	a.open[w.req.ID] = w
	a.n++
	return nil
}

// wait runs the handler and brings its answer back. The outcome is set before
// the handler runs, because a handler may end its goroutine.
func (a *Asker) wait(ctx context.Context, w *waiting) {
	answer, err := Answer{}, noDecision(nil)
	defer a.leave()
	defer func() { a.finish(w, answer, err) }()
	answer, err = a.ask(ctx, w.req)
}

func (a *Asker) ask(ctx context.Context, r Request) (answer Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			answer, err = Answer{}, noDecision(fmt.Errorf("the approval handler panicked: %v\n%s", v, debug.Stack()))
		}
	}()
	if answer, err = a.handler.Request(ctx, r); err != nil {
		return Answer{}, noDecision(err)
	}
	return answer, nil
}

// finish delivers an answer, unless its request was closed meanwhile.
func (a *Asker) finish(w *waiting, answer Answer, err error) {
	defer w.cancel(nil)
	by := Decided{By: a.opts.By, Via: a.opts.Via, At: time.Now()}

	a.mu.Lock()
	over := w.over
	if over == nil {
		delete(a.open, w.req.ID)
	}
	a.mu.Unlock()

	if over != nil {
		if err == nil && a.opts.Late != nil {
			a.opts.Late(Refusal{ID: w.req.ID, Answer: answer, By: by, Err: over})
		}
		return
	}
	if err == nil {
		if junk := Validate(w.req, answer); junk != nil {
			answer, err = Answer{}, noDecision(junk)
		}
	}
	w.reply(answer, by, err)
}

func (a *Asker) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n--
	if a.n == 0 && a.idle != nil {
		close(a.idle)
	}
}

// Close ends the context of the handler that was asked. Its cause is an *OverError.
func (a *Asker) Close(id string, state State, text string) {
	a.mu.Lock()
	w := a.open[id]
	if w == nil {
		a.mu.Unlock()
		return
	}
	delete(a.open, id)
	w.over = &OverError{State: state, Text: text}
	a.mu.Unlock()
	w.cancel(w.over)
}

// Shutdown closes all open requests, whose state stays Asked, and waits until
// every handler has returned or ctx ends; then the error says how many still
// run. Requests that are opened afterwards are refused.
func (a *Asker) Shutdown(ctx context.Context) error {
	idle, open := a.stop()
	for _, id := range open {
		a.Close(id, Asked, "the approval handler is shut down")
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		a.mu.Lock()
		defer a.mu.Unlock()
		return fmt.Errorf("shut down with %d approval handlers still running: %w", a.n, context.Cause(ctx))
	}
}

func (a *Asker) stop() (idle chan struct{}, open []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.idle == nil {
		a.idle = make(chan struct{})
		if a.n == 0 {
			close(a.idle)
		}
	}
	for id := range a.open {
		open = append(open, id)
	}
	return a.idle, open
}

// noDecision is the error of a request that nobody decided (SPEC P11). What
// the handler said stays below the text, because the text may reach the model.
func noDecision(err error) error {
	return fault.Wrap(err, fault.Undecided, "No decision could be had: the approval handler failed.")
}
