package ink_test

import (
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/policy"
	"pgregory.net/rapid"
)

var texts = rapid.StringOf(rapid.SampledFrom([]rune("abc  ß世-"))).Filter(func(s string) bool { return len(s) < 400 })

// Wrapping loses nothing, and no line is wider than asked for.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := texts.Draw(t, "text"), rapid.IntRange(2, 40).Draw(t, "width")
		lines := ink.Wrap(text, width)
		for _, line := range lines {
			if ink.Columns(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := squeeze(strings.Join(lines, "")); got != squeeze(text) {
			t.Fatalf("%q became %q", text, lines)
		}
	})
}

// A flow does with pieces what wrapping does with the whole, whatever the pieces.
func TestFlowDoesNotDependOnThePieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		whole, pieces := flow(t, text), []string{}
		for rest := []rune(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			pieces = append(pieces, string(rest[:n]))
			rest = rest[n:]
		}
		if got := flow(t, pieces...); got != whole {
			t.Fatalf("%q in pieces %q:\n%s\ninstead of\n%s", text, pieces, got, whole)
		}
		for line := range strings.Lines(whole) {
			if ink.Columns(strings.TrimSuffix(line, "\n")) > 30 {
				t.Fatalf("%q is too wide", line)
			}
		}
	})
}

func flow(t *rapid.T, pieces ...string) string {
	var b strings.Builder
	f := ink.NewFlow(&b, ink.Ink{Width: 30}, "  ")
	for _, p := range pieces {
		if err := f.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A model's text cannot steer the terminal.
//
// proves: P14
func TestFlowShowsWhatIsHidden(t *testing.T) {
	var b strings.Builder
	f := ink.NewFlow(&b, ink.Ink{}, "")
	if err := f.Add("a \x1b[2J\u202e b\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `a \u001B[2J\u202E b\r`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// proves: C1
func TestClassIsAWordAndAShape(t *testing.T) {
	seen := map[string]bool{}
	for c := policy.NotGiven; c <= policy.Unknown; c++ {
		plain, coloured := ink.Ink{}.Class(c), ink.Ink{Color: true}.Class(c)
		if !strings.Contains(strings.ToLower(plain), "["+c.Known().String()+"]") || !strings.Contains(coloured, plain) {
			t.Errorf("%v: %q, %q", c, plain, coloured)
		}
		seen[plain] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d badges, want 4: what is not given counts as unknown", len(seen))
	}
}
