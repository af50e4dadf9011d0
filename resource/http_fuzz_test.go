package resource_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// Whatever a path and a query are, the answer is an envelope with a status of
// its own, and never a failure.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/", "", "//", "/orders", "/orders/detail/a%2Fb", "/orders/_form/refund/..", "/people/_lookup/find?query=%", "/orders/line/7/8/9?line=1&&;=", "/%zz", "/_assent.css?v="} {
		f.Add(seed)
	}
	d := &desk{t: f}
	h := mustHandler(f, resource.NewApp(nil, d.orders(), formPeople()))
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequest("GET", "http://x/"+strings.TrimPrefix(path, "/"), nil)
		if err != nil {
			return
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code == http.StatusInternalServerError {
			t.Fatalf("%q: %s", path, w.Body)
		}
		if w.Header().Get("Content-Type") == "text/css; charset=utf-8" {
			return
		}
		var envelope struct{ Status int }
		if err := json.Unmarshal(w.Body.Bytes(), &envelope); err != nil || envelope.Status != w.Code {
			t.Fatalf("%q: %d %s", path, w.Code, w.Body)
		}
	})
}

func mustHandler(t testing.TB, a *resource.App) http.Handler {
	t.Helper()
	h, err := a.Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Whatever a posted form is, the action gets a valid payload or none, and what
// comes back is a page whose form can be sent again.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{
		"", "texts=&texts/0=a", "items/0=&items/0/sku=a&items/0/count=1e2", "to=&to/street=x&to/rough=false&to/rough=true",
		"_add=/items", "_remove=items/0&items/0=", "nums/0=1&nums/7=2&nums/007=3&nums/-1=4", "when=2026-11-30T16:00", "_payload={}", "/_do=1&//=2&a//b=3",
		"_query/x=1", "_query//=&_find=%00", "yes/0=true&yes/0=false", "from/street=a&_confirmed=x&_back=1", "items=x&to=y&two=1&two=2",
	} {
		f.Add(seed)
	}
	r := resource.New("trips")
	ran := false
	resource.Action(r, "save", func(_ *resource.Context, _ resource.None, p nestedForm) (resource.Node, error) {
		ran = true
		return resource.Text("Saved."), nil
	}).SetClass(policy.Write)
	h := mustHandler(f, resource.NewApp(nil, r))
	f.Fuzz(func(t *testing.T, body string) {
		ran = false
		w := browse(h, "POST", "/trips/_form/save", formBody, body)
		if w.Code == http.StatusInternalServerError || ran != strings.Contains(w.Body.String(), "Saved.") {
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
		page := readPage(t, w.Body.String())
		if w.Code == http.StatusUnprocessableEntity || len(page.all("main")[0].all("form")) > 0 {
			sent := page.form(t)
			again := browse(h, "POST", sent.action, formBody, sent.press(t, "_do", "").Encode())
			if again.Code == http.StatusInternalServerError {
				t.Fatalf("%q: %s", body, again.Body)
			}
		}
	})
}
