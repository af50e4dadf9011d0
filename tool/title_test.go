package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// TestRenderTitle. proves: T4
func TestRenderTitle(t *testing.T) {
	long := strings.Repeat("ä", 81)
	for _, c := range []struct{ name, title, args, want string }{
		{"a number", "Read page {page}", `{"page":3}`, "Read page 3"},
		{"a string without its quotes", "Drop {table}", `{"table":"a\"b"}`, `Drop a"b`},
		{"a list as JSON", "Drop {tables}", `{"tables":["a",1]}`, `Drop ["a",1]`},
		{"a big integer exactly", "Pay {id}", `{"id":12345678901234567890}`, "Pay 12345678901234567890"},
		{"null", "Read {page}", `{"page":null}`, "Read null"},
		{"two places, one twice", "{a} to {b}, {a}", `{"a":"x","b":"y"}`, "x to y, x"},
		{"an absent argument", "Read {page} of {book}", `{"page":3}`, "Read 3 of {book}"},
		{"a value that looks like a place", "{a}{b}", `{"a":"{b}","b":"{a}"}`, "{b}{a}"},
		{"80 characters are whole", "{a}", `{"a":"` + long[:160] + `"}`, long[:160]},
		{"81 characters are cut", "{a}", `{"a":"` + long + `"}`, long[:158] + "…"},
		{"a brace that opens nothing", "a } b { c", `{"a":1}`, "a } b { c"},
		{"a brace in a place", "{{a}}", `{"a":1}`, "{1}"},
		{"an empty place", "{}", `{"":"x"}`, "x"},
		{"no arguments", "Read {page}", ``, "Read {page}"},
		{"no object", "Read {page}", `[]`, "Read {page}"},
		{"no title", "", `{"a":1}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := tool.RenderTitle(c.title, []byte(c.args)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestRenderTitleLaw: text outside of places is kept, whatever it is.
func TestRenderTitleLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.StringOf(rapid.RuneFrom([]rune("ab{}é"))).Draw(t, "title")
		if got := tool.RenderTitle(title, []byte(`{"zz":1}`)); got != title {
			t.Fatalf("%q became %q", title, got)
		}
	})
}

func TestTitleFor(t *testing.T) {
	d := full()
	if got := d.TitleFor([]byte(`{"page":2}`)); got != "Read page 2" {
		t.Errorf("got %q", got)
	}
	d.Source.Kind = policy.Server
	if got := d.TitleFor([]byte(`{"page":2}`)); got != "Read page {page}" {
		t.Errorf("a stranger's title is no template: got %q", got)
	}
	d.Title = ""
	if got := d.TitleFor(nil); got != "read_page" {
		t.Errorf("got %q", got)
	}
}

func ExampleRenderTitle() {
	fmt.Println(tool.RenderTitle("Cancel order {order_id}", []byte(`{"order_id":"#W42","reason":"late"}`)))
	// Output: Cancel order #W42
}
