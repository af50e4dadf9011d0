package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The oracle reads arguments as the project's vectors say (SPEC A2, A3, A5, A6),
// where it knows all keywords of the schema.
func TestOracleAgreesWithTheVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "arguments.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name      string
			Schema    json.RawMessage
			Raw       string
			RawBase64 string `json:"raw_base64"`
			Options   map[string]bool
			Valid     bool
			Canonical string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, v := range file.Vectors {
		s, err := readSpec(v.Schema)
		if err != nil || v.Options["foreign"] || v.Options["top_level"] || !v.Options["defaults"] && s.hasDefaults() {
			continue // not what the oracle is for
		}
		judged++
		if v.RawBase64 != "" {
			raw, err := base64.StdEncoding.DecodeString(v.RawBase64)
			if err != nil {
				t.Fatal(err)
			}
			v.Raw = string(raw)
		}
		got, err := s.arguments(v.Raw)
		if (err == nil) != v.Valid || got != v.Canonical {
			t.Errorf("%s: valid %v, canonical %s, the oracle says %q, %v", v.Name, v.Valid, v.Canonical, got, err)
		}
	}
	if judged < 50 {
		t.Errorf("the oracle judged %d vectors only", judged)
	}
	t.Logf("%d of %d vectors", judged, len(file.Vectors))
}

// hasDefaults says whether a default is anywhere in the schema.
func (s *spec) hasDefaults() bool {
	if s == nil {
		return false
	}
	for _, p := range s.Properties {
		if p.hasDefaults() {
			return true
		}
	}
	return s.Default != nil || s.Items.hasDefaults()
}
