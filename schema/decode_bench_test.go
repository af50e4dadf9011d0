package schema_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/assentdev/assent/schema"
)

// BenchmarkDecode compares Decode with a plain json.Unmarshal, which checks
// nothing.
func BenchmarkDecode(b *testing.B) {
	type order struct {
		ID    string   `json:"id"`
		Items []string `json:"items"`
		Cents int64    `json:"cents"`
		Note  string   `json:"note,omitempty"`
	}
	text := []byte(`{"cents":129900,"id":"#W2417020","items":["9747045638","1437889264"],"note":"leave it at the door"}`)
	dec := schema.NewDecoder(reflect.TypeFor[order]())
	for name, decode := range map[string]func(*order) error{
		"prepared":      func(v *order) error { return dec.Decode(text, v) },
		"unprepared":    func(v *order) error { return schema.Decode(text, v) },
		"encoding/json": func(v *order) error { return json.Unmarshal(text, v) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v order
				if err := decode(&v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
