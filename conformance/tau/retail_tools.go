package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/examples/shop/store/sum"
)

// retailSpec is a recorded tool, and what stands for it here.
type retailSpec struct {
	toolSpec
	oracle *spec
	alias
}

// alias is the shop's tool that does what a recorded tool does. Only names differ.
type alias struct {
	tool string            // "" for a tool that is no part of a shop
	args map[string]string // the shop's names of arguments that have others; by the recorded ones
}

var (
	byOrder   = map[string]string{"order_id": "id"}
	byUser    = map[string]string{"user_id": "id"}
	byProduct = map[string]string{"product_id": "id"}
)

var aliases = map[string]alias{
	"find_user_id_by_email":          {"users_by_email", nil},
	"find_user_id_by_name_zip":       {"users_by_name", nil},
	"get_user_details":               {"users_detail", byUser},
	"get_order_details":              {"orders_detail", byOrder},
	"get_product_details":            {"products_detail", byProduct},
	"list_all_product_types":         {"products_all", nil},
	"modify_user_address":            {"users_set_address", byUser},
	"cancel_pending_order":           {"orders_cancel", byOrder},
	"modify_pending_order_address":   {"orders_set_address", byOrder},
	"modify_pending_order_payment":   {"orders_set_payment", byOrder},
	"modify_pending_order_items":     {"orders_modify_items", byOrder},
	"exchange_delivered_order_items": {"orders_exchange", byOrder},
	"return_delivered_order_items":   {"orders_return", byOrder},
	// These belong to the desk on which the agent works, not to the shop.
	"calculate":                {},
	"think":                    {},
	"transfer_to_human_agents": {},
}

// ours says that the tool is no part of the shop.
func (s *retailSpec) ours() bool { return s.tool == "" }

// readRetailTools reads the recorded tools. One that nothing stands for, or that
// has no class, is an error.
func readRetailTools(file string) ([]retailSpec, error) {
	classes, err := readClasses(&options{set: "retail"})
	if err != nil {
		return nil, err
	}
	tools, err := readTools(file, classes)
	if err != nil {
		return nil, err
	}
	var specs []retailSpec
	for _, t := range tools {
		a, ok := aliases[t.name]
		if !ok || t.class == assent.NotGiven {
			return nil, fmt.Errorf("%s: nothing in the shop does what %q does", file, t.name)
		}
		oracle, err := readSpec(t.input)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, t.name, err)
		}
		specs = append(specs, retailSpec{t, oracle, a})
	}
	return specs, nil
}

// source gives the shop's tools to an agent under the recorded names, with the
// recorded descriptions and schemas. All else is the shop's: class, title,
// preview, what runs, and how it is undone.
func (s *retailSet) source(shop assent.ToolSource) assent.ToolSource {
	return assent.ToolSourceFunc(func(ctx context.Context, sc assent.SourceContext) ([]*assent.Tool, error) {
		tools, err := shop.Tools(ctx, sc)
		if err != nil {
			return nil, err
		}
		list := make([]*assent.Tool, len(s.specs))
		for i := range s.specs {
			if list[i], err = s.specs[i].governed(tools); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
}

func (s *retailSpec) governed(shop []*assent.Tool) (*assent.Tool, error) {
	if s.ours() {
		t := s.ownTool()
		t.Accept = s.known
		return t, nil
	}
	i := slices.IndexFunc(shop, func(t *assent.Tool) bool { return t.Name == s.tool })
	if i < 0 {
		return nil, fmt.Errorf("the shop has no tool %s", s.tool)
	}
	t := shop[i]
	if t.Class != s.class {
		return nil, fmt.Errorf("the shop declares %s %s, and %s is %s", t.Name, t.Class, s.name, s.class)
	}
	if err := s.matches(t); err != nil {
		return nil, err
	}
	return s.renamed(t), nil
}

// matches wants the two tools to take the same arguments, but for their names:
// the same ones, and the same ones required.
func (s *retailSpec) matches(t *assent.Tool) error {
	shop, err := readSpec(t.Input)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	names := func(list []string) []string {
		for i := range list {
			list[i] = s.shopName(list[i])
		}
		slices.Sort(list)
		return list
	}
	mine := names(slices.Collect(maps.Keys(s.oracle.Properties)))
	if theirs := slices.Sorted(maps.Keys(shop.Properties)); !slices.Equal(mine, theirs) {
		return fmt.Errorf("%s takes %v, and %s takes %v", s.name, mine, t.Name, theirs)
	}
	mine = names(slices.Clone(s.oracle.Required))
	if theirs := slices.Sorted(slices.Values(shop.Required)); !slices.Equal(mine, theirs) {
		return fmt.Errorf("%s requires %v, and %s requires %v", s.name, mine, t.Name, theirs)
	}
	return nil
}

// ownTool is a tool of the desk.
func (s *retailSpec) ownTool() *assent.Tool {
	run := func(_ context.Context, args []byte) (any, error) {
		switch s.name {
		case "calculate":
			var in struct{ Expression string }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			return sum.Of(in.Expression)
		case "transfer_to_human_agents":
			return "Transfer successful", nil
		}
		return "", nil // a thought changes nothing
	}
	return assent.DefineRaw(s.name, s.description, s.input, run, &assent.RawOptions{Class: s.class})
}
