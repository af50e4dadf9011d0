package approval_test

import (
	"testing"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
)

// A lost call that may destroy does not run again by one key or click.
//
// proves: S2 P14
func TestCardOfALostCall(t *testing.T) {
	for _, test := range []struct {
		name  string
		class policy.Class
		twice bool
	}{
		{"S2 a write runs again by one step", policy.Write, false},
		{"P14 what destroys needs a second one", policy.Destructive, true},
		{"P14 so does what nobody classified", policy.Unknown, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := approval.NewCard(approval.Request{
				ID: "ap_1", Lost: true, Args: approval.Exact(`{}`), Allowed: approval.LostChoices(),
				Class: approval.Class{Effective: test.class},
			})
			if len(c.Options) != 3 {
				t.Fatalf("the options are %v", c.Options)
			}
			for _, o := range c.Options {
				if want := test.twice && o.Choice == approval.ChooseRunAgain; o.Twice != want {
					t.Errorf("%s needs a second step: %v", o.Choice, o.Twice)
				}
			}
		})
	}
}
