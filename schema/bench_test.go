package schema_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assentdev/assent/schema"
)

// payload is a tool's schema and one call's arguments.
type payload struct {
	name         string
	schema, args []byte
	valid        bool
}

// payloads are five calls: small and flat, twenty fields, a list of a hundred
// objects, alternatives, and three errors.
func payloads(t testing.TB) []payload {
	read := func(name string) []byte {
		raw, err := os.ReadFile(filepath.Join("testdata", "bench", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		return bytes.TrimSpace(raw)
	}
	twenty := read("twenty.args")
	invalid := strings.NewReplacer(`"quantity":2,`, ``, `"amount":1249.5`, `"amount":"1249.5"`, `"note":`, `"remark":`).Replace(string(twenty))
	return []payload{
		{"flat", read("flat"), read("flat.args"), true},
		{"twenty", read("twenty"), twenty, true},
		{"nested", read("nested"), nestedArgs(), true},
		{"union", read("union"), read("union.args"), true},
		{"invalid", read("twenty"), []byte(invalid), false},
	}
}

func nestedArgs() []byte {
	var b bytes.Buffer
	b.WriteString(`{"sheet":"stock","rows":[`)
	for i := 1; i <= 100; i++ {
		if i > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"Part number %d of the assembly","unit":"%s","count":%d.5,"active":%t,"place":{"hall":"H%d","shelf":%d,"bin":"B-%03d"}}`,
			1000+i, i, []string{"pcs", "kg", "m", "h"}[i%4], i*3, i%3 != 0, i%5, i%40, i)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func compile(t testing.TB, raw []byte, opts *schema.Options) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkValid is the bare verdict from bytes.
func BenchmarkValid(b *testing.B) {
	for _, p := range payloads(b) {
		s := compile(b, p.schema, nil)
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(p.args)))
			for b.Loop() {
				s.Valid(p.args)
			}
		})
	}
}

// BenchmarkCheck adds canonical bytes and digest, or the message.
func BenchmarkCheck(b *testing.B) {
	for _, p := range payloads(b) {
		s := compile(b, p.schema, nil)
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Check(p.args)
			}
		})
	}
}

// BenchmarkLibrary is what the library needs for the same verdict, from bytes.
func BenchmarkLibrary(b *testing.B) {
	for _, p := range payloads(b) {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(p.schema))
		if err != nil {
			b.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:///s.json", doc); err != nil {
			b.Fatal(err)
		}
		s, err := c.Compile("mem:///s.json")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v, err := jsonschema.UnmarshalJSON(bytes.NewReader(p.args))
				if err == nil {
					err = s.Validate(v)
				}
				if (err == nil) != p.valid {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile is what a tool's schema costs at start.
func BenchmarkCompile(b *testing.B) {
	for _, p := range payloads(b) {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(b, p.schema, nil)
			}
		})
	}
}

// amountOver is a condition as an administrator writes it, and arguments for it.
const amountOver = `{"properties":{"amount":{"exclusiveMinimum":100},"currency":{"enum":["EUR","USD"]},"title":{"pattern":"Re.*"}}}`

// BenchmarkMatch is what a rule's condition costs for each call.
func BenchmarkMatch(b *testing.B) {
	c, err := schema.CompileCondition([]byte(amountOver), nil)
	if err != nil {
		b.Fatal(err)
	}
	args := payloads(b)[1].args
	b.ReportAllocs()
	for b.Loop() {
		if match, known := c.Match(args); !match || !known {
			b.Fatal("no match")
		}
	}
}

// TestPayloads holds the benchmarks to their verdicts.
func TestPayloads(t *testing.T) {
	for _, p := range payloads(t) {
		s := compile(t, p.schema, nil)
		if s.Valid(p.args) != p.valid || s.Kind() != schema.Own {
			t.Errorf("%s: valid is not %t, or the library checks it", p.name, p.valid)
		}
		if _, err := s.Check(p.args); (err == nil) != p.valid {
			t.Errorf("%s: Check: %v", p.name, err)
		}
	}
}

// TestNoAllocation holds that a bare check of valid arguments, and a condition,
// allocate nothing.
func TestNoAllocation(t *testing.T) {
	if underRace {
		t.Skip("under the race detector pools drop what they hold, so that allocations say nothing")
	}
	for _, p := range payloads(t) {
		if !p.valid {
			continue
		}
		s := compile(t, p.schema, nil)
		if n := testing.AllocsPerRun(100, func() { s.Valid(p.args) }); n != 0 {
			t.Errorf("%s: %v allocations", p.name, n)
		}
	}
	c, err := schema.CompileCondition([]byte(amountOver), nil)
	if err != nil {
		t.Fatal(err)
	}
	args := payloads(t)[1].args
	if n := testing.AllocsPerRun(100, func() { c.Match(args) }); n != 0 {
		t.Errorf("a condition: %v allocations", n)
	}
}
