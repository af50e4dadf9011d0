package gate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strconv"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/server/internal/gate"
)

// Each code has a status of its own choosing: none is a 500 by being forgotten.
func TestEveryCodeHasAStatus(t *testing.T) {
	internal := map[string]bool{"internal": true, "bad_journal": true, "bad_chain": true}
	for _, file := range []string{"../../../fault/fault.go", "error.go"} {
		codes := codesIn(t, file)
		if len(codes) < 10 {
			t.Errorf("%s has only %d codes", file, len(codes))
		}
		for _, code := range codes {
			if s := gate.Status(fault.Code(code)); (s == http.StatusInternalServerError) != internal[code] {
				t.Errorf("%s is answered %d", code, s)
			}
		}
	}
	if s := gate.Status("what"); s != http.StatusInternalServerError {
		t.Errorf("an unknown code is answered %d", s)
	}
}

// codesIn returns the constants with the type Code of a file.
func codesIn(t *testing.T, name string) (codes []string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		value, ok := spec.Values[0].(*ast.BasicLit)
		if !ok || value.Kind != token.STRING {
			return true
		}
		text, _ := strconv.Unquote(value.Value)
		codes = append(codes, text)
		return true
	})
	return codes
}
