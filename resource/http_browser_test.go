package resource_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/browser"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/tool"
)

// shipment is a payload with every control.
type shipment struct {
	Who    string     `json:"who" title:"Recipient" doc:"Who gets it." lookup:"people.find"`
	Note   string     `json:"note,omitempty" doc:"Printed on the label." maxLength:"500"`
	Speed  string     `json:"speed" enum:"normal,fast"`
	Carton string     `json:"carton,omitempty" enum:"s,m,l,xl,xxl"`
	Day    string     `json:"day,omitempty" format:"date"`
	Gift   bool       `json:"gift,omitempty"`
	Marks  []string   `json:"marks,omitempty" enum:"fragile,heavy,cold" unique:"true"`
	Codes  []string   `json:"codes,omitempty"`
	Items  []itemForm `json:"items"`
	From   *placeForm `json:"from,omitempty"`
	Extra  any        `json:"extra,omitempty"`
	Secret string     `json:"secret,omitempty" secret:"true"`
}

// parcelDepot is an application for people, served; got is what was shipped.
func parcelDepot(t *testing.T) (base string, got *[]shipment) {
	t.Helper()
	got = new([]shipment)
	r := resource.New("parcels")
	all := resource.View(r, "all", func(*resource.Context, resource.None) (resource.Node, error) {
		return resource.Callout("Shipped.").As(resource.Good), nil
	})
	ship := resource.Action(r, "ship", func(_ *resource.Context, _ resource.None, p shipment) (resource.Node, error) {
		*got = append(*got, p)
		return all.Link(resource.None{}, "Parcels"), nil
	}).SetTitle("Ship a parcel").SetClass(policy.Destructive).SetPreview(func(*resource.Context, resource.None, shipment) (*tool.Preview, error) {
		return &tool.Preview{Summary: "A parcel leaves the house.", Changes: []tool.Change{{Label: "Stock", Before: "3", After: "2"}}}, nil
	})
	resource.View(r, "desk", func(*resource.Context, resource.None) (resource.Node, error) {
		return resource.Actions(ship.Link(resource.None{}, "Ship a parcel"), all.Link(resource.None{}, "Parcels")), nil
	})
	app := resource.NewApp(&resource.AppOptions{Title: "Depot"}, r, crowd())
	h, err := app.Handler(&resource.HandlerOptions{
		Home:   resource.Address{Resource: "parcels", View: "desk"},
		Caller: func(*http.Request) (resource.Caller, error) { return resource.Caller{Principal: "Ann"}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL, got
}

// R8: forms and pickers come from the declaration; they work by keys alone and
// without script.
func TestAPersonSearchesFillsInAndSendsByKeysAloneR8(t *testing.T) {
	base, got := parcelDepot(t)
	b := browser.Start(t)
	for _, noScript := range []bool{false, true} {
		*got = nil
		p := b.Page(t, browser.Options{NoScript: noScript})
		p.Open(base)
		p.TabTo("Search people")
		p.Type("Person 77")
		p.Press("Enter")
		if text := p.Text("main"); !strings.Contains(text, "Person 777") {
			t.Fatalf("the search found %q", text)
		}
		p.TabTo("Depot")
		p.Press("Enter")
		p.TabTo("Ship a parcel")
		p.Press("Enter")

		p.TabTo("_query/who")
		p.Type("Person 777")
		p.Press("Enter")
		if at := p.Focused(); !strings.Contains(at, "who") {
			t.Errorf("after the search the focus is on %s", at)
		}
		p.Press("ArrowDown")
		p.TabTo("note")
		p.Type("By hand")
		p.TabTo("speed")
		p.Press("Space")
		p.TabTo("gift")
		p.Press("Space")
		p.TabTo("_do")
		p.Press("Enter")
		if text := p.Text("main"); !strings.Contains(text, "A parcel leaves the house.") || !strings.Contains(text, "Person 777 (p777)") {
			t.Fatalf("the second look shows %q", text)
		}
		if len(*got) > 0 {
			t.Fatalf("it ran before anybody confirmed")
		}
		p.TabTo("_confirmed")
		p.Press("Enter")
		if text := p.Text("main"); !strings.Contains(text, "Shipped.") {
			t.Fatalf("the end shows %q", text)
		}
		if formJSON(*got) != `[{"who":"p777","note":"By hand","speed":"normal","gift":true,"items":[]}]` {
			t.Errorf("shipped %s", formJSON(*got))
		}
		if said := p.Console(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	}
}

func TestPagesAreReadableByEverybody(t *testing.T) {
	base, _ := parcelDepot(t)
	b := browser.Start(t)
	for _, window := range []browser.Options{{Width: 1280, Height: 900}, {Width: 375, Height: 800}, {Width: 375, Height: 800, Dark: true}, {Width: 1280, Height: 900, Dark: true}} {
		p := b.Page(t, window)
		look := func(name string) {
			t.Helper()
			for _, problem := range p.Accessibility() {
				t.Errorf("%s, %+v: %s", name, window, problem)
			}
			for _, wide := range p.Overflows() {
				t.Errorf("%s, %+v: %s reaches beyond the window", name, window, wide)
			}
			if said := p.Console(); len(said) > 0 && name != "refused" && name != "not found" {
				t.Errorf("%s: the console says %q", name, said)
			}
			picture(t, p, name, window)
		}
		p.Open(base + "/parcels/_form/ship")
		look("form")
		p.Click("button[value='/items']")
		look("row")
		p.Click("button[name=_do]")
		look("refused")
		p.Open(base + "/parcels/nothing")
		look("not found")
		p.Open(base + "/people/_lookup/find?query=7")
		look("search")
	}
}

// picture keeps a picture in the folder that ASSENT_PICTURES names, to look at.
func picture(t *testing.T, p *browser.Page, name string, o browser.Options) {
	folder := os.Getenv("ASSENT_PICTURES")
	if folder == "" {
		return
	}
	kind := map[bool]string{true: "dark", false: "light"}[o.Dark]
	width := map[bool]string{true: "wide", false: "narrow"}[o.Width > 400]
	if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+"-"+width+"-"+kind+".png"), p.Screenshot(), 0o644); err != nil {
		t.Fatal(err)
	}
}
