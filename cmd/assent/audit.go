package main

import (
	"fmt"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/spf13/cobra"
)

func newAudit(o *options) *cobra.Command {
	return group("audit", "Verify and export logs", newAuditVerify(o), newAuditExport(o), newAuditCheckpoint(o), newAuditKey(o))
}

func newAuditVerify(o *options) *cobra.Command {
	var keys, saved []string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check that nobody changed a log",
		Long: "Reads a journal file or an export and finds what was edited, removed or put in another order. That nothing was\n" +
			"cut off or made anew needs a signed checkpoint that was kept elsewhere, or in the export, and the public key.\n\n" +
			"It ends with 1 if something is wrong.",
		Example: "  assent audit verify demo.log\n  assent audit verify export.jsonl --key log.pub",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts, err := verifyOptions(cmd, keys, saved)
			if err != nil {
				return err
			}
			return verify(cmd, o, args[0], opts)
		},
	}
	cmd.Flags().StringArrayVar(&keys, "key", nil, "a file with a public key that may have signed; may be given again")
	cmd.Flags().StringArrayVar(&saved, "checkpoint", nil, "a file with checkpoints that were kept, such as an older export; may be given again")
	return cmd
}

func verifyOptions(cmd *cobra.Command, keys, saved []string) (*audit.VerifyOptions, error) {
	opts := &audit.VerifyOptions{}
	for _, path := range keys {
		data, err := readFile(cmd, path)
		if err != nil {
			return nil, err
		}
		key, err := audit.DecodePublic(data)
		if err != nil {
			return nil, unreadable(fmt.Errorf("%s: %s", path, fault.TextOf(err)), "Give the public key that \"assent audit key\" wrote.")
		}
		opts.Keys = append(opts.Keys, key)
	}
	for _, path := range saved {
		list, err := checkpoints(cmd, path)
		if err != nil {
			return nil, err
		}
		opts.Saved = append(opts.Saved, list...)
	}
	return opts, nil
}

// checkpoints returns the checkpoints in a file.
func checkpoints(cmd *cobra.Command, path string) (list []*audit.Signed, err error) {
	r, err := open(cmd, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for line, err := range audit.Lines(r) {
		if err != nil {
			return nil, unreadable(fmt.Errorf("%s, line %d: %s", path, line.N, fault.TextOf(err)), "Give a checkpoint, or an export that ends with one.")
		}
		if line.Signed != nil {
			list = append(list, line.Signed)
		}
	}
	if len(list) == 0 {
		return nil, unreadable(fmt.Errorf("%s has no checkpoint", path), "Give a checkpoint, or an export that ends with one.")
	}
	return list, nil
}

// verified is the JSON form of a report.
type verified struct {
	OK       bool           `json:"ok"`
	Records  int            `json:"records"`
	Erased   int            `json:"erased"`
	Withheld int            `json:"withheld"`
	Masked   int            `json:"masked"`
	Cut      int            `json:"unfinished"` // lines of a write that did not finish
	Heads    []audit.Head   `json:"heads"`
	Signed   *audit.Signed  `json:"signed,omitempty"`
	Problems []auditProblem `json:"problems"`
	Count    int            `json:"problem_count"`
}

type auditProblem struct {
	Kind   audit.Kind `json:"kind"`
	Line   int        `json:"line,omitempty"`
	Stream string     `json:"stream,omitempty"`
	Seq    uint64     `json:"seq,omitempty"`
	Text   string     `json:"text"`
}

func verify(cmd *cobra.Command, o *options, path string, opts *audit.VerifyOptions) error {
	report, err := journal.VerifyFile(path, opts)
	if err != nil {
		return logFailed(path, err, "Give a journal file or an export.")
	}
	if report.Records == 0 && report.Count == 0 && report.Signed == nil {
		return unreadable(fmt.Errorf("%s has no records", path), "Give a journal file or an export.")
	}
	if o.json {
		err = writeJSON(cmd.OutOrStdout(), newVerified(report))
	} else {
		err = report.Print(cmd.OutOrStdout())
	}
	if err == nil && report.Err() != nil {
		return no()
	}
	return err
}

func newVerified(r *audit.Report) verified {
	v := verified{
		OK: r.Err() == nil, Records: r.Records, Erased: r.Erased, Withheld: r.Withheld, Masked: r.Masked, Cut: r.Unfinished,
		Heads: r.Heads, Signed: r.Signed, Problems: []auditProblem{}, Count: r.Count,
	}
	for _, p := range r.Problems {
		v.Problems = append(v.Problems, auditProblem(p))
	}
	return v
}
