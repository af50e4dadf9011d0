package approval

import (
	"fmt"
	"strings"
	"time"

	"github.com/assentdev/assent/approval/safetext"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// WhyEdited is the code of a reason: a person changed the arguments of an
// earlier request for the same call (SPEC P8).
const WhyEdited = "why.edited"

// WhyLost is the code of a reason: the call was started and nobody knows
// whether it had its effect (SPEC S2).
const WhyLost = "why.lost"

// Because returns why a decision asks. Its code is "decision." and the word of
// the basis, such as decision.table.
func Because(d policy.Decision) Why {
	return Why{
		Rule: d.Rule, Code: "decision." + d.Basis.String(), Text: d.Reason(),
		Params: map[string]string{"class": d.Class.String(), "mode": d.Mode.String()},
	}
}

// whyLine returns a reason as a line. Its text is the reason's own where it
// names a rule, because that holds the administrator's words, and where the
// catalogue has none.
func whyLine(w Why) Line {
	params := map[string]string{}
	for name, value := range w.Params {
		params[name] = short(value)
	}
	if w.Rule != "" {
		params["rule"] = short(w.Rule)
	}
	text, ok := English(w.Code, params)
	if own := short(w.Text); own != "" && (!ok || w.Rule != "") {
		text = own
	}
	return Line{Code: short(w.Code), Params: params, Text: text}
}

// sourceLine says in words who provides a tool.
func sourceLine(s tool.Source) Line {
	name := short(s.Name)
	switch s.Kind {
	case policy.Host:
		if s.Name == "" {
			return newLine("source.host")
		}
		return newLine("source.host.named", "name", name)
	case policy.LocalMCP:
		return newLine("source.local-mcp", "name", name)
	case policy.Server:
		return newLine("source.gateway", "name", name)
	}
	return newLine("source.unknown")
}

// fromLine says where a class comes from. A call's own class can be stricter
// than both sides: see tool.Tool's Raise.
func fromLine(c Class) Line {
	pairs := []string{"effective", c.Effective.Known().String()}
	code := "class.from"
	if c.Declared != policy.NotGiven {
		code += ".declared"
		pairs = append(pairs, "declared", c.Declared.String())
	}
	if c.Contract != policy.NotGiven {
		code += ".contract"
		pairs = append(pairs, "contract", c.Contract.String())
	}
	return newLine(code, pairs...)
}

// ScopeLine says in words what an approval of a tool would be remembered for.
func ScopeLine(toolName string, s policy.Scope) Line {
	return newLine("scope."+s.String(), "tool", safetext.Name(toolName))
}

// GrantLine says in words what a grant covers.
func GrantLine(g policy.Grant) Line {
	name := safetext.Name(g.Name)
	l := newLine("grant."+g.Scope.String(), "tool", name, "condition", short(string(g.Pattern)))
	if g.Expires.IsZero() {
		return l
	}
	return newLine("grant.until", "grant", l.Text, "until", clock(g.Expires), "scope", g.Scope.String(), "tool", name)
}

// ExpiryLine says how long a request still waits. A server and its viewers may
// disagree about the time: pass the server's.
func ExpiryLine(r Request, now time.Time) Line {
	switch {
	case r.ExpiresAt.IsZero():
		return newLine("expiry.none")
	case r.ExpiredAt(now):
		return newLine("expiry.over", "at", clock(r.ExpiresAt))
	}
	left := r.ExpiresAt.Sub(now)
	return newLine("expiry.left", "left", leftWords(left), "seconds", fmt.Sprint(int64(left/time.Second)))
}

// leftWords writes a duration by its two greatest units, rounded down: who
// believes it has less time than there is.
func leftWords(d time.Duration) string {
	units := []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	var parts []string
	for _, u := range units {
		n := d / u.size
		d -= n * u.size
		if n > 0 || len(parts) > 0 || u.size == time.Second {
			parts = append(parts, fmt.Sprint(int64(n))+" "+u.name)
		}
		if len(parts) == 2 {
			break
		}
	}
	return strings.Join(parts, " ")
}

// EndLine says how a closed card ended, who decided if somebody did, and why.
// An approval that was withdrawn before its call started ended as something else.
func EndLine(i Item) Line {
	state := i.State.String()
	l := newLine("ended." + state)
	by, via := short(i.By.By), short(i.By.Via)
	if i.State != i.Answer.State() || by == "" && via == "" {
		return l
	}
	if by == "" || via == "" {
		l = newLine("ended.by", "state", state, "ended", l.Text, "who", by+via)
	} else {
		l = newLine("ended.via", "state", state, "ended", l.Text, "who", by, "via", via)
	}
	if i.Answer.Reason == "" {
		return l
	}
	return newLine("ended.reason", "state", state, "ended", l.Text, "who", by, "via", via, "reason", value(i.Answer.Reason, MaxReason).String())
}

// clock writes a time for people, in UTC.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// short returns foreign text as safe text of at most 200 characters or so.
func short(s string) string { return safetext.Shorten(s, 200).String() }
