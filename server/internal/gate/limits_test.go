package gate_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate"
	"github.com/assentdev/assent/server/internal/gate/rate"
)

// get sends a GET to a gate without a connection.
func get(h http.Handler, path, token, from string, lines ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	r.Host, r.RemoteAddr = "localhost", from
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const home = "192.0.2.1:4000"

func TestEachKeyHasItsOwnLimitAndIsToldHowLongToWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, &seen{}, gate.Options{Keys: rate.Limit{PerSecond: 0.5, Burst: 3}})
		for range 3 {
			if w := get(g, "/", "alice", home); w.Code != 200 {
				t.Fatalf("within the limit: %d", w.Code)
			}
		}
		w := get(g, "/", "alice", "198.51.100.7:1")
		if w.Code != 429 || w.Header().Get("Retry-After") != "2" || codeOf(t, w.Body.String()) != gate.RateLimited {
			t.Errorf("beyond it: %d, Retry-After %q, %s", w.Code, w.Header().Get("Retry-After"), w.Body)
		}
		if w := get(g, "/", "bob", home); w.Code != 200 {
			t.Errorf("another key at the same address: %d", w.Code)
		}
		time.Sleep(2 * time.Second)
		if w := get(g, "/", "alice", home); w.Code != 200 {
			t.Errorf("after the wait: %d", w.Code)
		}
	})
}

// Whoever tries keys at an address is slowed down, and holds up nobody at the same
// address who has a good one.
//
// proves: V4
func TestFailuresAreLimitedByAddressAndGoodKeysAreNotLockedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, &seen{}, gate.Options{Addresses: rate.Limit{PerSecond: 1, Burst: 5}})
		codes := map[int]int{}
		for i := range 100 {
			codes[get(g, "/", fmt.Sprint("bad", i), home).Code]++
		}
		if codes[401] != 5 || codes[429] != 95 {
			t.Errorf("failures were answered %v, want 5 of 401 and 95 of 429", codes)
		}
		if w := get(g, "/", "alice", home); w.Code != 200 {
			t.Errorf("a good key at that address: %d", w.Code)
		}
		if w := get(g, "/", "bad", "198.51.100.7:1"); w.Code != 401 {
			t.Errorf("a bad key at another address: %d", w.Code)
		}
	})
}

func TestAHomeIsOneAddress(t *testing.T) {
	for _, c := range []struct {
		name, first, second string
		status              int
	}{
		{"ports are one address", home, "192.0.2.1:4001", 429},
		{"another address is another one", home, "192.0.2.2:4000", 200},
		{"64 bits of IPv6 are one", "[2001:db8::1]:1", "[2001:db8::ffff:1]:1", 429},
		{"other 64 bits are another one", "[2001:db8::1]:1", "[2001:db8:0:1::1]:1", 200},
		{"a zone is none of the address", "[fe80::1%eth0]:1", "[fe80::2%eth1]:1", 429},
		{"IPv4 in IPv6 is IPv4", home, "[::ffff:192.0.2.1]:1", 429},
		{"other IPv4 in IPv6 is not", home, "[::ffff:192.0.2.2]:1", 200},
		{"a socket without addresses is one", "@", "", 429},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate(t, &seen{}, gate.Options{Addresses: rate.Limit{Burst: 1}})
				get(g, "/open", "", c.first)
				if w := get(g, "/open", "", c.second); w.Code != c.status {
					t.Errorf("the second is answered %d, want %d", w.Code, c.status)
				}
			})
		})
	}
}

// Case G-H11.
func TestWhatASenderSaysAboutItselfIsNotBelieved(t *testing.T) {
	lies := []string{"X-Forwarded-For: 127.0.0.1", "X-Forwarded-Host: localhost", "X-Real-Ip: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-HTTP-Method-Override: DELETE"}
	var got seen
	get(newGate(t, &got, gate.Options{}), "/", "alice", home, lies...)
	if a := gate.Sender(got.ctx).String(); a != "192.0.2.1" {
		t.Errorf("the sender is %s", a)
	}
	for _, line := range lies {
		name, _, _ := strings.Cut(line, ":")
		if v := got.header.Get(name); v != "" {
			t.Errorf("the handler sees %s: %s", name, v)
		}
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct{ forwarded, want string }{
		{"198.51.100.7", "198.51.100.7"},
		{"127.0.0.1, 198.51.100.7, 10.1.2.3", "198.51.100.7"}, // what is left of it is the sender's own word
		{"198.51.100.7, rubbish", "192.0.2.1"},
		{"", "192.0.2.1"},
		{"10.1.1.1", "10.1.1.1"},
		{"::ffff:198.51.100.7", "198.51.100.7"},
	} {
		get(newGate(t, &got, gate.Options{Proxies: proxies}), "/", "alice", home, "X-Forwarded-For: "+c.forwarded)
		if a := gate.Sender(got.ctx).String(); a != c.want {
			t.Errorf("behind a proxy, forwarded for %q: the sender is %s, want %s", c.forwarded, a, c.want)
		}
	}
}

// blocker is a handler that answers when it is told to.
type blocker struct{ in, out chan struct{} }

func (b blocker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.in <- struct{}{}
	<-b.out
}

func TestAKeyHasSoManyRequestsAtTheSameTime(t *testing.T) {
	b := blocker{make(chan struct{}), make(chan struct{})}
	g := newGate(t, b, gate.Options{MostOfKey: 2, Most: 3})
	var wg sync.WaitGroup
	open := func(token string) {
		wg.Go(func() { get(g, "/", token, home) })
		<-b.in
	}
	open("alice")
	open("alice")
	if w := get(g, "/", "alice", home); w.Code != 429 || codeOf(t, w.Body.String()) != gate.TooManyAtOnce || w.Header().Get("Retry-After") == "" {
		t.Errorf("a third one of alice's: %d %s", w.Code, w.Body)
	}
	open("bob")
	if w := get(g, "/", "carol", home); w.Code != 503 || codeOf(t, w.Body.String()) != gate.Overloaded {
		t.Errorf("a fourth one of all: %d %s", w.Code, w.Body)
	}
	close(b.out)
	wg.Wait()
	go func() { <-b.in }()
	if w := get(g, "/", "alice", home); w.Code != 200 {
		t.Errorf("after the others have left: %d", w.Code)
	}
}

func TestWhoIsNotKnownGetsAQuarterOfTheRoom(t *testing.T) {
	b := blocker{make(chan struct{}), make(chan struct{})}
	g := newGate(t, b, gate.Options{Most: 8})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { get(g, "/open", "", home) })
		<-b.in
	}
	if w := get(g, "/open", "", home); w.Code != 503 || codeOf(t, w.Body.String()) != gate.Overloaded {
		t.Errorf("a third one of nobody's: %d %s", w.Code, w.Body)
	}
	wg.Go(func() { get(g, "/", "alice", home) })
	<-b.in // passes
	close(b.out)
	wg.Wait()
}

// Case G-R16: ten times more than there is room for, in bounded memory, and then
// as before.
func TestAnOverloadIsRefusedAndThenIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) }), gate.Options{Most: 20, MostOfKey: 20})
		var wg sync.WaitGroup
		var mu sync.Mutex
		codes := map[int]int{}
		for i := range 200 {
			wg.Go(func() {
				w := get(g, "/", fmt.Sprint("key", i), home)
				mu.Lock()
				defer mu.Unlock()
				codes[w.Code]++
			})
		}
		wg.Wait()
		if codes[200] != 20 || codes[503] != 180 {
			t.Errorf("answered %v, want 20 of 200 and 180 of 503", codes)
		}
		if w := get(g, "/", "alice", home); w.Code != 200 {
			t.Errorf("afterwards: %d", w.Code)
		}
	})
}

// Case G-R16: however many addresses somebody has, the gate's memory is bounded.
func TestManyAddressesDoNotGrowTheGate(t *testing.T) {
	g := newGate(t, &seen{}, gate.Options{})
	try := func(from, to int) {
		for i := from; i < to; i++ {
			r := httptest.NewRequest("GET", "/open", nil)
			r.Host, r.RemoteAddr = "localhost", fmt.Sprintf("[2001:db8:%x:%x::1]:1", i>>16, i&0xffff)
			g.ServeHTTP(nothing{http.Header{}}, r)
		}
	}
	try(0, rate.DefaultKeys) // as many as the gate remembers
	before := heap()
	try(rate.DefaultKeys, 2*rate.DefaultKeys)
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("another %d addresses took %d KiB", rate.DefaultKeys, grown>>10)
	}
	runtime.KeepAlive(g)
}

type nothing struct{ header http.Header }

func (n nothing) Header() http.Header         { return n.header }
func (n nothing) Write(b []byte) (int, error) { return len(b), nil }
func (n nothing) WriteHeader(int)             {}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

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

// Cases G-L07 and G-S08: refusals are told, tries without end cannot fill a disk,
// and nothing secret is told.
func TestRefusalsAreToldAndCannotFillADisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		g := newGate(t, &seen{}, gate.Options{Log: slog.New(slog.NewTextHandler(&out, nil))})
		r := httptest.NewRequest("GET", "http://localhost/?q=CANARY", nil)
		r.Header.Set("Authorization", "Bearer bad-CANARY")
		for range 100_000 {
			g.ServeHTTP(nothing{http.Header{}}, r)
		}
		do(g, "/", `{"CANARY":1,"CANARY":2}`)
		time.Sleep(time.Minute)
		get(g, "/", "bad", home)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) > 60 {
			t.Errorf("%d lines", len(lines))
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, "left_out") || !strings.Contains(last, "rate_limited:99950") {
			t.Errorf("the last line does not count the others: %s", last)
		}
		if first := lines[0]; !strings.Contains(first, "code=unauthenticated") || !strings.Contains(first, "address=192.0.2.1") || !strings.Contains(first, "reference=") {
			t.Errorf("the first line says %s", first)
		}
		if strings.Contains(out.String(), "CANARY") {
			t.Error("the log holds what was sent")
		}
	})
}

// Case G-R23.
func TestAPanicIsAnAnswerWithAReferenceAndHoldsNothing(t *testing.T) {
	var out bytes.Buffer
	fail := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Half", "done")
		panic("CANARY at /var/lib")
	})
	g := newGate(t, fail, gate.Options{MostOfKey: 1, Log: slog.New(slog.NewTextHandler(&out, nil))})
	for range 3 { // the one seat of the key is free again each time
		w := do(g, "/", "{}")
		if w.Code != 500 || codeOf(t, w.Body.String()) != fault.Internal || strings.Contains(w.Body.String(), "CANARY") {
			t.Errorf("answered %d %s", w.Code, w.Body)
		}
		if w.Header().Get("X-Half") != "" || w.Header().Get("X-Content-Type-Options") == "" {
			t.Errorf("with the headers %v", w.Header())
		}
		if id := w.Header().Get("X-Request-Id"); !strings.Contains(out.String(), "reference="+id) || !strings.Contains(w.Body.String(), id) {
			t.Errorf("the log does not know the reference %s: %s", id, out.String())
		}
	}
	if !strings.Contains(out.String(), "CANARY at /var/lib") || !strings.Contains(out.String(), "stack=") {
		t.Errorf("the log says %s", out.String())
	}
}

func TestAPanicWithinAnAnswerCutsTheConnection(t *testing.T) {
	srv := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"half":`)
		w.(http.Flusher).Flush()
		panic("late")
	}), gate.Options{})
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	res, err := http.DefaultClient.Do(mustRequest(t, srv.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("read %q to its end", body)
	}
}

func mustRequest(t testing.TB, url string) *http.Request {
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer alice")
	return r
}

func TestARequestHasAnIdOfItsSenderOrOfOurs(t *testing.T) {
	var got seen
	g := newGate(t, &got, gate.Options{})
	for _, c := range []struct {
		given string
		kept  bool
	}{
		{"01JD3X-abc_9.z", true}, {"", false}, {"short", false}, {"a b c d e f", false}, {"id\"onerror=1", false},
		{strings.Repeat("x", 65), false}, {"ümlaut-12345", false},
	} {
		w := get(g, "/", "alice", home, "X-Request-Id: "+c.given)
		id := gate.RequestID(got.ctx)
		if (id == c.given) != c.kept || len(id) < 8 || w.Header().Get("X-Request-Id") != id {
			t.Errorf("given %q: %q in the context, %q in the answer", c.given, id, w.Header().Get("X-Request-Id"))
		}
	}
}

func TestAnswersCarryTheHeadersOfSecurity(t *testing.T) {
	w := get(newGate(t, &seen{}, gate.Options{}), "/", "", home)
	for name, want := range map[string]string{
		"X-Content-Type-Options":       "nosniff",
		"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'", // G-D12
		"Cache-Control":                "no-store",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"WWW-Authenticate":             "Bearer",
		"Content-Type":                 "application/json; charset=utf-8",
		"Strict-Transport-Security":    "",
		"Access-Control-Allow-Origin":  "",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestAGateWithoutOptionsServesNobody(t *testing.T) {
	var got seen
	g, err := gate.New(&got, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w := get(g, "/", "alice", home); w.Code != 401 || got.count != 0 {
		t.Errorf("answered %d", w.Code)
	}
}

func TestAFailureToLookUpAKeyIsNotShownAndLetsNobodyPass(t *testing.T) {
	var got seen
	g := newGate(t, &got, gate.Options{Identify: func(*http.Request) (context.Context, string, error) {
		return nil, "", errors.New("select secret from keys: disk I/O error")
	}})
	if w := get(g, "/", "alice", home); w.Code != 500 || strings.Contains(w.Body.String(), "secret") || got.count != 0 {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}

func TestHostsAndOriginsThatAreNotWellFormedAreAnError(t *testing.T) {
	for _, o := range []gate.Options{
		{Hosts: []string{"https://a.example"}}, {Hosts: []string{"a.example/"}}, {Hosts: []string{""}}, {Hosts: []string{"*.a.example"}},
		{Hosts: []string{"::1"}}, {Hosts: []string{"user@a"}}, {Origins: []string{"a.example"}}, {Origins: []string{"https://a.example/"}}, {Origins: []string{"*"}},
	} {
		if _, err := gate.New(nil, &o); fault.CodeOf(err) != fault.BadConfig {
			t.Errorf("%v %v: %v", o.Hosts, o.Origins, err)
		}
	}
}

// Case G-H06.
func TestWithoutTLSAServerListensOnThisMachineOnly(t *testing.T) {
	for _, c := range []struct {
		address    string
		tls, plain bool
		ok         bool
	}{
		{"127.0.0.1:8080", false, false, true}, {"[::1]:8080", false, false, true}, {"localhost:0", false, false, true}, {"127.9.9.9:1", false, false, true},
		{"0.0.0.0:8080", false, false, false}, {":8080", false, false, false}, {"[::]:8080", false, false, false}, {"192.168.0.1:1", false, false, false},
		{"assent.example:443", false, false, false}, {"0.0.0.0:443", true, false, true}, {"0.0.0.0:80", false, true, true}, {"8080", true, true, false},
	} {
		if err := gate.CheckListen(c.address, c.tls, c.plain); (err == nil) != c.ok {
			t.Errorf("%s, TLS %v, plain text allowed %v: %v", c.address, c.tls, c.plain, err)
		}
	}
}
