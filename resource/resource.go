package resource

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/assentdev/assent/fault"
)

// Handler answers one call of a resource.
type Handler func(c *Context) Result

// Middleware wraps the handlers of a resource. It runs before a call is bound
// and validated; authorisation belongs here.
type Middleware func(next Handler) Handler

// Resource is a named set of views, lookups and actions. Define them before the
// resource is used; from then on it is safe for concurrent use.
type Resource struct {
	name       string
	middleware []Middleware
	defs       []*Definition

	load func() (*Resource, error) // of a lazy resource; nil: it is here
	once sync.Once
	real *Resource
	err  error
}

// New makes a resource. A name is a lower-case word such as orders; [App.Check]
// reports one that is not. The first middleware is the outermost.
func New(name string, middleware ...Middleware) *Resource {
	return &Resource{name: name, middleware: middleware}
}

// Lazy makes a resource that is loaded when it is first used, once. What load
// returns must have the same name. Its error is reported by [App.Check] and
// answers every call of the resource.
func Lazy(name string, load func() (*Resource, error)) *Resource {
	return &Resource{name: name, load: load}
}

// Name returns the resource's name.
func (r *Resource) Name() string { return r.name }

// Load returns the resource with its definitions: itself, or what a lazy one loads.
func (r *Resource) Load() (*Resource, error) {
	if r.load == nil {
		return r, nil
	}
	r.once.Do(func() {
		r.real, r.err = r.loaded()
		switch {
		case r.err != nil:
			r.err = fault.Wrap(r.err, Broken, "The resource %s could not be loaded.", r.name)
		case r.real == nil || r.real.load != nil || r.real.name != r.name:
			r.err = fault.New(Broken, "The resource %s was to be loaded, and something else came.", r.name)
		}
	})
	return r.real, r.err
}

// loaded is what load returns; a panic is an error.
func (r *Resource) loaded() (real *Resource, err error) {
	defer func() {
		if v := recover(); v != nil {
			real, err = nil, fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return r.load()
}

// Views returns the views in the order in which they were registered (SPEC R1).
func (r *Resource) Views() []*Definition { return r.ofKind(ViewKind) }

// Lookups returns the lookups in the order in which they were registered.
func (r *Resource) Lookups() []*Definition { return r.ofKind(LookupKind) }

// Actions returns the actions in the order in which they were registered.
func (r *Resource) Actions() []*Definition { return r.ofKind(ActionKind) }

func (r *Resource) ofKind(k Kind) (list []*Definition) {
	for _, d := range r.defs {
		if d.kind == k {
			list = append(list, d)
		}
	}
	return list
}

// AgentTools describes what was given agent options: views, lookups, actions,
// each in the order of registration (SPEC R3). The error joins the problems of
// all definitions; the tools that have none come with it.
func (r *Resource) AgentTools() ([]AgentTool, error) {
	list := []AgentTool{}
	var errs []error
	for _, d := range slices.Concat(r.Views(), r.Lookups(), r.Actions()) {
		t, err := d.AgentTool()
		if err != nil {
			errs = append(errs, unjoin(err)...)
		} else if t != nil {
			list = append(list, *t)
		}
	}
	return list, join(errs)
}

func (r *Resource) add(d *Definition) *Definition {
	d.resource = r
	r.defs = append(r.defs, d)
	return d
}
