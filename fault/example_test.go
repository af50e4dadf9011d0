package fault_test

import (
	"errors"
	"fmt"

	"github.com/assentdev/assent/fault"
)

// A program looks at the code, people and models get the text, and the cause
// goes to the log.
func ExampleCodeOf() {
	disk := errors.New("open /var/lib/shop/orders.db: no space left on device")
	err := fmt.Errorf("place order 7: %w", fault.Wrap(disk, fault.Unwritable, "The order could not be stored. Try again later."))

	fmt.Println(fault.CodeOf(err))
	fmt.Println(fault.TextOf(err))
	fmt.Println(fault.TextOf(disk)) // no text was made for people
	fmt.Println(errors.Is(err, disk))
	// Output:
	// unwritable
	// The order could not be stored. Try again later.
	// internal error
	// true
}
