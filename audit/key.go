package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"

	"github.com/assentdev/assent/fault"
)

// Keys are kept as PEM, in the forms that openssl reads and writes too: PKCS #8
// for the private one, PKIX for the public one.
const (
	privateBlock = "PRIVATE KEY"
	publicBlock  = "PUBLIC KEY"
)

// NewKey makes a key for signing checkpoints.
func NewKey() (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(nil)
	return key, err
}

// KeyID names a public key: the first 16 hexadecimal digits of its SHA-256.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// EncodeKey returns a private key as PEM. Whoever has it can sign for the log:
// keep it where only the log's owner can read it.
func EncodeKey(key ed25519.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadConfig, "the private key cannot be encoded")
	}
	return pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: der}), nil
}

// DecodeKey reads what EncodeKey wrote. An error has code fault.BadConfig.
func DecodeKey(text []byte) (ed25519.PrivateKey, error) {
	return decode[ed25519.PrivateKey](text, privateBlock, x509.ParsePKCS8PrivateKey)
}

// EncodePublic returns a public key as PEM. It is what auditors are given.
func EncodePublic(key ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, fault.Wrap(err, fault.BadConfig, "the public key cannot be encoded")
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: der}), nil
}

// DecodePublic reads what EncodePublic wrote. An error has code fault.BadConfig.
func DecodePublic(text []byte) (ed25519.PublicKey, error) {
	return decode[ed25519.PublicKey](text, publicBlock, x509.ParsePKIXPublicKey)
}

func decode[K any](text []byte, kind string, parse func([]byte) (any, error)) (none K, err error) {
	block, rest := pem.Decode(text)
	if block == nil || block.Type != kind || len(bytes.TrimSpace(rest)) > 0 {
		return none, fault.New(fault.BadConfig, "this is not a file with one PEM block %q", kind)
	}
	any, err := parse(block.Bytes)
	if err != nil {
		return none, fault.Wrap(err, fault.BadConfig, "the %s cannot be read", kind)
	}
	key, ok := any.(K)
	if !ok {
		return none, fault.New(fault.BadConfig, "the %s is a %T, not an Ed25519 key", kind, any)
	}
	return key, nil
}
