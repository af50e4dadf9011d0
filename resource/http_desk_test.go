package resource_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/tool"
)

// desk is a small application that is served over real HTTP.
type desk struct {
	t    testing.TB
	base string
	log  bytes.Buffer
	ran  []string // by actions
}

type (
	deskKey struct {
		ID string `param:"id"`
	}
	deskLine struct {
		Order string `param:"order"`
		Line  int    `param:"line"`
	}
	deskRefund struct {
		Cents  int    `json:"cents" doc:"How much to give back, in cents." min:"1"`
		Reason string `json:"reason,omitempty" enum:"damaged,late,other"`
		To     string `json:"to,omitempty" title:"Customer" lookup:"people.find"`
		Code   string `json:"code,omitempty" secret:"true"`
	}
	deskNote struct {
		Text string `json:"text" maxLength:"20"`
	}
)

// signedIn lets everybody pass who is somebody.
func signedIn(next resource.Handler) resource.Handler {
	return func(c *resource.Context) resource.Result {
		if c.Principal == "" {
			return resource.Errorf(resource.Forbidden, "Sign in first.").Result()
		}
		return next(c)
	}
}

func newDesk(t testing.TB, o *resource.HandlerOptions) *desk {
	t.Helper()
	d := &desk{t: t}
	app := resource.NewApp(&resource.AppOptions{Title: "Desk", Log: slog.New(slog.NewTextHandler(&d.log, nil))}, d.orders(), formPeople())
	if o == nil {
		o = &resource.HandlerOptions{}
	}
	if o.Caller == nil {
		o.Caller = func(r *http.Request) (resource.Caller, error) {
			name, _, _ := r.BasicAuth()
			if name == "mallory" {
				return resource.Caller{}, resource.Errorf(resource.Unsigned, "Who is that?")
			}
			return resource.Caller{Principal: name}, nil
		}
	}
	h, err := app.Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	d.base = server.URL
	return d
}

func (d *desk) orders() *resource.Resource {
	r := resource.New("orders", signedIn)
	detail := resource.View(r, "detail", func(c *resource.Context, k deskKey) (resource.Node, error) {
		switch k.ID {
		case "none":
			return nil, resource.NotFound("There is no order %q.", k.ID)
		case "panic":
			panic("the password is hunter2")
		case "broken":
			return nil, errors.New("select secret from t")
		}
		return resource.Content(resource.Heading("Order "+k.ID), resource.Text("For "+c.Principal+" at "+string(c.Door))), nil
	})
	resource.View(r, "line", func(_ *resource.Context, k deskLine) (resource.Node, error) {
		return resource.Text("Line of " + k.Order), nil
	})
	resource.View(r, "all", func(*resource.Context, resource.None) (resource.Node, error) {
		return detail.Link(deskKey{"a/b#c"}, "Order"), nil
	})
	resource.View(r, "old", func(*resource.Context, resource.None) (resource.Node, error) {
		return nil, resource.RedirectTo(detail.Link(deskKey{"."}, "moved"))
	})
	d.actions(r, detail)
	return r
}

func (d *desk) actions(r *resource.Resource, detail resource.ViewDef[deskKey]) {
	resource.Action(r, "refund", func(_ *resource.Context, k deskKey, p deskRefund) (resource.Node, error) {
		raw, _ := json.Marshal(p)
		d.ran = append(d.ran, "refund "+k.ID+" "+string(raw))
		return detail.Link(k, "Order"), nil
	}).SetTitle("Pay back").SetClass(policy.Destructive).SetPreview(func(_ *resource.Context, _ deskKey, p deskRefund) (*tool.Preview, error) {
		if p.Cents > 100 {
			return nil, resource.Invalid("is more than was paid", "cents")
		}
		return &tool.Preview{Summary: "Money leaves.", Changes: []tool.Change{{Label: "Paid", Before: "1.00", After: "<0.95>"}}}, nil
	})
	resource.Action(r, "note", func(_ *resource.Context, k deskKey, p deskNote) (resource.Node, error) {
		switch p.Text {
		case "panic":
			panic("hunter2")
		case "locked":
			return nil, resource.Errorf(resource.Conflict, "Somebody else writes.")
		case "show":
			return resource.Callout("Noted <b>."), nil
		}
		d.ran = append(d.ran, "note "+p.Text)
		return nil, nil
	}).SetClass(policy.Write)
	resource.Action(r, "purge", func(*resource.Context, resource.None, resource.None) (resource.Node, error) {
		d.ran = append(d.ran, "purge")
		return nil, nil
	})
	resource.Action(r, "all", func(*resource.Context, resource.None, resource.None) (resource.Node, error) {
		d.ran = append(d.ran, "all")
		return nil, nil
	}).SetClass(policy.Write).SetRaise(func(*resource.Context, resource.None, resource.None) policy.Class { return policy.Destructive })
}

const (
	wantPage = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	formBody = "application/x-www-form-urlencoded"
	jsonBody = "application/json"
)

// request is one request; header holds name, value, name, value.
type request struct {
	method, path string
	page         bool
	as           string // "" is ann, "-" nobody
	media, body  string
	header       []string
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	body   string
}

func (d *desk) send(q request) reply {
	d.t.Helper()
	r, err := http.NewRequest(q.method, d.base+q.path, strings.NewReader(q.body))
	if err != nil {
		d.t.Fatal(err)
	}
	if q.page {
		r.Header.Set("Accept", wantPage)
	}
	if q.media != "" {
		r.Header.Set("Content-Type", q.media)
	}
	switch q.as {
	case "":
		r.SetBasicAuth("ann", "")
	case "-":
	default:
		r.SetBasicAuth(q.as, "")
	}
	for i := 0; i < len(q.header); i += 2 {
		if q.header[i] == "Host" {
			r.Host = q.header[i+1]
		}
		r.Header.Set(q.header[i], q.header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(body)}
}
