package assenttest

import (
	"context"
	"sync"

	"github.com/assentdev/assent/approval"
)

// Person answers questions by rule. It is an approval.Handler for tests, safe
// for concurrent use. What no rule covers is denied.
type Person struct {
	mu    sync.Mutex
	rules []answerRule
	asked []approval.Request
}

type answerRule struct {
	tool   string // "" for every tool
	answer func(approval.Request) (approval.Answer, error)
}

// NewPerson returns a person without rules, who denies everything.
func NewPerson() *Person { return &Person{} }

// Answers makes the person give an answer to questions about a tool, by its raw
// name; "" is every tool. Of several rules for a tool the newest counts.
func (p *Person) Answers(tool string, a approval.Answer) *Person {
	return p.Decides(tool, func(approval.Request) (approval.Answer, error) { return a, nil })
}

// Decides is Answers with a function, which sees the request.
func (p *Person) Decides(tool string, f func(approval.Request) (approval.Answer, error)) *Person {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, answerRule{tool, f})
	return p
}

// Asked returns the requests so far, in order.
func (p *Person) Asked() []approval.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]approval.Request(nil), p.asked...)
}

// Request answers by the newest rule that covers the tool.
func (p *Person) Request(_ context.Context, r approval.Request) (approval.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, r)
	var f func(approval.Request) (approval.Answer, error)
	for _, rule := range p.rules {
		if rule.tool == "" || rule.tool == r.Tool.Name {
			f = rule.answer
		}
	}
	p.mu.Unlock()
	if f == nil {
		return approval.Deny(""), nil
	}
	return f(r)
}
