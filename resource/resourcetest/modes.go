package resourcetest

import (
	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// Modes checks a tool against the table of classes and modes, in all four modes
// (SPEC C1). Where the table hides or asks, the call is made and denied; where it
// runs, the call is not made, so that nothing changes. args are arguments in JSON
// that fit.
func (k *Kit) Modes(name, args string) *Kit {
	k.tb.Helper()
	s := k.start(approval.Deny("a test asks"))
	defer s.agent.Close()
	info := s.info(name)
	for _, mode := range []assent.Mode{assent.Off, assent.ReadOnly, assent.Ask, assent.Auto} {
		want := policy.Decide(mode, info.Class)
		if got := info.Verdicts[mode]; got != want {
			k.tb.Errorf("%s is of class %v: in %v it should be %v, not %v", name, info.Class, mode, want, got)
		}
		switch want {
		case policy.Hidden:
			s.call(name, mode, name, args).WantHidden().stayed()
		case policy.AskFirst:
			s.call(name, mode, name, args).WantAsked().stayed()
		}
	}
	return k
}

// stayed wants that the handler was not reached.
func (c *Call) stayed() {
	c.tb.Helper()
	if c.gov.ran {
		c.errorf("want that it does not run")
	}
}
