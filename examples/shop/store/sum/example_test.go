package sum_test

import (
	"fmt"

	"github.com/assentdev/assent/examples/shop/store/sum"
)

func ExampleOf() {
	fmt.Println(sum.Of("155.33 - 147.05 + 268.77 - 235.13"))
	fmt.Println(sum.Of("2 + x"))
	// Output:
	// 41.92 <nil>
	//  bad_arguments: invalid characters in expression
}
