package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// maxInput bounds a file that is read whole.
const maxInput = 16 << 20

// readFile reads a file whole; "-" is the standard input.
func readFile(cmd *cobra.Command, path string) ([]byte, error) {
	r, err := open(cmd, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, unreadable(err, "Give a file that can be read, or - for the standard input.")
	}
	if len(data) > maxInput {
		return nil, unreadable(fmt.Errorf("%s has more than %d bytes", path, maxInput), "Give a smaller file.")
	}
	return data, nil
}

// open opens a file for reading; "-" is the standard input.
func open(cmd *cobra.Command, path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(err, "Give a file that can be read, or - for the standard input.")
	}
	return f, nil
}

// writeJSON writes v as JSON for people to read.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
