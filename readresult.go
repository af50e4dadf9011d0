package assent

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/assentdev/assent/tool"
)

// ReadResultName is the name of the tool that WithResultReader adds.
const ReadResultName = "read_result"

// WithResultReader adds a read tool by which the model gets the rest of a result
// that was too long to show (SPEC S10). Like every tool it goes through contract
// and rules: a contract that lists tools must list it.
func WithResultReader() Option {
	return func(c *config) { c.reader = true }
}

// resultPart is how much of a result one call of the reader gives.
const resultPart = 32 << 10

type cutResult struct {
	Call   string `json:"call" doc:"The id that the cut result names."`
	Offset int    `json:"offset,omitempty" doc:"Bytes to skip." min:"0"`
}

func (a *Agent) resultReader() *Tool {
	return Define(ReadResultName, "Reads a part of an earlier result of this conversation that was cut because of its length.",
		func(ctx context.Context, in cutResult) (string, error) {
			text, err := a.engine.Result(ctx, tool.FromContext(ctx).Session, in.Call)
			if err != nil {
				return "", err
			}
			return part(text, in.Offset), nil
		}, &ToolOptions[cutResult]{Class: Read, Title: "Read the rest of a result"})
}

// part is the text from an offset on, whole characters only, and where to go on.
func part(text string, from int) string {
	from = min(from, len(text))
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	to := min(from+resultPart, len(text))
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	if to == len(text) {
		return text[from:]
	}
	return fmt.Sprintf("%s\n[bytes %d to %d of %d; go on at offset %d]", text[from:to], from, to, len(text), to)
}
