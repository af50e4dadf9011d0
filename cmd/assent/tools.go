package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/assentdev/assent/cmd/assent/internal/toollist"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/spf13/cobra"
)

func newTools(o *options) *cobra.Command {
	return group("tools", "Look at descriptions of tools", newToolsCheck(o))
}

func newToolsCheck(o *options) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Say what would become of the tools in a file",
		Long: "Reads the answer of an MCP server to tools/list, a manifest, a list of descriptors, or one of them, and says\n" +
			"for each tool what is wrong with it, by which name a model would call it, under which class it would run, and\n" +
			"which class its server claims, which decides nothing. - is the standard input.\n\n" +
			"It ends with 1 if a tool would be held back.",
		Example: "  assent tools check tools.json\n  assent tools check --source server:github - <answer.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, name, err := source(from)
			if err != nil {
				return err
			}
			return checkTools(cmd, o, args[0], tool.Source{Kind: kind, Name: name})
		},
	}
	cmd.Flags().StringVar(&from, "source", "server:server", "who provides tools of MCP's form: server:NAME or local-mcp:NAME")
	return cmd
}

func checkTools(cmd *cobra.Command, o *options, path string, from tool.Source) error {
	data, err := readFile(cmd, path)
	if err != nil {
		return err
	}
	items, err := toollist.Read(data, from)
	if err != nil {
		return unreadable(fmt.Errorf("%s: %s", path, fault.TextOf(err)), "Give an answer to tools/list, a manifest, or descriptors as JSON.")
	}
	r := toollist.Check(items)
	if o.json {
		err = writeJSON(cmd.OutOrStdout(), r)
	} else {
		_, err = io.WriteString(cmd.OutOrStdout(), toolsText(r))
	}
	if err == nil && r.Held > 0 {
		return no()
	}
	return err
}

func toolsText(r toollist.Report) string {
	var b strings.Builder
	for _, t := range r.Tools {
		name := t.Name
		if name == "" {
			name = "(no name)"
		}
		fmt.Fprintf(&b, "%s: %s", name, t.Class)
		if t.Wire != "" && t.Wire != t.Name {
			fmt.Fprintf(&b, ", called %s", t.Wire)
		}
		if t.Claim != "" && t.Claim != t.Class.String() {
			fmt.Fprintf(&b, ", claims %s", t.Claim)
		}
		if t.Held {
			b.WriteString(", HELD BACK")
		}
		b.WriteString("\n")
		for _, p := range t.Problems {
			fmt.Fprintf(&b, "  %s: %s\n", p.Pointer, p.Text)
		}
	}
	for _, n := range r.Notices {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	fmt.Fprintf(&b, "%d tools, %d held back, %s\n", len(r.Tools), r.Held, classCounts(r))
	return b.String()
}

func classCounts(r toollist.Report) string {
	counts := map[policy.Class]int{}
	for _, t := range r.Tools {
		counts[t.Class]++
	}
	var words []string
	for c := policy.Read; c <= policy.Unknown; c++ {
		if counts[c] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[c], c))
		}
	}
	return strings.Join(words, ", ")
}
