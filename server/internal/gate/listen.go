package gate

import (
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/assentdev/assent/fault"
)

// Server returns an http.Server for a handler, with time limits for what comes
// before the gate: 10 seconds for a request's head, two minutes between two
// requests. Bodies have the gate's time limit; answers have none, since streams
// go on.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
}

// CheckListen says whether a server may listen at an address, host:port. Keys
// must not travel where others can read them: so without TLS it is this machine
// only, unless somebody says that plain text is what they want, because a proxy
// that speaks TLS stands before it. The error has code fault.BadConfig.
func CheckListen(address string, tls, plain bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fault.Wrap(err, fault.BadConfig, "the address %q is not of the form host:port", address)
	}
	if tls || plain || loopback(host) {
		return nil
	}
	return fault.New(fault.BadConfig, "the address %q can be reached from other machines, and without TLS they could read every key: "+
		"listen on 127.0.0.1, configure TLS, or say that a proxy with TLS stands before the server", address)
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}
