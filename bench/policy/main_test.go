package main

import "testing"

// TestEnginesAgree keeps the comparison honest: all engines give the same
// verdict by the same rule.
func TestEnginesAgree(t *testing.T) {
	for _, n := range []int{10, 300} {
		s := newScenario(n)
		if _, err := agreeing(s); err != nil {
			t.Error(err)
		}
		seen := make(map[string]bool)
		d, err := newAssent(s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.calls {
			v, _ := d(&s.calls[i])
			seen[v.String()] = true
		}
		if n > 10 && len(seen) < 4 {
			t.Errorf("the calls meet only %v", seen)
		}
	}
}
