package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden files in the scripts")

// asAssent makes the test's own program be assent, for tests that start it.
const asAssent = "ASSENT_TEST_AS_ASSENT"

func TestMain(m *testing.M) {
	if os.Getenv(asAssent) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"assent": main})
}

// Each script is a conversation with the program: what is typed, what comes
// back, and how it ends.
//
// proves: C1 C2 C3 C7 D2 D5 D6 M3 P8 P10 T4 V6
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")
			e.Setenv("TERM", os.Getenv("TERM"))
			return nil
		},
	})
}
