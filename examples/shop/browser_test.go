package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assentdev/assent/examples/shop/shop"
	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/internal/browser"
	"github.com/assentdev/assent/resource"
)

// desk serves the shop with its own data.
func desk(t *testing.T) (url string, s *store.Store) {
	t.Helper()
	s, closed, err := open(t.Context(), options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closed(); err != nil {
			t.Error(err)
		}
	})
	h, err := shop.App(s, nil).Handler(&resource.HandlerOptions{
		Caller: func(*http.Request) (resource.Caller, error) { return resource.Caller{Principal: "Ann"}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL, s
}

func order(t *testing.T, s *store.Store, id string) *store.Order {
	t.Helper()
	o, err := store.GetOrder(context.Background(), s.Read, id)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// By keys alone, and without script, a person searches, opens an order, fills in
// a form, sees what it costs, and sends it.
//
// proves: R8
func TestAPersonCancelsAnOrderByKeysAlone(t *testing.T) {
	url, s := desk(t)
	p := browser.Start(t).Page(t, browser.Options{Width: 1280, Height: 900, NoScript: true})
	p.Open(url)
	p.TabTo("query")
	p.Type("raincoat o'brien")
	p.Press("Enter")
	p.TabTo("Children's Raincoat")
	p.Press("Enter") // the order
	if h := p.Text("h1"); h != "Order #W1090177" {
		t.Fatalf("the search leads to %q", h)
	}
	p.TabTo("Cancel order")
	p.Press("Enter")
	p.TabTo("reason")
	p.Press("Space")
	p.TabTo("Cancel order")
	p.Press("Enter")
	shown := p.Text("main")
	for _, want := range []string{"$79.90", "pending", "cancelled", "Ada O'Brien", "$139.90"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page before it does not say %q: %s", want, shown)
		}
	}
	if o := order(t, s, "#W1090177"); o.Status != store.Pending {
		t.Fatalf("the order is %s before anybody agreed", o.Status)
	}
	p.TabTo("Yes, cancel order")
	p.Press("Enter")
	if o := order(t, s, "#W1090177"); o.Status != store.Cancelled {
		t.Errorf("the order is %s", o.Status)
	}
	if h := p.Text("h1"); h != "Order #W1090177" {
		t.Errorf("afterwards the person sees %q", h)
	}
	if c := p.Console(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// A form begins with what is there, and a write runs at once.
//
// proves: R8
func TestAPersonChangesAnAddress(t *testing.T) {
	url, s := desk(t)
	p := browser.Start(t).Page(t, browser.Options{Width: 375, Height: 800, NoScript: true})
	p.Open(url + "/orders/_form/set_address/%23W1128904")
	p.TabTo("address1") // what is there is selected, and typing replaces it
	p.Type("1 Quay")
	p.Press("Enter")
	if a := order(t, s, "#W1128904").Address; a.Address1 != "1 Quay" || a.City != "Madison" {
		t.Errorf("the address is %+v at %s: %s", a, p.URL(), p.Text("main"))
	}
}

// What a person agreed to is what was shown: where it would be something else by
// now, they are asked again.
//
// proves: R8
func TestAPersonIsAskedAgainWhereThePreviewChanged(t *testing.T) {
	url, s := desk(t)
	p := browser.Start(t).Page(t, browser.Options{Width: 1280, Height: 900, NoScript: true})
	p.Open(url + "/orders/_form/cancel/%23W1090177")
	p.Click("input[name=reason]")
	p.Click("button[name=_do]")
	u, err := store.GetUser(t.Context(), s.Read, "ada_obrien_1042")
	if err != nil {
		t.Fatal(err)
	}
	u.PaymentMethods.Find("gift_card_7703158").Balance = new(store.Money(100))
	if err := store.PutUser(t.Context(), s.Write, u); err != nil {
		t.Fatal(err)
	}
	p.Click("button[name=_confirmed]")
	if text := p.Text("main"); !strings.Contains(text, "$80.90") || order(t, s, "#W1090177").Status != store.Pending {
		t.Fatalf("the order is %s: %s", order(t, s, "#W1090177").Status, text)
	}
	p.Click("button[name=_confirmed]")
	if o := order(t, s, "#W1090177"); o.Status != store.Cancelled {
		t.Errorf("the order is %s", o.Status)
	}
}

// Every page of the shop is fit for people: names for all controls, contrast,
// headings in order, nothing wider than the window, nothing on the console.
func TestThePagesAreFitForPeople(t *testing.T) {
	url, _ := desk(t)
	b := browser.Start(t)
	for _, o := range []browser.Options{
		{Width: 1280, Height: 900}, {Width: 1280, Height: 900, Dark: true}, {Width: 375, Height: 800}, {Width: 375, Height: 800, Dark: true},
	} {
		p := b.Page(t, o)
		for _, path := range []string{
			"/orders/latest", "/orders/detail/%23W1134471", "/orders/_form/exchange/%23W1017650", "/orders/_form/set_address/%23W1128904",
			"/orders/_lookup/find?query=kettle", "/users/detail/juergen_moeller_2217", "/products/detail/2304558219", "/products/detail/2637829051",
		} {
			p.Open(url + path)
			name := fmt.Sprintf("%s at %d, dark %v", path, o.Width, o.Dark)
			if c := p.Console(); len(c) > 0 {
				t.Errorf("%s: the console says %q", name, c)
			}
			if wide := p.Overflows(); len(wide) > 0 {
				t.Errorf("%s: too wide: %q", name, wide)
			}
			for _, problem := range p.Accessibility() {
				t.Errorf("%s: %v", name, problem)
			}
		}
	}
}
