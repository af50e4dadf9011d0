package schema

import (
	"fmt"
	"strings"
)

// suggest names the known word that is nearest to an unknown one, or all of a few.
func suggest(word string, known []string) string {
	if len(known) == 0 {
		return "; there are none"
	}
	best, least := "", len(word)/2+1
	for _, k := range known {
		if d := edits(strings.ToLower(word), strings.ToLower(k), least); d < least {
			best, least = k, d
		}
	}
	if best != "" {
		return "; did you mean " + show(fmt.Sprintf("%q", best), maxEcho) + "?"
	}
	return "; known are " + show(strings.Join(known, ", "), maxEcho)
}

// edits counts the edits between two words, most at the least: whoever asks
// wants near ones only, and keys can be long.
func edits(a, b string, most int) int {
	if max(len(a), len(b)) > 64 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return min(row[len(b)], most)
}
