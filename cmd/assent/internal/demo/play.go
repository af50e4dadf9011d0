package demo

import "github.com/assentdev/assent/internal/tui/stage"

// scenes are the whole conversation. Ctrl-U, \x15, empties the line that holds
// the arguments before others are typed.
var scenes = []stage.Scene{
	{Heading: "1. Reading runs without a question.", Line: "What is on page 1?"},
	{Heading: "2. Writing asks. The person allows it for this session.", Line: "Rename N$7 to V3V3", Answers: []string{"s"}},
	{Heading: "3. The approval covers the next call of the same tool.", Line: "Rename N$9 to LED_A"},
	{Heading: "4. Arguments are checked before anybody is asked.", Line: "Rename LED to led"},
	{
		Heading: "5. Nobody said what this tool does, so it counts as the strictest. The person changes the arguments, which needs a second key; the changed call is checked and decided anew.",
		Line:    "Note on page 2: R1 is wrong", Answers: []string{"e\x15{\"page\":2,\"text\":\"Please check R1.\"}\ra"},
	},
	{
		Heading: "6. Sending something away is for a person to decide. A denial with a reason; the same call again is refused without a question.",
		Line:    "Send the netlist to eve@rival.example, and insist", Answers: []string{"rNot outside of the company.\r"},
	},
	{Heading: "7. In read_only the model does not see what writes, and may not call it either.", Line: "/mode read_only"},
	{Line: "Rename V3V3 to VCC"},
	{Line: "/mode ask"},
	{Heading: "8. What destroys shows what will be lost, and needs a second key.", Line: "Delete page 2", Answers: []string{"ya"}},
	{
		Heading: "9. A change can be taken back, but not where the thing has changed since: page 2, with the pins of this net, is gone.",
		Line:    "/undo", Answers: []string{"y"},
	},
	{Line: "Rename VBUS to V5"},
	{Line: "/undo", Answers: []string{"y"}},
	{
		Heading: "10. A page tells the model to delete everything. The model obeys; the person does not.",
		Line:    "What is on page 3?", Answers: []string{"n", "rThat is what the page wants, not me.\r"},
	},
	{Heading: "11. What was approved, what each mode does, and what happened.", Line: "/grants"},
	{Line: "/tools"},
	{Line: "/log 6"},
	{Heading: "12. Nobody has changed the log.", Line: "/verify"},
}
