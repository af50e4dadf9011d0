// Package gate looks once at every request, strictly, before any library reads
// its body (SPEC V2, V10).
//
// What passes was meant for this server, does not come from a stranger's page, is
// sent by somebody who is known and not too often, and has a body that every
// reader reads alike. The handler behind gets the body's own bytes, read whole.
// Everything else is answered here, always in one form:
//
//	{"error":{"code":"bad_json","message":"…","reference":"…"}}
//
// The steps stand in the order of their cost: what the head of a request says,
// who sent it, how often, and only then its body. So nobody who is not known can
// make the server keep or parse anything.
package gate

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate/rate"
)

// Options configures a gate. Nil and every zero field mean the default.
type Options struct {
	// Hosts are the names under which the server may be asked for, with a port or,
	// for any port, without. A page of a stranger can make its own name lead to this
	// machine, so other names are refused. Default: localhost, 127.0.0.1 and [::1].
	Hosts []string
	// Origins are other sites whose pages may send requests, as scheme://host[:port].
	// Default: none.
	Origins []string
	// Proxies are the networks of proxies whose X-Forwarded-For is believed.
	// Default: none, and the header is ignored.
	Proxies []netip.Prefix

	// Identify says who sent a request: the context for the handler, made from
	// the request's, and the id under which requests are counted. It sees no body. Its error is the answer;
	// one without a fault code is not shown. Nil: nobody is known, and only open
	// classes are served.
	Identify func(r *http.Request) (ctx context.Context, id string, err error)
	// Classify says what kind of request it is. It sees no body. Nil: [Class]{}.
	Classify func(r *http.Request) Class

	// Keys bounds the requests of each id that Identify returned. Default: 50 a
	// second, 200 at once.
	Keys rate.Limit
	// Addresses bounds the requests of each address that are sent by nobody who is
	// known: those of open classes, and those that failed to say who sends them.
	// Default: 5 a second, 40 at once. An IPv6 network of 64 bits is one address.
	Addresses rate.Limit
	// Most bounds the requests that are answered at the same time; those of open
	// classes get a quarter of it. Default: 1,024.
	Most int
	// MostOfKey bounds those of each id, streams and others counted apart. Default: 64.
	MostOfKey int

	// BodyTime is how long a body may take to arrive. Default: 10 seconds.
	BodyTime time.Duration
	// Gzip accepts bodies that are compressed; the limits hold for what comes out.
	Gzip bool

	// Log is told of refusals, a few a second at most with a count of the others,
	// and of panics. It never gets a body, a query or a credential. Nil is silent.
	Log *slog.Logger
	// Now is the clock of the limits. Nil: time.Now.
	Now func() time.Time
}

// Gate is an http.Handler in front of another one. Make one with [New].
type Gate struct {
	o         Options
	next      http.Handler
	hosts     map[string]bool
	cross     *http.CrossOriginProtection
	keys      *rate.Limiter[string]
	addresses *rate.Limiter[netip.Prefix]
	crowd     crowd
	refusals  *noise
	panics    *noise
}

// New puts a gate before a handler. Its error has code fault.BadConfig: a host
// or an origin is not well formed.
func New(next http.Handler, opts *Options) (*Gate, error) {
	g := &Gate{next: next, cross: http.NewCrossOriginProtection()}
	if opts != nil {
		g.o = *opts
	}
	g.defaults()
	var err error
	if g.hosts, err = hostSet(g.o.Hosts); err != nil {
		return nil, err
	}
	for _, origin := range g.o.Origins {
		if err := g.cross.AddTrustedOrigin(origin); err != nil {
			return nil, fault.Wrap(err, fault.BadConfig, "the origin %q is not of the form https://host:port", origin)
		}
	}
	g.keys = rate.New[string](g.o.Keys, 0, g.o.Now)
	g.addresses = rate.New[netip.Prefix](g.o.Addresses, 0, g.o.Now)
	g.crowd = crowd{in: map[seat]int{}, most: g.o.Most, mostOfKey: g.o.MostOfKey}
	g.refusals, g.panics = newNoise(g.o.Log, g.o.Now), newNoise(g.o.Log, g.o.Now)
	return g, nil
}

func (g *Gate) defaults() {
	o := &g.o
	if len(o.Hosts) == 0 {
		o.Hosts = []string{"localhost", "127.0.0.1", "[::1]"}
	}
	if o.Identify == nil {
		o.Identify = func(*http.Request) (context.Context, string, error) {
			return nil, "", fault.New(Unauthenticated, "Nobody can sign in here.")
		}
	}
	if o.Classify == nil {
		o.Classify = func(*http.Request) Class { return Class{} }
	}
	o.Keys = limitOr(o.Keys, rate.Limit{PerSecond: 50, Burst: 200})
	o.Addresses = limitOr(o.Addresses, rate.Limit{PerSecond: 5, Burst: 40})
	o.Most, o.MostOfKey = or(o.Most, 1024), or(o.MostOfKey, 64)
	o.BodyTime = or(o.BodyTime, 10*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

func or[T int | int64 | float64 | time.Duration](v, preset T) T {
	if v <= 0 {
		return preset
	}
	return v
}

func limitOr(l, preset rate.Limit) rate.Limit {
	return rate.Limit{PerSecond: or(l.PerSecond, preset.PerSecond), Burst: or(l.Burst, preset.Burst)}
}

// ServeHTTP lets a request pass or answers it.
func (g *Gate) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w := &writer{ResponseWriter: rw}
	r, sender := g.name(r)
	defer g.recovered(w, r)
	headers(w.Header(), r)
	g.hurry(w, r)

	class := g.o.Classify(r).orDefaults()
	err := g.checkHead(r, &class)
	if err == nil {
		err = g.serve(w, r, sender, &class)
	}
	if err != nil {
		g.refuse(w, r, sender, err)
	}
}

// name gives a request its id and its sender's address, and takes away what the
// sender says about them.
func (g *Gate) name(r *http.Request) (*http.Request, netip.Addr) {
	sender := g.sender(r)
	id := requestID(r.Header.Get("X-Request-Id"))
	r = r.WithContext(context.WithValue(r.Context(), infoKey{}, &info{id: id, sender: sender}))
	r.Header = r.Header.Clone()
	strip(r.Header)
	return r, sender
}

// serve is the way of a request whose head is in order.
func (g *Gate) serve(w *writer, r *http.Request, sender netip.Addr, class *Class) error {
	r, id, err := g.identify(r, sender, class)
	if err != nil {
		return err
	}
	leave, err := g.crowd.enter(seat{id: id, stream: class.Stream})
	if err != nil {
		return err
	}
	defer leave()
	if r, err = g.readBody(w, r, class); err != nil {
		return err
	}
	g.next.ServeHTTP(w, r)
	return nil
}

// identify says who sent a request, and whether there is one left for them. Who
// proves to be known is not held up by others at the same address.
func (g *Gate) identify(r *http.Request, sender netip.Addr, class *Class) (*http.Request, string, error) {
	if class.Open {
		return r, "", g.tooMany(g.addresses.Take(network(sender)))
	}
	ctx, id, err := g.o.Identify(r)
	if err != nil {
		if many := g.tooMany(g.addresses.Take(network(sender))); many != nil {
			err = many
		}
		return nil, "", err
	}
	return r.WithContext(ctx), id, g.tooMany(g.keys.Take(id))
}

func (g *Gate) tooMany(ok bool, wait time.Duration) error {
	if ok {
		return nil
	}
	return later(wait, RateLimited, "Too many requests. Wait as long as Retry-After says.")
}

// hurry bounds the time for a body, whether it is read here or thrown away by the
// server after a refusal. When a body has arrived net/http takes the deadline
// away, so the answer may take long.
func (g *Gate) hurry(w *writer, r *http.Request) {
	if r.ContentLength != 0 {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(g.o.BodyTime))
	}
}

// refuse answers for the gate. A body that was not read makes the connection
// useless.
func (g *Gate) refuse(w *writer, r *http.Request, sender netip.Addr, err error) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
	}
	g.refusals.say(r.Context(), slog.LevelInfo, fault.CodeOf(err), "refused a request",
		"code", fault.CodeOf(err), "reference", RequestID(r.Context()), "address", sender.String(), "method", clip(r.Method))
	WriteError(w, r, err)
}

// recovered turns a panic into an answer. If one has begun, the connection is
// cut, so that nobody takes half of it for the whole.
func (g *Gate) recovered(w *writer, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	g.panics.say(r.Context(), slog.LevelError, fault.Internal, "panic",
		"reference", RequestID(r.Context()), "value", fmt.Sprint(v), "stack", string(debug.Stack()))
	if w.begun {
		panic(http.ErrAbortHandler)
	}
	clear(w.Header())
	headers(w.Header(), r)
	WriteError(w, r, fmt.Errorf("panic: %v", v))
}
