package policy

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// check returns what is wrong with the document, nil for nothing. A document is
// refused as a whole (SPEC D5).
func (d *Document) check() error {
	if err := texts("the version", d.Version); err != nil {
		return err
	}
	if d.Contract != nil {
		if err := d.Contract.check(); err != nil {
			return err
		}
	}
	if err := each(d.Rules, "rule", func(r *Rule) (string, error) { return r.ID, r.check() }); err != nil {
		return err
	}
	if err := each(d.Limits, "limit", func(l *Limit) (string, error) { return l.ID, l.check() }); err != nil {
		return err
	}
	for class, scope := range d.Caps {
		if class.Known() != class || scope > ScopeUser {
			return refuse(CodeBadPolicy, "caps: class %d or scope %d does not exist", class, scope)
		}
	}
	return nil
}

// each checks a list whose members have unique IDs.
func each[T any](list []T, kind string, check func(*T) (string, error)) error {
	seen := make(map[string]struct{}, len(list))
	for i := range list {
		id, err := check(&list[i])
		if err != nil {
			return err
		}
		if seen[id] = struct{}{}; len(seen) == i {
			return refuse(CodeBadPolicy, "%s %q: another %s has this id; give each its own", kind, id, kind)
		}
	}
	return nil
}

func (c *Contract) check() error {
	seen := make(map[string]struct{}, len(c.Entries))
	for i, e := range c.Entries {
		if e.Tool == "" {
			return refuse(CodeBadContract, "entry %d: name its tool", i+1)
		}
		if seen[e.Tool] = struct{}{}; len(seen) == i {
			return refuse(CodeBadContract, "tool %q is listed twice: keep one entry", e.Tool)
		}
		if e.Class > Unknown || slices.Contains(e.Pins, "") || texts("", append([]string{e.Tool}, e.Pins...)...) != nil {
			return refuse(CodeBadContract, "tool %q: its class does not exist, a pin is empty, or a text is not UTF-8", e.Tool)
		}
	}
	return nil
}

func (r *Rule) check() error {
	if r.ID == "" {
		return refuse(CodeBadPolicy, "a rule has no id: give each rule its own")
	}
	if text := r.problem(); text != "" {
		return refuse(CodeBadPolicy, "rule %q: %s", r.ID, text)
	}
	return nil
}

// problem says what is wrong with a rule and what to do, "" for nothing.
func (r *Rule) problem() string {
	lists := [...][]string{r.Tools, r.Except, r.Agents, r.Groups, r.Pins}
	for _, l := range lists {
		if slices.Contains(l, "") {
			return "a name is empty: write it or leave it out"
		}
		if texts("", l...) != nil {
			return "a name is not valid UTF-8"
		}
	}
	switch {
	case texts("", r.ID, r.Source.Name, r.Reason) != nil:
		return "a text is not valid UTF-8"
	case r.Effect > EffectAllow:
		return "its effect does not exist: use deny, ask_each, ask or allow"
	case slices.ContainsFunc(r.Classes, func(c Class) bool { return c != c.Known() }):
		return "a class does not exist: use read, write, destructive or unknown"
	case slices.ContainsFunc(r.Modes, func(m Mode) bool { return m > Auto }):
		return "a mode does not exist: use off, read_only, ask or auto"
	case (r.When == nil) != (len(r.WhenSchema) == 0):
		return "its when has no compiled condition, or no schema: give both"
	case !r.Expires.IsZero() && badYear(r.Expires):
		return "its expires is not a date of the years 1 to 9999"
	}
	for _, problem := range []func() string{r.source, r.wait, r.allow} {
		if text := problem(); text != "" {
			return text
		}
	}
	return ""
}

func (r *Rule) source() string {
	switch r.Source.Kind {
	case Host, LocalMCP, Server:
		return ""
	case "":
		if r.Source.Name == "" {
			return ""
		}
		return "its source has a name and no kind: name host, local-mcp or server"
	default:
		return "its source has an unknown kind: name host, local-mcp or server"
	}
}

func (r *Rule) wait() string {
	switch {
	case r.Wait == 0:
		return ""
	case r.Effect != EffectAsk && r.Effect != EffectAskEach:
		return "only a rule that asks can wait: remove wait, or ask"
	case r.Wait < 0 || r.Wait > MaxWait || r.Wait%time.Second != 0:
		return "wait must be whole seconds, from 1 to 2592000 (30 days)"
	default:
		return ""
	}
}

// allow checks what binds an administrator's standing grant (SPEC D1): it is as
// narrow as a person's, so that a changed tool is asked about again.
func (r *Rule) allow() string {
	star := func(s string) bool { return strings.Contains(s, "*") }
	switch {
	case r.Effect != EffectAllow && len(r.Pins) > 0:
		return "only an allow rule has pins: remove them, or pin the tool in the contract"
	case r.Effect != EffectAllow:
		return ""
	case len(r.Tools) == 0 || slices.ContainsFunc(r.Tools, star):
		return "an allow rule names exact tools: list them, without *"
	case len(r.Except) > 0:
		return "an allow rule names exact tools: remove except"
	case r.Source.Kind == "":
		return "an allow rule is bound to a source: name its kind, and its name unless it is the application"
	case len(r.Pins) == 0:
		return "an allow rule is bound to descriptors: list their digests as pins"
	case len(r.Classes) != 1:
		return "an allow rule is bound to one class: name the tool's effective class"
	case r.Classes[0] >= Destructive && r.When == nil:
		return "an allow rule for destructive or unknown tools needs a when"
	default:
		return ""
	}
}

func (l *Limit) check() error {
	switch {
	case l.ID == "":
		return refuse(CodeBadPolicy, "a limit has no id: give each limit its own")
	case l.Max > Auto:
		return refuse(CodeBadPolicy, "limit %q: its mode does not exist: use off, read_only, ask or auto", l.ID)
	case slices.Contains(l.Agents, "") || slices.Contains(l.Groups, ""):
		return refuse(CodeBadPolicy, "limit %q: a name is empty: write it or leave it out", l.ID)
	}
	return texts("limit "+l.ID, slices.Concat([]string{l.ID}, l.Agents, l.Groups)...)
}

// texts refuses what cannot be written as JSON and read back unchanged.
func texts(what string, list ...string) error {
	for _, s := range list {
		if !utf8.ValidString(s) {
			return refuse(CodeBadPolicy, "%s: a text is not valid UTF-8", what)
		}
	}
	return nil
}

func badYear(t time.Time) bool {
	year := t.UTC().Year()
	return year < 1 || year > 9999
}
