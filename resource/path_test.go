package resource_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/tool"
)

// spy is middleware that keeps what passed, and refuses nobody's calls.
type spy struct{ seen []string }

func (s *spy) watch(name string) resource.Middleware {
	return func(next resource.Handler) resource.Handler {
		return func(c *resource.Context) resource.Result {
			s.seen = append(s.seen, fmt.Sprintf("%s %s %s.%s", name, c.Kind, c.Resource, c.Name))
			if c.Principal == "" {
				return resource.Errorf(resource.Forbidden, "Sign in first.").Result()
			}
			return next(c)
		}
	}
}

// watched is payments with two layers of middleware, and notes of what ran.
func watched() (*resource.App, *spy) {
	s := &spy{}
	r := resource.New("orders", s.watch("outer"), s.watch("inner"))
	ran := func(text string) { s.seen = append(s.seen, text+" runs") }
	resource.View(r, "detail", func(*resource.Context, key) (resource.Node, error) { ran("view"); return nil, nil }).
		SetAgentOptions(about("Shows."))
	resource.Lookup(r, "find", func(*resource.Context, key, string) ([]resource.Record, error) { ran("lookup"); return nil, nil }).
		SetResolve(func(*resource.Context, key, string) (*resource.Record, error) { ran("resolve"); return nil, nil }).
		SetAgentOptions(about("Finds."))
	x := resource.Action(r, "pay", func(*resource.Context, key, pay) (resource.Node, error) { ran("action"); return nil, nil })
	x.SetPreview(func(*resource.Context, key, pay) (*tool.Preview, error) { ran("preview"); return nil, nil }).
		SetRaise(func(*resource.Context, key, pay) policy.Class { ran("raise"); return policy.Unknown }).
		SetAgentOptions(about("Pays."))
	return resource.NewApp(nil, r), s
}

var (
	seven   = map[string]string{"id": "7"}
	payload = json.RawMessage(`{"cents":5}`)
	args    = `{"id":"7","cents":5}`
)

// doors are the exported methods of an app that reach a handler. Each call comes
// twice: as somebody's, and as nobody's with an address and a payload that are wrong.
var doors = map[string]func(ctx context.Context, a *resource.App, by string, good bool) error{
	"RenderView": func(ctx context.Context, a *resource.App, by string, good bool) error {
		return a.RenderView(ctx, resource.ViewCall{Resource: "orders", View: "detail", Params: pick(good, seven), By: resource.Caller{Principal: by}}).Err()
	},
	"HandleLookup": func(ctx context.Context, a *resource.App, by string, good bool) error {
		return a.HandleLookup(ctx, resource.LookupCall{Resource: "orders", Lookup: "find", Params: pick(good, seven), By: resource.Caller{Principal: by}}).Err()
	},
	"HandleAction": func(ctx context.Context, a *resource.App, by string, good bool) error {
		return a.HandleAction(ctx, resource.ActionCall{Resource: "orders", Action: "pay", Params: pick(good, seven), Payload: pick(good, payload), By: resource.Caller{Principal: by}}).Err()
	},
	"PreviewAction": func(ctx context.Context, a *resource.App, by string, good bool) error {
		_, res := a.PreviewAction(ctx, resource.ActionCall{Resource: "orders", Action: "pay", Params: pick(good, seven), Payload: pick(good, payload), By: resource.Caller{Principal: by}})
		return res.Err()
	},
	"Invoke": func(ctx context.Context, a *resource.App, by string, good bool) error {
		return a.Invoke(ctx, "orders_pay", json.RawMessage(map[bool]string{true: args, false: `{"id":5}`}[good]), resource.Caller{Principal: by}).Err()
	},
	"Handler": func(ctx context.Context, a *resource.App, by string, good bool) error {
		h, err := a.Handler(&resource.HandlerOptions{Caller: func(*http.Request) (resource.Caller, error) { return resource.Caller{Principal: by}, nil }})
		if err != nil {
			return err
		}
		path := map[bool]string{true: "/orders/detail/7", false: "/orders/detail"}[good]
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			return errors.New(w.Body.String())
		}
		return nil
	},
	"Tools": func(ctx context.Context, a *resource.App, by string, good bool) error {
		tools, err := a.Tools()
		if err != nil {
			return err
		}
		ctx = tool.WithCall(ctx, &tool.Call{Principal: by})
		for _, t := range tools[2:] {
			for _, run := range []func() error{
				func() error { _, err := t.Preview(ctx, []byte(args)); return err },
				func() error { _, err := t.Raise(ctx, []byte(args)); return err },
			} {
				if err := run(); (err == nil) != (by != "") {
					return fmt.Errorf("as %q: %v", by, err)
				}
			}
		}
		_, err = tools[2].Run(ctx, []byte(args))
		return err
	},
}

// quiet are the other exported methods of an app: they reach no handler.
var quiet = []string{"AgentTools", "Check", "Resource", "ResourceNames", "Source", "Warnings"}

func pick[T any](good bool, v T) (out T) {
	if good {
		out = v
	}
	return out
}

// A new method of an app has to be sorted in here: it is a door, and then the
// other tests go through it, or it reaches no handler.
//
// proves: R5
func TestEveryMethodOfAnAppIsADoorOrQuiet(t *testing.T) {
	app := reflect.TypeFor[*resource.App]()
	for i := range app.NumMethod() {
		name := app.Method(i).Name
		if doors[name] == nil && !slices.Contains(quiet, name) {
			t.Errorf("App.%s is new: does it reach a handler past the middleware?", name)
		}
	}
}

// proves: R5
func TestEveryDoorGoesThroughTheMiddlewareFirst(t *testing.T) {
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			app, s := watched()
			if err := door(t.Context(), app, "ann", true); err != nil {
				t.Errorf("ann is refused: %v", err)
			}
			outer, inner := 0, 0
			for _, step := range s.seen {
				switch word, _, _ := strings.Cut(step, " "); word {
				case "outer":
					outer++
				case "inner":
					inner++
				default:
					if outer == 0 || outer != inner {
						t.Errorf("%s after %q", step, s.seen)
					}
				}
			}
			if !strings.HasSuffix(s.seen[len(s.seen)-1], "runs") || !strings.HasPrefix(s.seen[0], "outer") {
				t.Errorf("what passed is %q", s.seen)
			}
		})
	}
}

// proves: R5
func TestTheMiddlewareHasTheFirstWord(t *testing.T) {
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			app, s := watched()
			err := door(t.Context(), app, "", name == "Tools")
			if err == nil || !strings.Contains(err.Error(), "Sign in first.") {
				t.Errorf("nobody is told %v", err)
			}
			for _, step := range s.seen {
				if strings.HasSuffix(step, "runs") {
					t.Errorf("for nobody %s", step)
				}
			}
		})
	}
}

// proves: R5
func TestWhatMiddlewareAnswersIsTheAnswer(t *testing.T) {
	answer := resource.Result{}
	r := resource.New("orders", func(resource.Handler) resource.Handler {
		return func(*resource.Context) resource.Result { return answer }
	})
	view[none](r, "all")
	app := resource.NewApp(nil, r)
	for _, tt := range []struct {
		name string
		give resource.Result
		want string
	}{
		{"an error with a status", resource.Result{Kind: resource.Failure, Status: 418, Error: resource.Errorf("E_TEA", "No.")}, `{"kind":"error","status":418,"error":{"code":"E_TEA","message":"No."}}`},
		{"an error without one", resource.Result{Kind: resource.Failure, Error: resource.Errorf(resource.Unsigned, "Sign in.")}, `{"kind":"error","status":401,"error":{"code":"E_UNAUTHORIZED","message":"Sign in."}}`},
		{"an error as a result", resource.Errorf(resource.Conflict, "Wait.").Result(), `{"kind":"error","status":409,"error":{"code":"E_CONFLICT","message":"Wait."}}`},
		{"a node", resource.Result{Kind: resource.Success, Status: http.StatusOK, Node: resource.Text("x")}, `{"kind":"success","status":200,"node":{"kind":"text","text":"x"}}`},
	} {
		answer = tt.give
		if got := app.RenderView(t.Context(), resource.ViewCall{Resource: "orders", View: "all"}); string(got.JSON()) != tt.want {
			t.Errorf("%s: %s", tt.name, got.JSON())
		}
	}
	answer = resource.Result{}
	if got := app.RenderView(t.Context(), resource.ViewCall{Resource: "orders", View: "all"}); got.Status != 500 || got.Kind != resource.Failure {
		t.Errorf("no answer at all: %s", got.JSON())
	}
}
