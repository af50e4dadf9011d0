package config_test

import (
	"testing"

	"github.com/assentdev/assent/server/config"
)

// BenchmarkParse reads the example.
func BenchmarkParse(b *testing.B) {
	text := config.Example()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := config.Parse("assent.yaml", text, nil); err != nil {
			b.Fatal(err)
		}
	}
}
