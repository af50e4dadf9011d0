package main

import (
	"fmt"
	"strings"

	"github.com/assentdev/assent/model"
)

// textRule says what a message's text must be. It returns what is wrong.
type textRule func(text string) error

func exactly(want string) textRule {
	return func(text string) error {
		if text == want {
			return nil
		}
		n := 0
		for n < min(len(text), len(want)) && text[n] == want[n] {
			n++
		}
		from := max(0, n-40)
		return fmt.Errorf("is …%.120q, not …%.120q (from byte %d)", text[from:], want[from:], from)
	}
}

const invalidPrefix = "Error: Invalid arguments: " // SPEC A1

func invalid() textRule {
	return func(text string) error {
		if what, ok := strings.CutPrefix(text, invalidPrefix); !ok || what == "" {
			return fmt.Errorf("is %.120q, which does not say what is invalid", text)
		}
		return nil
	}
}

// refusal is a text that says that a call did not run to its end, and the
// reason that a person gave.
func refusal(reason string) textRule {
	return func(text string) error {
		if !strings.HasPrefix(text, "Error: ") || strings.HasPrefix(text, invalidPrefix) || !strings.Contains(text, reason) {
			return fmt.Errorf("is %.120q, which is no refusal with the reason %q", text, reason)
		}
		return nil
	}
}

// told says that a person changed the arguments, and goes on as rest.
func told(args string, rest textRule) textRule {
	return func(text string) error {
		head, tail, ok := strings.Cut(text, "\n")
		if !ok || !strings.Contains(head, args) {
			return fmt.Errorf("is %.120q, which does not tell of the changed arguments %s", text, args)
		}
		return rest(tail)
	}
}

// wantMessage is a message that a request must carry.
type wantMessage struct {
	role  model.Role
	text  textRule
	calls []model.Call
}

// check compares a request with what it must be: each result follows the
// message that asked for it, in call order and under the id that the call has
// there (SPEC P7, S2).
func check(sent []model.Message, want []wantMessage) error {
	if len(sent) != len(want) {
		return fmt.Errorf("the request has %d messages, not %d", len(sent), len(want))
	}
	var open []model.Call
	for i, m := range sent {
		w := want[i]
		if m.Role != w.role {
			return fmt.Errorf("message %d is from %s, not %s", i, m.Role, w.role)
		}
		if err := w.text(m.Text); err != nil {
			return fmt.Errorf("message %d (%s) %w", i, m.Role, err)
		}
		switch m.Role {
		case model.Assistant:
			if err := sameCalls(m.Calls, w.calls); err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
			open = m.Calls
		case model.ToolRole:
			if len(open) == 0 || open[0].ID != m.CallID {
				return fmt.Errorf("message %d is the result of %q, out of call order", i, m.CallID)
			}
			open = open[1:]
		default:
			if len(open) > 0 {
				return fmt.Errorf("message %d comes before the result of call %q", i, open[0].ID)
			}
		}
	}
	return nil
}

// sameCalls wants names and arguments as the model wrote them. Ids too, but one
// that a message uses twice has to become two, for the results to be told apart.
func sameCalls(sent, want []model.Call) error {
	if len(sent) != len(want) {
		return fmt.Errorf("%d calls, not %d", len(sent), len(want))
	}
	seen, twice := map[string]bool{}, map[string]int{}
	for _, c := range want {
		twice[c.ID]++
	}
	for i, c := range sent {
		w := want[i]
		if w.Args == "" {
			w.Args = "{}" // A5; servers refuse a history without arguments
		}
		if c.Name != w.Name || c.Args != w.Args || c.ID != w.ID && twice[w.ID] == 1 {
			return fmt.Errorf("call %d is %+v, not %+v", i, c, w)
		}
		if seen[c.ID] {
			return fmt.Errorf("the id %q is there twice", c.ID)
		}
		seen[c.ID] = true
	}
	return nil
}
