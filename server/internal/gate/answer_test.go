package gate_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate"
)

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
