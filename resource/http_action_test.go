package resource_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"pgregory.net/rapid"
)

// formOf opens the form of an action as a person.
func (d *desk) formOf(path string) *pageForm {
	d.t.Helper()
	r := d.send(request{method: "GET", path: path, page: true})
	if r.status != 200 {
		d.t.Fatalf("%d %s", r.status, r.body)
	}
	return readPage(d.t, r.body).form(d.t)
}

// press sends a form by one of its buttons.
func (d *desk) press(f *pageForm, button, value string) reply {
	d.t.Helper()
	return d.send(request{method: "POST", path: f.action, page: true, media: formBody, body: f.press(d.t, button, value).Encode()})
}

func (d *desk) wantRan(want ...string) {
	d.t.Helper()
	if !slices.Equal(d.ran, want) {
		d.t.Errorf("ran %q, want %q", d.ran, want)
	}
}

func TestWhatAnActionShowsIsWhereAPersonGoes(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		status     int
		where, has string
	}{
		{"nothing: home", "a", 303, "/orders/all", ""},
		{"a node: its page", "show", 200, "", "Noted <b>."},
		{"a conflict: the form again", "locked", 409, "", "Somebody else writes."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, nil)
			f := d.formOf("/orders/_form/note/7")
			f.set(t, "text", tt.text)
			r := d.press(f, "_do", "")
			if r.status != tt.status || where(r) != tt.where {
				t.Fatalf("%d %q %s", r.status, where(r), r.body)
			}
			if tt.where == "" {
				d.wantPage(r, tt.status, tt.has)
			}
			if tt.status == 409 {
				if text, _ := readPage(t, r.body).form(t).value("text"); text != "locked" {
					t.Errorf("the text is lost: %q", text)
				}
			}
		})
	}
}

func TestAWriteRunsAtOnceAndWhatIsStricterIsShownFirst(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		page, asks bool
	}{
		{"a program is not asked", "/orders/purge", false, false},
		{"a person is asked about what nobody said the class of", "/orders/purge", true, true},
		{"a person is asked about a write that these values make destructive", "/orders/all", true, true},
		{"a person is asked at the address of programs too", "/orders/_form/purge", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, nil)
			r := d.send(request{method: "POST", path: tt.path, page: tt.page, media: formBody})
			if tt.asks {
				d.wantRan()
				r = d.press(readPage(t, r.body).form(t), "_confirmed", "")
			}
			if len(d.ran) != 1 {
				t.Errorf("ran %q: %d %s", d.ran, r.status, r.body)
			}
		})
	}
}

// What runs is what was shown: the button carries the digest of the values.
func TestAPersonConfirmsExactlyWhatIsShown(t *testing.T) {
	d := newDesk(t, nil)
	f := d.formOf("/orders/_form/refund/7")
	f.set(t, "cents", "5")
	f.set(t, "to", "c999")
	f.set(t, "code", "s3cret")
	shown := d.press(f, "_do", "")
	d.wantPage(shown, 200, "Money leaves.")
	text := readPage(t, shown.body).all("main")[0].text
	for _, want := range []string{"Paid", "1.00", "<0.95>", "Customer", "Cy (c999)", "•••", "Yes, pay back"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if strings.Contains(text, "s3cret") {
		t.Errorf("a secret is shown")
	}
	d.wantRan()

	confirm := readPage(t, shown.body).form(t)
	changed := confirm.press(t, "_confirmed", "")
	changed.Set("_payload", strings.Replace(changed.Get("_payload"), `"cents":5`, `"cents":6`, 1))
	again := d.send(request{method: "POST", path: confirm.action, page: true, media: formBody, body: changed.Encode()})
	if again.status != 200 || !strings.Contains(again.body, "Money leaves.") {
		t.Errorf("%d", again.status)
	}
	other := d.send(request{method: "POST", path: "/orders/_form/refund/8", page: true, media: formBody, body: confirm.press(t, "_confirmed", "").Encode()})
	if other.status != 200 {
		t.Errorf("%d", other.status)
	}
	d.wantRan() // neither other values nor another record

	if r := d.press(confirm, "_confirmed", ""); r.status != 303 || where(r) != "/orders/detail/7" {
		t.Errorf("%d %q", r.status, where(r))
	}
	d.wantRan(`refund 7 {"cents":5,"to":"c999","code":"s3cret"}`)
}

func TestAPersonGoesBackToWhatWasFilledIn(t *testing.T) {
	d := newDesk(t, nil)
	f := d.formOf("/orders/_form/refund/7")
	f.set(t, "cents", "5")
	f.set(t, "reason", "late")
	confirm := readPage(t, d.press(f, "_do", "").body).form(t)
	back := readPage(t, d.press(confirm, "_back", "").body).form(t)
	if cents, _ := back.value("cents"); cents != "5" {
		t.Errorf("cents is %q", cents)
	}
	if reason := back.press(t, "_do", "")["reason"]; !slices.Contains(reason, "late") {
		t.Errorf("reason is %q", reason)
	}
	d.wantRan()
}

func TestAProgramThatPressesAButtonOfAFormGetsTheForm(t *testing.T) {
	d := newDesk(t, nil)
	r := d.send(request{method: "POST", path: "/orders/note/7", media: formBody, body: "text=a&_back=yes"})
	if r.status != 200 || !strings.Contains(r.body, `"kind":"form"`) || !strings.Contains(r.body, `"values":{"text":"a"}`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	d.wantRan()
	if r := d.send(request{method: "GET", path: "/orders/_form/note/7"}); !strings.Contains(r.body, `"node":{"kind":"form","title":"Note","to":{"resource":"orders","action":"note","params":{"id":"7"}},"schema":{"type":"object"`) {
		t.Errorf("%s", r.body)
	}
}

// A form keeps its values through rows that come and go, through second thoughts
// and through the second look.
func TestAFormKeepsItsValuesOnEveryWayR8(t *testing.T) {
	trip := newTrip[nestedForm](t, policy.Destructive)
	rapid.Check(t, func(t *rapid.T) {
		value := drawNested(t)
		want := trip.direct(t, value)
		f := trip.page(t, value)
		for range rapid.IntRange(0, 3).Draw(t, "detours") {
			f = trip.detour(t, f)
		}
		confirm := readPage(t, trip.press(t, f, "_do", "")).form(t)
		if trip.got != nil {
			t.Fatalf("it ran before anybody confirmed")
		}
		if rapid.Bool().Draw(t, "back") {
			f = readPage(t, trip.press(t, confirm, "_back", "")).form(t)
			confirm = readPage(t, trip.press(t, f, "_do", "")).form(t)
		}
		answer := trip.press(t, confirm, "_confirmed", "")
		trip.want(t, want, f, answer)
	})
}

// detour adds a row, and takes it away if it is an object.
func (r *trip[P]) detour(t *rapid.T, f *pageForm) *pageForm {
	list := rapid.SampledFrom([]string{"/items", "/nums", "/texts", "/yes"}).Draw(t, "list")
	f = readPage(t, r.press(t, f, "_add", list)).form(t)
	if list != "/items" {
		return f
	}
	last := ""
	for _, field := range f.fields {
		if field.button && field.name == "_remove" && strings.HasPrefix(field.value, "items/") {
			last = field.value
		}
	}
	return readPage(t, r.press(t, f, "_remove", last)).form(t)
}

func TestGoldenPages(t *testing.T) {
	d := newDesk(t, nil)
	f := d.formOf("/orders/_form/refund/7")
	f.set(t, "cents", "5")
	f.set(t, "to", "c2")
	confirm := d.press(f, "_do", "").body
	f.set(t, "cents", "x")
	goldenMain(t, "confirm.html", confirm)
	goldenMain(t, "form.html", d.press(f, "_do", "").body)
}

func goldenMain(t *testing.T, name, got string) {
	t.Helper()
	i := strings.Index(got, "<main")
	got = got[i:]
	file := "testdata/pages/" + name
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not as it was; rewrite it with -update:\n%s", name, got)
	}
}
