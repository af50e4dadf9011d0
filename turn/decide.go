package turn

import (
	"cmp"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// propose takes a call from the model's message to its decision: look up, check,
// decide, and ask where a person must be asked. exam is nil where the tool's own
// functions have not been heard yet.
func (s *Session) propose(c *Call, w *World, exam *Examined) []Event {
	t, refusal := s.find(c, w)
	if refusal != nil {
		return refusal
	}
	if exam == nil && t.Hooks && c.Undoes == "" && s.checked(c, t) == nil {
		return nil // the driver examines it first
	}
	d, err := s.check(c, t)
	if err != nil {
		return []Event{s.ended(c, w, &CallEnded{Outcome: Invalid, Text: errorPrefix + fault.TextOf(err)})}
	}
	if exam != nil {
		if exam.Digest != d.Digest || exam.Pin != t.Pin {
			return nil // of what was edited or replaced since: examined again
		}
		d.Confirm, d.Preview, d.NoView = exam.Confirm, exam.Preview, clean(exam.NoView)
		if exam.Raised != policy.NotGiven {
			d.Raised = exam.Raised.Known()
		}
	}
	return s.decided(c, t, w, d)
}

// checked reports why a call needs no examination: its arguments do not fit.
func (s *Session) checked(c *Call, t *Tool) error {
	_, err := s.check(c, t)
	return err
}

// find looks a call's tool up in the list that was offered. What is not on it
// is refused before its arguments are looked at (SPEC D3, D4).
func (s *Session) find(c *Call, w *World) (*Tool, []Event) {
	if s.sameID(c) {
		return nil, []Event{s.ended(c, w, &CallEnded{Outcome: Invalid, Text: textSameID})}
	}
	t := w.lookup(c.Wire)
	o, offered := s.Offered[c.Wire]
	switch {
	case t == nil && !offered:
		return nil, s.refused(c, w, policy.NoSuchTool)
	case t == nil || offered && !t.same(o.Kind, o.Source, o.Name):
		return nil, s.refused(c, w, policy.BySource)
	case !offered:
		d, now := w.Policy.Offer(s.facts(t, w))
		if now || d.Category == "" { // offered from the next turn on
			return nil, s.refused(c, w, policy.NoSuchTool)
		}
		return nil, s.refused(c, w, d.Category)
	case t.Check == nil:
		return nil, s.refused(c, w, policy.ByQuarantine)
	}
	return t, nil
}

// sameID says whether another call of the message has the provider's id of c.
func (s *Session) sameID(c *Call) bool {
	for _, o := range s.Turn.Calls {
		if o != c && o.Step == c.Step && o.Provider == c.Provider && c.Provider != "" {
			return true
		}
	}
	return false
}

// check reads the arguments, once: everybody downstream gets the canonical bytes.
func (s *Session) check(c *Call, t *Tool) (*Decided, error) {
	d := &Decided{Wire: t.Wire, Kind: t.Kind, Source: t.Source, Name: t.Name, Pin: t.Pin, Declared: t.Class}
	switch {
	case c.Undoes != "":
		d.Args, d.Digest = []byte(c.Raw), undoDigest(c)
	case c.Edited != nil:
		d.Args, d.Digest, d.Filled, d.Extra = c.Args, c.Digest, c.Filled, c.Extra
	default:
		args, err := t.Check([]byte(c.Raw))
		if err != nil {
			return nil, err
		}
		d.Args, d.Digest, d.Filled, d.Extra = args.Canonical, args.Digest, args.Filled, args.Extra
	}
	switch {
	case c.Undoes != "":
		d.Title = s.undoTitle(c)
	case t.Title != nil:
		d.Title = t.Title(d.Args)
	}
	return d, nil
}

// undoTitle is what an undo is called: it does the opposite of the call that it
// undoes, so it must not carry that call's title.
func (s *Session) undoTitle(c *Call) string {
	for _, u := range s.Undo {
		if u.Call == c.Undoes {
			return "Undo: " + cmp.Or(u.Title, u.Wire)
		}
	}
	return ""
}

// decided makes the decision of a call and what follows from it at once.
func (s *Session) decided(c *Call, t *Tool, w *World, d *Decided) []Event {
	d.Listed = w.Policy.Listed(&t.Tool)
	f := s.callFacts(t, w, d, c)
	dec := s.decide(f, w)
	d.Decision, d.Reason = dec, dec.Reason()
	events := []Event{w.event(Refs{Turn: s.Turn.ID, Call: c.ID, Tool: d.Name, Class: d.Class.String(), State: d.Verdict.String()}, d)}
	if d.Refused() {
		events = append(events, s.refused(c, w, d.Category)...)
	}
	return events // what runs is claimed next, what asks is asked next
}

// cap is the widest scope in which this approval may be remembered.
func (s *Session) cap(c *Call, w *World, dec policy.Decision) policy.Scope {
	if dec.Basis == policy.BasisAskEach || c.Undoes != "" {
		return policy.ScopeOnce
	}
	return w.Policy.Cap(dec.Class)
}

// ask opens an approval. The person who edited a call has already approved what
// they wrote, unless the change made it stricter (SPEC P8).
func (s *Session) ask(c *Call, w *World, dec policy.Decision) []Event {
	d, id := c.Decided, w.NewID("approval")
	refs := Refs{Turn: s.Turn.ID, Call: c.ID, Approval: id, Tool: d.Name, Class: d.Class.String(), State: approval.Asked.String()}
	asked := &Asked{Question: MayRun, Digest: d.Digest, Pin: d.Pin, Class: d.Class, Expires: expires(w, dec.Wait), Cap: s.cap(c, w, dec), Similar: s.similar[d.key()]}
	events := []Event{w.event(refs, asked)}
	if e := c.Edited; e != nil && !e.Used && d.Class <= e.Class && d.Pin == e.Pin {
		refs.State = approval.Approved.String()
		events = append(events, w.event(refs, &ApprovalClosed{State: approval.Approved, By: e.By, Via: e.Via, Reason: "edited"}))
	}
	return events
}

// refused ends a call that may not run, and tells the user (SPEC D4).
func (s *Session) refused(c *Call, w *World, category policy.Category) []Event {
	sticky := c.Decided != nil && s.sticky[c.Decided.key()]
	return []Event{
		s.ended(c, w, &CallEnded{Outcome: NotAllowed, Category: category, Text: refusalText(category, sticky)}),
		w.event(s.refs(c), &Noticed{Code: "tool_denied", Params: map[string]string{"tool": c.Wire, "category": string(category)}}),
	}
}
