package browser_test

import (
	"testing"

	"github.com/assentdev/assent/internal/browser"
)

// bench serves one page to a benchmark.
func bench(b *testing.B) string {
	b.Helper()
	return site(b, map[string]string{"/": good(form)})
}

func BenchmarkPage(b *testing.B) {
	br, at := browser.Start(b), bench(b)
	for b.Loop() {
		br.Page(b, browser.Options{}).Open(at)
	}
}

func BenchmarkOpen(b *testing.B) {
	p, at := browser.Start(b).Page(b, browser.Options{}), bench(b)
	for b.Loop() {
		p.Open(at)
	}
}

func BenchmarkScreenshot(b *testing.B) {
	p, at := browser.Start(b).Page(b, browser.Options{}), bench(b)
	p.Open(at)
	for b.Loop() {
		p.Screenshot()
	}
}

func BenchmarkAccessibility(b *testing.B) {
	p, at := browser.Start(b).Page(b, browser.Options{}), bench(b)
	p.Open(at)
	for b.Loop() {
		p.Accessibility()
	}
}
