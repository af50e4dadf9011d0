package journal_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/assentdev/assent/audit"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/fault"
)

func ExampleMemory() {
	ctx := context.Background()
	j := journal.NewMemory()
	defer j.Close()
	said := func(text string) []audit.Draft {
		return []audit.Draft{{Type: "said", Version: 1, Time: time.Now(), Payload: []byte(text)}}
	}
	stream := audit.SessionStream("s1")
	if _, err := j.Append(ctx, stream, 0, said(`"hello"`)); err != nil {
		fmt.Println(err)
	}
	// Who does not know the last record is told so, and adds nothing.
	_, err := j.Append(ctx, stream, 0, said(`"hello again"`))
	fmt.Println(fault.CodeOf(err))
	for r, err := range j.Read(ctx, stream, 0) {
		fmt.Println(r.Seq, r.Type, string(r.Payload), err)
	}
	// Output:
	// conflict
	// 1 said "hello" <nil>
}

func ExampleOpenFile() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.jsonl")

	j, err := journal.OpenFile(path, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = j.Append(context.Background(), audit.Policy, 0, []audit.Draft{{
		Type: "published", Version: 1, Time: time.Now(), Header: []byte(`{"version":7}`), Payload: []byte(`{"by":"admin"}`),
	}})
	fmt.Println("durable:", err == nil)
	if err := j.Close(); err != nil {
		fmt.Println(err)
	}

	report, err := journal.VerifyFile(path, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Records, "record, problems:", report.Count)
	// Output:
	// durable: true
	// 1 record, problems: 0
}

// A person's data is erased, and the chain still verifies.
func ExampleJournal_erase() {
	ctx := context.Background()
	j := journal.NewMemory()
	defer j.Close()
	stream := audit.SessionStream("s1")
	_, err := j.Append(ctx, stream, 0, []audit.Draft{
		{Type: "said", Version: 1, Time: time.Now(), Payload: []byte(`"my address is…"`)},
		{Type: "answered", Version: 1, Time: time.Now(), Payload: []byte(`"thank you"`)},
	})
	if err == nil {
		err = j.Erase(ctx, stream, 1)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	var export bytes.Buffer
	if _, err := audit.Export(&export, journal.Records(ctx, j), nil); err != nil {
		fmt.Println(err)
		return
	}
	report, err := audit.Verify(audit.Lines(&export), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Records, "records,", report.Erased, "erased, problems:", report.Count)
	// Output: 3 records, 1 erased, problems: 0
}
