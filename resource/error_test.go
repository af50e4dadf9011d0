package resource_test

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/resource"
)

// failed is what a view's error looks like from outside, and in the log.
func failed(t *testing.T, run func() error) (resource.Result, string) {
	t.Helper()
	var log strings.Builder
	r := resource.New("orders")
	resource.View(r, "detail", func(*resource.Context, none) (resource.Node, error) { return nil, run() })
	app := resource.NewApp(&resource.AppOptions{Log: slog.New(slog.NewTextHandler(&log, nil))}, r)
	return app.RenderView(t.Context(), resource.ViewCall{Resource: "orders", View: "detail"}), log.String()
}

var errSecret = errors.New("SECRET: dial tcp 10.0.0.7:5432")

// proves: R6
func TestOnlyDeliberateErrorsLeaveTheProcess(t *testing.T) {
	link := &resource.LinkNode{Label: "There", To: resource.Address{Resource: "orders", View: "detail", Params: map[string]string{"id": "8"}}}
	for _, tt := range []struct {
		name string
		err  error
		want string
		logs int // lines
	}{
		{"a record that is not there", resource.NotFound("There is no order %s.", "7"), `{"kind":"error","status":404,"error":{"code":"E_NOT_FOUND","message":"There is no order 7."}}`, 0},
		{"a code of this package", resource.Errorf(resource.Conflict, "Paid already."), `{"kind":"error","status":409,"error":{"code":"E_CONFLICT","message":"Paid already."}}`, 0},
		{"a code of the application's own", resource.Errorf("E_LATE", "Too late."), `{"kind":"error","status":422,"error":{"code":"E_LATE","message":"Too late."}}`, 0},
		{"a status of its own", &resource.Error{Code: "E_GONE", Status: 410, Text: "Gone."}, `{"kind":"error","status":410,"error":{"code":"E_GONE","message":"Gone."}}`, 0},
		{"a status that is no error's", &resource.Error{Code: resource.Forbidden, Status: 200, Text: "No."}, `{"kind":"error","status":403,"error":{"code":"E_FORBIDDEN","message":"No."}}`, 0},
		{"one that is wrapped", fmt.Errorf("SECRET: %w", resource.Errorf(resource.Unreachable, "Later.")), `{"kind":"error","status":503,"error":{"code":"E_UNAVAILABLE","message":"Later."}}`, 0},
		{"one with a cause", &resource.Error{Code: resource.Unreachable, Text: "Later.", Err: errSecret}, `{"kind":"error","status":503,"error":{"code":"E_UNAVAILABLE","message":"Later."}}`, 1},
		{"one with a next call", &resource.Error{Code: resource.Unknown, Text: "No.", Next: &resource.Next{Tool: "orders_find"}}, `{"kind":"error","status":404,"error":{"code":"E_NOT_FOUND","message":"No.","next":{"tool":"orders_find","input":{}}}}`, 0},
		{"a fault", fault.New(fault.CannotUndo, "It has changed."), `{"kind":"error","status":409,"error":{"code":"cannot_undo","message":"It has changed."}}`, 0},
		{"a fault with a cause", fault.Wrap(errSecret, fault.NotFound, "No such turn."), `{"kind":"error","status":404,"error":{"code":"not_found","message":"No such turn."}}`, 1},
		{"an issue", resource.Invalid("is too much", "lines", "0", "cents"), `{"kind":"invalid","status":422,"issues":[{"path":["lines","0","cents"],"message":"is too much"}]}`, 0},
		{"issues that are wrapped", fmt.Errorf("SECRET: %w", resource.Issues{{Message: "is empty"}}), `{"kind":"invalid","status":422,"issues":[{"path":[],"message":"is empty"}]}`, 0},
		{"elsewhere", resource.RedirectTo(link), `{"kind":"redirect","status":303,"link":{"resource":"orders","view":"detail","params":{"id":"8"}}}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, log := failed(t, func() error { return tt.err })
			if got := string(res.JSON()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if n := strings.Count(log, "\n"); n != tt.logs || tt.logs > 0 && !strings.Contains(log, "10.0.0.7") {
				t.Errorf("the log has %d lines: %s", n, log)
			}
		})
	}
}

var reference = regexp.MustCompile(`^Something went wrong\. The reference is ([A-Z2-7]{10})\.$`)

// proves: R6
func TestAnyOtherErrorLeavesAReferenceOnly(t *testing.T) {
	for name, run := range map[string]func() error{
		"a plain error":          func() error { return errSecret },
		"an internal fault":      func() error { return fault.Wrap(errSecret, fault.Internal, "SECRET") },
		"a panic":                func() error { panic(errSecret) },
		"an error that is a nil": func() error { return (*resource.Error)(nil) },
		"a bug":                  func() error { return any("SECRET").(error) },
	} {
		t.Run(name, func(t *testing.T) {
			res, log := failed(t, run)
			if res.Kind != resource.Failure || res.Status != 500 || res.Error.Code != resource.Internal {
				t.Fatalf("got %s", res.JSON())
			}
			m := reference.FindStringSubmatch(res.Error.Text)
			if m == nil || strings.Contains(string(res.JSON()), "SECRET") {
				t.Fatalf("got %s", res.JSON())
			}
			if strings.Count(log, "\n") != 1 || !strings.Contains(log, "reference="+m[1]) || !strings.Contains(log, "resource=orders name=detail kind=view") {
				t.Errorf("the log says %s", log)
			}
			if strings.Contains(name, "plain") && !strings.Contains(log, "10.0.0.7") {
				t.Errorf("the log lacks the cause: %s", log)
			}
		})
	}
}

// proves: R6
func TestWhatDoesNotExistSaysSo(t *testing.T) {
	app := resource.NewApp(nil, mixed())
	for what, res := range map[string]resource.Result{
		"a resource": app.RenderView(t.Context(), resource.ViewCall{Resource: "gone", View: "one"}),
		"a view":     app.RenderView(t.Context(), resource.ViewCall{Resource: "mixed", View: "gone"}),
		"a lookup":   app.HandleLookup(t.Context(), resource.LookupCall{Resource: "mixed", Lookup: "one"}),
		"an action":  app.HandleAction(t.Context(), resource.ActionCall{Resource: "mixed", Action: "one"}),
		"a tool":     app.Invoke(t.Context(), "mixed_one", nil, resource.Caller{}),
	} {
		if res.Kind != resource.Failure || res.Status != 404 || res.Error.Code != resource.Unknown {
			t.Errorf("%s: %s", what, res.JSON())
		}
	}
}

// proves: R6
func TestTheErrorOfAResultIsWhatAnAgentIsTold(t *testing.T) {
	for _, tt := range []struct {
		res  resource.Result
		code fault.Code
		text string
	}{
		{resource.Result{Kind: resource.Success}, "", ""},
		{resource.Result{Kind: resource.Redirect}, "", ""},
		{resource.Errorf(resource.Conflict, "Paid already.").Result(), resource.Conflict, "Paid already."},
		{resource.Result{Kind: resource.Rejected, Issues: resource.Invalid("is too much", "a/b", "0")}, fault.BadArguments, "/a~1b/0: is too much"},
		{resource.Result{Kind: resource.Failure}, resource.Internal, "Something went wrong."},
		{resource.Result{}, resource.Internal, "Something went wrong."},
	} {
		if err := tt.res.Err(); fault.CodeOf(err) != tt.code || fault.TextOf(err) != tt.text {
			t.Errorf("%+v is the error %v", tt.res, err)
		}
	}
}
