package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strings"
)

var mark = regexp.MustCompile(`^<!-- snippet: ([^#\s]+)(?:#(\S+))? -->$`)

// fill returns a page with every marked block filled from its source.
func fill(root fs.FS, page string) (string, error) {
	lines := strings.SplitAfter(page, "\n")
	var out strings.Builder
	for i := 0; i < len(lines); i++ {
		out.WriteString(lines[i])
		m := mark.FindStringSubmatch(strings.TrimSpace(lines[i]))
		if m == nil {
			continue
		}
		end, err := block(lines, i+1)
		if err != nil {
			return "", fmt.Errorf("line %d: %w", i+1, err)
		}
		text, err := snippet(root, m[1], m[2])
		if err != nil {
			return "", fmt.Errorf("line %d: %w", i+1, err)
		}
		out.WriteString(lines[i+1])
		out.WriteString(text)
		out.WriteString(lines[end])
		i = end
	}
	return out.String(), nil
}

// block returns the index of the line that closes the block which opens at lines[start].
func block(lines []string, start int) (int, error) {
	if start >= len(lines) || !strings.HasPrefix(lines[start], "```") {
		return 0, fmt.Errorf("a snippet's mark needs a block that begins with ``` on the next line")
	}
	for i := start + 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "```" {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the block is never closed with ```")
}

// snippet returns the named part of a source, and all of it for the empty name.
func snippet(root fs.FS, file, name string) (string, error) {
	b, err := fs.ReadFile(root, file)
	if err != nil {
		return "", err
	}
	source := string(b)
	if name == "" {
		return source, nil
	}
	if text, ok := region(source, name); ok {
		return text, nil
	}
	if strings.HasSuffix(file, ".go") {
		return function(file, source, name)
	}
	return "", fmt.Errorf("%s has no region %q", file, name)
}

// region returns the lines between "// snippet: NAME" and "// end snippet".
func region(source, name string) (string, bool) {
	_, rest, found := strings.Cut(source, "// snippet: "+name+"\n")
	if !found {
		return "", false
	}
	body, _, found := strings.Cut(rest, "// end snippet")
	if !found {
		return "", false
	}
	return tidy(body), true
}

// function returns a function with its comment, and only the body of an Example.
func function(file, source, name string) (string, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name {
			continue
		}
		if strings.HasPrefix(name, "Example") {
			return tidy(source[at(f.Body.Lbrace)+1 : at(f.Body.Rbrace)]), nil
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		return source[at(start):at(f.End())] + "\n", nil
	}
	return "", fmt.Errorf("%s has no function or region %q", file, name)
}

// tidy takes the first line's indentation off every line, leaves out the marks
// of regions, and drops empty lines at both ends.
func tidy(text string) string {
	text = strings.TrimRight(strings.TrimLeft(text, "\n"), " \t\n") + "\n"
	indent := text[:len(text)-len(strings.TrimLeft(text, "\t "))]
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(line, indent)
		if strings.HasPrefix(line, "// snippet: ") || line == "// end snippet\n" {
			continue
		}
		out.WriteString(line)
	}
	return out.String()
}
