package resource_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assentdev/assent/resource"
	"pgregory.net/rapid"
)

// grower makes random trees of nodes and remembers the texts that it put there.
// Each text is another one, so that each can be found again.
type grower struct {
	*rapid.T
	o     orders
	texts []string
}

func (g *grower) text() string {
	piece := rapid.OneOf(rapid.SampledFrom(append(hostile, faking...)), rapid.String())
	text := "«" + strconv.Itoa(len(g.texts)) + "»" + piece.Draw(g.T, "text") + "."
	g.texts = append(g.texts, text)
	return text
}

func (g *grower) nodes(depth int) (list []resource.Node) {
	for range rapid.IntRange(0, 3).Draw(g.T, "nodes") {
		list = append(list, g.node(depth))
	}
	return list
}

func (g *grower) node(depth int) resource.Node {
	kinds := []func() resource.Node{
		func() resource.Node { return nil },
		func() resource.Node { return resource.Text(g.text()) },
		func() resource.Node { return resource.Heading(g.text()) },
		func() resource.Node { return resource.Empty(g.text()) },
		func() resource.Node { return resource.Image("elsewhere", g.text()) },
		func() resource.Node { return g.o.detail.Link(orderKey{"7"}, g.text()) },
		func() resource.Node { return resource.Callout(g.text()).As(resource.Tone(g.tone())) },
	}
	if depth > 0 {
		kinds = append(kinds, func() resource.Node { return resource.Group(g.text(), g.nodes(depth-1)...) },
			func() resource.Node { return resource.Content(g.nodes(depth - 1)...) },
			func() resource.Node { return resource.WithData(nil, g.nodes(depth-1)...) },
			func() resource.Node { return resource.List(g.nodes(depth - 1)...) },
			func() resource.Node { return resource.Actions(g.nodes(depth - 1)...) },
			func() resource.Node { return resource.Fields().Add(g.text(), g.node(depth-1)).Text(g.text(), g.text()) },
			func() resource.Node { return g.table(depth) })
	}
	return rapid.SampledFrom(kinds).Draw(g.T, "kind")()
}

func (g *grower) tone() string {
	return rapid.SampledFrom([]string{"", "success", "warning", "danger", "other"}).Draw(g.T, "tone")
}

func (g *grower) table(depth int) resource.Node {
	columns := []string{g.text(), g.text()}
	t := resource.Table(columns...).Right(columns[rapid.IntRange(0, 1).Draw(g.T, "right")])
	t.Caption = g.text()
	for range rapid.IntRange(0, 2).Draw(g.T, "rows") {
		t.Row(g.node(depth-1), g.node(depth-1))
	}
	return t
}

// SPEC R6. Every text of a tree is in all three forms, and nothing of it is more
// than text.
func TestTextsOfRandomNodesAreTextsEverywhere(t *testing.T) {
	o := newOrders()
	rapid.Check(t, func(rt *rapid.T) {
		g := &grower{T: rt, o: o}
		n := resource.Content(g.nodes(3)...)
		g.inHTML(resource.NodeHTML(n))
		g.inJSON(resource.NodeJSON(n))
		text := resource.NodeText(n)
		for _, want := range g.texts {
			if number, _, _ := strings.Cut(want, "»"); !strings.Contains(text, number+"»") {
				g.Errorf("the text lacks %q:\n%s", want, text)
			}
		}
	})
}

func (g *grower) inHTML(html string) {
	p, err := parse(html)
	if err != nil {
		g.Fatalf("%v in\n%s", err, html)
	}
	for _, text := range g.texts {
		if n := strings.Count(strings.Join(p.texts, "\x00"), readBack(text)); n != 1 {
			g.Errorf("%q stands there %d times in\n%s", text, n, html)
		}
	}
}

func (g *grower) inJSON(raw []byte) {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		g.Fatalf("%v in\n%s", err, raw)
	}
	found := stringsOf(value)
	for _, text := range g.texts {
		if !slices.Contains(found, strings.ToValidUTF8(text, "\uFFFD")) {
			g.Errorf("%q is not in\n%s", text, raw)
		}
	}
}

// stringsOf are all strings in a JSON value.
func stringsOf(value any) (list []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		for _, v := range value {
			list = append(list, stringsOf(v)...)
		}
	case map[string]any:
		for _, v := range value {
			list = append(list, stringsOf(v)...)
		}
	}
	return list
}
