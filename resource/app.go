package resource

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
)

// AppOptions configure an app. A nil *AppOptions and every zero field mean the
// default.
type AppOptions struct {
	// Title is the application's name on its pages. Default: "Resources".
	Title string
	// Data opens what handlers read and write with. Default: none; then handlers
	// reach their data by themselves, and nothing keeps a view from writing.
	Data Data
	// Log gets what went wrong inside, with the reference that callers were given.
	// Default: silent.
	Log *slog.Logger
}

// App is a set of resources and the one path that every call of them takes. It
// is safe for concurrent use.
type App struct {
	o         AppOptions
	resources []*Resource

	once  sync.Once
	defs  map[string]*Definition // kind/resource/name
	tools map[string]*Definition // by the name of the tool
	list  []AgentTool
	errs  []error
	warn  []string
}

// NewApp makes an app of resources. Nothing is loaded or checked yet.
func NewApp(o *AppOptions, resources ...*Resource) *App {
	a := &App{resources: resources}
	if o != nil {
		a.o = *o
	}
	if a.o.Title == "" {
		a.o.Title = "Resources"
	}
	if a.o.Log == nil {
		a.o.Log = slog.New(slog.DiscardHandler)
	}
	return a
}

// ResourceNames returns the names of the resources in order, loading none.
func (a *App) ResourceNames() []string {
	names := make([]string, len(a.resources))
	for i, r := range a.resources {
		names[i] = r.name
	}
	return names
}

// Resource loads a resource by its name. An unknown name is [Unknown], one that
// cannot be loaded [Broken].
func (a *App) Resource(name string) (*Resource, error) {
	for _, r := range a.resources {
		if r.name == name {
			return r.Load()
		}
	}
	return nil, NotFound("There is no resource %q.", name)
}

// Check loads everything and reports every problem of the whole app at once, one
// a line, each with its code (SPEC R4). An app with problems serves no pages and
// gives no tools.
//
// If the app's [Data] has the method Check(context.Context) error, it is asked
// too, for at most 10 s.
func (a *App) Check() error {
	a.index()
	errs := slices.Clone(a.errs)
	if d, ok := a.o.Data.(interface{ Check(context.Context) error }); ok {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := d.Check(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	return join(errs)
}

// Warnings says what is allowed and unwise: an action that did not say what harm
// it can do is unknown to those who govern (SPEC R8).
func (a *App) Warnings() []string {
	a.index()
	return slices.Clone(a.warn)
}

// AgentTools describes all that was given agent options, resource by resource.
// The error is that of [App.Check].
func (a *App) AgentTools() ([]AgentTool, error) {
	a.index()
	return slices.Clone(a.list), join(a.errs)
}

func (a *App) index() {
	a.once.Do(func() {
		a.defs, a.tools = map[string]*Definition{}, map[string]*Definition{}
		seen := map[string]bool{}
		for _, lazy := range a.resources {
			r, err := lazy.Load()
			switch {
			case err != nil:
				a.errs = append(a.errs, err)
			case seen[r.name]:
				a.problem(BadDefinition, "%s: there are two resources of this name", r.name)
			default:
				a.indexResource(r)
			}
			seen[lazy.name] = true
		}
		for _, r := range a.resources {
			a.checkResource(r)
		}
	})
}

func key(k Kind, resource, name string) string { return string(k) + "/" + resource + "/" + name }

func (a *App) indexResource(r *Resource) {
	for _, d := range r.defs {
		k := key(d.kind, r.name, d.name)
		if a.defs[k] != nil {
			a.problem(BadDefinition, "%s: there are two %ss of this name", d.where(), d.kind)
			continue
		}
		a.defs[k] = d
	}
	tools, err := r.AgentTools()
	a.errs = append(a.errs, unjoin(err)...)
	for _, t := range tools {
		if other := a.tools[t.Name]; other != nil {
			a.problem(NameCollision, "%s: the tool's name %s is that of %s %s", t.def.where(), t.Name, other.kind, other.where())
			continue
		}
		a.tools[t.Name] = t.def
		a.list = append(a.list, t)
	}
}

func (a *App) problem(code fault.Code, format string, args ...any) {
	a.errs = append(a.errs, fault.New(code, format, args...))
}

// checkResource looks at what does not depend on becoming a tool.
func (a *App) checkResource(lazy *Resource) {
	r, err := lazy.Load()
	if err != nil {
		return
	}
	if !nameForm.MatchString(r.name) && len(r.defs) == 0 {
		a.problem(BadDefinition, "%q is no name of a resource: a lower-case letter, then lower-case letters, digits and _", r.name)
	}
	for _, d := range r.defs {
		a.checkDefinition(d)
	}
}

func (a *App) checkDefinition(d *Definition) {
	if (d.agent == nil || d.agent.Description == "") && (!nameForm.MatchString(d.resource.name) || !nameForm.MatchString(d.name)) {
		a.problem(BadDefinition, "%s: a name is a lower-case letter, then lower-case letters, digits and _", d.where())
	}
	if d.agent != nil && d.agent.Description == "" {
		a.problem(BadDefinition, "%s: agent options without a description make no tool", d.where())
	}
	for _, p := range d.address.problems {
		a.problem(BadDefinition, "%s: %s", d.where(), p)
	}
	for _, f := range d.address.fields {
		a.checkLookup(d, f.name, f.lookup)
	}
	if d.kind == ActionKind {
		a.checkAction(d)
	}
}

func (a *App) checkAction(d *Definition) {
	x := d.action
	switch {
	case x.class == policy.Read:
		a.problem(BadDefinition, "%s: an action is never of class read: declare write or destructive", d.where())
	case d.agent != nil && x.class == policy.NotGiven:
		a.warn = append(a.warn, fmt.Sprintf("%s declares no class, so that every call asks: declare write or destructive", d.where()))
	case d.agent != nil && x.class == policy.Write && x.undo == nil:
		a.warn = append(a.warn, fmt.Sprintf("%s is of class write and declares no undo: write means that it can be changed back", d.where()))
	}
	if u := x.undo; u != nil && a.defs[key(ActionKind, u.partner.resource.name, u.partner.name)] != u.partner {
		a.problem(BadDefinition, "%s: its undo %s is no action of this app", d.where(), u.partner.where())
	}
	if x.payload.shape == nil {
		return
	}
	for _, p := range x.payload.shape.props {
		a.checkLookup(d, p.name, p.lookup)
	}
}

// checkLookup looks whether the lookup of a field is there and can be asked:
// with the parameters of the action's address.
func (a *App) checkLookup(d *Definition, field, lookup string) {
	if lookup == "" {
		return
	}
	l := a.lookup(lookup)
	if l == nil {
		a.problem(BadDefinition, "%s: the field %s names the lookup %q, which this app does not have", d.where(), field, lookup)
		return
	}
	for _, name := range l.address.names() {
		if !d.address.has(name) {
			a.problem(BadDefinition, "%s: the lookup %s of the field %s needs the parameter %q, which the action does not have", d.where(), lookup, field, name)
		}
	}
}

// lookup finds a lookup by resource.name; nil if there is none.
func (a *App) lookup(name string) *Definition {
	resource, lookup, _ := strings.Cut(name, ".")
	return a.defs[key(LookupKind, resource, lookup)]
}

// unjoin takes an error of errors.Join apart.
func unjoin(err error) []error {
	if err == nil {
		return nil
	}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		return j.Unwrap()
	}
	return []error{err}
}
