package journal_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
)

// writeExample makes a journal file with one record.
func writeExample(dir string) string {
	path := filepath.Join(dir, "journal")
	j, err := journal.OpenFile(path, nil)
	if err != nil {
		panic(err)
	}
	defer j.Close()
	d := audit.Draft{Type: "session.started", Version: 1, Time: time.UnixMilli(1), Payload: []byte(`{"agent":"desk"}`)}
	if _, err := j.Append(context.Background(), audit.SessionStream("1"), 0, []audit.Draft{d}); err != nil {
		panic(err)
	}
	return path
}

// A signed checkpoint that is kept elsewhere finds a log that was cut or rewritten.
func ExampleCheckpointFile() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := writeExample(dir)
	key, err := audit.NewKey()
	if err != nil {
		panic(err)
	}
	saved, err := journal.CheckpointFile(path, key, time.Now())
	if err != nil {
		panic(err)
	}
	check := func() {
		report, err := journal.VerifyFile(path, &audit.VerifyOptions{
			Keys: []ed25519.PublicKey{key.Public().(ed25519.PublicKey)}, Saved: []*audit.Signed{saved},
		})
		if err != nil {
			panic(err)
		}
		fmt.Println("it holds:", report.Err() == nil)
	}
	check()
	if err := os.Truncate(path, 0); err != nil {
		panic(err)
	}
	check()
	// Output:
	// it holds: true
	// it holds: false
}

// An export is JSON Lines that anybody can verify.
func ExampleExportFile() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var out bytes.Buffer
	if _, err := journal.ExportFile(&out, writeExample(dir), nil); err != nil {
		panic(err)
	}
	report, err := audit.Verify(audit.Lines(&out), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("it holds:", report.Err() == nil)
	// Output:
	// it holds: true
}
