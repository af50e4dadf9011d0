// Package engine drives sessions: it feeds the state machine of package turn,
// writes what follows to a journal, and only then does what has to be done
// outside: ask the model, ask a person, run a tool.
//
// Nothing waits while a person thinks: an open question is an entry of the
// journal and of the desk, without a goroutine, a lock or a timer of its own.
package engine

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// Governor provides the newest published policy version: contract, rules and
// limits. An application gives a fixed one; a client of a server implements the
// same method. It must be quick, since it is asked before every claim, and safe
// for concurrent use.
type Governor interface {
	// Policy returns the version to decide by. Nil says that it cannot be read:
	// then nothing runs (SPEC D8).
	Policy() *policy.Policy
}

// Fixed is a Governor with one version that never changes.
func Fixed(p *policy.Policy) Governor { return fixed{p} }

type fixed struct{ p *policy.Policy }

func (f fixed) Policy() *policy.Policy { return f.p }

// Lease says whether this process still owns a session under an epoch. It is
// asked right before every effect, because an owner that was frozen may have
// been replaced meanwhile, and may even own the session again, under another
// epoch, when it goes on.
type Lease interface {
	Held(session string, epoch uint64) error
}

// Options configures an Engine. Journal and Governor are needed.
type Options struct {
	Agent   string // its slug, default "agent"
	System  string // instructions for the model
	Journal journal.Journal
	Model   model.Model // nil: only direct calls
	Tools   *Toolbox    // nil: none; see SetTools
	// ToolsOf returns the tools of one session, where sessions have different
	// ones; nil without an error: Tools. It is asked before every decision, must be
	// quick and safe for concurrent use, must not use the engine, and returns the
	// same Toolbox for as long as nothing changes. While it fails, a session keeps
	// the tools that it had; one that had none yet takes no input, and the error is
	// the input's. Nil: Tools for all.
	ToolsOf func(session string) (*Toolbox, error)
	// Gone says whether a device has vanished: what it has claimed is then in doubt,
	// and it claims nothing (SPEC S8). It is asked before every decision, must be
	// quick and safe for concurrent use, and must not use the engine. When its answer
	// changes for a device, call Reconsider. Nil: no device ever is.
	Gone     func(device string) bool
	Governor Governor      // nil: nothing runs
	Desk     approval.Desk // nil: every question is declined (SPEC P1)
	Limits   turn.Limits
	// Wait is how long a question stays open; zero: without limit (SPEC P4).
	Wait time.Duration
	// Grace is how long a tool may take to come back after it was cancelled or
	// its time ran out; then its outcome is unknown. Default 5 s.
	Grace time.Duration
	// HookTime bounds a tool's Preview, Raise and Confirm. Default 5 s.
	HookTime time.Duration
	// Keep is how many idle sessions stay in memory; the others are read from
	// the journal when something happens to them. Default 1,000.
	Keep  int
	Lease Lease                                                                     // nil: always held
	Owner string                                                                    // names this process in the log, before a random part; default none
	NewID func(kind string) string                                                  // default random
	Log   *slog.Logger                                                              // nil: silent
	Trace func(ctx context.Context, span string) (context.Context, func(err error)) // nil: none
	// Crash is called at the named points of a call's path. Tests that kill the
	// process set it; see assenttest.
	Crash func(point string)
}

// Engine drives the sessions of one agent. It is safe for concurrent use.
type Engine struct {
	o     Options
	tools atomic.Pointer[Toolbox]
	log   *slog.Logger

	mu       sync.Mutex
	sessions map[string]*session
	idle     []rested            // sessions that came to rest, oldest first
	owners   map[string]string   // approval at the desk → session
	away     map[string][]string // session → devices on which its calls run
	policies []*policy.Policy    // the newest versions, oldest first
	booksMu  sync.Mutex          // taken after a session's lock, never before it
	books    map[string]*book    // grants of users that hold in every session
	closing  bool                // nothing new begins
	closed   bool                // nothing is written any more
	wg       sync.WaitGroup
	ctx      context.Context
	cancel   context.CancelFunc
}

// New returns an engine. It opens no session: those of the journal are taken up
// by Recover or when they are used. Errors have code fault.BadConfig.
func New(o Options) (*Engine, error) {
	if o.Journal == nil {
		return nil, fault.New(fault.BadConfig, "an engine needs a journal")
	}
	o.setDefaults()
	e := &Engine{o: o, log: o.Log, sessions: map[string]*session{}, owners: map[string]string{}, away: map[string][]string{}, books: map[string]*book{}}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.SetTools(o.Tools)
	return e, nil
}

func (o *Options) setDefaults() {
	if o.Agent == "" {
		o.Agent = "agent"
	}
	if o.Governor == nil {
		o.Governor = Fixed(nil)
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	if o.HookTime == 0 {
		o.HookTime = 5 * time.Second
	}
	if o.Keep <= 0 {
		o.Keep = 1000
	}
	if o.NewID == nil {
		o.NewID = newID
	}
	// Every engine is an owner of its own: one that starts again under the same
	// name must not take the calls that it finds for ones that it still runs.
	o.Owner = strings.TrimPrefix(o.Owner+"/"+newID("owner"), "/")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Desk == nil {
		o.Desk = approval.None(func(text string) { o.Log.Warn(text) })
	}
	if o.Crash == nil {
		o.Crash = func(string) {}
	}
}

func newID(kind string) string {
	return kind + "_" + strings.ToLower(rand.Text())
}

// SetTools replaces the set of tools. Open calls are looked at again: one whose
// tool changed is not claimed (SPEC D7).
func (e *Engine) SetTools(t *Toolbox) {
	if t == nil {
		t = &Toolbox{}
	}
	e.tools.Store(t)
}

// Toolbox returns the set of tools as it is now.
func (e *Engine) Toolbox() *Toolbox { return e.tools.Load() }

// maxPolicies is how many versions are kept for turns that began under them.
const maxPolicies = 16

// version keeps a version for as long as turns may need it as their snapshot.
func (e *Engine) version(p *policy.Policy) *policy.Policy {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.policies); p != nil && (n == 0 || e.policies[n-1] != p) {
		e.policies = append(e.policies, p)
		e.policies = e.policies[max(0, len(e.policies)-maxPolicies):]
	}
	return p
}

// snapshot finds the version that a turn began under; nil where it is gone, and
// then only the newest one decides.
func (e *Engine) snapshot(version string) *policy.Policy {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range slices.Backward(e.policies) {
		if p.Version() == version {
			return p
		}
	}
	return nil
}

// world is what the machine may look at now.
func (e *Engine) world(l *session) (*turn.World, error) {
	box, err := l.toolbox()
	if err != nil {
		return nil, err
	}
	p := e.version(e.policy())
	grants, err := e.UserGrants(l.principal())
	return &turn.World{
		Now: time.Now(), Epoch: l.epoch, Policy: p, Snapshot: l.snapshot, Version: p.Version(),
		Tools: box, Grants: grants, Unreadable: err != nil, Limits: e.o.Limits, Wait: e.o.Wait, NewID: e.o.NewID,
		Runs: l.runsHere, Gone: e.presence(),
	}, nil
}

// policy asks the governor. One that panics gave nothing, and then nothing runs
// (SPEC D8).
func (e *Engine) policy() (p *policy.Policy) {
	defer func() {
		if v := recover(); v != nil {
			e.log.Error("the governor panicked", "panic", v)
		}
	}()
	return e.o.Governor.Policy()
}

// spawn runs f in a goroutine that Close waits for and that holds the session.
// It does nothing once the engine is being closed.
func (l *session) spawn(f func()) {
	e := l.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return
	}
	l.refs++
	e.wg.Go(func() {
		defer e.rest(l)
		f()
	})
}

// Close cancels what runs and waits for it, for the grace time at most. What
// comes back with a result in that time is recorded; every other call that was
// running is in doubt afterwards. Questions leave the desk and stay open in the
// journal, which is not closed. Watchers end with fault.Closed.
//
// An error, with code fault.OutcomeUnknown, says that something ignored its
// cancellation and still runs. Close may be called more than once.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
	e.cancel()
	err := e.await()
	e.mu.Lock()
	e.closed = true
	sessions := slices.Collect(maps.Values(e.sessions))
	e.mu.Unlock()
	for _, l := range sessions {
		l.mu.Lock()
		l.endRuns()
		l.letGo(errClosed)
		l.mu.Unlock()
		l.drain()
	}
	return err
}

// await waits until nothing runs any more.
func (e *Engine) await() error {
	idle := make(chan struct{})
	go func() { // ends with what it waits for, which cannot be ended from here
		e.wg.Wait()
		close(idle)
	}()
	grace := time.NewTimer(e.o.Grace)
	defer grace.Stop()
	select {
	case <-idle:
		return nil
	case <-grace.C:
		return fault.New(fault.OutcomeUnknown, "a tool or a model did not come back within %s of its cancellation, and still runs", e.o.Grace)
	}
}

var errClosed error = fault.New(fault.Closed, "the agent is closed")

// takes says whether an input can still be taken: while the engine closes, only
// results of what is coming back.
func (e *Engine) takes(in turn.Input) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, result := in.(turn.Finished)
	return !e.closing || result && !e.closed
}

func (e *Engine) isClosing() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closing
}
