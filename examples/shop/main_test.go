package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden files in the scripts")

// asShop makes the test's own program be the shop, for tests that start it.
const asShop = "ASSENT_TEST_AS_SHOP"

func TestMain(m *testing.M) {
	if os.Getenv(asShop) != "" {
		main()
		return
	}
	testscript.Main(m, map[string]func(){"shop": main})
}

// Each script is a conversation with the program: what is typed, what comes
// back, and how it ends.
//
// proves: A1 C1 C6 D4 P2 P14 R8 T4
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TMPDIR", e.WorkDir)
			return nil
		},
	})
}
