package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"hash/crc32"
	"log/slog"
	"strings"
	"time"

	"github.com/assentdev/assent/fault"
)

// A token is assent_<id>_<secret>, in lower-case letters and digits: 16 of the id,
// then 52 of the secret's 256 bits and 7 of a checksum over all that is before
// them. Its pattern, for scanners of secrets: assent_[0-9a-z]{16}_[0-9a-z]{59}.
const (
	tokenPrefix = "assent_"
	idLength    = 16
	sumLength   = 7
	tokenLength = len(tokenPrefix) + idLength + 1 + 52 + sumLength
)

// digits leave out i, l, o and u, which are misread, and sort like their values.
var digits = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// Token is the text of a key. It is there once, when the key is made. Printed or
// logged it shows its id only; [Token.Reveal] returns the text.
type Token struct{ text string }

// newToken makes a token. Its id tells when it was made, so that ids are in the
// order of their age.
func newToken(now time.Time) Token {
	var id [10]byte
	binary.BigEndian.PutUint64(id[:], uint64(now.UnixMilli())<<16)
	rand.Read(id[6:])
	var secret [32]byte
	rand.Read(secret[:])
	text := tokenPrefix + digits.EncodeToString(id[:]) + "_" + digits.EncodeToString(secret[:])
	return Token{text + checksum(text)}
}

func checksum(text string) string {
	return digits.EncodeToString(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(text))))
}

// ParseToken reads the text of a key. That it is one says nothing about whether
// somebody made it. Its error has code fault.BadArguments; it never holds the text.
func ParseToken(text string) (Token, error) {
	if !strings.HasPrefix(text, tokenPrefix) {
		return Token{}, fault.New(fault.BadArguments, "This is no API key of Assent: those begin with %s.", tokenPrefix)
	}
	if len(text) != tokenLength || checksum(text[:tokenLength-sumLength]) != text[tokenLength-sumLength:] {
		return Token{}, fault.New(fault.BadArguments, "This API key is not whole: characters are missing or wrong. Copy it again.")
	}
	return Token{text}, nil
}

// ID returns the key's id, which is no secret; "" for the zero Token.
func (t Token) ID() string {
	if t.text == "" {
		return ""
	}
	return t.text[len(tokenPrefix) : len(tokenPrefix)+idLength]
}

// Reveal returns the whole text, for the one who is to have it.
func (t Token) Reveal() string { return t.text }

// String shows the id and hides the secret.
func (t Token) String() string { return tokenPrefix + t.ID() + "_…" }

// GoString is String, for %#v.
func (t Token) GoString() string { return t.String() }

// LogValue is String, for logs.
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// hash is what is kept of a token. A secret of 256 bits cannot be found by trying,
// so the hash needs neither salt nor slowness: see docs/decisions/api-keys.md.
func (t Token) hash() [sha256.Size]byte { return sha256.Sum256([]byte(t.text)) }
