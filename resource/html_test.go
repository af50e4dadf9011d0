package resource_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/resource"
)

// hostile texts try to become markup, or to break what reads them.
var hostile = []string{
	`"><script>alert(1)</script>`, `' onload=x y='`, `</title><script>x</script>`, `</p></td></table></main>`, `<!-- x`, `]]>`,
	`&lt;b&gt; &amp &#60; &notit;`, "a\x00b\x1bc\x7f", "\u202egnp.exe\u2066", "\xff", "a\xc3\x28\xed\xa0\x80z", "\u0085\u009f\ufffe\ufdd0",
	"javascript:alert(1)", "{{.}} ${x} `x`", "a\rb\tc", "<script>", "\ufeff<img src=x onerror=y>",
}

// everywhere puts a text into every place of every node that takes one.
func everywhere(text string) resource.Node {
	o := newOrders()
	key := orderKey{text}
	link := o.detail.Link(key, text)
	table := resource.Table(text, text+"2").Right(text+"2").Row(link, resource.Callout(text).As(resource.Tone(text))).Row(resource.Text(text), resource.Group(text, resource.Text(text)))
	table.Caption = text
	wide := resource.Table("1", "2", "3", "4", "5", "6", "7")
	wide.Caption = text
	return resource.ViewOf("orders", "detail",
		resource.Heading(text), resource.Heading(text), resource.Text(text), resource.Empty(text),
		resource.Callout(text), resource.Callout(text).As(resource.Danger),
		resource.Actions(link, o.cancel.Form(key), o.resend.Form(key), resource.Text(text)),
		resource.Group(text, link, resource.Fields().Text(text, text).Add(text, resource.Content(resource.Text(text), resource.Empty(text), resource.Heading(text)))),
		table, wide, resource.List(resource.Text(text), resource.Callout(text).As(resource.Good), resource.List(link)),
		resource.Image("/lamp.png", text), resource.Image("elsewhere", text), resource.WithData(text, resource.Text(text)),
	)
}

func TestNoTextBecomesMarkup(t *testing.T) {
	want, err := parse(resource.PageHTML("text", everywhere("text")))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range hostile {
		got, err := parse(resource.PageHTML(text, everywhere(text)))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !slices.Equal(got.skeleton, want.skeleton) {
			t.Errorf("%q changes the elements:\n%s", text, strings.Join(got.skeleton, "\n"))
		}
		if n, all := count(got.texts, readBack(text)), count(want.texts, "text"); n != all {
			t.Errorf("%q stands there as text %d times, want %d", text, n, all)
		}
	}
}

func count(list []string, text string) (n int) {
	for _, s := range list {
		if s == text {
			n++
		}
	}
	return n
}

func FuzzTextIsShownAsItIs(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse(resource.NodeHTML(resource.Text(text)))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{readBack(text)}
		if strings.TrimSpace(want[0]) == "" {
			want = nil
		}
		if !slices.Equal(p.texts, want) {
			t.Errorf("%q comes out as %q", want, p.texts)
		}
	})
}

func TestImagesComeFromTheSameOriginOrFromThemselves(t *testing.T) {
	for source, allowed := range map[string]bool{
		"/lamp.png": true, "/a/b.webp?v=1": true, "data:image/png;base64,AAAA": true, "data:image/webp;base64,AA==": true,
		"": false, "lamp.png": false, "//example.com/x.png": false, `/\example.com/x.png`: false, "/\t/example.com/x.png": false,
		"\n//example.com/x.png": false, "https://example.com/x.png": false, "javascript:alert(1)": false, "data:text/html;base64,AAAA": false,
		"data:image/svg+xml;base64,AAAA": false, "data:image/svg+xml,<svg>": false, "data:image/png": false, "data:image/png,<svg>": false,
		"DATA:image/png;base64,AA": false, "/é.png": false, "/\xff.png": false,
	} {
		p, err := parse(resource.NodeHTML(resource.Image(source, "A lamp")))
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if got := slices.Equal(p.attrs["src"], []string{source}); got != allowed {
			t.Errorf("%q is shown as an image: %v", source, got)
		}
		if !allowed && !slices.Equal(p.texts, []string{"A lamp"}) {
			t.Errorf("%q leaves %q", source, p.texts)
		}
	}
}

func TestHeadingsBeginWithOneOfLevelOneAndSkipNone(t *testing.T) {
	g := func(content ...resource.Node) resource.Node { return resource.Group("group", content...) }
	h := resource.Heading("heading")
	deep := g(g(g(g(g(g(h))))))
	for name, view := range map[string]resource.Node{
		"a view without heading gets the page's": resource.ViewOf("orders", "detail", g(h, g(h))),
		"a view's own heading is the page's":     resource.ViewOf("orders", "detail", h, h, g(h, g(h, h), h), h),
		"the seventh level is one of the sixth":  resource.ViewOf("orders", "detail", h, deep, h),
		"groups without title count for nothing": resource.ViewOf("orders", "detail", h, resource.Group("", resource.Group("", h)), h),
		"a node that is no view may begin":       resource.Content(g(h), g(h), h),
		"an untitled group may begin":            resource.Content(resource.Group("", h), g(h), h),
	} {
		p, err := parse(resource.PageHTML("Page", view))
		if err != nil {
			t.Fatal(err)
		}
		last, ones := 0, 0
		for _, s := range p.skeleton {
			s = strings.TrimLeft(s, ".")
			if len(s) != 2 || s[0] != 'h' || s[1] < '1' || s[1] > '6' {
				continue
			}
			level := int(s[1] - '0')
			if level > last+1 {
				t.Errorf("%s: h%d follows h%d", name, level, last)
			}
			if last = level; level == 1 {
				ones++
			}
		}
		if ones != 1 {
			t.Errorf("%s: there are %d headings of level 1", name, ones)
		}
	}
}

// Nodes that nest deeper than a person or a model can follow are cut, and it is said.
func TestDeepNestingIsCutAndCostsNoMore(t *testing.T) {
	nest := func(wrap func(resource.Node) resource.Node) (n resource.Node) {
		n = resource.Text("innermost")
		for range 10_000 {
			n = wrap(n)
		}
		return n
	}
	for name, n := range map[string]resource.Node{
		"groups": nest(func(n resource.Node) resource.Node { return resource.Group("", n) }),
		"lists":  nest(func(n resource.Node) resource.Node { return resource.List(n) }),
		"fields": nest(func(n resource.Node) resource.Node { return resource.Fields().Add("a", n) }),
		"tables": nest(func(n resource.Node) resource.Node { return resource.Table("a", "b").Row(n, nil) }),
	} {
		start := time.Now()
		p, err := parse(resource.NodeHTML(n))
		if err != nil {
			t.Fatal(err)
		}
		text := resource.NodeText(n)
		for _, got := range []string{strings.Join(p.texts, " "), text} {
			if !strings.Contains(got, "What is nested deeper is not shown.") || strings.Contains(got, "innermost") {
				t.Errorf("%s: %.300s", name, got)
			}
		}
		if took := time.Since(start); len(text) > 20_000 || took > 20*time.Second {
			t.Errorf("%s take %d bytes and %v", name, len(text), took)
		}
	}
	hollow := nest(func(n resource.Node) resource.Node { return resource.Content(n) })
	if got := resource.NodeHTML(hollow) + resource.NodeText(hollow); strings.Count(got, "innermost") != 2 {
		t.Errorf("contents in contents leave no trace, got %.300s", got)
	}
}

func TestAPageWithoutPartsIsAPage(t *testing.T) {
	if _, err := parse(resource.PageHTML("", nil)); err != nil {
		t.Error(err)
	}
}
