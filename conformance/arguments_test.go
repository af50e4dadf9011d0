package conformance

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/assentdev/assent/schema"
)

// argumentsVector is one entry of arguments.json, which other languages read too.
type argumentsVector struct {
	Name, Rule string
	Schema     json.RawMessage
	Options    struct {
		Foreign  bool
		TopLevel bool `json:"top_level"`
		Defaults bool
	}
	Raw       string
	RawBase64 []byte `json:"raw_base64"`

	Valid         bool
	Canonical     string
	Digest        string
	Filled, Extra []string
	Problems      []string
}

// TestArguments runs every vector of arguments.json.
//
// proves: A1, A2, A3, A4, A5, A6
func TestArguments(t *testing.T) {
	raw, err := os.ReadFile("arguments.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []argumentsVector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) < 150 {
		t.Errorf("there are %d vectors, fewer than 150", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.Rule+" "+v.Name, v.run)
	}
}

func (v argumentsVector) run(t *testing.T) {
	s, err := schema.Compile(v.Schema, &schema.Options{
		Foreign: v.Options.Foreign, TopLevel: v.Options.TopLevel, FillDefaults: v.Options.Defaults,
	})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(v.Raw)
	if v.RawBase64 != nil {
		text = v.RawBase64
	}
	args, err := s.Check(text)
	if !v.Valid {
		v.wantProblems(t, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(args.Canonical) != v.Canonical || args.Digest != v.Digest {
		t.Errorf("canonical %s, digest %s", args.Canonical, args.Digest)
	}
	if !slices.Equal(args.Filled, v.Filled) || !slices.Equal(args.Extra, v.Extra) {
		t.Errorf("filled %q, extra %q", args.Filled, args.Extra)
	}
	v.again(t, s)
}

// again holds that canonical bytes are their own canonical form.
func (v argumentsVector) again(t *testing.T, s *schema.Schema) {
	args, err := s.Check([]byte(v.Canonical))
	if err != nil || string(args.Canonical) != v.Canonical || args.Filled != nil {
		t.Errorf("checked again: %s, filled %q, %v", args.Canonical, args.Filled, err)
	}
}

func (v argumentsVector) wantProblems(t *testing.T, err error) {
	invalid, ok := errors.AsType[*schema.Invalid](err)
	if !ok {
		t.Fatalf("want invalid, got %v", err)
	}
	var pointers []string
	for _, p := range invalid.Problems {
		pointers = append(pointers, p.Pointer)
	}
	if !slices.Equal(pointers, v.Problems) {
		t.Errorf("problems at %q: %v", pointers, err)
	}
}
