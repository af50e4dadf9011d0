// Package audit chains events so that nobody can change what was recorded
// without being found out.
//
// A log is made of streams: one for each session ("session/ID"), one for policy
// ([Policy]) and one for administration ([Admin]). A stream is a chain of
// [Record]s: each carries the hash of the one before. A record's payload is not
// part of the chain; a commitment to it is. So a person's data can be erased and
// the chain still holds (SPEC V6).
//
// A signed [Checkpoint] names the last record of every stream. Whoever kept one,
// and has the public key, finds any later edit, removal, reordering, truncation
// or rewriting with [Verify], without a connection to anything.
//
// docs/decisions/event-format.md specifies the bytes and says why they are so.
package audit

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
)

// The streams that exist once in a log.
const (
	Policy = "policy" // changes of contracts, rules, limits, pins
	Admin  = "admin"  // changes of users, keys, servers; erasures; exports
)

// SessionStream returns the name of a session's stream.
func SessionStream(id string) string { return "session/" + id }

// The limits of a record. A draft beyond them is refused.
const (
	MaxName    = 256      // bytes of a tenant or stream name
	MaxType    = 64       // bytes of a type
	MaxHeader  = 16 << 10 // bytes of a header
	MaxPayload = 32 << 20 // bytes of a payload
)

// TypeErased is the type of the record that a journal adds to the stream Admin
// when payloads are erased. Its header is
// {"stream":NAME,"seqs":[[FIRST,LAST],…]}.
const TypeErased = "payload_erased"

// Hash is a SHA-256 value. Its text is 64 lower-case hexadecimal digits.
type Hash [32]byte

// String returns the hash's text.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText gives the hash's text.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText reads the hash's text and nothing else: not capitals, not
// another length.
func (h *Hash) UnmarshalText(b []byte) error {
	if !readHex(h[:], b) {
		return fault.New(fault.BadChain, "%q is no hash: write 64 lower-case hexadecimal digits", clip(b))
	}
	return nil
}

// Draft is an event that is not yet part of a log.
type Draft struct {
	// Type says what happened: 1 to MaxType of a-z, 0-9, '_' and '.'.
	Type string
	// Version counts the shapes of this type's payload, from 1.
	Version int
	// Time is when it happened, kept to the millisecond. It is not before 1970.
	Time time.Time
	// Header is a JSON object on one line: references such as the ids of turn,
	// call and approval. It is kept for ever, so it holds nothing personal. Empty
	// stands for {}.
	Header []byte
	// Payload is what can be erased later: any bytes, kept exactly. JSON is
	// readable in files; other bytes are stored as base64 there.
	Payload []byte
}

// State says what of a record's payload is at hand. The chain holds in every state.
type State uint8

// The states.
const (
	Whole    State = iota // payload and salt are there: the commitment can be checked
	Erased                // removed for ever
	Withheld              // left out of an export
	Masked                // in an export, with secrets replaced: only the export's signature vouches for it
)

var stateNames = [...]string{"whole", "erased", "withheld", "masked"}

// String returns the state's word.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Record is an event in its place in a log. Who is given one does not change
// the bytes that it points to.
type Record struct {
	Tenant, Stream string
	Seq            uint64 // 1 for the first of its stream, without gaps
	Version        int
	Type           string
	Time           int64 // milliseconds since 1970, UTC
	Header         json.RawMessage
	Commitment     Hash // HMAC-SHA256 of the payload, with the salt as key
	Prev           Hash // the hash of the record before, or of the stream's genesis
	Hash           Hash // SHA-256 of everything above
	State          State
	Payload        []byte // nil if erased or withheld
	Salt           []byte // 32 random bytes; nil unless the state is Whole

	form form
}

// form says how a payload stands in a line. It is found once, since that costs
// as much as the hashes.
type form uint8

const (
	unknown form = iota // the record was not made by this package: look
	asJSON
	asBytes
)

func formOf(payload []byte) form {
	if isLineJSON(payload) {
		return asJSON
	}
	return asBytes
}

// When returns the record's time in UTC.
func (r *Record) When() time.Time { return time.UnixMilli(r.Time).UTC() }

// Erase removes payload and salt. The record's place in its chain is unchanged.
func (r *Record) Erase() { r.set(Erased, nil) }

// set replaces the payload of a record that will no longer be whole.
func (r *Record) set(s State, payload []byte) {
	r.State, r.Payload, r.Salt, r.form = s, payload, nil, unknown
}

// CheckName says whether s can name a tenant or a stream: 1 to MaxName visible
// ASCII characters other than '"' and '\'. So a name never needs escaping, and
// no name can pass for a piece of a line. The error has code fault.BadEvent.
func CheckName(s string) error {
	if !isName(s) {
		return fault.New(fault.BadEvent, "%q cannot name a tenant or a stream: use 1 to %d visible ASCII characters other than quote and backslash", clip(s), MaxName)
	}
	return nil
}

func isName(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return s != "" && len(s) <= MaxName
}

func isType(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '.' {
			return false
		}
	}
	return s != "" && len(s) <= MaxType
}

// isLineJSON says whether b is JSON that can stand in a line exactly as it is.
func isLineJSON(b []byte) bool {
	return len(b) > 0 && b[0] > ' ' && b[len(b)-1] > ' ' &&
		bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\r') < 0 &&
		json.Valid(b) && utf8.Valid(b)
}

func isHeader(b []byte) bool {
	return len(b) <= MaxHeader && len(b) > 1 && b[0] == '{' && isLineJSON(b)
}

// clip shortens foreign text for an error.
func clip[T ~string | ~[]byte](s T) T {
	if len(s) > 80 {
		return s[:80]
	}
	return s
}
