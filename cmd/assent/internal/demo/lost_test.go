package demo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assentdev/assent/internal/tui/stage"
)

const slow = "Renumber R from 101\r"

// cutOff returns a journal as a crash leaves it whose last record is the first
// one that has all the words. A journal only grows, so its beginning is what it
// was.
func cutOff(t *testing.T, talk func(p *person), words ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.log")
	sit(t, stage.Options{Journal: path}, talk)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for line := range bytes.Lines(whole) {
		kept += len(line)
		found := true
		for _, w := range words {
			found = found && bytes.Contains(line, []byte(w))
		}
		if found {
			if err := os.WriteFile(path, whole[:kept], 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	t.Fatalf("the journal has no record with %q:\n%s", words, whole)
	return ""
}

// What became of a call whose outcome was lost is asked, and only a person says.
//
// proves: S2
func TestLost(t *testing.T) {
	for _, test := range []struct {
		name string
		talk func(t *testing.T, p *person)
	}{
		{"S2 h says that it happened, and it does not run", func(t *testing.T, p *person) {
			has(t, p.press("h"), "= happened, as said", "A person says that this call had its effect.")
		}},
		{"S2 g runs it once more", func(t *testing.T, p *person) {
			hasNot(t, p.press("g"), "Press a")
			time.Sleep(3 * time.Second) // of synctest
			has(t, p.screen.news(), "Renumbered R1 to R101, R2 to R102.")
		}},
		{"S2 l leaves it, and the model is told that nobody knows", func(t *testing.T, p *person) {
			has(t, p.press("l"), "= left, as said", "unknown: ")
		}},
		{"S2 the keys of other cards are none here", func(t *testing.T, p *person) {
			for _, key := range []string{"y", "s", "e", "n", "r", "w", "\r"} {
				hasNot(t, p.press(key), "= ", "why>")
			}
			p.press("l")
		}},
		{"P12 Esc stops the turn, and the call stays unknown", func(t *testing.T, p *person) {
			has(t, p.press("\x1b"), "= cancelled", "unknown: ", "The turn has ended: stopped.")
			has(t, p.press("Find R\r"), "R1")
		}},
		{"P12 leaving stops the turn", func(t *testing.T, p *person) { p.keys.Close() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := cutOff(t, func(p *person) {
				p.press(slow)
				p.press("y")
				time.Sleep(3 * time.Second) // of synctest
			}, `"type":"call.started"`)
			sit(t, stage.Options{Journal: path}, func(p *person) {
				shown := p.screen.news()
				has(t, shown, "cut off in the middle of a turn", "What became of this?", "Renumber R from 101",
					"this call was started and its result was lost", "h  It happened", "g  Go again", "l  Leave it", "answer> ")
				hasNot(t, shown, "May this run?", "Allow", "Deny", "Change", "What would change")
				test.talk(t, p)
			})
			sit(t, stage.Options{Journal: path}, func(p *person) {
				hasNot(t, p.screen.news(), "What became of this?")
				has(t, p.press("/verify\r"), "every chain holds")
			})
		})
	}
}

// proves: S2 P14
func TestLostAndStrict(t *testing.T) {
	path := cutOff(t, func(p *person) { p.press(remove); p.one("ya") }, `"type":"call.started"`)
	sit(t, stage.Options{Journal: path}, func(p *person) {
		has(t, p.screen.news(), "[DESTRUCTIVE]", "What became of this?")
		shown := p.press("g")
		has(t, shown, "Press a to do it")
		hasNot(t, shown, "= ")
		has(t, p.press("a"), "= runs again, as said", "Deleted page 2")
	})
}

// A question that was open when the program ended is open when it begins again.
//
// proves: S2 P7
func TestAnOpenQuestionComesBack(t *testing.T) {
	path := cutOff(t, func(p *person) { p.press(rename); p.press("y") }, `"type":"approval.asked"`)
	sit(t, stage.Options{Journal: path}, func(p *person) {
		has(t, p.screen.news(), "May this run?", "Rename N$7 to V3V3", "answer> ")
		has(t, p.press("y"), "= approved by you", "Renamed N$7 to V3V3 at 4 pins.")
	})
}
