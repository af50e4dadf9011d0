package gate

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/netip"
	"strings"
)

// infoKey is the key of a request's *info.
type infoKey struct{}

// info is what the gate knows of a request.
type info struct {
	id     string
	sender netip.Addr
	body   Body
}

func infoOf(ctx context.Context) *info {
	if i, ok := ctx.Value(infoKey{}).(*info); ok {
		return i
	}
	return &info{}
}

// RequestID returns the id of the request that ctx belongs to: the reference of
// its error, if there is one. "" if no gate saw it.
func RequestID(ctx context.Context) string { return infoOf(ctx).id }

// Sender returns the address that the request of ctx came from, behind the
// proxies that are believed; the zero address if it is not known.
func Sender(ctx context.Context) netip.Addr { return infoOf(ctx).sender }

// BodyOf returns the body of the request that ctx belongs to, without reading it
// again; the zero Body if it has none.
func BodyOf(ctx context.Context) Body { return infoOf(ctx).body }

// requestID is the sender's id of a request if it is well formed, or a new one.
func requestID(given string) string {
	odd := func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("._-", r))
	}
	if len(given) >= 8 && len(given) <= 64 && !strings.ContainsFunc(given, odd) {
		return given
	}
	return strings.ToLower(rand.Text())
}

// forwarded are headers by which a sender, or a proxy, says that a request is
// another one than it seems. Nothing behind the gate gets to see them.
var forwarded = []string{
	"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Server",
	"X-Real-Ip", "True-Client-Ip", "X-Original-Url", "X-Rewrite-Url", "X-Http-Method-Override", "X-Http-Method", "X-Method-Override",
}

func strip(h http.Header) {
	for _, name := range forwarded {
		h.Del(name)
	}
}

// sender is the address of the peer, or of whom the nearest proxies that are
// believed say that they forward for.
func (g *Gate) sender(r *http.Request) netip.Addr {
	peer := address(r.RemoteAddr)
	if !g.believes(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		a, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			return peer
		}
		if peer = a.Unmap().WithZone(""); !g.believes(peer) {
			return peer
		}
	}
	return peer
}

func (g *Gate) believes(a netip.Addr) bool {
	for _, p := range g.o.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// address reads http.Request.RemoteAddr; a socket without one has the zero address.
func address(remote string) netip.Addr {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap().WithZone("")
}

// network is what counts as one address: a home gets 64 bits of IPv6 at least.
func network(a netip.Addr) netip.Prefix {
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits)
	return p
}

// headers are those of every answer. A handler of pages sets its own.
func headers(h http.Header, r *http.Request) {
	h.Set("X-Request-Id", RequestID(r.Context()))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	if r.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// writer knows whether an answer has begun.
type writer struct {
	http.ResponseWriter
	begun bool
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *writer) WriteHeader(status int) {
	w.begun = w.begun || status >= 200
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(b []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(b)
}

// Flush is for libraries that look for http.Flusher.
func (w *writer) Flush() { w.FlushError() }

// FlushError is for http.ResponseController.
func (w *writer) FlushError() error {
	w.begun = true
	return http.NewResponseController(w.ResponseWriter).Flush()
}
