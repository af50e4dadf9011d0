package schema_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/schema"
)

// exactly decodes JSON text into a value whose numbers are exact.
func exactly(t testing.TB, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return exact(v)
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(v.String())
		return r.RatString()
	case []any:
		list := []any{}
		for _, item := range v {
			list = append(list, exact(item))
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, item := range v {
			m[k] = exact(item)
		}
		return m
	case string:
		return []string{v} // so that no string equals a number
	}
	return v
}

// TestCanonicalLaws proves: A5
func TestCanonicalLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, b := genJSON(3).Draw(r, "a"), genJSON(3).Draw(r, "b")
		ca, err := schema.Canonical([]byte(a), nil)
		if err != nil {
			r.Fatal(err)
		}
		cb, err := schema.Canonical([]byte(b), nil)
		if err != nil {
			r.Fatal(err)
		}
		if again, err := schema.Canonical(ca, nil); err != nil || !bytes.Equal(again, ca) {
			r.Fatalf("the canonical form of %s is %s, %v", ca, again, err)
		}
		va, vb := exactly(t, []byte(a)), exactly(t, []byte(b))
		if !reflect.DeepEqual(exactly(t, ca), va) {
			r.Fatalf("%s and its canonical form %s are different values", a, ca)
		}
		if bytes.Equal(ca, cb) && !reflect.DeepEqual(va, vb) {
			r.Fatalf("%s and %s share the canonical form %s", a, b, ca)
		}
	})
}

// lawCheckers holds that the own checker, quick and thorough, and the library
// say the same of a value.
func lawCheckers(t *rapid.T) {
	raw := []byte(genSchema(3).Draw(t, "schema"))
	opts := &schema.Options{AnyValue: true}
	own, err := schema.Compile(raw, opts)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	library, err := schema.CompileLibrary(raw, opts)
	if err != nil {
		t.Fatalf("%s: the library: %v", raw, err)
	}
	if own.Kind() != schema.Own {
		t.Fatalf("%s: the library checks it", raw)
	}
	for range 8 {
		text := []byte(genJSON(3).Draw(t, "value"))
		valid := own.Valid(text)
		if valid != library.Valid(text) {
			t.Fatalf("schema %s, value %s: own %t, library %t", raw, text, valid, !valid)
		}
		if _, err := own.Check(text); (err == nil) != valid {
			t.Fatalf("schema %s, value %s: quick %t, thorough %v", raw, text, valid, err)
		}
	}
}

// TestCheckersAgree proves: A3
func TestCheckersAgree(t *testing.T) { rapid.Check(t, lawCheckers) }
