package approval

import (
	"cmp"
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

// Because returns why a decision asks.
func Because(d policy.Decision) Why {
	w := Why{Rule: d.Rule, Code: "why.other", Params: map[string]string{"basis": d.Reason()}, Text: d.Reason()}
	switch d.Basis {
	case policy.BasisTable:
		w.Code = "why.table"
		w.Params = map[string]string{"mode": d.Mode.String(), "class": d.Class.String()}
	case policy.BasisAskRule:
		w.Code, w.Params = "why.ask", map[string]string{"rule": d.Rule}
	case policy.BasisAskEach:
		w.Code, w.Params = "why.ask_each", map[string]string{"rule": d.Rule}
	case policy.BasisConfirm:
		w.Code, w.Params = "why.confirm", map[string]string{}
	}
	if d.Note != "" {
		w.Params["note"] = d.Note
	}
	return w
}

// whyLine returns a reason as a line. Its own text, which may hold the words of
// an administrator, goes before the catalogue's.
func whyLine(w Why) Line {
	params := map[string]string{}
	for name, value := range w.Params {
		params[name] = short(value)
	}
	text, _ := English(w.Code, params)
	return Line{Code: w.Code, Params: params, Text: cmp.Or(short(w.Text), text)}
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

// fromLine says where a class comes from.
func fromLine(c Class) Line {
	word := func(c policy.Class) string { return cmp.Or(c.String(), "not given") }
	return newLine("class.from", "declared", word(c.Declared), "contract", word(c.Contract), "effective", c.Effective.Known().String())
}

// ScopeLine says in words what an approval of a tool would be remembered for.
func ScopeLine(toolName string, s policy.Scope) Line {
	return newLine("scope."+s.String(), "tool", short(toolName))
}

// GrantLine says in words what a grant covers.
func GrantLine(g policy.Grant) Line {
	l := newLine("grant."+g.Scope.String(), "tool", short(g.Name), "condition", short(string(g.Pattern)))
	if g.Expires.IsZero() {
		return l
	}
	until := newLine("grant.until", "grant", l.Text, "until", clock(g.Expires))
	until.Params["scope"], until.Params["tool"] = g.Scope.String(), short(g.Name)
	return until
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

// EndLine says how a closed card ended, and who decided if somebody did. An
// approval that was withdrawn before its call started ended as something else.
func EndLine(i Item) Line {
	l := newLine("ended." + i.State.String())
	by, via := short(i.By.By), short(i.By.Via)
	switch {
	case by == "" && via == "" || i.State != i.Answer.State():
		return l
	case by == "" || via == "":
		return newLine("ended.by", "state", i.State.String(), "ended", l.Text, "who", by+via)
	}
	return newLine("ended.via", "state", i.State.String(), "ended", l.Text, "who", by, "via", via)
}

// clock writes a time for people, in UTC.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// short returns foreign text as safe text of at most 200 characters. Names of
// tools and sources are far below that; one that is not is marked by its end.
func short(s string) string {
	t := safetext.Shorten(s, 200)
	if t.Left == 0 {
		return t.Head
	}
	return fmt.Sprintf("%s \\[%d more] %s", t.Head, t.Left, t.Tail)
}
