package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

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
