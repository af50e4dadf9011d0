package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assentdev/assent"
)

// retailFate is what must happen to a call in mode auto. It is computed from
// the recorded tools, the classes beside this program and the recorded result,
// by code that shares nothing with the product.
type retailFate struct {
	args     string // canonical; "" where the check refuses the call
	asks     bool   // exactly once
	previews bool   // the card says what would change
}

// refused says that the call ends before anybody is asked (SPEC A1).
func (f *retailFate) refused() bool { return f.args == "" }

func fateOf(s *retailSpec, c *retailCall) (f retailFate) {
	args, err := s.arguments(string(c.Arguments))
	if err != nil {
		return f
	}
	f.args = args
	f.asks = s.class == assent.Destructive
	// A call that the rules of the shop refuse has nothing to show.
	f.previews = f.asks && !s.ours() && !c.failed()
	return f
}

// arguments are what a call of the tool means, in canonical form. The check is
// stricter than the original, which meets what is wrong with a call only when it
// runs: no argument may be unknown, and no address of a record may be empty,
// long or hold control characters.
func (s *retailSpec) arguments(raw string) (string, error) {
	args, err := s.oracle.arguments(raw)
	if err != nil {
		return "", err
	}
	v, err := readStrict(args)
	if err != nil {
		return "", err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return "", errors.New("the arguments are no object")
	}
	for name, value := range m {
		if s.oracle.Properties[name] == nil {
			return "", fmt.Errorf("%s is no argument of %s", name, s.name)
		}
		if text, ok := value.(string); ok && slices.Contains(s.addresses(), name) && !isAddress(text) {
			return "", fmt.Errorf("%s leads to no record", name)
		}
	}
	return args, nil
}

func isAddress(text string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return text != "" && len(text) <= 1024 && !strings.ContainsFunc(text, control)
}

// addresses are the arguments that the shop reads as the address of a record.
func (s *retailSpec) addresses() []string {
	switch s.name {
	case "find_user_id_by_email":
		return []string{"email"}
	case "find_user_id_by_name_zip":
		return []string{"first_name", "last_name", "zip"}
	}
	return []string{"order_id", "user_id", "product_id"}
}
