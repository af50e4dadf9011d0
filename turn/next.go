package turn

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
)

// maxRedone bounds how often a question begins again because its tool changed.
const maxRedone = 3

// Next returns the events that follow by themselves: call it, apply what it
// returns, and call it again until it returns none. Only the owner of the
// newest epoch gets any.
func (s *Session) Next(w *World) []Event {
	t := s.Turn
	if !t.Open() || w.Epoch != s.Epoch {
		return nil
	}
	if events := s.reclaim(w); events != nil {
		return events
	}
	if t.Stopping != nil {
		return s.windDown(w)
	}
	if stop := s.limit(w); stop != nil {
		return []Event{w.event(Refs{Turn: t.ID}, stop)}
	}
	for _, c := range t.Calls {
		if events := s.step(c, w); events != nil {
			return events
		}
	}
	return s.finish(w)
}

// step moves one call on.
func (s *Session) step(c *Call, w *World) []Event {
	switch c.State {
	case Proposed:
		return s.propose(c, w, nil)
	case Waiting:
		return s.review(c, w)
	case Ready:
		return s.claim(c, w)
	}
	return nil
}

// finish ends a turn that has nothing left to do.
func (s *Session) finish(w *World) []Event {
	t := s.Turn
	if t.Step == 0 || s.stepOpen(t.Step) {
		return nil
	}
	asked := false
	for _, c := range t.Calls {
		asked = asked || c.Step == t.Step
	}
	if asked && t.Kind != ByCall && t.Kind != ByUndo {
		return nil // the model is asked next
	}
	return []Event{w.event(Refs{Turn: t.ID, State: string(Done)}, &TurnEnded{End: Done})}
}

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

// review looks at an open question again: it may have expired, lost its tool,
// or been answered by a grant.
func (s *Session) review(c *Call, w *World) []Event {
	a := s.Approvals[c.Approval]
	if a.Expires != 0 && w.Now.UnixMilli() >= a.Expires {
		return s.lapse(c, a, w)
	}
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return append(s.stale(a, w, "the tool is gone"), s.refused(c, w, policy.BySource)...)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	switch {
	case dec.Refused():
		return append(s.stale(a, w, dec.Reason()), s.refused(c, w, dec.Category)...)
	case t.Pin != a.Pin || dec.Class > a.Class:
		return s.redo(c, a, w)
	case policy.AtClaim(c.Decided.Decision, dec).Verdict == policy.Run:
		by := s.grantedBy(dec, w)
		closed := &ApprovalClosed{State: approval.Covered, Via: "grant", By: by, Covers: dec.Grant}
		return []Event{w.event(s.approvalRefs(a, approval.Covered), closed)}
	}
	return nil
}

func (s *Session) lapse(c *Call, a *Approval, w *World) []Event {
	return []Event{
		w.event(s.approvalRefs(a, approval.Expired), &ApprovalClosed{State: approval.Expired, Reason: "nobody answered in time"}),
		s.ended(c, w, &CallEnded{Outcome: Expired, Text: textExpired}),
	}
}

func (s *Session) stale(a *Approval, w *World, why string) []Event {
	return []Event{w.event(s.approvalRefs(a, approval.Stale), &ApprovalClosed{State: approval.Stale, Reason: why})}
}

// redo closes a question whose tool or class changed; the call is checked and
// decided again, and asked again if need be.
func (s *Session) redo(c *Call, a *Approval, w *World) []Event {
	events := s.stale(a, w, "the tool changed while it was waiting")
	if c.Redone >= maxRedone {
		events = append(events, s.ended(c, w, &CallEnded{Outcome: NotAllowed, Category: policy.ByQuarantine, Text: textChanged}))
	}
	return events
}

// claim is the second look, right before the effect: everything is decided
// again on the facts of this moment, and only then the intent is written
// (SPEC C6, D3, P5). It is the only way to start a call.
func (s *Session) claim(c *Call, w *World) []Event {
	a := s.Approvals[c.Approval]
	approved := a != nil && a.State == approval.Approved
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return s.withdraw(c, a, w, "the tool is gone", policy.BySource)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	if dec.Refused() {
		return s.withdraw(c, a, w, dec.Reason(), dec.Category)
	}
	if t.Pin != c.Decided.Pin || dec.Class > c.Decided.Class {
		return s.again(c, a, t, w)
	}
	switch {
	case approved && a.Expires != 0 && w.Now.UnixMilli() >= a.Expires:
		return s.lapse(c, a, w)
	case approved && a.Digest == c.Digest && a.Pin == t.Pin:
		return s.start(c, w, a.By, a.Via)
	case policy.AtClaim(c.Decided.Decision, dec).Verdict == policy.Run:
		return s.start(c, w, s.grantedBy(dec, w), via(dec))
	case s.undecidedBefore(c):
		return nil // questions are posted in call order (SPEC P7)
	}
	return s.ask(c, w, policy.Tighter(c.Decided.Decision, dec))
}

// undecidedBefore says whether an earlier call of the message is not decided yet.
func (s *Session) undecidedBefore(c *Call) bool {
	for _, o := range s.Turn.Calls {
		if o == c {
			return false
		}
		if o.Step == c.Step && o.State == Proposed {
			return true
		}
	}
	return false
}

// grantedBy names the person whose grant decided; "" where none did.
func (s *Session) grantedBy(dec policy.Decision, w *World) string {
	for _, g := range s.grants(w) {
		if g.ID == dec.Grant {
			return g.By
		}
	}
	return ""
}

func via(dec policy.Decision) string {
	switch dec.Basis {
	case policy.BasisGrant:
		return "grant"
	case policy.BasisAllow:
		return "rule"
	}
	return "mode"
}

func (s *Session) start(c *Call, w *World, by, via string) []Event {
	return []Event{w.event(s.refs(c), &CallStarted{Epoch: w.Epoch, Attempt: c.Attempt + 1, Digest: c.Digest, By: by, Via: via})}
}

// withdraw takes back what was approved, covered or free to run (SPEC P5).
func (s *Session) withdraw(c *Call, a *Approval, w *World, why string, category policy.Category) []Event {
	var events []Event
	if a != nil && a.State == approval.Approved && c.State == Ready {
		events = s.stale(a, w, why)
	}
	return append(events, s.refused(c, w, category)...)
}

// again decides a call anew whose tool is no longer what it was.
func (s *Session) again(c *Call, a *Approval, t *Tool, w *World) []Event {
	if a != nil && a.State == approval.Approved {
		return s.redo(c, a, w)
	}
	if c.Redone >= maxRedone {
		return []Event{s.ended(c, w, &CallEnded{Outcome: NotAllowed, Category: policy.ByQuarantine, Text: textChanged})}
	}
	d, err := s.check(c, t)
	if err != nil {
		return []Event{s.ended(c, w, &CallEnded{Outcome: Invalid, Text: errorPrefix + fault.TextOf(err)})}
	}
	d.Raised, d.Confirm = c.Decided.Raised, c.Decided.Confirm
	if t.Hooks { // those of the new tool were not heard
		d.Raised, d.Confirm = policy.Unknown, true
	}
	return s.decided(c, t, w, d)
}

// reclaim deals with calls that an owner before this one started: nobody knows
// whether they had their effect. Read calls run again; for all others a person
// is asked (SPEC S2).
func (s *Session) reclaim(w *World) []Event {
	for _, c := range s.Turn.Calls {
		if c.State != Started || w.runs(c) {
			continue
		}
		if c.Decided.Class == policy.Read && s.Turn.Stopping == nil {
			return s.rerun(c, w)
		}
		refs := s.refs(c)
		events := []Event{w.event(refs, &CallUnknown{Attempt: c.Attempt})}
		refs.Approval, refs.State = w.NewID("approval"), approval.Asked.String()
		asked := &Asked{Question: WhatBecame, Digest: c.Digest, Pin: c.Decided.Pin, Class: c.Decided.Class}
		return append(events, w.event(refs, asked))
	}
	return nil
}

// rerun starts a read call again, if it still may run.
func (s *Session) rerun(c *Call, w *World) []Event {
	t := w.lookup(c.Wire)
	if t == nil || !t.same(c.Decided.Kind, c.Decided.Source, c.Decided.Name) {
		return s.refused(c, w, policy.BySource)
	}
	dec := s.decide(s.callFacts(t, w, c.Decided, c), w)
	if dec.Refused() || dec.Class != policy.Read || t.Pin != c.Decided.Pin {
		return s.refused(c, w, dec.Category)
	}
	return s.start(c, w, "", "recovery")
}

// windDown ends a turn that is being stopped: questions close, calls that have
// not started get their result, and the turn ends when nothing runs any more
// (SPEC P12).
func (s *Session) windDown(w *World) []Event {
	t, stop := s.Turn, s.Turn.Stopping
	var events []Event
	running := false
	for _, c := range t.Calls {
		a := s.Approvals[c.Approval]
		if a != nil && (a.Open() || a.State == approval.Approved && c.State == Ready) {
			state := closedBy(stop.End)
			if !a.Open() {
				state = approval.Cancelled
			}
			events = append(events, w.event(s.approvalRefs(a, state), &ApprovalClosed{State: state, By: stop.By}))
		}
		switch c.State {
		case Proposed, Waiting, Ready:
			outcome, text := notRun(stop.End)
			events = append(events, s.ended(c, w, &CallEnded{Outcome: outcome, Text: text}))
		case Doubtful:
			events = append(events, s.ended(c, w, &CallEnded{Outcome: UnknownState, Text: textUnknown}))
		case Started:
			running = true
		}
	}
	if running || events != nil {
		return events
	}
	refs := Refs{Turn: t.ID, State: string(stop.End)}
	if stop.Code != "" {
		events = append(events, w.event(refs, &Noticed{Code: stop.Code, Params: stop.Params}))
	}
	return append(events, w.event(refs, &TurnEnded{End: stop.End, Code: stop.Code}))
}

// limit says which limit of the turn is reached, if one is (SPEC S6).
func (s *Session) limit(w *World) *StopAsked {
	t, l := s.Turn, w.Limits.withDefaults()
	reach := func(code string, n int64) *StopAsked {
		return &StopAsked{End: ByLimit, Code: code, Params: map[string]string{"limit": strconv.FormatInt(n, 10)}}
	}
	more := s.wantsModel()
	switch {
	case more && t.Step >= l.Steps:
		return reach("limit_steps", int64(l.Steps))
	case len(t.Calls) > l.Calls:
		return reach("limit_calls", int64(l.Calls))
	case more && l.Tokens > 0 && t.Tokens >= l.Tokens:
		return reach("limit_tokens", l.Tokens)
	case l.Time > 0 && s.Active(w.Now) >= l.Time:
		return reach("limit_time", l.Time.Milliseconds())
	}
	for _, n := range t.repeats {
		if n > l.Repeats {
			return reach("limit_repeats", int64(l.Repeats))
		}
	}
	return nil
}

// wantsModel says whether the model is to be asked next.
func (s *Session) wantsModel() bool {
	t := s.Turn
	if !t.Open() || t.Stopping != nil || t.Kind == ByCall || t.Kind == ByUndo || s.stepOpen(t.Step) {
		return false
	}
	if t.Step == 0 {
		return true
	}
	for _, c := range t.Calls {
		if c.Step == t.Step {
			return true
		}
	}
	return false
}

// Request is the conversation to send to the model next. What is appended to it
// does not touch the session.
func (s *Session) Request(limits Limits) []model.Message {
	return limits.withDefaults().fit(slices.Clip(s.Messages))
}
