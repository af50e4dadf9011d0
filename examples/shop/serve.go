package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/assentdev/assent/resource"
)

// serve serves the pages until ctx ends. Whoever is at this machine is signed in
// as o.as, so only names of this machine are served: a page of a stranger could
// make its own name lead here.
func serve(ctx context.Context, app *resource.App, o options, log *slog.Logger, out io.Writer) error {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return fmt.Errorf("-addr: %w", err)
	}
	pages, err := app.Handler(&resource.HandlerOptions{
		Hosts: []string{"127.0.0.1", "localhost", "::1", cmp.Or(host, "localhost")},
		Caller: func(*http.Request) (resource.Caller, error) {
			return resource.Caller{Principal: o.as, Groups: []string{"staff"}}, nil
		},
	})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "http://%s/\nThe shop's desk, for %s. Ctrl-C ends it.\n", reached(l.Addr()), cmp.Or(o.as, "nobody, who may do nothing"))
	server := &http.Server{
		Handler: pages, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err = server.Shutdown(wait)
	<-ended // http.ErrServerClosed
	return err
}

// reached is an address at which a browser of this machine finds the listener.
func reached(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
