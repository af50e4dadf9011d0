package gate_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/assentdev/assent/server/internal/gate"
)

// A gate knows who sends, and lets pass what everybody reads alike.
func Example() {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s, in its one form %s", gate.BodyOf(r.Context()).Raw, gate.BodyOf(r.Context()).Canonical)
	})
	g, err := gate.New(api, &gate.Options{
		Hosts:    []string{"assent.example"},
		Identify: func(r *http.Request) (context.Context, string, error) { return r.Context(), "alice", nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, body := range []string{`{"b":1.0, "a":2}`, `{"id":"A1", "id":"ALL"}`} {
		r := httptest.NewRequest(http.MethodPost, "http://assent.example/v1/turns", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Request-Id", "request-1")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 {"b":1.0, "a":2}, in its one form {"a":2,"b":1}
	// 400 {"error":{"code":"bad_json","message":"The body is not strict JSON: the key \"id\" is there twice at byte 12, near \"id\":\"ALL\"}.","reference":"request-1"}}
}
