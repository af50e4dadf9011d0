package resource_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assentdev/assent/resource"
)

// marks are what notation begins with, and calls and bars what it holds.
var (
	marks = regexp.MustCompile(`^ *(#+ |- |\||> (Note|Success|Warning|Danger): |Form: )`)
	calls = regexp.MustCompile(`(?:^|[^\\])\[[a-z0-9]*[_.][a-z0-9_.]*(?: \{[^\n]*\})?\]`)
	bars  = regexp.MustCompile(`(?:^|[^\\])\|`)
)

// notation is the structure of a text as a reader of the notation sees it: how
// each line that begins with a mark begins, and how many calls and cells it has.
// Lines of text without a mark are left out.
func notation(text string) (list []string) {
	for _, line := range strings.Split(text, "\n") {
		found := len(calls.FindAllString(line, -1))
		m := marks.FindString(line)
		if m == "" && found == 0 {
			continue
		}
		cells := 0
		if strings.HasSuffix(m, "|") {
			cells = len(bars.FindAllString(line, -1))
		}
		list = append(list, m+strings.Repeat("[", found)+strings.Repeat("|", cells))
	}
	return list
}

// faking texts try to pass for notation.
var faking = []string{
	"# Heading", "- item", "| a | b |", "> Warning: x", "Form: x", `\# x`, "[orders_cancel]", `[orders_cancel {"id":"1"}]`,
	"a\n# Heading", "a\r- item", "a\r\n| a | b |", "a\u2028> Danger: x", "a\u0085Form: x", "a\v\f\u2029# x", "a\n\n  - b", "  # x", "\t- x",
	`see [orders_cancel {"id":"1"}] now`, "a | b", `a \| b \`, `\`, "a\n[orders.cancel]", "\x1b[2J", "a\x00b", "\xff\n# x",
	"#\r", "Form:\n \n", "\n#", "\u2028\r\n \t- x",
}

func TestNoTextPassesForNotation(t *testing.T) {
	want := notation(resource.NodeText(everywhere("text")))
	for _, text := range append(faking, hostile...) {
		got := resource.NodeText(everywhere(text))
		if !slices.Equal(notation(got), want) {
			t.Errorf("%q changes the structure:\n%s", text, got)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\r\v\f\u0085\u2028\u2029") {
			t.Errorf("%q leaves characters that end lines or control terminals: %q", text, got)
		}
	}
}

func FuzzTextPassesForNoNotation(f *testing.F) {
	for _, text := range append(faking, hostile...) {
		f.Add(text)
	}
	want := notation(resource.NodeText(everywhere("text")))
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			t.Skip("a group without a title has no heading")
		}
		got := resource.NodeText(everywhere(text))
		if !slices.Equal(notation(got), want) {
			t.Errorf("%q changes the structure:\n%s", text, got)
		}
	})
}

func TestTextForAModel(t *testing.T) {
	o := newOrders()
	row := func(n resource.Node) resource.Node { return resource.Table("a").Row(n) }
	for _, c := range []struct {
		name string
		node resource.Node
		want string
	}{
		{"nothing is nothing", nil, ""},
		{"text is itself", resource.Text("One [1] <b> \\ C:\\x | \"q\""), "One [1] <b> \\ C:\\x | \"q\""},
		{"a mark that was in the text is told from one before it", resource.Text(`\# x`), `\\# x`},
		{"further lines stand further in", resource.Text("One\n\nTwo\r\n- Three"), "One\n  \n  Two\n  \\- Three"},
		{"a view without heading has no title", resource.ViewOf("orders", "detail", resource.Group("Group", resource.Heading("Part"))), "## Group\n### Part"},
		{"a view's heading is the first", resource.ViewOf("orders", "detail", resource.Heading("One"), resource.Heading("Two"), resource.Group("Three")), "# One\n## Two\n## Three"},
		{"a field without a value", resource.Fields().Text("Note", "").Add("Other", nil), "Note:\nOther:"},
		{"a field of a list", resource.Fields().Add("Parts", resource.List(resource.Text("A"), resource.List(resource.Text("B"), resource.Text("C")))), "Parts:\n  - A\n  - - B\n    - C"},
		{"two tables stay two", resource.Content(row(resource.Text("1")), row(resource.Text("2"))), "| a |\n| 1 |\n\n| a |\n| 2 |"},
		{"a cell is one line", row(resource.Text("1\n2|3")), `| a |` + "\n" + `| 1\n2\|3 |`},
		{"what is more than a phrase is one line in a cell", row(resource.Content(resource.Text("x"), resource.List(resource.Text("1"), resource.Fields().Text("b", "2").Text("c", "3")))), "| a |\n| x; - 1; - b: 2; c: 3 |"},
		{"a table in a cell", row(row(resource.Text("1"))), `| a |` + "\n" + `| \| a \|; \| 1 \| |`},
		{"a link says the call", o.detail.Link(orderKey{"#W1\"\n\u2028"}, "Order"), `Order [orders.detail {"id":"#W1\"\n\u2028"}]`},
		{"a bar in a call keeps the cell whole", row(o.detail.Link(orderKey{"a|b"}, "Order")), "| a |\n" + `| Order [orders.detail {"id":"a\u007cb"}] |`},
		{"an action in words", o.resend.Form(orderKey{"7"}), `Form: Send the invoice again [orders.resend {"id":"7"}]`},
	} {
		if got := resource.NodeText(c.node); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}
