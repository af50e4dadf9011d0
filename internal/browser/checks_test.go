package browser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/browser"
)

// planted is a page with one thing that the checks must find, or may not.
type planted struct {
	name, html string
	want       string // the start of the one finding, "" for none
}

func TestAccessibilityFindsWhatWasPlanted(t *testing.T) {
	b := browser.Start(t)
	cases := []planted{
		{"a good page", good(form + `<h2>Part</h2><img alt="A chart" src="/x.png"><img alt="" src="/y.png">
<label for="n">Number</label><input id="n" type="number" aria-describedby="hint"><p id="hint">Whole</p>
<input aria-label="Search" placeholder="Search"><button aria-label="Close"><svg></svg></button>
<button disabled class="pale">Later</button><select aria-label="Size"><option>S</option></select>`), ""},
		{"no language", strings.Replace(good(""), ` lang="en"`, "", 1), "language: html: has no lang"},
		{"no title", strings.Replace(good(""), `<title>Orders</title>`, "<title> </title>", 1), "title: html: has no title"},
		{"no viewport", strings.Replace(good(""), `<meta name="viewport"`, "<meta", 1), "viewport: html: has no meta viewport"},
		{"an id used twice", good(`<p id="a">A</p><p id="a">B</p>`), `id: p#a "B": the id a is used twice`},
		{"a hint that is not there", good(`<input aria-label="A" aria-describedby="hint">`), `reference: input "A": aria-describedby names hint`},
		{"a heading too deep", good("<h3>Deep</h3>"), `heading: h3 "Deep": level 3 follows level 1`},
		{"a first heading of level two", strings.ReplaceAll(good(""), "h1>", "h2>"), `heading: h2 "Orders": the first heading has level 2`},
		{"an image without text", good(`<img src="/x.png">`), "image: img: has no alt"},
		{"a field without label", good(`<input name="a">`), "label: input[name=a]: has no label"},
		{"a placeholder is no label", good(`<input name="a" placeholder="Name">`), "label: input[name=a]: has no label"},
		{"an empty label", good(`<label for="a"> </label><textarea id="a"></textarea>`), "label: textarea#a: has no label"},
		{"a button without name", good(`<button id="x"><svg></svg></button>`), "name: button#x: this button has no name"},
		{"a link without name", good(`<a href="/"><img alt="" src="/x.png"></a>`), "name: a: this link has no name"},
		{"pale text", good(`<p class="pale">Pale</p>`), `contrast: p "Pale": 2.85:1 (#999999 on #ffffff)`},
		{"text half seen through", good(`<p class="half">Half</p>`), `contrast: p "Half": `},
		{"the text of a field", good(`<input aria-label="A" class="pale" value="x">`), `contrast: input "A": `},
		{"colours written in another way", good(`<p class="odd">Odd</p>`), `contrast: p "Odd": `},
		{"a pale placeholder", good(`<input aria-label="A" class="faint" placeholder="x">`), `contrast: input "A": `},
		{"pale text over a picture", good(`<p class="picture"><span class="ink">Unjudged</span> <span class="half">Half</span></p>`), ""},
		{"pale text for screen readers", good(`<p class="pale heard">Heard</p>`), ""},
		{"pale text that nobody sees", good(`<p class="pale" hidden>Pale</p>`), ""},
	}
	p := b.Page(t, browser.Options{})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p.Open(site(t, map[string]string{"/": c.html}))
			expect(t, c.want, lines(p.Accessibility()))
		})
	}
	t.Run("a dark scheme has dark paper", func(t *testing.T) {
		p := b.Page(t, browser.Options{Dark: true})
		p.Open(site(t, map[string]string{"/": good(`<p>Light on dark</p><p class="ink">Dark on dark</p>`)}))
		expect(t, `contrast: p "Dark on dark": `, lines(p.Accessibility()))
	})
	t.Run("the checks need no scripts of the page", func(t *testing.T) {
		p := b.Page(t, browser.Options{NoScript: true})
		p.Open(site(t, map[string]string{"/": good(`<button></button>`)}))
		expect(t, "name: button: ", lines(p.Accessibility()))
	})
}

func lines(problems []browser.Problem) []string {
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.String())
	}
	return texts
}

// expect wants one finding that begins with a text, or none.
func expect(t *testing.T, want string, got []string) {
	t.Helper()
	if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOverflowsFindsWhatMakesAPhoneScrollSideways(t *testing.T) {
	b := browser.Start(t)
	long := strings.Repeat("x", 100)
	cases := []planted{
		{"a good page", good("<p>Fits</p>"), ""},
		{"a wide table", good(`<table id="t" class="wide"><tr><td>Cell</td></tr></table>`), `table#t "Cell": it ends at 6`},
		{"a long word", good("<p>" + long + "</p>"), "p \"xxx"},
		{"a wide table that scrolls by itself", good(`<div class="scrolls"><table class="wide"><tr><td>Cell</td></tr></table></div>`), ""},
		{"a page that hides what is too wide", strings.Replace(good(`<p class="wide" id="w">Cut off</p>`), "<body>", `<body class="cuts">`, 1), `p#w "Cut off": it ends at 6`},
		{"text for screen readers", good(`<span class="heard">` + long + `</span>`), ""},
	}
	p := b.Page(t, browser.Options{Width: 375, Height: 667})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p.Open(site(t, map[string]string{"/": c.html}))
			expect(t, c.want, p.Overflows())
		})
	}
	t.Run("a wide table fits a wide window", func(t *testing.T) {
		p := b.Page(t, browser.Options{})
		p.Open(site(t, map[string]string{"/": cases[1].html}))
		expect(t, "", p.Overflows())
	})
	if got := p.Console(); slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "security") }) {
		t.Errorf("the checks break the page's policy: %q", got)
	}
}
