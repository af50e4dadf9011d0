package safetext_test

import (
	"fmt"

	"github.com/assentdev/assent/approval/safetext"
)

func ExampleLook() {
	found := safetext.Look("pаypal \u202eabc") // the first a is Cyrillic
	fmt.Println(found.Mixed, found.Bidi)
	// Output:
	// [pаypal] 1
}

func ExampleName() {
	fmt.Println(safetext.Name("delete_раge")) // р and а are Cyrillic
	// Output:
	// delete_\u0440\u0430ge
}
