package resource_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"pgregory.net/rapid"
)

// The payloads of the round trip. Together they have every control.
type (
	linesForm struct {
		Name  string  `json:"name"`
		Note  string  `json:"note,omitempty" maxLength:"500"`
		Mail  string  `json:"mail,omitempty" format:"email"`
		Day   string  `json:"day,omitempty" format:"date"`
		Odd   string  `json:"a/b~c d,omitempty"`
		Own   string  `json:"_do"`
		Who   string  `json:"who,omitempty" lookup:"people.find"`
		Maybe *string `json:"maybe,omitempty"`
		Set   string  `json:"set,omitempty" default:"standard"`
	}
	numbersForm struct {
		Count int      `json:"count"`
		Big   int64    `json:"big,omitempty"`
		Small uint8    `json:"small"`
		Part  float64  `json:"part,omitempty"`
		Half  *float32 `json:"half,omitempty"`
		Five  int      `json:"five,omitempty" default:"5"`
	}
	choicesForm struct {
		Sure  bool     `json:"sure"`
		Maybe *bool    `json:"maybe,omitempty"`
		On    bool     `json:"on,omitempty" default:"true"`
		Few   string   `json:"few" enum:"a,b,c"`
		Many  string   `json:"many,omitempty" enum:"one,two,three,four,five,<six>"`
		Level int      `json:"level,omitempty" enum:"1,2,3"`
		Any   []string `json:"any,omitempty" enum:"x,y,z" unique:"true"`
		Must  []string `json:"must" enum:"x,y,z" unique:"true"`
		Who   []string `json:"who,omitempty" unique:"true" lookup:"people.find"`
	}
	itemForm struct {
		SKU   string   `json:"sku"`
		Count int      `json:"count,omitempty"`
		Gift  bool     `json:"gift,omitempty"`
		Notes []string `json:"notes,omitempty"`
	}
	placeForm struct {
		Street string `json:"street"`
		Zip    string `json:"zip,omitempty" default:"0000"`
		Rough  bool   `json:"rough"`
	}
	nestedForm struct {
		Items []itemForm `json:"items"`
		More  []itemForm `json:"more,omitempty" minItems:"1"`
		To    placeForm  `json:"to"`
		From  *placeForm `json:"from,omitempty"`
		Nums  []int      `json:"nums,omitempty"`
		Texts []string   `json:"texts"`
		Yes   []bool     `json:"yes,omitempty"`
		Two   [2]int     `json:"two"`
		When  time.Time  `json:"when,omitempty"`
	}
	looseForm struct {
		Any   any             `json:"any,omitempty"`
		Raw   json.RawMessage `json:"raw,omitempty"`
		Map   map[string]int  `json:"map,omitempty"`
		Lists [][]int         `json:"lists,omitempty"`
	}
)

// formTexts are those that HTML can hold: no control characters, and line feeds only.
var formTexts = rapid.StringOf(rapid.OneOf(
	rapid.SampledFrom([]rune("ab<>&\"'/~ \n\t;#%+=é€😀\u2028")),
	rapid.Rune().Filter(func(r rune) bool {
		return r >= ' ' && (r < 0x7f || r >= 0xa0) && (r < 0xd800 || r > 0xdfff) && (r < 0xfdd0 || r > 0xfdef) && r&0xfffe != 0xfffe && r != 0xfffd
	}),
))

func formText() *rapid.Generator[string] {
	return formTexts.Filter(func(s string) bool { return s != "" })
}

func drawMaybe[T any](t *rapid.T, g *rapid.Generator[T], label string) (value T) {
	if rapid.Bool().Draw(t, label+" given") {
		return g.Draw(t, label)
	}
	return value
}

func drawPointer[T any](t *rapid.T, g *rapid.Generator[T], label string) *T {
	if !rapid.Bool().Draw(t, label+" given") {
		return nil
	}
	value := g.Draw(t, label)
	return &value
}

func drawSubset(t *rapid.T, label string, of ...string) []string {
	list := []string{}
	for _, v := range of {
		if rapid.Bool().Draw(t, label+" "+v) {
			list = append(list, v)
		}
	}
	return list
}

func drawLines(t *rapid.T) linesForm {
	return linesForm{
		Name: formTexts.Draw(t, "name"), Note: formTexts.Draw(t, "note"), Odd: formTexts.Draw(t, "odd"), Own: formTexts.Draw(t, "own"),
		Mail: rapid.SampledFrom([]string{"", "a@b.example"}).Draw(t, "mail"),
		Day:  rapid.SampledFrom([]string{"", "2026-11-30"}).Draw(t, "day"),
		Who:  rapid.SampledFrom([]string{"", "c1", "c2", "c999"}).Draw(t, "who"),
		Set:  formText().Draw(t, "set"), Maybe: drawPointer(t, formText(), "maybe"),
	}
}

func drawNumbers(t *rapid.T) numbersForm {
	return numbersForm{
		Count: rapid.Int().Draw(t, "count"), Big: rapid.Int64().Draw(t, "big"), Small: rapid.Uint8().Draw(t, "small"),
		Part: rapid.Float64().Draw(t, "part"), Half: drawPointer(t, rapid.Float32(), "half"), Five: rapid.IntRange(1, 9).Draw(t, "five"),
	}
}

func drawChoices(t *rapid.T) choicesForm {
	return choicesForm{
		Sure: rapid.Bool().Draw(t, "sure"), Maybe: drawPointer(t, rapid.Bool(), "maybe"), On: true,
		Few:   rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "few"),
		Many:  rapid.SampledFrom([]string{"", "one", "<six>"}).Draw(t, "many"),
		Level: rapid.IntRange(0, 3).Draw(t, "level"), Any: drawSubset(t, "any", "x", "y", "z"), Must: drawSubset(t, "must", "x", "y", "z"),
		Who: drawSubset(t, "who", "c1", "c2", "c999"),
	}
}

func drawItem(t *rapid.T) itemForm {
	return itemForm{
		SKU: formTexts.Draw(t, "sku"), Count: rapid.IntRange(-3, 3).Draw(t, "count"), Gift: rapid.Bool().Draw(t, "gift"),
		Notes: rapid.SliceOfN(formText(), 0, 3).Draw(t, "notes"),
	}
}

func drawPlace(t *rapid.T) placeForm {
	return placeForm{Street: formTexts.Draw(t, "street"), Zip: formText().Draw(t, "zip"), Rough: rapid.Bool().Draw(t, "rough")}
}

func drawNested(t *rapid.T) nestedForm {
	n := nestedForm{
		Items: rapid.SliceOfN(rapid.Custom(drawItem), 0, 3).Draw(t, "items"),
		More:  rapid.SliceOfN(rapid.Custom(drawItem), 0, 2).Draw(t, "more"),
		To:    drawPlace(t), From: drawPointer(t, rapid.Custom(drawPlace), "from"),
		Nums: rapid.SliceOfN(rapid.Int(), 0, 3).Draw(t, "nums"), Texts: rapid.SliceOfN(formText(), 0, 3).Draw(t, "texts"),
		Yes: rapid.SliceOfN(rapid.Bool(), 0, 3).Draw(t, "yes"), Two: [2]int{rapid.Int().Draw(t, "one"), 2},
	}
	n.When = time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "when"), 0).In(rapid.SampledFrom([]*time.Location{time.UTC, time.FixedZone("", 7200)}).Draw(t, "zone"))
	return n
}

func drawLoose(t *rapid.T) looseForm {
	values := rapid.SampledFrom([]string{`1`, `"a\nb"`, `[1,{"x":null}]`, `true`, `"<&"`})
	l := looseForm{Raw: json.RawMessage(drawMaybe(t, values, "raw"))}
	_ = json.Unmarshal([]byte(drawMaybe(t, values, "any")), &l.Any)
	if rapid.Bool().Draw(t, "map") {
		l.Map = map[string]int{"a": 1, "b c": 2}
	}
	l.Lists = rapid.SliceOfN(rapid.SliceOfN(rapid.Int(), 0, 2), 0, 2).Draw(t, "lists")
	return l
}

// formPeople is a resource whose lookup knows two people by default, and a third by
// name only.
func formPeople() *resource.Resource {
	r := resource.New("people")
	resource.Lookup(r, "find", func(*resource.Context, resource.None, string) ([]resource.Record, error) {
		return []resource.Record{{Value: "c1", Label: "Ann <Smith>"}, {Value: "c2", Label: "Bo Li", Description: "Paris"}}, nil
	}).SetResolve(func(_ *resource.Context, _ resource.None, value string) (*resource.Record, error) {
		if name := map[string]string{"c1": "Ann <Smith>", "c2": "Bo Li", "c999": "Cy"}[value]; name != "" {
			return &resource.Record{Value: value, Label: name}, nil
		}
		return nil, nil
	})
	return r
}

// trip serves a view with a filled form of a payload, and keeps what the action
// was given.
type trip[P any] struct {
	app        *resource.App
	h          http.Handler
	shown, got *P
}

func newTrip[P any](t *testing.T, class policy.Class) *trip[P] {
	t.Helper()
	trip := &trip[P]{}
	r := resource.New("trips")
	save := resource.Action(r, "save", func(_ *resource.Context, _ resource.None, p P) (resource.Node, error) {
		trip.got = &p
		return nil, nil
	}).SetClass(class)
	resource.View(r, "edit", func(*resource.Context, resource.None) (resource.Node, error) {
		return save.Form(resource.None{}).Fill(trip.shown), nil
	})
	trip.app = resource.NewApp(nil, r, formPeople())
	var err error
	if trip.h, err = trip.app.Handler(nil); err != nil {
		t.Fatal(err)
	}
	return trip
}

// page is the form as it is first shown.
func (r *trip[P]) page(t fataler, value P) *pageForm {
	r.shown = &value
	return readPage(t, browse(r.h, "GET", "/trips/edit", "", "").Body.String()).form(t)
}

// press sends a form, and returns the page that comes back.
func (r *trip[P]) press(t fataler, f *pageForm, button, value string) string {
	r.got = nil
	return browse(r.h, "POST", f.action, formBody, f.press(t, button, value).Encode()).Body.String()
}

// direct is the value as a program's JSON brings it.
func (r *trip[P]) direct(t fataler, value P) P {
	raw := formJSON(value)
	r.got = nil
	res := r.app.HandleAction(context.Background(), resource.ActionCall{Resource: "trips", Action: "save", Payload: json.RawMessage(raw)})
	if r.got == nil {
		t.Fatalf("%s is refused: %s", raw, res.JSON())
	}
	return *r.got
}

// browse sends one request of a browser.
func browse(h http.Handler, method, path, media, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func checkRoundTrip[P any](t *testing.T, draw func(*rapid.T) P) {
	trip := newTrip[P](t, policy.Write)
	rapid.Check(t, func(t *rapid.T) {
		value := draw(t)
		want := trip.direct(t, value)
		f := trip.page(t, value)
		answer := trip.press(t, f, "_do", "")
		trip.want(t, want, f, answer)
	})
}

// want compares what the action was given.
func (r *trip[P]) want(t fataler, want P, f *pageForm, answer string) {
	t.Helper()
	switch {
	case r.got == nil:
		t.Fatalf("%v is refused:\n%s", f.fields, answer)
	case !reflect.DeepEqual(*r.got, want):
		t.Fatalf("got  %s\nwant %s\nfrom %v", formJSON(r.got), formJSON(want), f.fields)
	}
}

func formJSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// SPEC R8: forms come from the declaration. A form that is filled and sent as it
// is brings exactly what it was filled with.
func TestAFilledFormBringsExactlyItsValuesR8(t *testing.T) {
	t.Run("lines", func(t *testing.T) { checkRoundTrip(t, drawLines) })
	t.Run("numbers", func(t *testing.T) { checkRoundTrip(t, drawNumbers) })
	t.Run("choices", func(t *testing.T) { checkRoundTrip(t, drawChoices) })
	t.Run("nested", func(t *testing.T) { checkRoundTrip(t, drawNested) })
	t.Run("loose", func(t *testing.T) { checkRoundTrip(t, drawLoose) })
}
