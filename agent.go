package assent

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"go.opentelemetry.io/otel/codes"
)

// Agent is an application's agent: a model, tools, and who is asked. It is safe
// for concurrent use.
type Agent struct {
	c       config
	profile Profile
	engine  *engine.Engine
	asker   *approval.Asker
	answer  manifest.Answer

	mu      sync.Mutex
	set     *tool.Set
	notices []Notice
	started bool
	closed  bool

	closing  sync.Once
	closeErr error
}

// New makes an agent. It reports every problem of the options and of the tools'
// definitions at once, with code fault.BadConfig or fault.BadTool. Start it
// before use.
func New(opts ...Option) (*Agent, error) {
	c := config{slug: "agent"}
	for _, o := range opts {
		o(&c)
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.journal == nil {
		c.journal = journal.NewMemory()
	}
	if c.authority == nil {
		a, err := Local(Profile{}, nil)
		c.authority, c.errs = a, append(c.errs, err)
	}
	if c.handler != nil && c.desk != nil {
		c.errs = append(c.errs, fault.New(fault.BadConfig, "an agent has an approval handler or a desk, not both"))
	}
	if _, err := tool.NewSet(c.tools); err != nil {
		c.errs = append(c.errs, err)
	}
	if err := errors.Join(c.errs...); err != nil {
		return nil, err
	}
	return &Agent{c: c}, nil
}

// Start makes an agent and starts it: New, and then the method Start.
func Start(ctx context.Context, opts ...Option) (*Agent, error) {
	a, err := New(opts...)
	if err != nil {
		return nil, err
	}
	if err := a.Start(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Start learns the profile, asks the tool sources, says what the application
// brings, and takes up the sessions that the journal has open. Until it has
// returned nil the agent has no sessions.
func (a *Agent) Start(ctx context.Context) error {
	a.mu.Lock()
	if a.started || a.closed {
		a.mu.Unlock()
		return fault.New(fault.BadConfig, "an agent is started once")
	}
	a.started = true
	a.mu.Unlock()
	e, err := a.setUp(ctx)
	if err != nil {
		return err
	}
	a.report(ctx)
	return e.Recover(ctx)
}

// setUp makes the engine. No lock is held meanwhile: a tool source is told the
// agent and may use it.
func (a *Agent) setUp(ctx context.Context) (e *engine.Engine, err error) {
	p, err := a.c.authority.Profile(ctx)
	if err == nil {
		p.Slug = cmp.Or(p.Slug, a.c.slug)
		e, err = a.build(ctx, p)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err != nil:
		a.started = false // it may be tried again
		return nil, err
	case a.closed:
		return nil, errors.Join(fault.New(fault.Closed, "the agent was closed while it started"), e.Close())
	}
	a.engine = e
	return e, nil
}

func (a *Agent) build(ctx context.Context, p Profile) (*engine.Engine, error) {
	set, err := a.gather(ctx, p)
	if err != nil {
		return nil, err
	}
	for item := range set.All() {
		if item.Tool.Remote { // it would wait for a device for ever
			return nil, fault.New(fault.BadTool, "tool %q runs on a device, and only a server offers such tools: give it a Run", item.Wire)
		}
	}
	box, warnings := engine.NewToolbox(set)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.profile, a.set, a.notices = p, set, startNotices(set, warnings)
	return engine.New(a.engineOptions(box))
}

// live is the engine of a started agent.
func (a *Agent) live() (*engine.Engine, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.engine == nil {
		return nil, fault.New(fault.BadConfig, "start the agent first")
	}
	return a.engine, nil
}

// gather asks the sources and makes the one set of tools.
func (a *Agent) gather(ctx context.Context, p Profile) (*tool.Set, error) {
	var lists [][]*Tool
	for _, s := range a.c.sources {
		list, err := s.Tools(ctx, SourceContext{Profile: p, Agent: a})
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	own := a.c.tools
	if a.c.reader {
		own = append(own[:len(own):len(own)], a.resultReader())
	}
	return tool.NewSet(own, lists...)
}

func startNotices(set *tool.Set, warnings []engine.Warning) (list []Notice) {
	for _, n := range set.Notices() {
		list = append(list, Notice{Code: n.Code, Params: n.Params})
	}
	for _, w := range warnings {
		code := "schema_warning"
		if w.Held {
			code = "schema_held"
		}
		list = append(list, Notice{Code: code, Params: map[string]string{"tool": w.Tool, "text": w.Text}})
	}
	return list
}

func (a *Agent) engineOptions(box *engine.Toolbox) engine.Options {
	o := engine.Options{
		Agent: a.profile.Slug, System: a.c.instructions, Journal: a.c.journal, Model: a.c.model, Tools: box,
		Governor: a.c.authority, Desk: a.c.desk, Limits: a.c.limits, Wait: a.c.wait, Grace: a.c.grace, Log: a.c.log, Crash: a.c.crash,
	}
	if a.c.handler != nil {
		a.asker = approval.Blocking(a.c.handler, &approval.BlockingOptions{By: a.c.principal})
		o.Desk = a.asker
	}
	if t := a.c.tracer; t != nil {
		o.Trace = func(ctx context.Context, name string) (context.Context, func(error)) {
			ctx, span := t.Start(ctx, "assent."+name)
			return ctx, func(err error) {
				if err != nil {
					span.SetStatus(codes.Error, string(fault.CodeOf(err)))
				}
				span.End()
			}
		}
	}
	return o
}

// report sends the manifest. Whatever comes of it, the agent starts (SPEC M2).
func (a *Agent) report(ctx context.Context) {
	if a.c.quiet {
		return
	}
	answer, err := a.c.authority.Report(ctx, manifest.New(a.c.app, a.set))
	if err != nil {
		a.c.log.Warn("the manifest was not taken", "err", err)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answer = answer
}

// Review is what became of the manifest (SPEC M3): empty where none was sent or
// taken.
func (a *Agent) Review() manifest.Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.answer
}

// Profile returns what the authority said when the agent started.
func (a *Agent) Profile() Profile {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.profile
}

// Notices returns what should be seen about the start: tools that lost their
// name to another, schemas that are held back or checked in part.
func (a *Agent) Notices() []Notice {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.notices
}

// ToolInfo is a tool of a started agent.
type ToolInfo struct {
	Name     string // the name by which the model calls it
	Title    string
	Source   tool.Source
	Declared Class // by the application
	Class    Class // the class that it runs under
	// Held says why the tool is not offered in any mode; "" where it may be.
	Held string
	// Verdicts are what happens in each mode, by [Off], [ReadOnly], [Ask], [Auto].
	Verdicts [4]Verdict
}

// Tools lists the tools with the classes they run under (SPEC T3b). Before Start
// there are none.
func (a *Agent) Tools() []ToolInfo {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.engine == nil {
		return nil
	}
	p := a.c.authority.Policy()
	var list []ToolInfo
	for _, t := range a.engine.Toolbox().All() {
		e, _ := a.set.Lookup(t.Wire)
		info := ToolInfo{Name: t.Wire, Title: e.Tool.Title, Source: e.Tool.Source, Declared: e.Tool.Class}
		for m := Off; m <= Auto; m++ {
			d, _ := p.Offer(&policy.Facts{Tool: t.Tool, Agent: a.profile.Slug, Groups: a.c.groups, Mode: m})
			info.Class, info.Verdicts[m] = d.Class, d.Verdict
			if d.Basis == policy.BasisHeld {
				info.Held = d.Reason()
			}
		}
		list = append(list, info)
	}
	return list
}

// Answer gives a person's answer to an open question, by its id and the digest
// that was shown. It serves applications that keep their own desk.
func (a *Agent) Answer(id, digest string, answer approval.Answer, by approval.Decided) error {
	e, err := a.live()
	if err != nil {
		return err
	}
	return e.Answer(id, digest, answer, by)
}

// CheckEdit says what is wrong with arguments that a person would put in place
// of those of an open question: nil, or an error with code fault.BadArguments. A
// handler or a desk answers only once, so a form checks before it answers;
// changed arguments that do not fit count as no decision (SPEC P8, P11).
func (a *Agent) CheckEdit(approval string, args []byte) error {
	e, err := a.live()
	if err != nil {
		return err
	}
	return e.CheckEdit(approval, args)
}

// Close cancels what runs, waits for it at most for the grace time, and closes
// the tool sources. Questions stay open in the journal. Turns that are being
// read end with fault.Closed. An error with code fault.OutcomeUnknown says that
// a tool ignored its cancellation and still runs. Close may be called more than
// once.
func (a *Agent) Close() error {
	a.closing.Do(func() { a.closeErr = a.shut() })
	return a.closeErr
}

// shut holds no lock: tools that come back may still look at their agent.
func (a *Agent) shut() error {
	a.mu.Lock()
	a.closed = true
	e, asker := a.engine, a.asker
	a.mu.Unlock()
	var errs []error
	if e != nil {
		errs = append(errs, e.Close())
	}
	if asker != nil {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // their contexts end; a handler that ignores that is not waited for
		_ = asker.Shutdown(ctx)
	}
	for _, s := range a.c.sources {
		if c, ok := s.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}
