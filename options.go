package assent

import (
	"context"
	"log/slog"
	"time"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
	"go.opentelemetry.io/otel/trace"
)

// Limits bound one turn; see package turn.
type Limits = turn.Limits

// App describes the application to administrators; see package manifest.
type App = manifest.App

// Option configures an agent.
type Option func(*config)

type config struct {
	slug         string
	instructions string
	model        model.Model
	tools        []*Tool
	sources      []ToolSource
	handler      approval.Handler
	desk         approval.Desk
	mode         *Mode
	app          App
	limits       Limits
	wait         time.Duration
	refuse       bool
	quiet        bool
	reader       bool
	authority    Authority
	journal      journal.Journal
	principal    string
	groups       []string
	log          *slog.Logger
	tracer       trace.Tracer
	grace        time.Duration
	crash        func(string)
	errs         []error
}

// WithModel sets the model. Without one only [Session.Call] works.
func WithModel(m model.Model) Option { return func(c *config) { c.model = m } }

// WithInstructions sets what the model is told before every conversation.
func WithInstructions(text string) Option { return func(c *config) { c.instructions = text } }

// WithTools adds tools of the application.
func WithTools(tools ...*Tool) Option {
	return func(c *config) { c.tools = append(c.tools, tools...) }
}

// WithToolSource adds a source of tools that is asked when the agent starts
// (SPEC S4). A tool of WithTools wins over one of the same name, and a source
// that was added earlier over a later one (SPEC T7).
func WithToolSource(s ToolSource) Option {
	return func(c *config) { c.sources = append(c.sources, s) }
}

// WithApprovals sets who is asked: an object with the method Request. Without a
// handler and without a desk the answer is no (SPEC P1).
func WithApprovals(h approval.Handler) Option { return func(c *config) { c.handler = h } }

// WithApprovalFunc is WithApprovals for a function.
func WithApprovalFunc(f func(ctx context.Context, r approval.Request) (approval.Answer, error)) Option {
	return WithApprovals(approval.Func(f))
}

// WithDesk sets a desk instead of a handler: an approval.Broker, which turns
// requests into cards, or one of your own. An open request then needs no
// goroutine.
func WithDesk(d approval.Desk) Option { return func(c *config) { c.desk = d } }

// WithDefaultMode makes the mode in which sessions start stricter than Ask; it
// cannot make it wider (SPEC C4).
func WithDefaultMode(m Mode) Option { return func(c *config) { c.mode = &m } }

// WithApp describes the application (SPEC M1).
func WithApp(a App) Option { return func(c *config) { c.app = a } }

// WithLimits bounds turns (SPEC S6).
func WithLimits(l Limits) Option { return func(c *config) { c.limits = l } }

// WithApprovalWait closes questions that nobody answers in time. Zero, the
// default, waits without limit (SPEC P4).
func WithApprovalWait(d time.Duration) Option { return func(c *config) { c.wait = d } }

// WithGrace sets how long a tool may take to come back after it was cancelled;
// then its outcome is unknown, unless it only reads. Default 5 s.
func WithGrace(d time.Duration) Option { return func(c *config) { c.grace = d } }

// WithRefusedMessages refuses a new message while a turn is open, with
// fault.Busy. By default the new message supersedes the turn (SPEC P12).
func WithRefusedMessages() Option { return func(c *config) { c.refuse = true } }

// WithPolicy decides by a fixed document: contract, rules and limits as data.
// A document that does not compile is an error of New.
func WithPolicy(d *policy.Document) Option {
	return func(c *config) {
		a, err := Local(Profile{}, d)
		c.authority = a
		c.errs = append(c.errs, err)
	}
}

// WithAuthority sets where profile and policy come from. A server's client
// implements the same interface.
func WithAuthority(a Authority) Option { return func(c *config) { c.authority = a } }

// WithoutEventReporting sends no manifest (SPEC M2).
func WithoutEventReporting() Option { return func(c *config) { c.quiet = true } }

// WithJournal sets where the log is kept. The default is in memory, and then
// everything ends with the process. The caller closes it after the agent.
func WithJournal(j journal.Journal) Option { return func(c *config) { c.journal = j } }

// WithPrincipal names the user of the agent's sessions, and the user's groups.
// Rules and limits look at the groups, and a tool learns both from [CallFrom].
func WithPrincipal(name string, groups ...string) Option {
	return func(c *config) { c.principal, c.groups = name, groups }
}

// WithLogger sets where the agent logs. Arguments and results are never logged.
// The default is silent.
func WithLogger(l *slog.Logger) Option { return func(c *config) { c.log = l } }

// WithTracer sets a tracer: a span for each request to the model and each run of
// a tool. The default is none.
func WithTracer(t trace.Tracer) Option { return func(c *config) { c.tracer = t } }

// WithCrashPoints calls f at the named points of a call's path. Tests that kill
// the process use it; see package assenttest.
func WithCrashPoints(f func(point string)) Option { return func(c *config) { c.crash = f } }
