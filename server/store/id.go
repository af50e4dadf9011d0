package store

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

// digits sort like the values they stand for.
var digits = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns an id that was never used before, for engine.Options.NewID: the
// kind, then the time, then 80 random bits. Ids that were made at about the same
// time sort beside each other, so that rows of sessions that are busy now share
// the pages of a database: with ids in no order, each append writes pages of its
// own. An id tells when it was made and is no secret.
func NewID(kind string) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], uint64(time.Now().UnixMilli())<<16)
	rand.Read(b[6:])
	return strings.ToLower(kind) + "_" + digits.EncodeToString(b[:])
}
