package resource_test

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/resource"
)

// state is a word with a form of its own.
type state int

func (s state) MarshalText() ([]byte, error) { return []byte([]string{"open", "closed"}[s&1]), nil }

func (s *state) UnmarshalText(b []byte) error {
	if *s = 0; string(b) == "open" {
		return nil
	}
	if *s = 1; string(b) == "closed" {
		return nil
	}
	return errors.New("SECRET: no such state in table order_states")
}

// kinds has a parameter of each kind.
type kinds struct {
	Text  string     `param:"text"`
	Yes   bool       `param:"yes"`
	Small int8       `param:"small"`
	Big   int64      `param:"big"`
	Byte  uint8      `param:"byte"`
	Count uint64     `param:"count"`
	State state      `param:"state"`
	Addr  netip.Addr `param:"addr"`
	note  string     // not a parameter
}

// shown is an app with one view of kinds, which keeps what it got.
func shown(got *kinds) (*resource.App, resource.ViewDef[kinds]) {
	r := resource.New("things")
	v := resource.View(r, "detail", func(_ *resource.Context, k kinds) (resource.Node, error) {
		*got = k
		return nil, nil
	})
	return resource.NewApp(nil, r), v
}

var good = map[string]string{
	"text": "a/b ü", "yes": "true", "small": "-128", "big": "9007199254740993", "byte": "255",
	"count": "18446744073709551615", "state": "closed", "addr": "::1",
}

// proves: R1
func TestEachKindOfParameterIsReadFromItsText(t *testing.T) {
	var got kinds
	app, _ := shown(&got)
	if err := app.Check(); err != nil {
		t.Fatal(err)
	}
	res := app.RenderView(t.Context(), resource.ViewCall{Resource: "things", View: "detail", Params: good})
	want := kinds{"a/b ü", true, -128, 9007199254740993, 255, 18446744073709551615, 1, netip.MustParseAddr("::1"), ""}
	if res.Kind != resource.Success || got != want {
		t.Errorf("got %+v: %s", got, res.JSON())
	}
}

// proves: R1, R6
func TestAParameterThatIsNotInItsOneFormIsNamed(t *testing.T) {
	for _, tt := range []struct{ name, value, words string }{
		{"text", "", "is empty"},
		{"text", strings.Repeat("x", 1025), "is longer than 1024 bytes"},
		{"text", "a\x00b", "control character"},
		{"text", "a\nb", "control character"},
		{"text", "\xff", "not UTF-8"},
		{"yes", "True", "neither true nor false"},
		{"yes", "1", "neither true nor false"},
		{"small", "128", "no whole number that fits"},
		{"small", "+1", "no whole number that fits"},
		{"small", "01", "no whole number that fits"},
		{"small", "1.0", "no whole number that fits"},
		{"big", "-0", "no whole number that fits"},
		{"byte", "-1", "no whole number of 0 or more"},
		{"byte", "256", "no whole number of 0 or more"},
		{"count", "0x10", "no whole number of 0 or more"},
		{"state", "lost", "not in the right form"},
		{"more", "1", "there is no such parameter"},
	} {
		t.Run(fmt.Sprintf("%s=%.10q", tt.name, tt.value), func(t *testing.T) {
			var got kinds
			app, _ := shown(&got)
			params := maps.Clone(good)
			params[tt.name] = tt.value
			res := app.RenderView(t.Context(), resource.ViewCall{Resource: "things", View: "detail", Params: params})
			if res.Kind != resource.Rejected || res.Status != 400 || len(res.Issues) != 1 || got != (kinds{}) {
				t.Fatalf("got %+v: %s", got, res.JSON())
			}
			if i := res.Issues[0]; i.Path[0] != tt.name || !strings.Contains(i.Message, tt.words) || strings.Contains(i.Message, "SECRET") {
				t.Errorf("the issue is %v", i)
			}
		})
	}
}

// proves: R1
func TestAllThatIsWrongWithAnAddressIsSaidAtOnce(t *testing.T) {
	var got kinds
	app, _ := shown(&got)
	res := app.RenderView(t.Context(), resource.ViewCall{Resource: "things", View: "detail",
		Params: map[string]string{"zz": "1", "yes": "no", "aa": "1"}})
	want := "/text: is missing; /yes: is neither true nor false; /small: is missing; /big: is missing; /byte: is missing; " +
		"/count: is missing; /state: is missing; /addr: is missing; /aa: there is no such parameter; /zz: there is no such parameter"
	if text := resource.Issues(res.Issues).Error(); text != want {
		t.Errorf("got %s", text)
	}
}

// proves: R1
func TestALinkLeadsToTheAddressItWasMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := kinds{
			Text:  rapid.StringMatching(`[^\x00-\x1f\x7f]{1,40}`).Draw(t, "text"),
			Yes:   rapid.Bool().Draw(t, "yes"),
			Small: rapid.Int8().Draw(t, "small"),
			Big:   rapid.Int64().Draw(t, "big"),
			Byte:  rapid.Uint8().Draw(t, "byte"),
			Count: rapid.Uint64().Draw(t, "count"),
			State: state(rapid.IntRange(0, 1).Draw(t, "state")),
			Addr:  netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "addr"))),
		}
		var got kinds
		app, v := shown(&got)
		to := v.Link(want, "there").To
		res := app.RenderView(t.Context(), resource.ViewCall{Resource: to.Resource, View: to.View, Params: to.Params})
		if res.Kind != resource.Success || got != want {
			t.Fatalf("%v became %+v: %s", to.Params, got, res.JSON())
		}
	})
}
