package main

import (
	"testing"

	"github.com/assentdev/assent/schema"
)

// TestSameVerdicts holds that both sides of the comparison do the same work.
func TestSameVerdicts(t *testing.T) {
	for _, p := range payloads() {
		own, err := schema.Compile([]byte(p.schema), nil)
		if err != nil {
			t.Fatal(err)
		}
		if own.Kind() != schema.Own || own.Valid(p.args) != p.valid || validByLibrary(compileLibrary(p.schema), p.args) != p.valid {
			t.Errorf("%s: not both say %t", p.name, p.valid)
		}
	}
}
