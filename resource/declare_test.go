package resource_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/resource"
)

// The addresses of most tests.
type (
	none = resource.None
	key  struct {
		ID string `param:"id"`
	}
)

func says(text string) func(*resource.Context, none) (resource.Node, error) {
	return func(*resource.Context, none) (resource.Node, error) { return resource.Callout(text), nil }
}

func finds(*resource.Context, none, string) ([]resource.Record, error) { return nil, nil }

func does(*resource.Context, none, none) (resource.Node, error) { return nil, nil }

func about(text string) resource.AgentOptions { return resource.AgentOptions{Description: text} }

func names(defs []*resource.Definition) (list []string) {
	for _, d := range defs {
		list = append(list, d.Name())
	}
	return list
}

// mixed has definitions of all kinds in an order that is not theirs.
func mixed() *resource.Resource {
	r := resource.New("mixed")
	resource.Action(r, "zap", does).SetAgentOptions(about("Zaps."))
	resource.View(r, "two", says("2")).SetAgentOptions(about("Shows two."))
	resource.Lookup(r, "some", finds).SetAgentOptions(resource.AgentOptions{Description: "Finds some.", Search: true})
	resource.View(r, "one", says("1"))
	resource.Action(r, "add", does).SetAgentOptions(about("Adds."))
	resource.View(r, "three", says("3")).SetAgentOptions(about("Shows three."))
	return r
}

// proves: R1, R3
func TestDefinitionsStandInTheOrderOfRegistration(t *testing.T) {
	r := mixed()
	for what, tt := range map[string]struct {
		got  []*resource.Definition
		want string
	}{
		"views":   {r.Views(), "two one three"},
		"lookups": {r.Lookups(), "some"},
		"actions": {r.Actions(), "zap add"},
	} {
		if got := strings.Join(names(tt.got), " "); got != tt.want {
			t.Errorf("the %s are %s, want %s", what, got, tt.want)
		}
	}
	tools, err := r.AgentTools()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tool := range tools {
		got = append(got, tool.Name)
	}
	if want := []string{"mixed_two", "mixed_three", "mixed_some", "mixed_zap", "mixed_add"}; !slices.Equal(got, want) {
		t.Errorf("the tools are %q, want %q", got, want)
	}
}

// proves: R2
func TestAgentOptionsAreReadBack(t *testing.T) {
	r := mixed()
	for _, d := range slices.Concat(r.Views(), r.Lookups(), r.Actions()) {
		o, ok := d.AgentOptions()
		tool, err := d.AgentTool()
		if err != nil {
			t.Fatal(err)
		}
		if d.Name() == "one" {
			if ok || tool != nil {
				t.Errorf("a view without options has %+v and the tool %v", o, tool)
			}
			continue
		}
		if !ok || tool == nil || tool.Description != o.Description || tool.Definition() != d {
			t.Errorf("%s has %+v, %v and the tool %v", d.Name(), o, ok, tool)
		}
		if o.Search != (d.Name() == "some") {
			t.Errorf("%s searches: %v", d.Name(), o.Search)
		}
	}
}

// proves: R1
func TestAnAppLoadsAResourceByItsName(t *testing.T) {
	loads := 0
	lazy := resource.Lazy("mixed", func() (*resource.Resource, error) { loads++; return mixed(), nil })
	app := resource.NewApp(nil, resource.New("empty"), lazy)
	if got := app.ResourceNames(); !slices.Equal(got, []string{"empty", "mixed"}) || loads > 0 {
		t.Errorf("the names are %q after %d loads", got, loads)
	}
	for range 2 {
		r, err := app.Resource("mixed")
		if err != nil || len(r.Views()) != 3 || loads != 1 {
			t.Errorf("loaded %v times: %v, %v", loads, r, err)
		}
	}
	if _, err := app.Resource("gone"); fault.CodeOf(err) != resource.Unknown {
		t.Errorf("an unknown name: %v", err)
	}
}

// proves: R1
func TestAResourceThatDoesNotLoadAnswersWithItsError(t *testing.T) {
	nothing := func() (*resource.Resource, error) { return nil, nil }
	for name, load := range map[string]func() (*resource.Resource, error){
		"an error":         func() (*resource.Resource, error) { return nil, errors.New("disk on fire") },
		"a panic":          func() (*resource.Resource, error) { panic("disk on fire") },
		"nothing":          nothing,
		"another name":     func() (*resource.Resource, error) { return resource.New("others"), nil },
		"another lazy one": func() (*resource.Resource, error) { return resource.Lazy("orders", nothing), nil },
	} {
		t.Run(name, func(t *testing.T) {
			loads := 0
			app := resource.NewApp(nil, mixed(), resource.Lazy("orders", func() (*resource.Resource, error) { loads++; return load() }))
			for range 2 { // what failed once is not tried again
				if err := app.Check(); fault.CodeOf(err) != resource.Broken || !strings.Contains(err.Error(), "orders") {
					t.Errorf("the check says %v", err)
				}
				res := app.RenderView(t.Context(), resource.ViewCall{Resource: "orders", View: "detail"})
				if res.Status != 500 || res.Error.Code != resource.Broken || strings.Contains(string(res.JSON()), "fire") {
					t.Errorf("its view: %s", res.JSON())
				}
			}
			if loads != 1 {
				t.Errorf("it was loaded %d times", loads)
			}
			if res := app.RenderView(t.Context(), resource.ViewCall{Resource: "mixed", View: "one"}); res.Kind != resource.Success {
				t.Errorf("another resource: %s", res.JSON())
			}
		})
	}
}

// proves: R1
func TestAnAppMayBeUsedByManyAtOnceFromTheBeginning(t *testing.T) {
	var loads atomic.Int32
	lazy := resource.Lazy("mixed", func() (*resource.Resource, error) { loads.Add(1); return mixed(), nil })
	app := resource.NewApp(nil, lazy)
	uses := []func() bool{
		func() bool { _, err := app.Resource("mixed"); return err == nil },
		func() bool { return app.Check() == nil && len(app.Warnings()) == 2 },
		func() bool { tools, err := app.AgentTools(); return err == nil && len(tools) == 5 },
		func() bool { tools, err := app.Tools(); return err == nil && len(tools) == 5 },
		func() bool {
			return app.Invoke(t.Context(), "mixed_zap", nil, resource.Caller{}).Kind == resource.Success
		},
		func() bool {
			return app.RenderView(t.Context(), resource.ViewCall{Resource: "mixed", View: "two"}).Kind == resource.Success
		},
	}
	var all sync.WaitGroup
	for i := range 4 * len(uses) {
		all.Go(func() {
			if use := i % len(uses); !uses[use]() {
				t.Errorf("use %d failed", use)
			}
		})
	}
	all.Wait()
	if n := loads.Load(); n != 1 {
		t.Errorf("it was loaded %d times", n)
	}
}
