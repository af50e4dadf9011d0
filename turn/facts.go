package turn

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/assentdev/assent/policy"
)

// facts are those of a tool before any call: the time at which it is offered.
func (s *Session) facts(t *Tool, w *World) *policy.Facts {
	return &policy.Facts{
		Tool: t.Tool, Agent: s.Agent, Groups: s.Groups, Mode: s.mode(), Tainted: s.Tainted,
		Grants: s.grants(w), Now: w.Now, Unreadable: w.Unreadable,
	}
}

// mode is the turn's, and at once the session's where that is narrower (SPEC C6).
func (s *Session) mode() policy.Mode {
	if !s.Turn.Open() {
		return s.Mode
	}
	return policy.Narrower(s.Mode, s.Turn.Mode)
}

func (s *Session) grants(w *World) []policy.Grant {
	if len(w.Grants) == 0 {
		return s.Grants
	}
	return append(s.Grants[:len(s.Grants):len(s.Grants)], w.Grants...)
}

// callFacts are those of one call. No grant covers an undo: its arguments mean
// something else than those of the call it takes back.
func (s *Session) callFacts(t *Tool, w *World, d *Decided, c *Call) *policy.Facts {
	f := s.facts(t, w)
	f.Args, f.Digest, f.Raised, f.Confirm = d.Args, d.Digest, d.Raised, d.Confirm
	_, repeated := s.denied[deniedKey(d)]
	f.DeniedBefore = repeated || s.sticky[d.key()]
	if c.Undoes != "" {
		f.Grants = nil
	}
	return f
}

// decide takes the stricter of what the turn's snapshot and the newest policy
// say: what is tightened wins at once, what is loosened waits (SPEC C6).
func (s *Session) decide(f *policy.Facts, w *World) policy.Decision {
	d := w.Policy.Decide(f)
	if w.Snapshot == nil || w.Snapshot == w.Policy {
		return d
	}
	return policy.Tighter(w.Snapshot.Decide(f), d)
}

// undoDigest keeps the digest of an undo's arguments apart from those of a call.
func undoDigest(c *Call) string {
	sum := sha256.Sum256(append([]byte("undo\x00"), c.Raw...))
	return hex.EncodeToString(sum[:])
}
