// Command schema compares Assent's check of tool arguments with a full JSON
// Schema library, from raw bytes, side by side in one run.
//
// Run it from the repository's root:
//
//	go -C bench run ./schema
//
// Every figure is the least CPU time of several rounds, in which the two take
// turns, so that it stays usable on a shared machine. It ends with code 1 if
// Assent is less than ten times cheaper, or allocates for valid flat arguments.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"runtime"
	"time"

	"github.com/assentdev/assent/bench/cpu"
	"github.com/assentdev/assent/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	rounds = 12
	batch  = 20 * time.Millisecond // CPU time of one round
	goal   = 10
)

func main() {
	log.SetFlags(0)
	fmt.Printf("%-8s %7s | %10s %10s %10s %10s | %6s %7s\n", "payload", "bytes", "valid", "check", "sha-256", "library", "ratio", "allocs")
	failed := false
	for _, p := range payloads() {
		row := measure(p)
		fmt.Println(row)
		failed = failed || row.ratio() < goal || p.name == "flat" && row.allocs > 0
	}
	if failed {
		os.Exit(1)
	}
}

// row holds one payload's CPU times for one call.
type row struct {
	name                        string
	size                        int
	valid, check, hash, library time.Duration
	allocs                      float64
}

func (r row) ratio() float64 { return float64(r.library) / float64(r.valid) }

func (r row) String() string {
	return fmt.Sprintf("%-8s %7d | %10v %10v %10v %10v | %5.1fx %7.2f", r.name, r.size, r.valid, r.check, r.hash, r.library, r.ratio(), r.allocs)
}

// measure lets all of them take turns, so that a busy machine is busy for each.
func measure(p payload) row {
	own, err := schema.Compile([]byte(p.schema), nil)
	if err != nil {
		log.Fatal(err)
	}
	library := compileLibrary(p.schema)
	tasks := []func(){
		func() { mustBe(p, own.Valid(p.args)) },
		func() { _, err := own.Check(p.args); mustBe(p, err == nil) },
		func() { schema.Digest(p.args) },
		func() { mustBe(p, validByLibrary(library, p.args)) },
	}
	least := cpu.Fastest(rounds, batch, tasks...)
	return row{p.name, len(p.args), least[0], least[1], least[2], least[3], allocations(tasks[0])}
}

func mustBe(p payload, valid bool) {
	if valid != p.valid {
		log.Fatalf("%s: valid is %t", p.name, valid)
	}
}

func compileLibrary(raw string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(raw)))
	if err != nil {
		log.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		log.Fatal(err)
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		log.Fatal(err)
	}
	return s
}

// validByLibrary decodes as the library demands, with exact numbers.
func validByLibrary(s *jsonschema.Schema, raw []byte) bool {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	return err == nil && s.Validate(v) == nil
}

func allocations(task func()) float64 {
	const calls = 10_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		task()
	}
	runtime.ReadMemStats(&after)
	return float64(int((after.Mallocs-before.Mallocs)*100/calls)) / 100
}
