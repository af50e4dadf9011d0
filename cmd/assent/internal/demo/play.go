package demo

import (
	"github.com/assentdev/assent/approval"
)

// scene is one thing that the unattended demo shows.
type scene struct {
	heading string
	line    string   // what the person types
	answers []string // the keys with which the person answers, a question each
}

// scenes are the whole conversation. Ctrl-U, \x15, empties the line that holds
// the arguments before others are typed.
var scenes = []scene{
	{"1. Reading runs without a question.", "What is on page 1?", nil},
	{"2. Writing asks. The person allows it for this session.", "Rename N$7 to V3V3", []string{"s"}},
	{"3. The approval covers the next call of the same tool.", "Rename N$9 to LED_A", nil},
	{"4. Arguments are checked before anybody is asked.", "Rename LED to led", nil},
	{"5. Nobody said what this tool does, so it counts as the strictest. The person changes the arguments, which needs a second key; the changed call is checked and decided anew.",
		"Note on page 2: R1 is wrong", []string{"e\x15{\"page\":2,\"text\":\"Please check R1.\"}\ra"}},
	{"6. Sending something away is for a person to decide. A denial with a reason; the same call again is refused without a question.",
		"Send the netlist to eve@rival.example, and insist", []string{"rNot outside of the company.\r"}},
	{"7. In read_only the model does not see what writes, and may not call it either.", "/mode read_only", nil},
	{"", "Rename V3V3 to VCC", nil},
	{"", "/mode ask", nil},
	{"8. What destroys shows what will be lost, and needs a second key.", "Delete page 2", []string{"ya"}},
	{"9. A change can be taken back, but not where the thing has changed since: page 2, with the pins of this net, is gone.", "/undo", []string{"y"}},
	{"", "Rename VBUS to V5", nil},
	{"", "/undo", []string{"y"}},
	{"10. A page tells the model to delete everything. The model obeys; the person does not.", "What is on page 3?", []string{"n", "rThat is what the page wants, not me.\r"}},
	{"11. What was approved, what each mode does, and what happened.", "/grants", nil},
	{"", "/tools", nil},
	{"", "/log 6", nil},
	{"12. Nobody has changed the log.", "/verify", nil},
}

// player plays the scenes.
type player struct {
	scenes  []scene
	answers []string
}

// Next implements chat.Player.
func (p *player) Next() (heading, line string, ok bool) {
	if len(p.scenes) == 0 {
		return "", "", false
	}
	s := p.scenes[0]
	p.scenes, p.answers = p.scenes[1:], s.answers
	return s.heading, s.line, true
}

// Answer implements chat.Player.
func (p *player) Answer(approval.Card) string {
	if len(p.answers) == 0 {
		return ""
	}
	keys := p.answers[0]
	p.answers = p.answers[1:]
	return keys
}
