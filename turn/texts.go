package turn

import (
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// What a model is told of a call that gave no result of its own. The kinds stay
// apart (SPEC P9), because a model that reads "denied" should not try again,
// while one that reads "expired" may. None of them names another tool.
const (
	errorPrefix = "Error: "

	textNotAllowed = errorPrefix + "Not run: this tool is not allowed."
	textNoSuchTool = errorPrefix + "Not run: there is no tool of this name."
	textRepeated   = errorPrefix + "Not run: this same call was denied before, and nobody was asked again."
	textSticky     = errorPrefix + "Not run: this tool was denied for the rest of the session."
	textDenied     = errorPrefix + "Not run: this call was denied."
	textExpired    = errorPrefix + "Not run: nobody answered in time."
	textNotStarted = errorPrefix + "Not run: it was approved, but did not start in time."
	textCancelled  = errorPrefix + "Not run: the turn was stopped."
	textSuperseded = errorPrefix + "Not run: the user sent a new message instead of an answer."
	textUndecided  = errorPrefix + "Not run: no decision could be had."
	textChanged    = errorPrefix + "Not run: the tool changed while it was waiting."
	textLimit      = errorPrefix + "Not run: a limit of this turn was reached."
	textCutCalls   = errorPrefix + "Not run: the message was cut off before this call was complete."
	textSameID     = errorPrefix + "Invalid arguments: two calls of this message have the same id. Send each call with an id of its own."
	textUnknown    = errorPrefix + "The effect of this call is not known: it was started and its result was lost. Do not repeat it without asking."
	textHappened   = "A person says that this call had its effect. Its result was lost."
	textGaveUp     = errorPrefix + "The effect of this call is not known, and a person decided to leave it."
	textDoubt      = " The effect of this call is not known. Do not repeat it without asking."
)

// isRefusal says whether a result tells what became of a call instead of what
// the tool gave.
func isRefusal(text string) bool { return strings.HasPrefix(text, errorPrefix) }

func refusalText(c policy.Category, sticky bool) string {
	switch {
	case c == policy.NoSuchTool:
		return textNoSuchTool
	case c == policy.ByDenial && sticky:
		return textSticky
	case c == policy.ByDenial:
		return textRepeated
	}
	return textNotAllowed
}

func denialText(reason string) string {
	if reason == "" {
		return textDenied
	}
	return textDenied + " Reason: " + reason
}

// notRun is what a call that never ran is told when its turn ends.
func notRun(end End) (Outcome, string) {
	switch end {
	case BySupersede:
		return Superseded, textSuperseded
	case ByLimit:
		return Cancelled, textLimit
	}
	return Cancelled, textCancelled
}

func closedBy(end End) approval.State {
	if end == BySupersede {
		return approval.Superseded
	}
	return approval.Cancelled
}
