// Command snippets fills the code blocks of README.md and docs from Go sources,
// so that what a reader copies is what the tests run.
//
//	go run ./internal/tools/snippets          rewrite the pages
//	go run ./internal/tools/snippets -check   fail if a page would change
//
// A block is filled if the line above it names its source:
//
//	<!-- snippet: example_test.go#ExampleDefine -->
//	```go
//	```
//
// The name after # is a function or a region between the comments
// "// snippet: NAME" and "// end snippet". Of an Example only the body is shown.
// Without # the whole file is. Other blocks are left alone.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "snippets:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("snippets", flag.ContinueOnError)
	root := flags.String("root", ".", "the top folder of the repository")
	check := flags.Bool("check", false, "compare the pages instead of writing them")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pages, err := pages(*root)
	if err != nil {
		return err
	}
	for _, page := range pages {
		if err := update(*root, page, *check); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return nil
}

// pages returns README.md and every page under docs, as paths from root.
func pages(root string) ([]string, error) {
	names := []string{"README.md"}
	err := fs.WalkDir(os.DirFS(root), "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func update(root, page string, check bool) error {
	file := filepath.Join(root, page)
	have, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	want, err := fill(os.DirFS(root), string(have))
	switch {
	case err != nil:
		return err
	case bytes.Equal(have, []byte(want)):
		return nil
	case check:
		return fmt.Errorf("a code block differs from its source: run ./scripts/generate")
	}
	return os.WriteFile(file, []byte(want), 0o644)
}
