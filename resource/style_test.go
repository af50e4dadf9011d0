package resource_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/browser"
	"github.com/assentdev/assent/resource"
)

var colour = regexp.MustCompile(`--([a-z-]+): light-dark\(#([0-9a-f]+), #([0-9a-f]+)\);`)

// luminance is the relative luminance of WCAG of a colour such as fff or 1b4f87.
func luminance(hex string) float64 {
	if len(hex) == 3 {
		hex = strings.Repeat(hex[:1], 2) + strings.Repeat(hex[1:2], 2) + strings.Repeat(hex[2:], 2)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestColoursCanBeReadInLightAndDark(t *testing.T) {
	schemes := [2]map[string]float64{{}, {}}
	for _, m := range colour.FindAllStringSubmatch(resource.Stylesheet(), -1) {
		schemes[0][m[1]], schemes[1][m[1]] = luminance(m[2]), luminance(m[3])
	}
	for _, c := range []struct {
		ground, inks string
		least        float64
	}{
		{"paper", "ink quiet link", 4.5},
		{"card", "ink quiet link plain danger", 4.5},
		{"plain-ground", "ink plain", 4.5},
		{"success-ground", "ink success", 4.5},
		{"warning-ground", "ink warning", 4.5},
		{"danger-ground", "ink danger", 4.5},
		{"link", "on-link", 4.5},
		{"card", "edge", 3}, // the frame of what people fill in and press
	} {
		for i, scheme := range []string{"light", "dark"} {
			for ink := range strings.FieldsSeq(c.inks) {
				a, aOK := schemes[i][ink]
				b, bOK := schemes[i][c.ground]
				contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05)
				if !aOK || !bOK || contrast < c.least {
					t.Errorf("%s on %s has a contrast of %.2f in %s, want %.1f", ink, c.ground, contrast, scheme, c.least)
				}
			}
		}
	}
}

func TestTheStylesheetIsSmallAndLoadsNothing(t *testing.T) {
	css := resource.Stylesheet()
	if len(css) > 12<<10 {
		t.Errorf("it has %d bytes", len(css))
	}
	for _, bad := range []string{"url(", "@import", "@font-face", "expression(", "<"} {
		if strings.Contains(css, bad) {
			t.Errorf("it holds %s", bad)
		}
	}
	if strings.Count(css, "{") != strings.Count(css, "}") {
		t.Error("its braces do not match")
	}
}

// Every kind of node can be used with weak eyes, a screen reader, a small window,
// and under a policy that allows neither script nor inline style.
func TestAPageOfEveryNodeCanBeUsedByEverybody(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'")
		_, _ = w.Write([]byte(resource.PageHTML("Order", resource.Content(everything(), everywhere("averyveryverylongtextwithoutanyplacetobreakit/"+strings.Repeat("x", 80))))))
	})
	mux.HandleFunc("/style.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		_, _ = w.Write([]byte(resource.Stylesheet()))
	})
	for _, image := range []string{"/static/lamp.png", "/lamp.png"} {
		mux.HandleFunc(image, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/png") })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b := browser.Start(t)
	for _, o := range []browser.Options{{Width: 1280}, {Width: 1280, Dark: true}, {Width: 375}, {Width: 320, Dark: true}} {
		p := b.Page(t, o)
		p.Open(server.URL)
		for _, problem := range p.Accessibility() {
			t.Errorf("%+v: %v", o, problem)
		}
		for _, wide := range p.Overflows() {
			t.Errorf("%+v: %s reaches beyond the window", o, wide)
		}
		for _, line := range p.Console() {
			t.Errorf("%+v: %s", o, line)
		}
	}
}
