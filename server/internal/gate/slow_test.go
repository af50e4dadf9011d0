package gate_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/server/internal/gate"
)

// pipes is a listener whose connections are in this process, so that their time
// can be a bubble's.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	here, there := net.Pipe()
	p <- there
	return here
}

// drip writes a byte every ten seconds and returns how long it could.
func drip(c net.Conn, head, rest string) time.Duration {
	began := time.Now()
	go io.Copy(io.Discard, c) // until the other side has had enough
	io.WriteString(c, head)
	for i := range rest {
		time.Sleep(10 * time.Second)
		if _, err := io.WriteString(c, rest[i:i+1]); err != nil {
			break
		}
	}
	return time.Since(began)
}

// Case G-H12: whoever sends slowly is cut off, and holds up nobody else.
func TestSlowSendersAreCutOff(t *testing.T) {
	head := message("POST", "/", "", "Content-Type: application/json", "Content-Length: 100")
	for _, c := range []struct{ name, head, rest string }{
		{"a slow head", "GET / HTTP/1.1\r\n", strings.Repeat("x", 20)},
		{"a slow body", head, strings.Repeat("x", 20)},
		{"a slow body in pieces", message("POST", "/", "", "Content-Type: application/json", "Transfer-Encoding: chunked"), strings.Repeat("1\r\nx\r\n", 20)},
		{"a slow body that nobody wants", strings.Replace(head, "alice", "bad", 1), strings.Repeat("x", 20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got seen
				srv := gate.Server(newGate(t, &got, gate.Options{BodyTime: 15 * time.Second}))
				p := make(pipes)
				go srv.Serve(p)
				var wg sync.WaitGroup
				for range 1000 {
					conn := p.dial()
					wg.Go(func() {
						if spent := drip(conn, c.head, c.rest); spent > 30*time.Second {
							t.Errorf("could go on for %v", spent)
						}
						conn.Close()
					})
				}
				time.Sleep(time.Second)
				quick := p.dial()
				began := time.Now()
				go io.WriteString(quick, message("POST", "/", "{}", "Authorization: Bearer bob", "Connection: close"))
				answer, _ := io.ReadAll(quick)
				if !strings.HasPrefix(string(answer), "HTTP/1.1 200") || time.Since(began) > time.Second {
					t.Errorf("meanwhile another one is answered %q after %v", answer, time.Since(began))
				}
				wg.Wait()
				close(p)
				srv.Close()
				if got.count != 1 {
					t.Errorf("the handler was called %d times", got.count)
				}
			})
		})
	}
}

func TestABodyInTimeLeavesTheAnswerAllTheTimeItNeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(time.Hour):
			case <-r.Context().Done():
				t.Error("the request was cut off")
			}
		})
		srv := gate.Server(newGate(t, slow, gate.Options{}))
		p := make(pipes)
		go srv.Serve(p)
		conn := p.dial()
		go io.WriteString(conn, message("POST", "/", "{}", "Connection: close"))
		answer, _ := io.ReadAll(conn)
		if !strings.HasPrefix(string(answer), "HTTP/1.1 200") {
			t.Errorf("answered %q", answer)
		}
		close(p)
		srv.Close()
	})
}

func TestCompressedBodiesAreBoundedByWhatComesOutOfThem(t *testing.T) {
	pack := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
		return b.String()
	}
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"JSON", pack(`{"a":1}`), 200},
		{"a megabyte of blanks in a kilobyte", pack(strings.Repeat(" ", 1<<20) + "{}"), 413},
		{"a key that is there twice", pack(`{"a":1,"a":2}`), 400},
		{"no gzip", "{}", 400},
		{"gzip without its end", pack(`{"a":1}`)[:12], 400},
		{"something behind it", pack(`{"a":1}`) + "x", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got seen
			srv := start(t, &got, gate.Options{Gzip: true})
			res, body := raw(t, srv, message("POST", "/", c.body, "Content-Encoding: gzip"))
			if res.StatusCode != c.status {
				t.Errorf("answered %d %s, want %d", res.StatusCode, body, c.status)
			}
			if c.status == 200 && (got.body != `{"a":1}` || got.header.Get("Content-Encoding") != "") {
				t.Errorf("the handler got %q with the encoding %q", got.body, got.header.Get("Content-Encoding"))
			}
		})
	}
}
