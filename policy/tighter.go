package policy

import "cmp"

// Tighter returns the stricter of two decisions (SPEC C6), with the stricter
// class and the narrower mode of both. It is commutative, associative and
// idempotent. Of two decisions that free a call equally it returns the one that
// the earlier step of SPEC D1 made.
func Tighter(a, b Decision) Decision {
	d := a
	if compare(&b, &a) < 0 {
		d = b
	}
	d.Class = max(a.Class.Known(), b.Class.Known())
	d.Mode = Narrower(a.Mode, b.Mode)
	return d
}

// AtClaim returns what holds when a call is claimed: the stricter of the
// decision that was stored for it and a decision on the facts of this moment.
// Only a person's grant loosens (SPEC C6): one that covers the call now answers
// a stored question that grants may answer, for a class no more lenient than
// the one that was asked about.
func AtClaim(stored, now Decision) Decision {
	if now.Basis == BasisGrant && now.Verdict == Run && stored.answerable() && now.Class >= stored.Class {
		now.Mode = Narrower(stored.Mode, now.Mode)
		return now
	}
	return Tighter(stored, now)
}

// answerable reports whether a grant could answer the question (SPEC D1 step 6).
func (d *Decision) answerable() bool {
	return d.Verdict == AskFirst && d.Basis >= BasisAskRule
}

// compare orders decisions from strict to free; equal ones differ in their
// class and mode only.
func compare(a, b *Decision) int {
	return cmp.Or(
		cmp.Compare(a.Verdict, b.Verdict),
		cmp.Compare(a.Basis, b.Basis),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Grant, b.Grant),
		cmp.Compare(a.Hold, b.Hold),
		cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.Match, b.Match),
		cmp.Compare(a.Note, b.Note),
		cmp.Compare(a.Limit, b.Limit),
		cmp.Compare(a.Wait, b.Wait),
		cmp.Compare(a.Policy, b.Policy),
		cmp.Compare(a.Examined, b.Examined),
	)
}
