package chat_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/tui/chat"
	"pgregory.net/rapid"
)

func TestAResultIsShownInLines(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", []string{""}},
		{"JSON may break behind commas and colons", `{"a":[1,2],"b":"x,y:\",z"}`, []string{`{"a": [1, 2], "b": "x,y:\\",z"}`}},
		{"a table", "| a |\n| b |\n", []string{"| a |", "| b |"}},
		{"what only begins like JSON", "[a]\n{b", []string{"[a]", "{b"}},
		{"hidden characters are escapes", "a\u202eb\x1b[2J", []string{`a\u202Eb\u001B[2J`}},
		{"many lines", strings.Repeat("a\n", 12), append(slices.Repeat([]string{"a"}, 8), `\[4 lines more]`)},
		{"one line too many", strings.Repeat("a\n", 9), append(slices.Repeat([]string{"a"}, 8), `\[1 line more]`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := chat.ResultLines(test.text); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestALongLineIsShownByItsEnds(t *testing.T) {
	got := chat.ResultLines("begin " + strings.Repeat("x, ", 1000) + "end")
	if len(got) != 1 || len(got[0]) > 320 || !strings.HasPrefix(got[0], "begin ") || !strings.HasSuffix(got[0], "end") || !strings.Contains(got[0], " more]") {
		t.Errorf("got %q", got)
	}
}

func TestSpacesChangeNothingInJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		var back bytes.Buffer
		if err := json.Compact(&back, []byte(chat.Spaced(string(raw)))); err != nil || back.String() != string(raw) {
			t.Errorf("%s became %s: %v", raw, back.String(), err)
		}
	})
}
