package schema_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/schema"
)

// dataDir returns a folder of foreign test data, which is not in the repository.
func dataDir(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("ASSENT_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "data")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no test data: set ASSENT_DATA to a folder that has %s", name)
	}
	return dir
}

// suiteGroup is one schema of the official suite with its tests.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// remotes are the documents that the suite's references reach.
func remotes(t *testing.T, dir string) map[string]json.RawMessage {
	docs := map[string]json.RawMessage{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		docs["http://localhost:1234/"+filepath.ToSlash(rel)] = raw
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

func readSuite(t *testing.T, file string) (groups []suiteGroup) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &groups); err != nil {
		t.Fatal(err)
	}
	return groups
}

// TestOfficialSuite runs every required test of the official suite for draft
// 2020-12, and compares both checkers wherever both can check.
//
// proves: A3
func TestOfficialSuite(t *testing.T) {
	dir := dataDir(t, "json-schema-suite")
	files, err := filepath.Glob(filepath.Join(dir, "tests", "draft2020-12", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("the suite has no tests", err)
	}
	opts := &schema.Options{AnyValue: true, Documents: remotes(t, filepath.Join(dir, "remotes"))}
	own, all := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, g := range readSuite(t, file) {
			all += len(g.Tests)
			s, err := schema.Compile(g.Schema, opts)
			if err != nil {
				t.Errorf("%s: %s: %v", name, g.Description, err)
				continue
			}
			if s.Kind() == schema.Own {
				own += len(g.Tests)
			}
			library, err := schema.CompileLibrary(g.Schema, opts)
			if err != nil {
				t.Errorf("%s: %s: the library: %v", name, g.Description, err)
				continue
			}
			for _, one := range g.Tests {
				if s.Valid(one.Data) != one.Valid {
					t.Errorf("%s: %s: %s: %s is not %t", name, g.Description, one.Description, one.Data, one.Valid)
				}
				if library.Valid(one.Data) != one.Valid {
					t.Errorf("%s: %s: %s: the library: %s is not %t", name, g.Description, one.Description, one.Data, one.Valid)
				}
				if _, err := s.Check(one.Data); (err == nil) != one.Valid {
					t.Errorf("%s: %s: %s: Check: %v", name, g.Description, one.Description, err)
				}
			}
		}
	}
	if all != 1299 {
		t.Errorf("the suite has %d tests, not 1,299", all)
	}
	t.Logf("%d of %d tests went through the own checker", own, all)
}

// TestOptionalSuite runs those optional tests of the official suite that ask for
// what the package promises: patterns of ECMA-262, exact numbers, references.
//
// proves: A3
func TestOptionalSuite(t *testing.T) {
	dir := dataDir(t, "json-schema-suite")
	opts := &schema.Options{AnyValue: true, Documents: remotes(t, filepath.Join(dir, "remotes"))}
	for _, name := range []string{"anchor", "bignum", "cross-draft", "dynamicRef", "ecmascript-regex", "float-overflow",
		"id", "no-schema", "non-bmp-regex", "refOfUnknownKeyword", "unknownKeyword"} {
		for _, g := range readSuite(t, filepath.Join(dir, "tests", "draft2020-12", "optional", name+".json")) {
			s, err := schema.Compile(g.Schema, opts)
			if err != nil {
				t.Errorf("%s: %s: %v", name, g.Description, err)
				continue
			}
			for _, one := range g.Tests {
				if s.Valid(one.Data) != one.Valid {
					t.Errorf("%s: %s: %s: %s is not %t", name, g.Description, one.Description, one.Data, one.Valid)
				}
			}
		}
	}
}
