package main

import (
	"slices"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// message is the oracle's work on one message with calls.
type message struct {
	*oracle
	plan    *stepPlan
	fates   []fate
	args    []string // canonical, where they fit
	waiting []int    // the calls that wait for a person, in call order
	asked   []int    // all that were asked
	ended   int
	started int
	stage   stage
}

// decide looks at all calls, then at the answers (SPEC P7).
func (m *message) decide() turn.End {
	m.args = make([]string, len(m.fates))
	m.calls += len(m.fates)
	if l := m.sc.limits.Calls; l > 0 && m.calls > l { // S6
		return m.close(turn.ByLimit, turn.Cancelled)
	}
	for i := range m.plan.calls {
		m.propose(i)
		if m.beyond(i) { // S6: nobody is asked about a message that goes beyond
			for j := range m.fates {
				m.fates[j].asked = nil
			}
			return m.close(turn.ByLimit, turn.Cancelled)
		}
	}
	m.stage.asked = len(m.waiting)
	m.asked = slices.Clone(m.waiting)
	return m.answers()
}

// beyond says whether a call was made too often (SPEC S6).
func (m *message) beyond(i int) bool {
	l := m.sc.limits.Repeats
	return l > 0 && m.repeats[m.key(i)] > l
}

func (m *message) key(i int) key { return key{m.plan.calls[i].Name, m.args[i]} }

// propose decides one call in the order of SPEC D1.
func (m *message) propose(i int) {
	c := &m.plan.calls[i]
	f := &m.fates[i]
	class, known := m.classes[c.Name]
	verdict := table(m.mode, class)
	switch {
	case m.sharesID(i): // S2
		m.end(f, turn.Invalid, "", invalid())
	case !known: // D3, D4
		m.end(f, turn.NotAllowed, policy.NoSuchTool, refusal(""))
	case verdict == "hidden": // D4
		m.end(f, turn.NotAllowed, policy.ByMode, refusal(""))
	default:
		args, err := m.specs[c.Name].arguments(m.received(c))
		if err != nil { // A1: before anybody is asked
			m.end(f, turn.Invalid, "", invalid())
			return
		}
		m.args[i] = args
		m.repeats[m.key(i)]++
		switch {
		case m.denied[m.key(i)]: // P10
			m.end(f, turn.NotAllowed, policy.ByDenial, refusal(""))
		case verdict == "run" || m.granted[c.Name]: // C1, P3
			m.runs(i, "")
		default:
			f.asked = append(f.asked, args)
			m.waiting = append(m.waiting, i)
		}
	}
}

// table is SPEC C1.
func table(m assent.Mode, c assent.Class) string {
	switch {
	case m == assent.Off, m == assent.ReadOnly && c != assent.Read:
		return "hidden"
	case c == assent.Read, m == assent.Auto && c == assent.Write:
		return "run"
	}
	return "ask"
}

// received is what leaves the provider's edge: a strict provider had to write
// null for what it wanted to leave out (SPEC A7).
func (m *message) received(c *callPlan) string {
	if v, err := readStrict(c.Args); err == nil && m.sc.strict {
		m.specs[c.Name].dropNulls(v)
		return canonical(v)
	}
	return c.Args
}

func (m *message) sharesID(i int) bool {
	n := 0
	for _, c := range m.plan.calls {
		if c.ID == m.plan.calls[i].ID {
			n++
		}
	}
	return n > 1
}

// end gives a call its result without a run.
func (m *message) end(f *fate, outcome turn.Outcome, category policy.Category, text textRule) {
	f.outcome, f.category, f.text = outcome, category, text
	m.ended++
}

// runs runs a call; edited are the arguments that a person wrote, if one did.
func (m *message) runs(i int, edited string) {
	f, c := &m.fates[i], &m.plan.calls[i]
	f.ran, f.args = true, m.args[i]
	m.started++
	switch c.does {
	case hangs: // until the turn is stopped: answers sees to it
		f.outcome, f.text = turn.Cancelled, refusal("")
		return
	case fails:
		f.outcome, f.text = turn.Failed, exactly("Error: "+failure(m.key(i)))
	case panics: // T2
		f.outcome, f.text = turn.Failed, refusal("")
		if m.classes[c.Name] != assent.Read {
			f.text = refusal("effect of this call is not known")
		}
	default:
		f.outcome, f.text = turn.OK, exactly(m.result(m.key(i)))
	}
	if edited != "" {
		f.text = told(edited, f.text) // P8
	}
	m.ended++
}

func (m *message) result(k key) string {
	text, ok := m.store.take(k)
	if !ok {
		return invented(k)
	}
	return text
}

// answers goes through what people say.
func (m *message) answers() turn.End {
	order := m.plan.order
	if order == nil {
		order = m.waiting
	}
	n, rest := 0, m.plan.interrupt != ""
	for _, i := range slices.Clone(order) {
		if rest && n == m.plan.after {
			if end := m.interrupted(); end != "" {
				return end
			}
			rest = false
		}
		if !slices.Contains(m.waiting, i) {
			continue // covered, refused or never asked
		}
		a := m.plan.calls[i].answer
		m.stage.acts = append(m.stage.acts, m.act(i, a))
		if end := m.answer(i, a); end != "" {
			return end
		}
		n++
	}
	if rest {
		return m.interrupted()
	}
	return ""
}

// act is an answer when its time has come: with a prompt person, as soon as the
// question is there, else when all that can happen before it has happened.
func (m *message) act(i int, a answer) act {
	q := slices.Index(m.asked, i)
	if m.plan.prompt {
		return act{asked: q + 1, question: q, answer: a}
	}
	return act{asked: len(m.asked), ended: m.ended, started: m.started, question: q, answer: a}
}

func (m *message) interrupted() turn.End {
	m.stage.acts = append(m.stage.acts, act{asked: len(m.asked), ended: m.ended, started: m.started, question: -1, interrupt: m.plan.interrupt, to: m.plan.to})
	if m.plan.interrupt == changes {
		m.chosen = m.plan.to
		m.mode = min(m.mode, m.chosen) // C6: wider from the next turn on
		m.again()
		return ""
	}
	if m.plan.interrupt == supersedes {
		return m.close(turn.BySupersede, turn.Superseded)
	}
	return m.close(turn.Stopped, turn.Cancelled)
}

// close ends the turn: what waits and what was not looked at gets its result (SPEC P12).
func (m *message) close(end turn.End, outcome turn.Outcome) turn.End {
	m.waiting = nil
	for i := range m.fates {
		f := &m.fates[i]
		if f.outcome == "" || m.beyond(i) {
			*f = fate{asked: f.asked}
			m.end(f, outcome, "", refusal(""))
		}
	}
	return end
}

func (m *message) answer(i int, a answer) turn.End {
	m.waiting = slices.DeleteFunc(m.waiting, func(w int) bool { return w == i })
	f, c := &m.fates[i], &m.plan.calls[i]
	switch a.word {
	case approves:
		m.runs(i, "")
	case session:
		m.granted[c.Name] = true
		m.runs(i, "")
		m.again()
	case denies:
		m.end(f, turn.Denied, "", refusal(a.reason))
		m.denied[m.key(i)] = true
		if m.denials[c.Name]++; m.denials[c.Name] == 3 { // P10
			return m.close(turn.ByDenials, turn.Cancelled)
		}
		m.again()
	case edits:
		m.edit(i, a.args)
	default: // P11
		m.end(f, turn.Undecided, "", refusal(""))
	}
	return ""
}

// edit checks and decides what a person wrote (SPEC P8). Nobody is asked again:
// the person who wrote it has said that it should run.
func (m *message) edit(i int, raw string) {
	f, c := &m.fates[i], &m.plan.calls[i]
	args, err := m.specs[c.Name].arguments(raw)
	if err != nil { // a handler's answer that cannot be used: P11
		m.end(f, turn.Undecided, "", refusal(""))
		return
	}
	m.args[i] = args
	m.repeats[m.key(i)]++
	if m.denied[m.key(i)] { // P10
		m.end(f, turn.NotAllowed, policy.ByDenial, told(args, refusal("")))
		return
	}
	m.runs(i, args)
}

// again looks at the questions that are still open after an answer (SPEC P7, P10).
func (m *message) again() {
	for _, i := range slices.Clone(m.waiting) {
		c := &m.plan.calls[i]
		drop := func() { m.waiting = slices.DeleteFunc(m.waiting, func(w int) bool { return w == i }) }
		switch {
		case table(m.mode, m.classes[c.Name]) == "hidden": // C6, P5
			drop()
			m.end(&m.fates[i], turn.NotAllowed, policy.ByMode, refusal(""))
		case m.denied[m.key(i)]:
			drop()
			m.end(&m.fates[i], turn.NotAllowed, policy.ByDenial, refusal(""))
		case m.granted[c.Name]:
			drop()
			m.runs(i, "")
		}
	}
}
