package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/browser"
	"github.com/assentdev/assent/resource"
)

// The page of the original, without the line feed that ends a terminal's line.
//
// proves: R7
func TestThePageOfTheOriginalComesOutByteForByte(t *testing.T) {
	var out bytes.Buffer
	if err := show(t.Context(), resource.NewApp(nil, newOrders()), &out); err != nil {
		t.Fatal(err)
	}
	page := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	sum := sha256.Sum256(page)
	if len(page) != 600 || hex.EncodeToString(sum[:]) != "2ea71c38cb86069c6ed0b8d661546effe3df0c465d4acdaae46a93f054af36c4" {
		t.Errorf("%d bytes, SHA-256 %x:\n%s", len(page), sum, page)
	}
}

// The same app is a page for people.
//
// proves: R7
func TestTheSameAppIsAPageInABrowser(t *testing.T) {
	handler, err := resource.NewApp(nil, newOrders()).Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	p := browser.Start(t).Page(t, browser.Options{Width: 375, Height: 800, NoScript: true})
	for path, want := range map[string]string{"/orders/detail/7": "Order 7", "/orders/tools": `[{"name":"orders_detail"`} {
		p.Open(server.URL + path)
		if text := p.Text("main"); !strings.Contains(text, want) {
			t.Errorf("%s shows %q", path, text)
		}
		for _, problem := range p.Accessibility() {
			t.Errorf("%s: %v", path, problem)
		}
		if wide, console := p.Overflows(), p.Console(); len(wide)+len(console) > 0 {
			t.Errorf("%s: too wide %q, the console says %q", path, wide, console)
		}
	}
}
