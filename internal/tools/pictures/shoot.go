package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/assentdev/assent/internal/browser"
)

// view is a window in which each page is photographed.
type view struct {
	name    string
	options browser.Options
}

func views() []view {
	return []view{
		{"1280-light", browser.Options{Width: 1280, Height: 800}},
		{"1280-dark", browser.Options{Width: 1280, Height: 800, Dark: true}},
		{"375-light", browser.Options{Width: 375, Height: 667, Scale: 2}},
		{"375-dark", browser.Options{Width: 375, Height: 667, Scale: 2, Dark: true}},
	}
}

// shoot writes a picture of each path in each view to a folder.
func shoot(base string, paths []string, folder string, out io.Writer) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return session(func(t browser.T) {
		b := browser.Start(t)
		for _, v := range views() {
			p := b.Page(t, v.options)
			for _, path := range paths {
				p.Open(base + path)
				file := filepath.Join(folder, name(path)+"-"+v.name+".png")
				if err := os.WriteFile(file, p.Screenshot(), 0o644); err != nil {
					t.Fatalf("%v", err)
				}
				fmt.Fprintln(out, file)
				report(out, p)
			}
			for _, line := range p.Console() {
				fmt.Fprintln(out, "  "+line)
			}
		}
	})
}

// report prints what is wrong with a page.
func report(out io.Writer, p *browser.Page) {
	for _, line := range p.Overflows() {
		fmt.Fprintln(out, "  overflow: "+line)
	}
	for _, problem := range p.Accessibility() {
		fmt.Fprintln(out, "  "+problem.String())
	}
}

var odd = regexp.MustCompile(`[^A-Za-z0-9._]+`)

// name turns a path into the start of a file's name: /orders?page=2 is
// orders-page-2.
func name(path string) string {
	if s := strings.Trim(odd.ReplaceAllString(path, "-"), "-"); s != "" {
		return s
	}
	return "index"
}
