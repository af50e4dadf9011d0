package resource

import (
	"context"
	"encoding/json"
	"log/slog"
)

// Door says by which way a call came.
type Door string

// The doors.
const (
	Page Door = "page" // a page or a form of [App.Handler]
	JSON Door = "json" // a program that calls [App.Handler]
	Tool Door = "tool" // an agent's host tool
	MCP  Door = "mcp"  // a tool of an MCP client
	Code Door = ""     // the application's own code
)

// Caller says who calls and how. The zero value is nobody, from code.
type Caller struct {
	Principal string // who is signed in; "" for nobody
	Groups    []string
	Door      Door
	Agent     bool   // an agent acts for the principal
	CallID    string // the governed call's id, which is also its idempotency key; "" for none
}

// Context is what middleware and handlers get of a call. It is a
// context.Context, and belongs to that one call.
type Context struct {
	context.Context
	Caller
	Kind     Kind
	Resource string
	Name     string
	// Params are the address parameters as they came. A handler gets them typed.
	Params map[string]string
	// Query is what a lookup is to find.
	Query string
	// Payload is an action's payload as it came, and in canonical form once it is
	// validated. A handler gets it typed.
	Payload json.RawMessage
	// Preview says that an action is only previewed: nothing may change.
	Preview bool
	// Log is the app's log with the call's resource and name.
	Log *slog.Logger

	app     *App
	data    any
	checked bool    // the payload is validated
	wrong   []Issue // what Invoke found before binding
}

// Data returns the handle that the app's [Data] opened for this call: one that
// only reads, or the transaction of an action that runs. It is nil without Data.
func (c *Context) Data() any { return c.data }

// Data opens what handlers read and write with. Package sqldata has one for
// databases of database/sql.
type Data interface {
	// Reading returns a handle through which nothing can be changed, and what
	// closes it. Views, lookups, previews and middleware get it (SPEC R8).
	Reading(ctx context.Context) (handle any, done func(), err error)
	// Writing begins a transaction, and returns its handle and what ends it: keep
	// says whether the changes are kept. Actions that run get it.
	Writing(ctx context.Context) (handle any, end func(keep bool) error, err error)
}
