package openai_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/model/openai"
)

var whole = stream(delta(`{"content":"done"}`), finish("stop"), "[DONE]")

func TestRetries(t *testing.T) {
	cut := stream(delta(`{"content":"do"}`))
	busy := func(name, value string) reply {
		return reply{status: 429, header: map[string]string{name: value}, body: `{"error":{"message":"busy"}}`}
	}
	quarter := func(d time.Duration) [2]time.Duration { return [2]time.Duration{d - d/4, d} }
	exact := func(d time.Duration) [2]time.Duration { return [2]time.Duration{d, d} }
	for _, c := range []struct {
		name    string
		replies []reply
		retries int
		waits   [][2]time.Duration // least and most
		ok      bool
		resets  int
	}{
		{"500", []reply{{status: 500}, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"the wait doubles", []reply{{status: 503}, {status: 502}, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond), quarter(time.Second)}, true, 0},
		{"the wait has an upper bound", []reply{{status: 503}, {status: 503}, {status: 503}, {status: 503}, {status: 503}, {status: 503}, whole}, 6,
			[][2]time.Duration{quarter(500 * time.Millisecond), quarter(time.Second), quarter(2 * time.Second), quarter(4 * time.Second), quarter(8 * time.Second), quarter(8 * time.Second)}, true, 0},
		{"the attempts are bounded", []reply{{status: 500}}, 0, [][2]time.Duration{quarter(500 * time.Millisecond), quarter(time.Second)}, false, 0},
		{"none where none are wanted", []reply{{status: 500}}, -1, nil, false, 0},
		{"408", []reply{{status: 408}, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"409", []reply{{status: 409}, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"429 waits as long as the server says", []reply{busy("Retry-After", "7"), whole}, 0, [][2]time.Duration{exact(7 * time.Second)}, true, 0},
		{"429 in milliseconds", []reply{busy("Retry-After-Ms", "1500"), whole}, 0, [][2]time.Duration{exact(1500 * time.Millisecond)}, true, 0},
		{"429 until a date", []reply{busy("Retry-After", "Sat, 01 Jan 2000 00:00:30 GMT"), whole}, 0, [][2]time.Duration{exact(30 * time.Second)}, true, 0},
		{"429 until a date that has passed", []reply{busy("Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"), whole}, 0, [][2]time.Duration{exact(0)}, true, 0},
		{"429 with a wait that is no number", []reply{busy("Retry-After", "soon"), whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"429 with a wait that nobody waits", []reply{busy("Retry-After", "3600"), whole}, 0, nil, false, 0},
		{"429 with an endless wait", []reply{busy("Retry-After", "Inf"), whole}, 0, nil, false, 0},
		{"400 will be 400 again", []reply{{status: 400}, whole}, 0, nil, false, 0},
		{"401 will be 401 again", []reply{{status: 401}, whole}, 0, nil, false, 0},
		{"404 will be 404 again", []reply{{status: 404}, whole}, 0, nil, false, 0},
		{"the server says that it will be the same", []reply{{status: 500, header: map[string]string{"X-Should-Retry": "false"}}, whole}, 0, nil, false, 0},
		{"the account's quota does not come back", []reply{{status: 429, body: `{"error":{"code":"insufficient_quota"}}`}, whole}, 0, nil, false, 0},
		{"no connection", []reply{{err: errors.New("connection refused")}, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"a cut stream voids what was emitted", []reply{cut, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 1},
		{"cut twice", []reply{cut, cut, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond), quarter(time.Second)}, true, 2},
		{"what is void already is not voided again", []reply{cut, {status: 503}, whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond), quarter(time.Second)}, true, 1},
		{"an error in the stream", []reply{stream(delta(`{"content":"do"}`), `{"error":{"message":"overloaded","type":"server_error"}}`), whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 1},
		{"an error in the stream with a code", []reply{stream(`{"error":{"message":"overloaded","code":503}}`), whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"an error in the stream that stays", []reply{stream(`{"error":{"message":"bad","type":"invalid_request_error"}}`), whole}, 0, nil, false, 0},
		{"an error in the stream whose code stays", []reply{stream(`{"object":"error","message":"bad","code":400}`), whole}, 0, nil, false, 0},
		{"a server that gave up", []reply{stream(finish("error")), whole}, 0, [][2]time.Duration{quarter(500 * time.Millisecond)}, true, 0},
		{"a server that falls silent", []reply{{status: 200, body: cut.body, stall: true}, whole}, 0, [][2]time.Duration{{60*time.Second + 375*time.Millisecond, 60*time.Second + 500*time.Millisecond}}, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt := &replies{list: c.replies}
				m := newModel(t, "http://model.test/v1", func(o *openai.Options) {
					o.HTTPClient = &http.Client{Transport: rt}
					o.MaxRetries = c.retries
					o.Idle = time.Minute
				})
				var h heard
				a, err := m.Generate(t.Context(), question("hi"), h.emit)
				if c.ok != (err == nil) {
					t.Fatalf("error %v", err)
				}
				waits := rt.waits()
				if len(waits) != len(c.waits) {
					t.Fatalf("waits %v", waits)
				}
				for i, w := range waits {
					if w < c.waits[i][0] || w > c.waits[i][1] {
						t.Errorf("wait %d is %v, want %v", i, w, c.waits[i])
					}
				}
				if c.ok && (a.Message.Text != "done" || h.text != "done" || a.Attempts != len(rt.at)) {
					t.Errorf("answer %+v, emitted %q", a, h.text)
				}
				if h.resets != c.resets {
					t.Errorf("%d resets, want %d", h.resets, c.resets)
				}
				if !c.ok && fault.CodeOf(err) != fault.ModelFailed {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

// What ended well is not asked again, even if its stream never ends.
func TestAfterTheMessage(t *testing.T) {
	for _, c := range []struct {
		name   string
		events reply
		most   time.Duration
	}{
		{"a stream that stays open after [DONE]", stream(delta(`{"content":"done"}`), finish("stop"), "[DONE]"), time.Second},
		{"a stream that stays open after the finish", stream(delta(`{"content":"done"}`), finish("stop")), 10 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.events.stall = true
				rt := &replies{list: []reply{c.events}}
				m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = &http.Client{Transport: rt} })
				start := time.Now()
				a, err := m.Generate(t.Context(), question("hi"), nil)
				if err != nil || a.Message.Text != "done" || a.Attempts != 1 {
					t.Errorf("got %+v, error %v", a, err)
				}
				if d := time.Since(start); d > c.most {
					t.Errorf("took %v", d)
				}
			})
		})
	}
}

// A body that was not read to its end costs the connection.
func TestBodyIsReadToItsEnd(t *testing.T) {
	rt := &replies{list: []reply{whole}}
	m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = client(rt) })
	if _, err := m.Generate(t.Context(), question("hi"), nil); err != nil || rt.ends != 1 {
		t.Errorf("%d ends were read, error %v", rt.ends, err)
	}
}

// Waiting for the next attempt ends with its caller.
func TestCancelledWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := &replies{list: []reply{{status: 429, header: map[string]string{"Retry-After": "100"}}}}
		m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = &http.Client{Transport: rt} })
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		_, err := m.Generate(ctx, question("hi"), nil)
		if err != context.DeadlineExceeded || time.Since(start) != 10*time.Second || len(rt.at) != 1 {
			t.Errorf("error %v after %v and %d requests", err, time.Since(start), len(rt.at))
		}
	})
}

// P9 a model's failure is told apart from everything else, and people see no
// key, address or body; the log does see what the server said.
func TestFailures(t *testing.T) {
	const key = "sk-secret-0123456789"
	said := func(status int, body string) reply {
		return reply{status: status, body: body, header: map[string]string{"Content-Type": "application/json", "X-Request-Id": "req-1"}}
	}
	for _, c := range []struct {
		name  string
		reply reply
		text  string // within what people see
		cause string // within what the log sees
	}{
		{"400", said(400, `{"error":{"message":"unknown field zebra","type":"invalid_request_error","code":"x1"}}`), "refused the request (HTTP 400)", `type="invalid_request_error" code="x1" request="req-1": unknown field zebra`},
		{"400 for a long conversation", said(400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`), "longer than the model can read", "too long"},
		{"401 with the key in it", said(401, `{"error":{"message":"Incorrect key: `+key+`"}}`), "does not accept the key (HTTP 401)", "Incorrect key: [key]"},
		{"404", said(404, `{"error":"model not found"}`), "no such model", "model not found"},
		{"409", said(409, ``), "refused the request (HTTP 409)", "HTTP 409"},
		{"413", said(413, `too large`), "too large for the server", "too large"},
		{"429", said(429, `{"error":{"message":"slow down"}}`), "asked too often (HTTP 429)", "slow down"},
		{"429 without quota", said(429, `{"error":{"message":"pay","type":"insufficient_quota"}}`), "no quota left", "pay"},
		{"500 from a proxy", said(500, "<html>nginx</html>"), "the server failed (HTTP 500)", "<html>nginx</html>"},
		{"a code that is a number", said(503, `{"error":{"message":"m","code":17}}`), "HTTP 503", `code="17"`},
		{"an error in the stream", stream(`{"error":{"message":"at ` + key + `","code":"boom"}}`), "gave the answer up", `code="boom": at [key]`},
		{"no connection", reply{err: errors.New("dial tcp 10.1.2.3: refused")}, "cannot be reached", "10.1.2.3"},
		{"a page in place of a stream", reply{status: 200, header: map[string]string{"Content-Type": "text/html"}, body: "<html></html>"}, "no whole answer", "ended before"},
		{"a long text is cut", said(500, strings.Repeat("x", 5000)), "HTTP 500", strings.Repeat("x", 1000)},
	} {
		t.Run("P9 "+c.name, func(t *testing.T) {
			_, _, err := ask(t, c.reply, question("hi"), nil)
			if fault.CodeOf(err) != fault.ModelFailed {
				t.Fatalf("error %v", err)
			}
			text := fault.TextOf(err)
			if !strings.Contains(text, c.text) || !strings.Contains(text, `"test"`) {
				t.Errorf("people see %q", text)
			}
			for _, secret := range []string{key, "zebra", "10.1.2.3", "nginx", "model.test", "slow down"} {
				if strings.Contains(text, secret) {
					t.Errorf("people see %q", text)
				}
			}
			if !strings.Contains(err.Error(), c.cause) || strings.Contains(err.Error(), key) || len(err.Error()) > 1300 {
				t.Errorf("the log sees %v", err)
			}
		})
	}
}

// A retry is a line in the log, and its cause stays out of the key.
func TestRetryIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		rt := &replies{list: []reply{{status: 500, body: "boom sk-secret-0123456789"}, whole}}
		m := newModel(t, "http://model.test/v1", func(o *openai.Options) {
			o.HTTPClient = &http.Client{Transport: rt}
			o.Logger = slog.New(slog.NewTextHandler(&log, nil))
		})
		if _, err := m.Generate(t.Context(), question("hi"), nil); err != nil {
			t.Fatal(err)
		}
		if s := log.String(); strings.Count(s, "\n") != 1 || !strings.Contains(s, `msg="asking the model again" model=test attempt=1`) || !strings.Contains(s, "boom [key]") {
			t.Errorf("log %q", s)
		}
	})
}

// A server that does not know stream_options is asked once more without, and
// never with them again.
func TestWithoutUsage(t *testing.T) {
	refused := reply{status: 400, body: `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`}
	rt := &bodies{replies: replies{list: []reply{refused, whole}}}
	m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = &http.Client{Transport: rt}; o.MaxRetries = -1 })
	for i, want := range []int{2, 1} {
		a, err := m.Generate(t.Context(), question("hi"), nil)
		if err != nil || a.Attempts != want {
			t.Errorf("request %d: %+v, error %v", i, a, err)
		}
		if strings.Contains(rt.last, "stream_options") {
			t.Errorf("request %d: %s", i, rt.last)
		}
	}
}

// The same over a real connection: busy, then broken within the stream, then whole.
func TestFaultsOverLoopback(t *testing.T) {
	s := assenttest.NewModelServer(t, assenttest.Answers(assenttest.Say("lost in the cut"), assenttest.Say("lost in the error"), assenttest.Say("whole at last")), &assenttest.ModelServerOptions{TextPiece: 2})
	s.Fail(
		assenttest.ModelFault{Status: 429, Header: http.Header{"Retry-After-Ms": {"1"}}},
		assenttest.ModelFault{CutAfter: 700},
		assenttest.ModelFault{ErrorAfter: 3},
	)
	m := newModel(t, s.URL, func(o *openai.Options) { o.MaxRetries, o.Backoff = 3, time.Millisecond })
	var h heard
	a, err := m.Generate(t.Context(), question("hi"), h.emit)
	if err != nil {
		t.Fatal(err)
	}
	if a.Attempts != 4 || a.Message.Text != "whole at last" || h.text != a.Message.Text || h.resets != 2 {
		t.Errorf("answer %+v, emitted %q after %d resets", a, h.text, h.resets)
	}
	for _, r := range s.Requests() {
		if !bytes.Equal(r.Body, s.Requests()[0].Body) {
			t.Error("a retry asked something else")
		}
	}
}

// A fault of the request itself is told as what it is, and nothing is sent.
func TestBadRequests(t *testing.T) {
	for _, c := range []struct {
		name string
		req  *model.Request
		want fault.Code
	}{
		{"a role that does not exist", &model.Request{Messages: []model.Message{{Role: "system"}}}, fault.Internal},
		{"a schema that is no JSON", &model.Request{Tools: model.NewTools([]model.Tool{{Name: "f", Input: []byte("{")}})}, fault.BadTool},
	} {
		t.Run(c.name, func(t *testing.T) {
			rt := &replies{list: []reply{whole}}
			m := newModel(t, "http://model.test/v1", func(o *openai.Options) { o.HTTPClient = &http.Client{Transport: rt} })
			if _, err := m.Generate(t.Context(), c.req, nil); fault.CodeOf(err) != c.want || len(rt.at) != 0 {
				t.Errorf("error %v after %d requests", err, len(rt.at))
			}
		})
	}
}
