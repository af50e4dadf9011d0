package gate_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
