package audit

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Print writes the report for people: what was found, or what the log's
// soundness rests on.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", count(r.Records, "record"), count(len(r.Heads), "stream"))
	for _, part := range []struct {
		n    int
		text string
	}{{r.Erased, "erased"}, {r.Withheld, "without payload in this copy"}, {r.Masked, "with secrets masked"}} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.text)
		}
	}
	b.WriteByte('\n')
	if r.Unfinished > 0 {
		fmt.Fprintf(&b, "%s at the end left out: a write that did not finish\n", count(r.Unfinished, "line"))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s\n", p)
	}
	if more := r.Count - len(r.Problems); more > 0 {
		fmt.Fprintf(&b, "and %s more\n", count(more, "problem"))
	}
	b.WriteString(r.verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) verdict() string {
	switch {
	case r.Count > 0:
		return fmt.Sprintf("NOT SOUND: %s\n", count(r.Count, "problem"))
	case r.Signed == nil:
		return "sound in itself: without a signed checkpoint nothing shows whether its end was cut off or all of it made anew\n"
	}
	at := time.UnixMilli(r.Signed.Checkpoint.Time).UTC().Format(time.RFC3339)
	return fmt.Sprintf("sound: everything up to %s is proven by key %s\n", at, r.Signed.Key)
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
