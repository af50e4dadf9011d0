//go:build race

package schema_test

// underRace says that the race detector is on: pools then drop what they hold.
const underRace = true
