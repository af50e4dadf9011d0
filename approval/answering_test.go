package approval_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// proves: P14
func TestAnswerAll(t *testing.T) {
	classes := map[string]policy.Class{
		"ap_w1": policy.Write, "ap_w2": policy.Write, "ap_d": policy.Destructive, "ap_u": policy.Unknown, "ap_0": policy.NotGiven,
	}
	refs := []approval.Ref{ref("ap_w1"), ref("ap_d"), ref("ap_w2"), ref("ap_u"), ref("ap_0")}
	open := func(may func(*approval.Request, approval.Decided) error) (*approval.Broker, box, *int) {
		refused := 0
		broker := approval.NewBroker(&approval.BrokerOptions{May: may, Refused: func(approval.Refusal) { refused++ }})
		b := newBox()
		for id, class := range classes {
			r := ask(id)
			r.Class.Effective = class
			broker.Open(r, b.reply)
		}
		return broker, b, &refused
	}

	t.Run("P14 an approval leaves out destructive and unknown calls", func(t *testing.T) {
		broker, b, _ := open(nil)
		left, err := broker.AnswerAll(approval.Approve(), refs, rita)
		if err != nil || !slices.Equal(left, []string{"ap_d", "ap_u", "ap_0"}) {
			t.Errorf("left %v, %v", left, err)
		}
		if len(b.ch) != 2 || len(broker.List()) != 3 {
			t.Errorf("%d answered, %d open", len(b.ch), len(broker.List()))
		}
	})
	t.Run("P14 what is not listed is not approved", func(t *testing.T) {
		broker, b, _ := open(nil)
		if _, err := broker.AnswerAll(approval.Approve(), refs[:1], rita); err != nil || len(b.ch) != 1 {
			t.Errorf("%d answered, %v", len(b.ch), err)
		}
	})
	t.Run("a denial takes all", func(t *testing.T) {
		broker, b, _ := open(nil)
		if left, err := broker.AnswerAll(approval.Deny("no"), refs, rita); err != nil || left != nil || len(b.ch) != 5 {
			t.Errorf("left %v, %d answered, %v", left, len(b.ch), err)
		}
	})
	for name, c := range map[string]struct {
		refs []approval.Ref
		a    approval.Answer
		code fault.Code
	}{
		"P14 one bad id answers none":     {append(slices.Clone(refs), ref("ap_9")), approval.Approve(), fault.NotFound},
		"P6 one bad digest answers none":  {append([]approval.Ref{{ID: "ap_w2", Digest: "x"}}, refs[0]), approval.Approve(), fault.Conflict},
		"P6 also of one that is left out": {[]approval.Ref{refs[0], {ID: "ap_d", Digest: "x"}}, approval.Approve(), fault.Conflict},
		"one listed twice":                {append(slices.Clone(refs), refs[0]), approval.Approve(), fault.BadAnswer},
		"P14 no wide approval of all":     {refs, approval.ApproveForSession(), fault.BadAnswer},
		"P8 no edit of all":               {refs, approval.Edit([]byte(`{}`)), fault.BadAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			broker, b, refused := open(nil)
			if _, err := broker.AnswerAll(c.a, c.refs, rita); fault.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
			if len(b.ch) != 0 || len(broker.List()) != 5 {
				t.Errorf("%d answered, %d open", len(b.ch), len(broker.List()))
			}
			if *refused != len(c.refs) {
				t.Errorf("the audit heard %d refusals of %d", *refused, len(c.refs))
			}
		})
	}
	t.Run("P13 one that may not be answered answers none", func(t *testing.T) {
		broker, b, _ := open(func(r *approval.Request, _ approval.Decided) error {
			if r.ID == "ap_w2" {
				return errors.New("not yours")
			}
			return nil
		})
		if _, err := broker.AnswerAll(approval.Deny(""), refs, rita); err == nil || len(b.ch) != 0 || len(broker.List()) != 5 {
			t.Errorf("%d answered, %v", len(b.ch), err)
		}
	})
}

// proves: P14
func TestADestructiveCallIsReadToItsEnd(t *testing.T) {
	broker, b := approval.NewBroker(nil), newBox()
	r := ask("ap_1")
	r.Class.Effective = policy.Destructive
	r.Args = approval.Exact(`{"id":"A-1001","note":"` + strings.Repeat("x", 5000) + `"}`)
	broker.Open(r, b.reply)
	if err := broker.Answer(yes("ap_1"), rita); fault.CodeOf(err) != fault.BadAnswer || !strings.Contains(fault.TextOf(err), "/note") {
		t.Errorf("P14 approved unseen: %v", err)
	}
	resp := yes("ap_1")
	resp.Opened = approval.NewCard(r).MustOpen
	if err := broker.Answer(resp, rita); err != nil || len(b.ch) != 1 {
		t.Errorf("P14 opened: %v", err)
	}
	r.ID, r.Digest = "ap_2", "sha256:ap_2"
	broker.Open(r, b.reply)
	if err := broker.Answer(approval.Response{Ref: ref("ap_2"), Answer: approval.Deny("")}, rita); err != nil {
		t.Errorf("a denial needs no reading: %v", err)
	}
}
