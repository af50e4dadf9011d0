package main

import (
	"fmt"
	"strings"

	"github.com/assentdev/assent/policy"
)

// verdicts say a verdict in words.
var verdicts = map[policy.Verdict]string{
	policy.Run:      "runs",
	policy.AskFirst: "asks a person first",
	policy.Hidden:   "is hidden, and refused if it is called anyway",
	policy.Deny:     "is denied",
}

// String is the answer for people.
func (d decided) String() string {
	var b strings.Builder
	what := "The call"
	if d.Offer {
		what = "A call, whatever its arguments,"
	}
	fmt.Fprintf(&b, "%s %s: %s\n\n", what, verdicts[d.Decision.Verdict], d.Reason)
	fmt.Fprintf(&b, "class  %s%s\n", d.Decision.Class, d.classes())
	fmt.Fprintf(&b, "mode   %s%s\n", d.Decision.Mode, d.modes())
	if d.Decision.Category != "" {
		fmt.Fprintf(&b, "kind   %s\n", d.Decision.Category)
	}
	b.WriteString("\nThe first step that is found decides:\n")
	for i, s := range d.Trace.Steps {
		mark, text := " ", "-"
		if s.Decides {
			mark = ">"
		}
		if s.Found {
			text = s.Text
		}
		fmt.Fprintf(&b, "%s %2d %-13s %s\n", mark, i+1, s.Basis, text)
	}
	if len(d.Trace.Hits) > 0 {
		b.WriteString("\nRules that match:\n")
		for _, h := range d.Trace.Hits {
			fmt.Fprintf(&b, "  %s\n", hit(h))
		}
	}
	for _, w := range d.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s\n", w.Text)
	}
	return b.String()
}

func (d decided) classes() string {
	var from []string
	for _, c := range []struct {
		who   string
		class policy.Class
	}{{"declared", d.Trace.Declared}, {"contract", d.Trace.Listed}, {"this call", d.Trace.Raised}} {
		if c.class != policy.NotGiven {
			from = append(from, c.who+" "+c.class.String())
		}
	}
	if len(from) == 0 {
		return " (nobody said)"
	}
	return " (" + strings.Join(from, ", ") + ")"
}

func (d decided) modes() string {
	if d.Decision.Limit == "" {
		return ""
	}
	return fmt.Sprintf(" (limit %s narrows %s)", d.Decision.Limit, d.Trace.Asked)
}

func hit(h policy.Hit) string {
	text := fmt.Sprintf("%s %s '%s'", h.Rule, h.Effect, h.Match)
	if h.Shadow {
		text += ", a shadow rule, which decides nothing"
	}
	if h.Undetermined {
		text += ", whose condition cannot be determined"
	}
	if h.Note != "" {
		text += ": " + h.Note
	}
	return text
}
