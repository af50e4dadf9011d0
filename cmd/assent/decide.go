package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/schema"
	"github.com/spf13/cobra"
)

type decideFlags struct {
	mode, class, raised     string
	contract, rules, input  string
	tool, source, pin, args string
	agent                   string
	groups                  []string
	tainted, exitCode       bool
}

func newDecide(o *options) *cobra.Command {
	f := &decideFlags{}
	cmd := &cobra.Command{
		Use:   "decide --mode MODE",
		Short: "Say what happens to a call, and why",
		Long: "Decides one call as a session would, and shows every step and every rule that matched. Without --args the\n" +
			"decision is the one for offering the tool: what a rule's condition says of arguments is then not known.\n" +
			"Words that are no mode and no class are refused.",
		Example: "  assent decide --mode ask --class write\n" +
			"  assent decide --mode auto --class write --tool order_refund --rules policy.json --args '{\"amount\":200}'",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return decide(cmd, o, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.mode, "mode", "", "the session's mode: off, read_only, ask or auto (required)")
	fl.StringVar(&f.class, "class", "", "the declared class: read, write, destructive or unknown (default: not given)")
	fl.StringVar(&f.raised, "raised", "", "the class that the tool gives this call, which counts if it is stricter")
	fl.StringVar(&f.contract, "contract", "", "a file with a contract")
	fl.StringVar(&f.rules, "rules", "", "a file with a policy document: rules, limits, caps, contract")
	fl.StringVar(&f.tool, "tool", "tool", "the tool's name")
	fl.StringVar(&f.source, "source", "host", "who provides it: host, local-mcp:NAME or server:NAME")
	fl.StringVar(&f.pin, "pin", "", "its descriptor's digest")
	fl.StringVar(&f.input, "input", "", "a file with its input schema, to check --args against")
	fl.StringVar(&f.args, "args", "", "the call's arguments as JSON")
	fl.StringVar(&f.agent, "agent", "", "the agent")
	fl.StringArrayVar(&f.groups, "group", nil, "a group of the user; may be given again")
	fl.BoolVar(&f.tainted, "tainted", false, "outside content is in the context")
	fl.BoolVar(&f.exitCode, "exit-code", false, "end with 1 if the call is refused and 3 if a person is asked")
	return cmd
}

// decided is the JSON form of the answer.
type decided struct {
	Decision policy.Decision  `json:"decision"`
	Reason   string           `json:"reason"`
	Offer    bool             `json:"offer"` // decided for the offer: no arguments were given
	Trace    policy.Trace     `json:"trace"`
	Warnings []policy.Warning `json:"warnings,omitempty"`
}

func decide(cmd *cobra.Command, o *options, f *decideFlags) error {
	facts, err := f.facts(cmd)
	if err != nil {
		return err
	}
	p, warnings, err := f.policy(cmd, facts.Tool)
	if err != nil {
		return err
	}
	d, trace := p.Explain(facts)
	out := decided{Decision: d, Reason: d.Reason(), Offer: facts.Args == nil, Trace: trace, Warnings: warnings}
	if o.json {
		err = writeJSON(cmd.OutOrStdout(), out)
	} else {
		_, err = io.WriteString(cmd.OutOrStdout(), out.String())
	}
	switch {
	case err != nil || !f.exitCode:
		return err
	case d.Refused():
		return no()
	case d.Verdict == policy.AskFirst:
		return &failure{exit: exitAsk}
	}
	return nil
}

func (f *decideFlags) facts(cmd *cobra.Command) (*policy.Facts, error) {
	facts := &policy.Facts{Agent: f.agent, Groups: f.groups, Tainted: f.tainted, Now: time.Now()}
	facts.Tool = policy.Tool{Name: f.tool, Pin: f.pin}
	var err error
	if f.mode == "" {
		return nil, usage("--mode is missing")
	}
	if facts.Mode, err = policy.ParseMode(f.mode); err != nil {
		return nil, unreadable(err, "Write --mode off, read_only, ask or auto.")
	}
	if facts.Tool.Class, err = class(f.class); err != nil {
		return nil, unreadable(err, "Write --class read, write, destructive or unknown, or leave it out.")
	}
	if facts.Raised, err = class(f.raised); err != nil {
		return nil, unreadable(err, "Write --raised read, write, destructive or unknown, or leave it out.")
	}
	if facts.Tool.Kind, facts.Tool.Source, err = source(f.source); err != nil {
		return nil, err
	}
	return facts, f.arguments(cmd, facts)
}

// class reads a declared class, "" for none.
func class(word string) (policy.Class, error) {
	if word == "" {
		return policy.NotGiven, nil
	}
	return policy.ParseClass(word)
}

func source(text string) (policy.SourceKind, string, error) {
	kind, name, _ := strings.Cut(text, ":")
	switch k := policy.SourceKind(kind); {
	case k == policy.Host, (k == policy.LocalMCP || k == policy.Server) && name != "":
		return k, name, nil
	}
	return "", "", unreadable(fmt.Errorf("unknown source %q", text), "Write --source host, local-mcp:NAME or server:NAME.")
}

// arguments checks the call's arguments as a session would, strictly, and
// against the tool's schema where it is given.
func (f *decideFlags) arguments(cmd *cobra.Command, facts *policy.Facts) error {
	if !cmd.Flags().Changed("args") {
		if f.input != "" {
			return usage("--input is a schema for --args, which is missing")
		}
		return nil
	}
	if f.input == "" {
		canonical, err := schema.Parse([]byte(f.args), nil)
		if err != nil {
			return f.invalid(err)
		}
		facts.Args, facts.Digest = canonical, schema.Digest(canonical)
		return nil
	}
	raw, err := readFile(cmd, f.input)
	if err != nil {
		return err
	}
	foreign := facts.Tool.Kind != policy.Host
	s, err := schema.Compile(raw, &schema.Options{Foreign: foreign, FillDefaults: !foreign})
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", f.input, err), "Give a JSON Schema with an object at its root.")
	}
	args, err := s.Check([]byte(f.args))
	if err != nil {
		return f.invalid(err)
	}
	facts.Args, facts.Digest = args.Canonical, args.Digest
	return nil
}

// invalid is a call that is refused before anything is decided (SPEC A1).
func (f *decideFlags) invalid(err error) error {
	return &failure{exit: exitNo, err: fmt.Errorf("--args: %w", err), next: "Nothing is decided and nobody is asked about such a call: correct the arguments."}
}

// policy reads the files and returns the policy with what has no effect on the tool.
func (f *decideFlags) policy(cmd *cobra.Command, t policy.Tool) (*policy.Policy, []policy.Warning, error) {
	doc, warnings := &policy.Document{}, []policy.Warning(nil)
	if f.rules != "" {
		data, err := readFile(cmd, f.rules)
		if err != nil {
			return nil, nil, err
		}
		if doc, warnings, err = policy.Parse(data, &policy.Options{Condition: condition}); err != nil {
			return nil, nil, badPolicy(f.rules, err)
		}
	}
	if f.contract != "" {
		if doc.Contract != nil {
			return nil, nil, usage("--contract and the contract in %s contradict each other: give one", f.rules)
		}
		data, err := readFile(cmd, f.contract)
		if err != nil {
			return nil, nil, err
		}
		var more []policy.Warning
		if doc.Contract, more, err = policy.ParseContract(data); err != nil {
			return nil, nil, badPolicy(f.contract, err)
		}
		warnings = append(warnings, more...)
	}
	p, err := policy.Compile(doc)
	if err != nil {
		return nil, nil, badPolicy(f.rules, err)
	}
	return p, append(warnings, doc.Review([]policy.Tool{t})...), nil
}

func badPolicy(path string, err error) error {
	return unreadable(fmt.Errorf("%s: %s", path, fault.TextOf(err)), "The whole file is refused, as a server would refuse it: correct that place.")
}

// condition compiles a rule's condition. The tool's schema is not looked at: a
// rule may speak of many tools.
func condition(when json.RawMessage, _ *policy.Rule) (policy.Condition, error) {
	return schema.CompileCondition(when, nil)
}
