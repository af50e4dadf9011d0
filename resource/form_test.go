package resource_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// crowd has a lookup of a thousand people, of whom it finds at most 50.
func crowd() *resource.Resource {
	r := resource.New("people")
	resource.Lookup(r, "find", func(_ *resource.Context, _ resource.None, query string) (list []resource.Record, err error) {
		for i := range 1000 {
			rec := resource.Record{Value: fmt.Sprint("p", i), Label: fmt.Sprint("Person ", i)}
			if strings.Contains(rec.Label, query) && len(list) < 50 {
				list = append(list, rec)
			}
		}
		return list, nil
	}).SetResolve(func(_ *resource.Context, _ resource.None, value string) (*resource.Record, error) {
		return &resource.Record{Value: value, Label: "Person " + strings.TrimPrefix(value, "p")}, nil
	}).SetAgentOptions(resource.AgentOptions{Description: "Search people.", Search: true})
	return r
}

// picking is a form with pickers, served.
type picking struct {
	Who  string   `json:"who" lookup:"people.find"`
	Also []string `json:"also,omitempty" unique:"true" lookup:"people.find"`
	Text string   `json:"text,omitempty"`
}

func serve(t *testing.T, rs ...*resource.Resource) http.Handler {
	t.Helper()
	h, err := resource.NewApp(nil, rs...).Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func pickers(t *testing.T, got *picking) http.Handler {
	t.Helper()
	r := resource.New("teams")
	resource.Action(r, "lead", func(_ *resource.Context, _ resource.None, p picking) (resource.Node, error) {
		*got = p
		return nil, nil
	}).SetClass(policy.Write)
	return serve(t, r, crowd())
}

// press sends a form to a handler and reads the form that comes back.
func press(t *testing.T, h http.Handler, f *pageForm, button, value string) (form *pageForm, page *pageElement) {
	t.Helper()
	w := browse(h, "POST", f.action, formBody, f.press(t, button, value).Encode())
	page = readPage(t, w.Body.String())
	if len(page.all("main")[0].all("form")) == 0 {
		return nil, page
	}
	return page.form(t), page
}

// SPEC R8: a picker comes from the lookup that the field names. It finds what is
// not among the first records, by the button or by the key Enter, and what was
// filled in stays.
func TestAPickerFindsWhatIsNotAmongTheFirstRecordsR8(t *testing.T) {
	for _, button := range []string{"_find", ""} {
		var got picking
		h := pickers(t, &got)
		page := readPage(t, browse(h, "GET", "/teams/_form/lead", "", "").Body.String())
		if n := len(page.all("select")[0].all("option")); n != 51 { // and one to say that nothing is chosen
			t.Errorf("the picker shows %d records", n)
		}
		f := page.form(t)
		f.set(t, "text", "stays")
		f.set(t, "_query/who", "777")
		f, page = press(t, h, f, button, "")
		if got.Text != "" {
			t.Fatalf("searching ran the action")
		}
		if options := page.all("select")[0].all("option"); len(options) != 2 || options[1].text != "Person 777" {
			t.Errorf("%d records were found", len(options))
		}
		if !page.all("select")[0].has("autofocus") {
			t.Errorf("the keys do not go on at the picker")
		}
		f.set(t, "who", "p777")
		f.set(t, "_query/also", "888")
		f, _ = press(t, h, f, "_find", "also")
		f.set(t, "also", "p888")
		press(t, h, f, "_do", "")
		if formJSON(got) != `{"who":"p777","also":["p888"],"text":"stays"}` {
			t.Errorf("got %s", formJSON(got))
		}
	}
}

func TestAPickerThatFindsNothingSaysSoAndKeepsWhatWasChosen(t *testing.T) {
	var got picking
	h := pickers(t, &got)
	f := readPage(t, browse(h, "GET", "/teams/_form/lead", "", "").Body.String()).form(t)
	f.set(t, "who", "p3")
	f.set(t, "_query/who", "<nobody>")
	f, page := press(t, h, f, "_find", "who")
	if !strings.Contains(page.text, "“<nobody>”") {
		t.Errorf("%s", page.text)
	}
	if who, _ := f.value("who"); who != "p3" || page.all("select")[0].all("option")[0].text != "Person 3" {
		t.Errorf("who is %q", who)
	}
}

func TestAFieldWhoseLookupIsNotAllowedIsALine(t *testing.T) {
	r := resource.New("teams")
	resource.Action(r, "lead", func(*resource.Context, resource.None, picking) (resource.Node, error) { return nil, nil })
	closed := resource.New("people", signedIn)
	resource.Lookup(closed, "find", func(*resource.Context, resource.None, string) ([]resource.Record, error) {
		return []resource.Record{{Value: "secret"}}, nil
	})
	body := browse(serve(t, r, closed), "GET", "/teams/_form/lead", "", "").Body.String()
	page := readPage(t, body)
	if len(page.all("select")) > 0 || strings.Contains(body, "secret") {
		t.Errorf("%s", body)
	}
	page.form(t).set(t, "who", "p1")
}

// rowsOf counts the fields of a list.
func rowsOf(f *pageForm, list string) (n int) {
	for _, field := range f.fields {
		if strings.HasPrefix(field.name, list+"/") && strings.Count(field.name, "/") == 1 {
			n++
		}
	}
	return n
}

func TestRowsComeOnRequestAndEmptyOnesAreNoItems(t *testing.T) {
	trip := newTrip[nestedForm](t, policy.Write)
	f := trip.page(t, nestedForm{})
	if n := rowsOf(f, "texts"); n != 1 {
		t.Errorf("an empty list has %d rows", n)
	}
	if n := rowsOf(f, "two"); n != 2 {
		t.Errorf("a list of two has %d rows", n)
	}
	for range 3 {
		f, _ = press(t, trip.h, f, "_add", "/texts")
	}
	if n := rowsOf(f, "texts"); n != 4 {
		t.Errorf("three more rows are %d", n)
	}
	f.set(t, "texts/1", "a")
	f.set(t, "texts/3", "b")
	for _, name := range []string{"two/0", "two/1"} {
		f.set(t, name, "1")
	}
	f.set(t, "when", "2026-11-30T16:00")
	answer := trip.press(t, f, "_do", "")
	if trip.got == nil || fmt.Sprint(trip.got.Texts, trip.got.From, trip.got.When) != "[a b] <nil> 2026-11-30 16:00:00 +0000 UTC" {
		t.Errorf("got %s\n%s", formJSON(trip.got), answer)
	}
}

func TestTheKeysGoOnInTheNewRow(t *testing.T) {
	trip := newTrip[nestedForm](t, policy.Write)
	f := trip.page(t, nestedForm{Items: []itemForm{{SKU: "a"}}, Texts: []string{"x", "y"}})
	for button, want := range map[string]string{"/items": "items/1/sku", "/texts": "texts/3"} {
		_, page := press(t, trip.h, f, "_add", button)
		var focused []string
		for _, input := range page.all("input") {
			if input.has("autofocus") {
				focused = append(focused, input.attr["name"])
			}
		}
		if len(focused) != 1 || focused[0] != want {
			t.Errorf("after a new row of %s the focus is on %q", button, focused)
		}
	}
}

func TestAnObjectThatMayBeLeftOutIsThereOnceSomethingIsFilledIn(t *testing.T) {
	trip := newTrip[nestedForm](t, policy.Write)
	value := nestedForm{Items: []itemForm{}, Texts: []string{}}
	f := trip.page(t, value)
	f.set(t, "from/rough", "true")
	trip.press(t, f, "_do", "")
	if trip.got == nil || trip.got.From == nil || *trip.got.From != (placeForm{Zip: "0000", Rough: true}) {
		t.Fatalf("got %s", formJSON(trip.got))
	}
	f = trip.page(t, *trip.got)
	f, _ = press(t, trip.h, f, "_remove", "from")
	trip.press(t, f, "_do", "")
	if trip.got == nil || trip.got.From != nil {
		t.Errorf("got %s", formJSON(trip.got))
	}
}

func TestWhatIsWrongStandsAtItsFieldAndInTheSummary(t *testing.T) {
	trip := newTrip[nestedForm](t, policy.Write)
	f := trip.page(t, nestedForm{Items: []itemForm{{}, {Notes: []string{"<b>"}}}, Texts: []string{}})
	f.set(t, "items/1/count", "many")
	_, page := press(t, trip.h, f, "_do", "")
	link := page.all("form")[0].all("a")[0]
	if link.text != `Items, row 2, Count: expected an integer, got a string, "many"` {
		t.Errorf("the summary says %q", link.text)
	}
	for _, input := range page.all("input") {
		if input.attr["name"] != "items/1/count" {
			continue
		}
		if "#"+input.attr["id"] != link.attr["href"] || input.attr["aria-invalid"] != "true" || input.attr["value"] != "many" {
			t.Errorf("the field is %v, the link %v", input.attr, link.attr)
		}
		for id := range strings.FieldsSeq(input.attr["aria-describedby"]) {
			if !hasID(page, id) {
				t.Errorf("nothing has the id %q", id)
			}
		}
	}
}

func hasID(e *pageElement, id string) bool {
	if e.attr["id"] == id {
		return true
	}
	for _, kid := range e.kids {
		if hasID(kid, id) {
			return true
		}
	}
	return false
}

func TestJSONThatIsNoneIsKeptAsItWasTyped(t *testing.T) {
	trip := newTrip[looseForm](t, policy.Write)
	f := trip.page(t, looseForm{})
	f.set(t, "any", `{"a": <b>`)
	f, page := press(t, trip.h, f, "_do", "")
	if text, _ := f.value("any"); text != `{"a": <b>` || !strings.Contains(page.text, "is no JSON") {
		t.Errorf("the field holds %q", text)
	}
}

// A payload without a schema works for people all the same: they write JSON.
func TestAPayloadWithoutASchemaIsWrittenAsJSONR4(t *testing.T) {
	trip := newTrip[map[string]int](t, policy.Write)
	f := trip.page(t, map[string]int{"a": 1})
	if text, _ := f.value("_payload"); text != `{"a":1}` {
		t.Errorf("the field holds %q", text)
	}
	f.set(t, "_payload", `{"b": 2}`)
	trip.press(t, f, "_do", "")
	if trip.got == nil || (*trip.got)["b"] != 2 {
		t.Errorf("got %v", trip.got)
	}
}

// Markup in whatever people see of a form stays text.
func TestMarkupInAFormStaysText(t *testing.T) {
	const evil = `"><script>alert(1)</script>'<b>`
	r := resource.New("evil")
	type payload struct {
		Field string   `json:"field" title:"\"><script>t" doc:"\"><script>d"`
		Pick  string   `json:"pick" enum:"<script>a,<script>b"`
		Many  string   `json:"many" enum:"<script>a,b,c,d,e"`
		Who   string   `json:"who" lookup:"people.find"`
		Rows  []string `json:"rows"`
	}
	full := resource.Action(r, "full", func(*resource.Context, resource.None, payload) (resource.Node, error) {
		return nil, resource.Issues{{Path: []string{evil, evil}, Message: evil}, {Path: []string{"who"}, Message: evil}}
	}).SetTitle(evil).SetClass(policy.Write)
	resource.View(r, "all", func(*resource.Context, resource.None) (resource.Node, error) {
		return full.Form(resource.None{}).Fill(map[string]any{"field": evil, "pick": evil, "many": evil, "who": evil, "rows": []string{evil}}), nil
	})
	p := resource.New("people")
	resource.Lookup(p, "find", func(*resource.Context, resource.None, string) ([]resource.Record, error) {
		return []resource.Record{{Value: evil, Label: evil, Description: evil}}, nil
	})
	h := serve(t, r, p)
	body := browse(h, "GET", "/evil/all", "", "").Body.String()
	page := readPage(t, body)
	for _, step := range []string{"shown", "refused"} {
		if len(page.all("script"))+len(page.all("b")) > 0 || strings.Contains(body, "<script") {
			t.Fatalf("%s: markup got in:\n%s", step, body)
		}
		f := page.form(t)
		f.set(t, "many", "b")
		body = browse(h, "POST", f.action, formBody, f.press(t, "_do", "").Encode()).Body.String()
		page = readPage(t, body)
	}
}

// Several forms may stand on one page: their ids differ.
func TestTheIdsOfAPageAreUnique(t *testing.T) {
	r := resource.New("notes")
	write := resource.Action(r, "write", func(*resource.Context, deskKey, deskNote) (resource.Node, error) { return nil, nil })
	resource.View(r, "all", func(*resource.Context, resource.None) (resource.Node, error) {
		return resource.Content(write.Form(deskKey{"1"}), write.Form(deskKey{"2"})), nil
	})
	page := readPage(t, browse(serve(t, r), "GET", "/notes/all", "", "").Body.String())
	seen := map[string]bool{}
	var walk func(e *pageElement)
	walk = func(e *pageElement) {
		if id := e.attr["id"]; id != "" {
			if seen[id] {
				t.Errorf("the id %q stands twice", id)
			}
			seen[id] = true
		}
		for _, kid := range e.kids {
			walk(kid)
		}
	}
	walk(page)
	if len(seen) != 3 {
		t.Errorf("%d ids", len(seen))
	}
}

// A number beyond every range, and what an application says in any language, come
// back as they are.
func TestWhatNoNumberCanHoldStandsAtItsField(t *testing.T) {
	trip := newTrip[numbersForm](t, policy.Write)
	for _, text := range []string{"1e400", strings.Repeat("9", 1001), "0x1", "1,5", "١"} {
		f := trip.page(t, numbersForm{})
		f.set(t, "count", text)
		f, page := press(t, trip.h, f, "_do", "")
		if got, _ := f.value("count"); got != text || len(page.all("main")[0].all("li")) == 0 {
			t.Errorf("the field holds %q and the page says %q", got, page.all("main")[0].text)
		}
	}
	r := resource.New("words")
	resource.Action(r, "say", func(*resource.Context, resource.None, deskNote) (resource.Node, error) {
		return nil, resource.Invalid("état inconnu", "text")
	}).SetClass(policy.Write)
	if page := browse(serve(t, r), "POST", "/words/say", formBody, "text=a").Body.String(); !strings.Contains(page, "État inconnu.") {
		t.Errorf("%s", page)
	}
}

func TestAnObjectThatIsThereStaysThereThoughNothingIsInIt(t *testing.T) {
	type inner struct {
		Text string `json:"text"`
	}
	trip := newTrip[struct {
		In *inner `json:"in,omitempty"`
	}](t, policy.Write)
	f := trip.page(t, struct {
		In *inner `json:"in,omitempty"`
	}{&inner{}})
	trip.press(t, f, "_do", "")
	if trip.got == nil || trip.got.In == nil {
		t.Errorf("got %s", formJSON(trip.got))
	}
}
