package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/scripted"
)

// player is the model behind the server: it gives the answers of a scenario one
// after another, and holds every request against what it must be.
type player struct {
	exchanges []exchange
	system    string
	recording *scripted.Recording // nil, or a second judge
	open      bool                // one more request may come, and gets no answer

	mu    sync.Mutex
	next  int
	wrong []string
}

var _ model.Model = (*player)(nil)

// Generate implements model.Model.
func (p *player) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	x, err := p.take(req)
	if err != nil {
		return nil, fault.Wrap(err, fault.ModelFailed, "%v", err)
	}
	if p.recording != nil {
		a, err := p.recording.Generate(ctx, req, emit)
		if err != nil {
			p.complain(err)
		}
		return a, err
	}
	if emit != nil && x.answer.Text != "" {
		emit(model.Delta{Text: x.answer.Text})
	}
	finish := model.FinishStop
	if len(x.answer.Calls) > 0 {
		finish = model.FinishCalls
	}
	return &model.Answer{Message: x.answer, Finish: finish, Model: "player", Attempts: 1}, nil
}

var errOver = errors.New("the conversation is over here")

// take checks a request and returns its exchange.
func (p *player) take(req *model.Request) (*exchange, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.next
	p.next++
	switch {
	case n == len(p.exchanges) && p.open:
		return nil, errOver
	case n >= len(p.exchanges):
		p.wrong = append(p.wrong, fmt.Sprintf("the model was asked %d times, not %d", n+1, len(p.exchanges)))
		return nil, errOver
	}
	err := check(req.Messages, p.exchanges[n].want)
	if err == nil && req.System != p.system {
		err = errors.New("the system text is another")
	}
	if err != nil {
		err = fmt.Errorf("request %d: %w", n+1, err)
		p.wrong = append(p.wrong, err.Error())
		return nil, err
	}
	return &p.exchanges[n], nil
}

func (p *player) complain(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrong = append(p.wrong, err.Error())
}

// complaints are all that was wrong, and whether requests are missing.
func (p *player) complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	wrong := p.wrong
	if want := len(p.exchanges); p.next < want {
		wrong = append(wrong, fmt.Sprintf("the model was asked %d times, not %d", p.next, want))
	}
	return wrong
}
