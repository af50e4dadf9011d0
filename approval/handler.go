package approval

import "context"

// Handler asks a person and waits for the answer (SPEC P1). ctx ends when the
// request is closed: the turn was stopped, the time is over, a grant covers the
// call; context.Cause(ctx) says which. An error, a panic and an answer that
// Validate refuses decide nothing, and the call does not run (SPEC P11).
// Implementations are safe for concurrent use.
type Handler interface {
	Request(ctx context.Context, r Request) (Answer, error)
}

// Func is a function as a Handler.
type Func func(ctx context.Context, r Request) (Answer, error)

// Request calls f.
func (f Func) Request(ctx context.Context, r Request) (Answer, error) { return f(ctx, r) }
