package assenttest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// updating says whether golden files are to be rewritten.
func updating() bool {
	f := flag.Lookup("update")
	return os.Getenv("ASSENT_UPDATE") == "1" || f != nil && f.Value.String() == "true"
}

// Golden compares got with the file testdata/name. A difference is an error that
// shows both. The file is rewritten where the environment has ASSENT_UPDATE=1,
// or where the test defines a flag named update and it is set.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if updating() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with ASSENT_UPDATE=1)", err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs (accept it with ASSENT_UPDATE=1)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
