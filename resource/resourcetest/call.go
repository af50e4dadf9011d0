package resourcetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
)

// Call is a call that was made. Its methods report what is not as wanted as an
// error of the test, and return the call.
type Call struct {
	tb   testing.TB
	what string
	res  resource.Result
	text string // what was read instead of the result's text
	gov  *governed
}

// Result returns what came of the call. Of a governed call it has kind, status,
// issues and error only.
func (c *Call) Result() resource.Result { return c.res }

// Text returns what a reader gets: the text of the node, the records, the
// preview, or what went wrong; of a governed call, what the model is told.
func (c *Call) Text() string {
	switch {
	case c.gov != nil || c.text != "":
		return c.text
	case c.res.Err() != nil:
		return fault.TextOf(c.res.Err())
	}
	var parts []string
	if c.res.Node != nil {
		parts = append(parts, resource.NodeText(c.res.Node))
	}
	for _, r := range c.res.Records {
		parts = append(parts, strings.TrimSpace(r.Value+" "+r.Label+" "+r.Description))
	}
	return strings.Join(parts, "\n")
}

// shown is the whole result, for failures.
func (c *Call) shown() string {
	if c.gov != nil {
		return c.gov.shown(c.text)
	}
	return string(c.res.JSON())
}

func (c *Call) errorf(format string, args ...any) *Call {
	c.tb.Helper()
	c.tb.Errorf("%s: "+format+"\ngot %s", append(append([]any{c.what}, args...), c.shown())...)
	return c
}

// WantOK wants a success.
func (c *Call) WantOK() *Call {
	c.tb.Helper()
	if c.res.Kind != resource.Success {
		return c.errorf("want a success")
	}
	return c
}

// WantText wants each of the texts somewhere in [Call.Text].
func (c *Call) WantText(texts ...string) *Call {
	c.tb.Helper()
	for _, text := range texts {
		if !strings.Contains(c.Text(), text) {
			c.errorf("want the text %q, read %q", text, c.Text())
		}
	}
	return c
}

// WantStatus wants an HTTP status.
func (c *Call) WantStatus(status int) *Call {
	c.tb.Helper()
	if c.res.Status != status {
		return c.errorf("want status %d, not %d", status, c.res.Status)
	}
	return c
}

// WantError wants an error with a code.
func (c *Call) WantError(code fault.Code) *Call {
	c.tb.Helper()
	if c.res.Error == nil || c.res.Error.Code != code {
		return c.errorf("want an error with the code %s", code)
	}
	return c
}

// WantIssue wants that something is wrong with the value at a path, such as
// "lines", "0", "cents"; what is said of it does not matter.
func (c *Call) WantIssue(path ...string) *Call {
	c.tb.Helper()
	for _, issue := range c.res.Issues {
		if slices.Equal(issue.Path, path) {
			return c
		}
	}
	return c.errorf("want an issue with %s", strings.Join(path, "/"))
}

// WantLink wants that the answer leads to where a link does.
func (c *Call) WantLink(to *resource.LinkNode) *Call {
	c.tb.Helper()
	want := resource.NodeJSON(&resource.LinkNode{To: to.To})
	if c.res.Link == nil || string(resource.NodeJSON(&resource.LinkNode{To: c.res.Link.To})) != string(want) {
		return c.errorf("want a link to %s", want)
	}
	return c
}

// WantRecords wants the records of these values, in this order.
func (c *Call) WantRecords(values ...string) *Call {
	c.tb.Helper()
	var got []string
	for _, r := range c.res.Records {
		got = append(got, r.Value)
	}
	if !slices.Equal(got, values) {
		return c.errorf("want the records %q, not %q", values, got)
	}
	return c
}

// WantAsked wants that a person was asked.
func (c *Call) WantAsked() *Call {
	c.tb.Helper()
	if g := c.inMode(); g != nil && g.asked == 0 {
		return c.errorf("want that a person is asked")
	}
	return c
}

// WantNotAsked wants that nobody was asked.
func (c *Call) WantNotAsked() *Call {
	c.tb.Helper()
	if g := c.inMode(); g != nil && g.asked > 0 {
		return c.errorf("want that nobody is asked")
	}
	return c
}

// WantHidden wants that the mode hides the tool, and that the call is refused.
func (c *Call) WantHidden() *Call {
	c.tb.Helper()
	if g := c.inMode(); g != nil && g.category != policy.ByMode {
		return c.errorf("want that the mode hides the tool")
	}
	return c
}

// WantClass wants the class under which the call was decided, raised where it was.
func (c *Call) WantClass(class policy.Class) *Call {
	c.tb.Helper()
	if g := c.inMode(); g != nil && g.class != class {
		return c.errorf("want class %v, not %v", class, g.class)
	}
	return c
}

func (c *Call) inMode() *governed {
	c.tb.Helper()
	if c.gov == nil {
		c.tb.Errorf("%s: nothing decided this call: make it with InMode(…).Tool(…)", c.what)
	}
	return c.gov
}
