package openai_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// dialCounter counts the connections that a client opens.
type dialCounter struct{ n atomic.Int32 }

func (d *dialCounter) client(t *testing.T) *http.Client {
	tr := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		d.n.Add(1)
		return new(net.Dialer).DialContext(ctx, network, addr)
	}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// reply is one answer of a replies transport. Err is in place of an answer.
type reply struct {
	status int
	header map[string]string
	body   string
	err    error
	stall  bool // the body never ends by itself
}

// replies is a transport without a network, so that synctest can pass the time.
// It notes when it was asked.
type replies struct {
	mu   sync.Mutex
	list []reply
	at   []time.Time
	ends int // bodies that were read to their end
}

func (r *replies) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
		_ = req.Body.Close()
	}
	r.at = append(r.at, time.Now())
	next := r.list[min(len(r.at), len(r.list))-1]
	if next.err != nil {
		return nil, next.err
	}
	res := &http.Response{StatusCode: next.status, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: req}
	for k, v := range next.header {
		res.Header.Set(k, v)
	}
	var body io.Reader = strings.NewReader(next.body)
	if next.stall {
		body = io.MultiReader(body, stalled{req.Context()})
	}
	res.Body = io.NopCloser(noted{body, &r.ends})
	return res, nil
}

// noted counts the ends that were read.
type noted struct {
	io.Reader
	ends *int
}

func (n noted) Read(p []byte) (int, error) {
	k, err := n.Reader.Read(p)
	if err == io.EOF {
		*n.ends++
	}
	return k, err
}

// waits returns the times between the requests.
func (r *replies) waits() []time.Duration {
	var d []time.Duration
	for i := 1; i < len(r.at); i++ {
		d = append(d, r.at[i].Sub(r.at[i-1]))
	}
	return d
}

type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// bodies is replies that keep the last request's body.
type bodies struct {
	replies
	last string
}

func (b *bodies) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	b.last = string(body)
	return b.replies.RoundTrip(req)
}

func client(rt http.RoundTripper) *http.Client { return &http.Client{Transport: rt} }
