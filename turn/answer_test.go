package turn

import (
	"testing"
	"time"

	"github.com/assentdev/assent/fault"
)

// The boundary itself is too late (SPEC P4): an answer and an expiry at one
// instant have one order on every clock.
func TestAnswerAtTheExpiry(t *testing.T) {
	x := &explorer{}
	n := x.begin(t, bounds{})
	a := n.s.Approvals["approval0.0"]
	cases := []struct {
		name string
		at   int64
		want fault.Code
	}{
		{"P4 a millisecond before it counts", a.Expires - 1, ""},
		{"P4 at the expiry it is too late", a.Expires, fault.Expired},
		{"P4 after it it is too late", a.Expires + 1, fault.Expired},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := x.world(n, 1)
			w.Now, w.NewID = time.UnixMilli(c.at), ids(n.s)
			_, err := n.s.Handle(Answer{Approval: a.ID, Digest: a.Digest, Approved: true}, w)
			if fault.CodeOf(err) != c.want {
				t.Errorf("%v, want code %q", err, c.want)
			}
		})
	}
}

// An approved call whose time is over at the claim does not start (SPEC P5, G-A12).
func TestClaimAtTheExpiry(t *testing.T) {
	x := &explorer{}
	n := x.begin(t, bounds{})
	a := n.s.Approvals["approval0.0"]
	w := x.world(n, 0) // not the owner: the answer is written, and nothing follows yet
	w.Now, w.NewID = time.UnixMilli(a.Expires-1), ids(n.s)
	events, err := n.s.Handle(Answer{Approval: a.ID, Digest: a.Digest, Approved: true}, w)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := follow(n.s, w, events)
	w = x.world(n, 1)
	w.Now = time.UnixMilli(a.Expires)
	s, _ = follow(s, w, nil)
	if got := s.Call(a.Call).Ended; got == nil || got.Outcome != Expired {
		t.Errorf("P5: the call ended as %+v", got)
	}
}
