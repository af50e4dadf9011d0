package main

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"github.com/assentdev/assent/policy"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// decider makes one decision: a verdict and the rule that made it, "" for none.
type decider func(f *policy.Facts) (policy.Verdict, string)

func newAssent(s *scenario) (decider, error) {
	p, err := policy.Compile(s.doc)
	if err != nil {
		return nil, err
	}
	return func(f *policy.Facts) (policy.Verdict, string) {
		d := p.Decide(f)
		return d.Verdict, d.Rule
	}, nil
}

// step is one rule as a program of an expression engine.
type step[P any] struct {
	id      string
	program P
}

// lists are the rules of each effect, by ID, so that the first one that matches
// is the one to report.
type lists[P any] [policy.EffectAllow + 1][]step[P]

// handing says which rules a peer is given for a call.
type handing int

const (
	whole    handing = iota // all of them
	matching                // those whose name pattern meets the tool, as they are written
	stripped                // the same, rewritten by hand without that pattern
)

// peer is a host around an expression engine: it knows the order of the steps,
// the contract and the table, and asks the engine whether rules match. With
// byTool set it hands over only the rules whose name pattern meets the tool: one
// look-up stands for the index that a user would have to write.
type peer[P, V any] struct {
	s      *scenario
	all    lists[P]
	byTool map[string]*lists[P]
	vars   func(f *policy.Facts, class policy.Class) V
	eval   func(P, V) bool
}

func (p *peer[P, V]) decide(f *policy.Facts) (policy.Verdict, string) {
	listed, ok := p.s.class[f.Tool.Name]
	if !ok {
		return policy.Hidden, ""
	}
	class := policy.Stricter(f.Tool.Class, listed)
	l := &p.all
	if p.byTool != nil {
		l = p.byTool[f.Tool.Name]
	}
	vars := p.vars(f, class)
	if id, ok := p.first(l[policy.EffectDeny], vars); ok {
		return policy.Deny, id
	}
	plain := policy.Decide(f.Mode, class)
	if plain == policy.Hidden {
		return plain, ""
	}
	for _, e := range []policy.Effect{policy.EffectAskEach, policy.EffectAllow, policy.EffectAsk} {
		if id, ok := p.first(l[e], vars); ok {
			if e == policy.EffectAllow {
				return policy.Run, id
			}
			return policy.AskFirst, id
		}
	}
	return plain, ""
}

func (p *peer[P, V]) first(list []step[P], vars V) (string, bool) {
	for i := range list {
		if p.eval(list[i].program, vars) {
			return list[i].id, true
		}
	}
	return "", false
}

// fill compiles the rules, for all tools or for each tool of the contract.
func (p *peer[P, V]) fill(h handing, words words, compile func(string) (P, error)) error {
	if h != whole {
		p.byTool = make(map[string]*lists[P])
		for tool := range p.s.class {
			p.byTool[tool] = new(lists[P])
		}
	}
	for _, r := range p.s.doc.Rules { // already by ID
		program, err := compile(words.condition(&r, h != stripped))
		if err != nil {
			return err
		}
		one := step[P]{r.ID, program}
		p.all[r.Effect] = append(p.all[r.Effect], one)
		for tool, l := range p.byTool {
			if meets(r.Tools[0], tool) {
				l[r.Effect] = append(l[r.Effect], one)
			}
		}
	}
	return nil
}

// meets is the pattern's meaning for the scenario's patterns, which hold one or two stars.
func meets(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	if len(parts) == 3 {
		_, after, ok := strings.Cut(name, parts[1])
		return ok && strings.HasSuffix(after, parts[2])
	}
	return strings.HasSuffix(name, parts[1])
}

// words are the spellings in which the two languages differ.
type words struct{ prefix, matches string }

var (
	celWords  = words{"tool.startsWith(%q)", "tool.matches(%q)"}
	exprWords = words{"tool startsWith %q", "tool matches %q"}
)

// condition writes a rule as an expression, its cheapest tests first.
func (w words) condition(r *policy.Rule, named bool) string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if pattern := r.Tools[0]; named {
		star := strings.IndexByte(pattern, '*')
		switch {
		case star < 0:
			add("tool == %q", pattern)
		case star == len(pattern)-1:
			add(w.prefix, pattern[:star])
		default:
			add(w.matches, "^"+strings.ReplaceAll(strings.ReplaceAll(pattern, ".", "[.]"), "*", ".*")+"$")
		}
	}
	if r.Effect == policy.EffectAllow {
		add("kind == %q", string(r.Source.Kind))
		add("pin == %q", r.Pins[0])
		add("class == %d", r.Classes[0])
	} else if len(r.Classes) > 0 {
		add("class >= %d", r.Classes[0]) // destructive covers unknown
	}
	if len(r.Agents) > 0 {
		add("agent == %q", r.Agents[0])
	}
	if len(r.Groups) > 0 {
		add("%q in groups", r.Groups[0])
	}
	if len(all) == 0 {
		return "true"
	}
	return strings.Join(all, " && ")
}

// vars answers the names of a CEL program without a map.
type vars struct {
	tool, kind, pin, agent string
	class                  int64
	groups                 []string
}

func (v *vars) ResolveName(name string) (any, bool) {
	switch name {
	case "tool":
		return v.tool, true
	case "kind":
		return v.kind, true
	case "pin":
		return v.pin, true
	case "agent":
		return v.agent, true
	case "class":
		return v.class, true
	case "groups":
		return v.groups, true
	}
	return nil, false
}

func (v *vars) Parent() cel.Activation { return nil }

func newCEL(s *scenario, h handing) (decider, error) {
	env, err := cel.NewEnv(
		cel.Variable("tool", cel.StringType), cel.Variable("kind", cel.StringType), cel.Variable("pin", cel.StringType),
		cel.Variable("agent", cel.StringType), cel.Variable("class", cel.IntType), cel.Variable("groups", cel.ListType(cel.StringType)),
	)
	if err != nil {
		return nil, err
	}
	p := &peer[cel.Program, *vars]{s: s}
	p.vars = func(f *policy.Facts, class policy.Class) *vars {
		return &vars{f.Tool.Name, string(f.Tool.Kind), f.Tool.Pin, f.Agent, int64(class), f.Groups}
	}
	p.eval = func(program cel.Program, v *vars) bool {
		out, _, err := program.Eval(v)
		return err == nil && out.Value() == true
	}
	err = p.fill(h, celWords, func(text string) (cel.Program, error) {
		ast, issues := env.Compile(text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		return env.Program(ast, cel.EvalOptions(cel.OptOptimize))
	})
	return p.decide, err
}

// exprEnv is what expr programs see.
type exprEnv struct {
	Tool   string   `expr:"tool"`
	Kind   string   `expr:"kind"`
	Pin    string   `expr:"pin"`
	Agent  string   `expr:"agent"`
	Class  int      `expr:"class"`
	Groups []string `expr:"groups"`
}

func newExpr(s *scenario, h handing) (decider, error) {
	p := &peer[*vm.Program, *exprEnv]{s: s}
	p.vars = func(f *policy.Facts, class policy.Class) *exprEnv {
		return &exprEnv{f.Tool.Name, string(f.Tool.Kind), f.Tool.Pin, f.Agent, int(class), f.Groups}
	}
	var machine vm.VM // kept, so that its stack is made once
	p.eval = func(program *vm.Program, v *exprEnv) bool {
		out, err := machine.Run(program, v)
		return err == nil && out == true
	}
	err := p.fill(h, exprWords, func(text string) (*vm.Program, error) {
		return expr.Compile(text, expr.Env(exprEnv{}), expr.AsBool())
	})
	return p.decide, err
}
