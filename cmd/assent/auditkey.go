package main

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
	"github.com/spf13/cobra"
)

// signer reads a private key.
func signer(cmd *cobra.Command, path string) (ed25519.PrivateKey, error) {
	data, err := readFile(cmd, path)
	if err != nil {
		return nil, err
	}
	key, err := audit.DecodeKey(data)
	if err != nil {
		return nil, unreadable(fmt.Errorf("%s: %s", path, fault.TextOf(err)), "Give the private key that \"assent audit key\" wrote.")
	}
	return key, nil
}

func newAuditCheckpoint(*options) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "checkpoint FILE --key KEY",
		Short: "Sign where the streams of a log end now",
		Long: "Writes a signed checkpoint to the standard output. Keep it where nobody who can write the log can change it:\n" +
			"with it, \"assent audit verify --checkpoint\" finds later whether the log was cut off or made anew.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path == "" {
				return usage("--key is missing")
			}
			key, err := signer(cmd, path)
			if err != nil {
				return err
			}
			signed, err := journal.CheckpointFile(args[0], key, time.Now())
			if err != nil {
				return exportFailed(args[0], err)
			}
			line, err := signed.Line()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(line)
			return err
		},
	}
	cmd.Flags().StringVar(&path, "key", "", "a file with the private key that signs (required)")
	return cmd
}

func newAuditKey(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "key FILE",
		Short: "Make a key that signs exports",
		Long:  "Writes a new private key to FILE, which must not exist, and the public key, for auditors, to FILE.pub.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := makeKey(args[0])
			if err != nil {
				return err
			}
			if o.json {
				return writeJSON(cmd.OutOrStdout(), map[string]string{"key": id, "private": args[0], "public": args[0] + ".pub"})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "key %s\n%s      keep it where only the log's owner can read it\n%s.pub  for auditors\n", id, args[0], args[0])
			return err
		},
	}
}

func makeKey(path string) (id string, err error) {
	key, err := audit.NewKey()
	if err != nil {
		return "", err
	}
	private, err := audit.EncodeKey(key)
	if err != nil {
		return "", err
	}
	public, err := audit.EncodePublic(publicOf(key))
	if err != nil {
		return "", err
	}
	for _, f := range []struct {
		path string
		data []byte
	}{{path, private}, {path + ".pub", public}} {
		file, err := create(f.path)
		if err != nil {
			return "", err
		}
		_, err = file.Write(f.data)
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return "", err
		}
	}
	return audit.KeyID(publicOf(key)), nil
}

// publicOf returns the public half of a private key.
func publicOf(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }
