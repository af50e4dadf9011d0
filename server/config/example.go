package config

import (
	_ "embed"
	"slices"
)

//go:embed example.yaml
var example []byte

// Example returns a file to begin with, with comments. It loads as it is and
// needs no key.
func Example() []byte { return slices.Clone(example) }
