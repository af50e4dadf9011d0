package demo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assentdev/assent/internal/tui/chat"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/stage"
)

const (
	rename = "Rename N$7 to V3V3\r"
	remove = "Delete page 2\r"
)

func TestTheFirstLinesSayThatTheModelIsAScript(t *testing.T) {
	sit(t, stage.Options{}, func(p *person) {
		has(t, p.screen.news(), "The model is a script", "There is no AI, no account\nand no network.")
		has(t, p.press("Find LED\r"), "I am a script, not a model", "[read] Find LED (find_component): runs", "The first is U2, ATtiny402, on page 2.")
		has(t, p.press("Find XYZ\r"), "Nothing has that.")
	})
}

// The keys of a card.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name string
		talk func(t *testing.T, p *person)
	}{
		{"P2 y allows once, and the next call asks again", func(t *testing.T, p *person) {
			has(t, p.press(rename), "May this run?", "Rename N$7 to V3V3", "[write]", "the mode is ask", "U1.3: N$7 -> V3V3", "answer> ")
			has(t, p.press("y"), "= approved by you", "Renamed N$7 to V3V3 at 4 pins.")
			has(t, p.press("Rename N$9 to LED_A\r"), "answer> ")
			has(t, p.press("n"), "denied")
		}},
		{"P3 s allows for the session, in words, until it is revoked", func(t *testing.T, p *person) {
			has(t, p.press(rename), "s  Allow for this session: `rename_net` in this session, any arguments")
			has(t, p.press("s"), "= approved by you")
			has(t, p.press("Rename N$9 to LED_A\r"), "runs, because grant 1 covers", "Renamed N$9")
			has(t, p.press("/grants\r"), "1  `rename_net` in this session, any arguments")
			has(t, p.press("/revoke 1\r"), "rename_net asks again")
			has(t, p.press("Rename LED_A to LED_B\r"), "answer> ")
			p.press("n")
		}},
		{"P3 x allows the same arguments again and no others", func(t *testing.T, p *person) {
			p.press(rename)
			has(t, p.press("x"), "= approved by you")
			has(t, p.press("/grants\r"), "with exactly the approved arguments")
			has(t, p.press("Rename N$9 to LED_A\r"), "answer> ")
			p.press("n")
		}},
		{"P2 n denies without a reason", func(t *testing.T, p *person) {
			p.press(rename)
			has(t, p.press("n"), "= denied by you", "this call was denied.")
		}},
		{"P2 r denies with a reason, which the model is told", func(t *testing.T, p *person) {
			p.press(rename)
			has(t, p.press("r"), "r\n")
			has(t, p.press("keep the name\r"), "= denied by you: keep the name", "Reason: keep the name")
		}},
		{"P14 Enter alone decides nothing", func(t *testing.T, p *person) {
			p.press(rename)
			shown := p.press("\r")
			has(t, shown, "Enter alone decides nothing: press")
			hasNot(t, shown, "=")
			has(t, p.press("n"), "= denied by you")
		}},
		{"P14 text that is pasted or typed ahead is no answer", func(t *testing.T, p *person) {
			p.press(rename)
			if shown := p.press("yes\r"); shown != "" {
				t.Errorf("pasted text did something: %q", shown)
			}
			has(t, p.press("n"), "= denied by you")
		}},
		{"P14 a destructive call needs a second key, which no key held down gives", func(t *testing.T, p *person) {
			has(t, p.press(remove), "[DESTRUCTIVE]", "U2: ATtiny402 (lost)")
			has(t, p.press("y"), "Press a to do it")
			has(t, p.press("y"), "Not allowed yet.")
			has(t, p.press("y"), "Press a to do it")
			has(t, p.press("\r"), "Not allowed yet.")
			has(t, p.one("ya"), "= approved by you", "Deleted page 2, Controller.")
		}},
		{"P3 a cap leaves no wider scope for what destroys", func(t *testing.T, p *person) {
			hasNot(t, p.press(remove), "Allow for this session", "Allow more")
			has(t, p.press("s"), "s is no choice here")
			has(t, p.press("w"), "w is no choice here")
			p.press("n")
		}},
		{"P12 Esc stops the turn and approves nothing", func(t *testing.T, p *person) {
			p.press(rename)
			has(t, p.press("\x1b"), "(stopping)", "= cancelled", "The turn has ended: stopped.")
			has(t, p.press("Find N$7\r"), "U1") // still its old name
		}},
		{"P12 Ctrl-C stops the turn, also behind the first key of two", func(t *testing.T, p *person) {
			p.press(remove)
			p.press("y")
			has(t, p.press("\x03"), "= cancelled")
			has(t, p.press("What is on page 2?\r"), "Page 2, Controller")
		}},
		{"P12 leaving stops the turn", func(t *testing.T, p *person) {
			p.press(rename)
			p.keys.Close()
		}},
		{"an arrow key is no answer", func(t *testing.T, p *person) {
			p.press(rename)
			if shown := p.press("\x1b[A"); shown != "" {
				t.Errorf("an arrow did something: %q", shown)
			}
			p.press("n")
		}},
		{"? shows the card again", func(t *testing.T, p *person) {
			p.press(rename)
			has(t, p.press("?"), "May this run?", "N$7 -> V3V3")
			p.press("n")
		}},
		{"T4 a change is taken back, which is asked about as what it is", func(t *testing.T, p *person) {
			p.press(rename)
			p.press("y")
			has(t, p.press("/undo\r"), "| Undo: Rename N$7 to V3V3")
			has(t, p.press("y"), "Renamed V3V3 back to N$7.")
			has(t, p.press("/undo\r"), "nothing to take back")
		}},
		{"T4 a change is not taken back where the thing has changed since", func(t *testing.T, p *person) {
			p.press(rename)
			p.press("y")
			p.press(remove)
			p.one("ya")
			p.press("/undo\r")
			has(t, p.press("y"), "It has changed since, so this cannot be undone.")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sit(t, stage.Options{}, func(p *person) {
				p.screen.news()
				test.talk(t, p)
			})
		})
	}
}

// proves: P8 A1
func TestEdits(t *testing.T) {
	t.Run("P8 changed arguments run, and the model is told", func(t *testing.T) {
		sit(t, stage.Options{}, func(p *person) {
			p.press(rename)
			has(t, p.press("e"), `arguments> {"name":"V3V3","net":"N$7"}`)
			p.press("\x15")
			has(t, p.press(`{"net":"N$7","name":"VDD"}`+"\r"), "= edited by you", "Renamed N$7 to VDD", "A person changed the arguments")
		})
	})
	t.Run("A1 changed arguments that do not fit leave the question open", func(t *testing.T) {
		sit(t, stage.Options{}, func(p *person) {
			p.press(rename)
			p.press("e")
			p.press("\x15")
			shown := p.press(`{"net":"N$7","name":"lower"}` + "\r")
			has(t, shown, "/name: must match", "answer> ")
			hasNot(t, shown, "= ")
			has(t, p.press("n"), "= denied")
		})
	})
	t.Run("P14 a changed destructive call needs the second key", func(t *testing.T) {
		sit(t, stage.Options{}, func(p *person) {
			p.press(remove)
			p.press("e")
			p.press("\x15")
			shown := p.press(`{"page":3}` + "\r")
			has(t, shown, "Run it with these arguments? Press a")
			hasNot(t, shown, "= ")
			has(t, p.press("a"), "Deleted page 3")
		})
	})
	t.Run("Esc leaves the line and not the question", func(t *testing.T) {
		sit(t, stage.Options{}, func(p *person) {
			p.press(rename)
			p.press("r")
			p.press("because y")
			has(t, p.press("\x1b"), "Not answered yet.")
			has(t, p.press("y"), "= approved by you")
		})
	})
}

// proves: P14
func TestHiddenCharactersAreShown(t *testing.T) {
	sit(t, stage.Options{}, func(p *person) {
		shown := p.press("Note on page 2: abc\u202edef\u200b!\r")
		has(t, shown, `text: "abc\u202Edef\u200B!"`, "hidden characters", "turns the direction of text")
		hasNot(t, shown[strings.Index(shown, "May this run"):], "\u202e", "\u200b")
		p.press("n")
	})
}

// proves: P14
func TestALongValueIsOpenedBeforeItIsAllowed(t *testing.T) {
	sit(t, stage.Options{}, func(p *person) {
		long := "Note on page 2: " + strings.Repeat("harmless ", 25) + "AND ONE OTHER " + strings.Repeat("harmless ", 20)
		shown := p.press(long + "\r")
		card := shown[strings.Index(shown, "May this run"):]
		has(t, card, "more characters", "not shown whole: press o")
		hasNot(t, card, "ONE OTHER")
		has(t, p.press("y"), "Not everything of this call is shown: press o first.")
		has(t, p.press("o"), "AND ONE OTHER")
		has(t, p.one("ya"), "Wrote a note on page 2.")
	})
}

// A card that appears while somebody types takes no answer at first.
//
// proves: P14
func TestACardIsDeadWhenItAppears(t *testing.T) {
	sit(t, stage.Options{Arm: chat.DefaultArm}, func(p *person) {
		p.press(rename)
		time.Sleep(chat.DefaultArm - time.Millisecond)
		if shown := p.press("y"); shown != "" {
			t.Errorf("a key did something too early: %q", shown)
		}
		time.Sleep(time.Millisecond)
		has(t, p.press("y"), "= approved by you")
	})
}

func TestCommands(t *testing.T) {
	sit(t, stage.Options{}, func(p *person) {
		for _, test := range []struct{ line, shown string }{
			{"/help", "/verify"},
			{"/mode", "The mode is ask."},
			{"/mode fast", `unknown mode "fast"`},
			{"/mode read_only", "The mode is read_only."},
			{"/tools", "rename_net     [write]       hidden  hidden     asks    runs"},
			{"/grants", "No approval is remembered."},
			{"/revoke 1", "not on the list"},
			{"/undo", "nothing to take back"},
			{"/log", "session.started"},
			{"/log x", "/log 20"},
			{"/nonsense", "There is no command /nonsense."},
			{"/verify", "every chain holds"},
			{"Hello", "I know only a few sentences"},
		} {
			has(t, p.press(test.line+"\r"), test.shown)
		}
	})
}

// proves: D4 C6
func TestAToolThatTheModeHidesIsRefused(t *testing.T) {
	sit(t, stage.Options{}, func(p *person) {
		p.press("/mode read_only\r")
		shown := p.press(rename)
		has(t, shown, "this tool is not allowed", "rename_net was not allowed (mode)")
		hasNot(t, shown, "May this run?")
	})
}

// proves: C1
func TestAutoAsksAboutWhatDestroysAndRunsWhatWrites(t *testing.T) {
	sit(t, stage.Options{}, func(p *person) {
		p.press("/mode auto\r")
		has(t, p.press(rename), "[write] Rename N$7 to V3V3 (rename_net): runs: class write runs")
		has(t, p.press(remove), "the mode is auto and the class is destructive")
		p.press("n")
		has(t, p.press("Note on page 1: hello\r"), "[UNKNOWN]", "answer> ")
		p.press("n")
	})
}

// Colour says nothing that the words do not say.
func TestColourIsNeverAlone(t *testing.T) {
	plain, coloured := "", ""
	for _, color := range []bool{false, true} {
		sit(t, stage.Options{Ink: ink.Ink{Color: color}}, func(p *person) {
			p.screen.news()
			shown := p.press(remove) + p.press("n")
			if color {
				coloured = shown
			} else {
				plain = shown
			}
		})
	}
	if !strings.Contains(coloured, "\x1b[1;31m[DESTRUCTIVE]\x1b[0m") {
		t.Errorf("no colour:\n%q", coloured)
	}
	for _, code := range []string{"\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[0m"} {
		coloured = strings.ReplaceAll(coloured, code, "")
	}
	if coloured != plain {
		t.Errorf("without its colours the screen differs:\n%s\n--- instead of\n%s", coloured, plain)
	}
}
