package main

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/tool"
)

// renamed is the shop's tool under the recorded name.
func (s *retailSpec) renamed(shop *assent.Tool) *assent.Tool {
	t := *shop
	t.Name, t.Description, t.Input, t.Title = s.name, s.description, s.input, s.title(shop.Title)
	t.Accept = func(args []byte) error {
		if err := s.known(args); err != nil {
			return err
		}
		return s.told(shop.Accept(s.shopArgs(args)))
	}
	t.Run = func(ctx context.Context, args []byte) (tool.Result, error) { return shop.Run(ctx, s.shopArgs(args)) }
	if shop.Raise != nil {
		t.Raise = func(ctx context.Context, args []byte) (assent.Class, error) { return shop.Raise(ctx, s.shopArgs(args)) }
	}
	if shop.Confirm != nil {
		t.Confirm = func(ctx context.Context, args []byte) (bool, error) { return shop.Confirm(ctx, s.shopArgs(args)) }
	}
	if shop.Preview != nil {
		t.Preview = func(ctx context.Context, args []byte) (*assent.Preview, error) {
			return s.preview(shop.Preview(ctx, s.shopArgs(args)))
		}
	}
	return &t // Undo takes what the run left, which has the shop's names
}

// known refuses arguments that the recorded tool does not have, as the shop's
// own schema would: renamed, they could pass for others.
func (s *retailSpec) known(args []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(args, &m); err != nil {
		return err
	}
	for name := range m {
		if s.oracle.Properties[name] == nil {
			return fault.New(fault.BadArguments, "Invalid arguments: /%s: there is no such argument", name)
		}
	}
	return nil
}

func (s *retailSpec) shopName(name string) string { return cmp.Or(s.args[name], name) }

// shopArgs gives arguments the shop's names. [retailSpec.known] has seen to it
// that no two get the same.
func (s *retailSpec) shopArgs(args []byte) []byte {
	if len(s.args) == 0 {
		return args
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(args, &m) != nil {
		return args
	}
	to := make(map[string]json.RawMessage, len(m))
	for name, value := range m {
		to[s.shopName(name)] = value
	}
	renamed, err := json.Marshal(to)
	if err != nil {
		return args // it was read a moment ago
	}
	return renamed
}

// title has the recorded names in its places.
func (s *retailSpec) title(text string) string {
	for name, shop := range s.args {
		text = strings.ReplaceAll(text, "{"+shop+"}", "{"+name+"}")
	}
	return text
}

// told names the arguments of an error as the model knows them.
func (s *retailSpec) told(err error) error {
	if err == nil {
		return nil
	}
	text := fault.TextOf(err)
	for name, shop := range s.args {
		text = strings.ReplaceAll(text, "/"+shop+":", "/"+name+":")
	}
	return fault.New(fault.CodeOf(err), "%s", text)
}

// preview says what ids stand for at the places where the person sees them.
func (s *retailSpec) preview(p *assent.Preview, err error) (*assent.Preview, error) {
	if p == nil || err != nil {
		return p, err
	}
	for i := range p.Names {
		for name, shop := range s.args {
			if p.Names[i].Pointer == "/"+shop {
				p.Names[i].Pointer = "/" + name
			}
		}
	}
	return p, nil
}
