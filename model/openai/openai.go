// Package openai asks models over the chat completions API: OpenAI's own, and
// every server that speaks it.
//
// It streams, joins parallel calls from their pieces, counts tokens, and tries
// again where a server is busy or a stream is cut. It never repairs what a model
// wrote: names, arguments and duplicate ids come out as they came in, for the
// checks of a session to judge. The one exception is strict mode, where it takes
// out again what it made the model put in (SPEC A7).
package openai

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// Options says which model to ask, and how. Nothing is read from the
// environment: a key of one server must not reach another by accident.
type Options struct {
	// BaseURL is the address below which chat/completions lies, such as
	// "http://localhost:11434/v1". Empty: OpenAI's.
	BaseURL string
	// Key is sent as a bearer token. Empty: none is sent.
	Key string
	// Model is the server's name of the model. It must be given.
	Model string

	// Strict offers tools for strict function calling, where a server makes the
	// model obey the schema while it writes. Tools whose schemas have no strict
	// form are offered beside them as they are.
	Strict bool
	// Temperature is sent if it is not nil.
	Temperature *float64
	// Extra are further members of the request, such as "max_completion_tokens"
	// or "reasoning_effort". What this package writes itself is refused.
	Extra map[string]any

	// MaxRetries is how often a request is made again after a failure that may
	// pass. Zero: 2. Negative: never.
	MaxRetries int
	// Backoff is about how long to wait before the first retry, where the server
	// does not say. It doubles up to 16 times that. Zero: 500 ms.
	Backoff time.Duration
	// Idle is how long the server may stay silent, before its answer and between
	// two pieces of it. Zero: 10 minutes.
	Idle time.Duration

	// Headers are sent with each request.
	Headers http.Header
	// HTTPClient carries the requests. Nil: http.DefaultClient. Give it a
	// transport with more idle connections for each host where many sessions run
	// at once.
	HTTPClient *http.Client
	// Logger gets a line for each retry. Nil is silent.
	Logger *slog.Logger
}

// DefaultBaseURL is where OpenAI's own models are.
const DefaultBaseURL = "https://api.openai.com/v1"

// Model is a model behind a chat completions API. It is safe for concurrent use.
type Model struct {
	client  openai.Client
	name    string
	key     string
	strict  bool
	retries int
	backoff time.Duration
	idle    time.Duration
	log     *slog.Logger
	head    []byte // the request up to what differs

	// plainUsage is set once the server refused stream_options.
	plainUsage atomic.Bool
}

var _ model.Model = (*Model)(nil)

// New returns a model. It sends nothing. An error has code fault.BadConfig.
func New(o Options) (*Model, error) {
	if o.Model == "" {
		return nil, fault.New(fault.BadConfig, "openai: no model is named: set Options.Model")
	}
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	if u, err := url.Parse(o.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fault.New(fault.BadConfig, "openai: Options.BaseURL is no http or https address")
	}
	head, err := headOf(o)
	if err != nil {
		return nil, err
	}
	m := &Model{
		client: openai.Client{Options: clientOptions(o)},
		name:   o.Model, key: o.Key, strict: o.Strict, head: head,
		retries: o.MaxRetries, backoff: o.Backoff, idle: o.Idle, log: o.Logger,
	}
	switch {
	case m.retries == 0:
		m.retries = 2
	case m.retries < 0:
		m.retries = 0
	}
	if m.backoff <= 0 {
		m.backoff = 500 * time.Millisecond
	}
	if m.idle <= 0 {
		m.idle = 10 * time.Minute
	}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	return m, nil
}

// headOf returns the request up to the members that differ between requests.
func headOf(o Options) ([]byte, error) {
	for _, own := range []string{"model", "messages", "tools", "stream", "stream_options", "n"} {
		if _, ok := o.Extra[own]; ok {
			return nil, fault.New(fault.BadConfig, "openai: Options.Extra must not set %q", own)
		}
	}
	b := append(appendString([]byte(`{"model":`), o.Model), `,"stream":true`...)
	if o.Temperature != nil {
		t, err := json.Marshal(*o.Temperature)
		if err != nil {
			return nil, fault.Wrap(err, fault.BadConfig, "openai: Options.Temperature is no number")
		}
		b = append(append(b, `,"temperature":`...), t...)
	}
	if len(o.Extra) == 0 {
		return b, nil
	}
	extra, err := json.Marshal(o.Extra)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadConfig, "openai: Options.Extra has no JSON form")
	}
	return append(append(b, ','), extra[1:len(extra)-1]...), nil
}

// clientOptions sets the client up without the defaults that it would read from
// the environment, without its own retries, which would not count together with
// those after a cut stream, and without telling every server about this machine.
func clientOptions(o Options) []option.RequestOption {
	opts := []option.RequestOption{
		option.WithBaseURL(o.BaseURL),
		option.WithMaxRetries(0),
		option.WithMiddleware(shortErrors),
		option.WithHeader("User-Agent", "assent"),
	}
	for _, name := range []string{"Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"} {
		opts = append(opts, option.WithHeaderDel("X-Stainless-"+name))
	}
	if o.HTTPClient != nil {
		opts = append(opts, option.WithHTTPClient(o.HTTPClient))
	}
	if o.Key != "" {
		opts = append(opts, option.WithAPIKey(o.Key))
	}
	for name, values := range o.Headers {
		opts = append(opts, option.WithHeaderDel(name))
		for _, v := range slices.Clone(values) {
			opts = append(opts, option.WithHeaderAdd(name, v))
		}
	}
	return opts
}

// Generate implements model.Model. Texts of its errors name what an operator can
// do; what the server said is in the cause, a *ServerError.
func (m *Model) Generate(ctx context.Context, req *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	x := &exchange{m: m, req: req, emit: emit}
	for attempt := 0; ; attempt++ {
		answer, err := x.try(ctx)
		if err == nil {
			answer.Attempts = x.sent
			return answer, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f := failureOf(err)
		wait, ok := f.wait(attempt, m.backoff)
		if !ok || attempt == m.retries {
			return nil, f.fault(m, x.sent)
		}
		m.log.LogAttrs(ctx, slog.LevelWarn, "asking the model again", slog.String("model", m.name),
			slog.Int("attempt", x.sent), slog.Duration("wait", wait), slog.Any("err", f))
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
		x.reset()
	}
}
