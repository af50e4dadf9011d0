package policy_test

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assentdev/assent/policy"
)

// oracle decides a call as SPEC 2 and 5 say, slowly: rule by rule, in the order
// in which the text says it, sharing no code with package policy. It leaves out
// what is presentation: Match, Note, Policy and Examined.
func oracle(doc *policy.Document, f *policy.Facts) policy.Decision {
	if doc == nil || f.Unreadable {
		return policy.Decision{Verdict: policy.Hidden, Basis: policy.BasisUnreadable, Category: policy.ByPolicy, Class: policy.Unknown}
	}
	d := policy.Decision{Class: oracleClass(doc, f)}
	d.Mode, d.Limit = oracleMode(doc, f)
	refuse := func(v policy.Verdict, b policy.Basis, c policy.Category) policy.Decision {
		d.Verdict, d.Basis, d.Category = v, b, c
		return d
	}
	free := func(v policy.Verdict, b policy.Basis) policy.Decision { return refuse(v, b, "") }

	// D1 (1) held back
	if hold, category := oracleHold(doc, f); hold != "" {
		d.Hold = hold
		return refuse(policy.Hidden, policy.BasisHeld, category)
	}
	// D1 (2) any matching rule denies
	if id, ok := oracleRule(doc, f, d, policy.EffectDeny); ok {
		d.Rule = id
		return refuse(policy.Deny, policy.BasisDeny, policy.ByRule)
	}
	// D1 (3) hidden by mode
	plain := oracleTable(d.Mode, d.Class)
	if plain == policy.Hidden {
		return refuse(policy.Hidden, policy.BasisMode, policy.ByMode)
	}
	// P10 before step 4
	if f.DeniedBefore {
		return refuse(policy.Deny, policy.BasisDenied, policy.ByDenial)
	}
	// D1 (4) any matching rule asks each call
	if id, ok := oracleRule(doc, f, d, policy.EffectAskEach); ok {
		d.Rule, d.Wait = id, oracleWait(doc, f, d)
		return free(policy.AskFirst, policy.BasisAskEach)
	}
	// D1 (5) a grant covers the call, a person's or an administrator's
	if id, ok := oracleGrant(doc, f, d.Class); ok {
		d.Grant = id
		return free(policy.Run, policy.BasisGrant)
	}
	if id, ok := oracleRule(doc, f, d, policy.EffectAllow); ok {
		d.Rule = id
		return free(policy.Run, policy.BasisAllow)
	}
	// D1 (6) the strictest of matching ask rules, Confirm and the table
	if id, ok := oracleRule(doc, f, d, policy.EffectAsk); ok {
		d.Rule, d.Wait = id, oracleWait(doc, f, d)
		return free(policy.AskFirst, policy.BasisAskRule)
	}
	if f.Confirm {
		return free(policy.AskFirst, policy.BasisConfirm)
	}
	return free(plain, policy.BasisTable)
}

// oracleOffered is SPEC D3: off the list if hidden, held or denied whatever the
// arguments. A rule with a when may spare some arguments, so it leaves nothing off.
func oracleOffered(doc *policy.Document, f *policy.Facts) bool {
	tool := *f
	tool.Args, tool.Digest, tool.Raised, tool.Confirm, tool.DeniedBefore = nil, "", policy.NotGiven, false, false
	if doc == nil {
		return false
	}
	sure := *doc
	sure.Rules = slices.DeleteFunc(slices.Clone(doc.Rules), func(r policy.Rule) bool {
		return r.Effect == policy.EffectDeny && r.When != nil
	})
	switch oracle(&sure, &tool).Verdict {
	case policy.Run, policy.AskFirst:
		return true
	}
	return false
}

// oracleTable is SPEC C1, written out.
func oracleTable(m policy.Mode, c policy.Class) policy.Verdict {
	const hidden, run, ask = policy.Hidden, policy.Run, policy.AskFirst
	columns := []policy.Class{policy.Read, policy.Write, policy.Destructive, policy.Unknown}
	rows := map[policy.Mode][]policy.Verdict{
		policy.Off:      {hidden, hidden, hidden, hidden},
		policy.ReadOnly: {run, hidden, hidden, hidden},
		policy.Ask:      {run, ask, ask, ask},
		policy.Auto:     {run, run, ask, ask},
	}
	return rows[m][slices.Index(columns, c)]
}

// oracleClass is SPEC C2, C3 and C8.
func oracleClass(doc *policy.Document, f *policy.Facts) policy.Class {
	class := f.Tool.Class
	if e := oracleEntry(doc, f); e != nil {
		switch {
		case class == policy.NotGiven:
			class = e.Class
		case e.Class != policy.NotGiven && e.Class > class:
			class = e.Class
		}
	}
	if class == policy.NotGiven || f.Tool.Kind == policy.LocalMCP {
		class = policy.Unknown
	}
	if f.Raised != policy.NotGiven && f.Raised > class {
		class = f.Raised
	}
	return class
}

func oracleEntry(doc *policy.Document, f *policy.Facts) *policy.Entry {
	if f.Tool.Kind != policy.Host || doc.Contract == nil || doc.Contract.Unreadable {
		return nil
	}
	for i, e := range doc.Contract.Entries {
		if e.Tool == f.Tool.Name {
			return &doc.Contract.Entries[i]
		}
	}
	return nil
}

// oracleHold is SPEC D6, D7 and D8.
func oracleHold(doc *policy.Document, f *policy.Facts) (policy.Hold, policy.Category) {
	switch f.Tool.Hold {
	case policy.HoldQuarantine, policy.HoldChanged, policy.HoldSchema:
		return f.Tool.Hold, policy.ByQuarantine
	case policy.HoldSource:
		return f.Tool.Hold, policy.BySource
	case policy.HoldStopped:
		return f.Tool.Hold, policy.ByRule
	}
	if f.Tool.Kind != policy.Host || doc.Contract == nil {
		return "", ""
	}
	if doc.Contract.Unreadable {
		return policy.HoldUnreadable, policy.ByPolicy
	}
	if len(doc.Contract.Entries) == 0 {
		return "", ""
	}
	e := oracleEntry(doc, f)
	if e == nil {
		return policy.HoldContract, policy.ByContract
	}
	if len(e.Pins) > 0 && !slices.Contains(e.Pins, f.Tool.Pin) {
		return policy.HoldPin, policy.ByQuarantine
	}
	return "", ""
}

// oracleMode is SPEC C5.
func oracleMode(doc *policy.Document, f *policy.Facts) (mode policy.Mode, limit string) {
	mode = f.Mode
	var narrowest []string
	for _, l := range doc.Limits {
		if l.Max >= f.Mode || !oracleIn(l.Agents, f.Agent) || !oracleIn(l.Groups, f.Groups...) {
			continue
		}
		if l.Max < mode {
			mode, narrowest = l.Max, nil
		}
		if l.Max == mode {
			narrowest = append(narrowest, l.ID)
		}
	}
	if len(narrowest) > 0 {
		limit = slices.Min(narrowest)
	}
	return mode, limit
}

func oracleIn(wanted []string, have ...string) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, w := range wanted {
		for _, h := range have {
			if w == h {
				return true
			}
		}
	}
	return false
}

// oracleRule returns the least ID among the matching rules of one effect.
func oracleRule(doc *policy.Document, f *policy.Facts, d policy.Decision, e policy.Effect) (string, bool) {
	var ids []string
	for _, r := range doc.Rules {
		if r.Effect == e && !r.Shadow && oracleMatches(&r, f, d) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return "", false
	}
	return slices.Min(ids), true
}

// oracleWait is the shortest wait that any matching rule that asks sets.
func oracleWait(doc *policy.Document, f *policy.Facts, d policy.Decision) (wait time.Duration) {
	for _, r := range doc.Rules {
		asks := r.Effect == policy.EffectAsk || r.Effect == policy.EffectAskEach
		if asks && r.Wait > 0 && !r.Shadow && oracleMatches(&r, f, d) && (wait == 0 || r.Wait < wait) {
			wait = r.Wait
		}
	}
	return wait
}

func oracleMatches(r *policy.Rule, f *policy.Facts, d policy.Decision) bool {
	classes := slices.Clone(r.Classes)
	if r.Effect != policy.EffectAllow && slices.Contains(classes, policy.Destructive) {
		classes = append(classes, policy.Unknown)
	}
	conditions := []bool{
		r.Source.Kind == "" || r.Source.Kind == f.Tool.Kind,
		r.Source.Name == "" || r.Source.Name == f.Tool.Source,
		len(r.Tools) == 0 || slices.ContainsFunc(r.Tools, func(p string) bool { return oracleGlob(p, f.Tool.Name) }),
		!slices.ContainsFunc(r.Except, func(p string) bool { return oracleGlob(p, f.Tool.Name) }),
		len(classes) == 0 || slices.Contains(classes, d.Class),
		len(r.Modes) == 0 || slices.Contains(r.Modes, d.Mode),
		r.Tainted == nil || *r.Tainted == f.Tainted,
		oracleIn(r.Agents, f.Agent),
		oracleIn(r.Groups, f.Groups...),
		r.Expires.IsZero() || f.Now.Before(r.Expires),
		r.Effect != policy.EffectAllow || r.Source.Name == f.Tool.Source && slices.Contains(r.Pins, f.Tool.Pin),
	}
	return !slices.Contains(conditions, false) && oracleWhen(r, f)
}

// oracleWhen is SPEC D5b: undetermined guards and does not free.
func oracleWhen(r *policy.Rule, f *policy.Facts) bool {
	if r.When == nil {
		return true
	}
	match, known := r.When.Match(f.Args)
	if !known {
		return r.Effect != policy.EffectAllow
	}
	return match
}

// oracleGlob lets regexp do it.
func oracleGlob(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*") + `\z`).MatchString(name)
}

// oracleGrant is SPEC P3 with the administrators' caps: of the grants that
// cover the call the narrowest is named, and the least ID of one scope.
func oracleGrant(doc *policy.Document, f *policy.Facts, class policy.Class) (string, bool) {
	var found []policy.Grant
	for _, g := range f.Grants {
		if g.Scope <= oracleCap(doc, class) && oracleCovers(&g, f, class) {
			found = append(found, g)
		}
	}
	if len(found) == 0 {
		return "", false
	}
	slices.SortFunc(found, func(a, b policy.Grant) int {
		if a.Scope != b.Scope {
			return int(a.Scope) - int(b.Scope)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return found[0].ID, true
}

func oracleCovers(g *policy.Grant, f *policy.Facts, class policy.Class) bool {
	t := f.Tool
	if t.Pin == "" || g.Kind != t.Kind || g.Source != t.Source || g.Name != t.Name || g.Pin != t.Pin || g.Class != class {
		return false
	}
	if !g.Expires.IsZero() && !f.Now.Before(g.Expires) {
		return false
	}
	switch g.Scope {
	case policy.ScopeExact:
		return f.Digest != "" && g.Digest == f.Digest
	case policy.ScopePattern:
		match, known := g.When.Match(f.Args)
		return match && known
	case policy.ScopeSession:
		return true
	case policy.ScopeUser:
		return !g.Expires.IsZero()
	}
	return false
}

func oracleCap(doc *policy.Document, class policy.Class) policy.Scope {
	limit := policy.ScopeSession
	if own, ok := doc.Caps[class]; ok {
		limit = own
	}
	if c, ok := doc.Caps[policy.Destructive]; ok && class == policy.Unknown {
		if _, own := doc.Caps[class]; !own || c < limit {
			limit = c
		}
	}
	return limit
}
