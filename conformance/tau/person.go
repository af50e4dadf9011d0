package main

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// person is the approval handler: it answers each question when it is told to.
type person struct {
	mu      sync.Mutex
	asked   []approval.Request
	replies map[string]chan answer // by approval
	more    chan struct{}          // closed when another question has arrived
}

var _ approval.Handler = (*person)(nil)

// Request waits for the answer that say gives.
func (p *person) Request(ctx context.Context, r approval.Request) (approval.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, r)
	if p.more != nil {
		close(p.more)
		p.more = nil
	}
	p.mu.Unlock()
	select {
	case a := <-p.reply(r.ID):
		return a.give()
	case <-ctx.Done():
		return approval.Answer{}, context.Cause(ctx)
	}
}

func (p *person) reply(id string) chan answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.replies == nil {
		p.replies = map[string]chan answer{}
	}
	if p.replies[id] == nil {
		p.replies[id] = make(chan answer, 1)
	}
	return p.replies[id]
}

// sees waits until these questions have been put to the person.
func (p *person) sees(ctx context.Context, ids []string) {
	for {
		p.mu.Lock()
		missing := slices.ContainsFunc(ids, func(id string) bool {
			return !slices.ContainsFunc(p.asked, func(r approval.Request) bool { return r.ID == id })
		})
		if missing && p.more == nil {
			p.more = make(chan struct{})
		}
		more := p.more
		p.mu.Unlock()
		if !missing {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}

// say answers a question.
func (p *person) say(id string, a answer) { p.reply(id) <- a }

func (p *person) requests() []approval.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// give is what a handler of an application would return.
func (a answer) give() (approval.Answer, error) {
	switch a.word {
	case session:
		return approval.ApproveForSession(), nil
	case denies:
		return approval.Deny(a.reason), nil
	case edits:
		return approval.Edit([]byte(a.args)), nil
	case breaks:
		return approval.Answer{}, errors.New("the window was closed")
	case explodes:
		panic("a handler that panics")
	case junk: // an approval of one call that is remembered for ever
		return approval.Answer{Approved: true, Scope: policy.ScopeOnce, Pattern: approval.Exact(`{}`)}, nil
	}
	return approval.Approve(), nil
}
