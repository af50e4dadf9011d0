package audit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

	"github.com/assentdev/assent/fault"
)

// What is hashed begins with one of these, so that a value made for one purpose
// never serves another.
const (
	recordDomain  = "assent/record/1\x00"
	genesisDomain = "assent/genesis/1\x00"
)

// SaltSize is the length of a salt in bytes.
const SaltSize = 32

// Head is the end of a stream: the place of its last record.
type Head struct {
	Tenant string `json:"tenant"`
	Stream string `json:"stream"`
	Seq    uint64 `json:"seq"` // 0: the stream has no record yet
	Hash   Hash   `json:"hash"`
}

// Genesis returns the head of a stream that has no record yet.
func Genesis(tenant, stream string) Head {
	b := make([]byte, 0, 128)
	b = append(b, genesisDomain...)
	b = appendText(b, tenant)
	b = appendText(b, stream)
	return Head{Tenant: tenant, Stream: stream, Hash: sha256.Sum256(b)}
}

// NewSalt returns a fresh random salt.
func NewSalt() []byte {
	salt := make([]byte, SaltSize)
	rand.Read(salt) // never fails: the runtime ends the process instead
	return salt
}

// Commit checks a draft and commits to its payload with a salt of SaltSize
// bytes. The record has no place in a chain yet: see [Head.Link]. It keeps the
// draft's bytes, not a copy. An error has code fault.BadEvent.
func Commit(d Draft, salt []byte) (Record, error) {
	if len(d.Header) == 0 {
		d.Header = []byte("{}")
	}
	ms := d.Time.UnixMilli()
	switch {
	case !isType(d.Type):
		return Record{}, fault.New(fault.BadEvent, "event type %q: use 1 to %d of a-z, 0-9, '_' and '.'", clip(d.Type), MaxType)
	case d.Version < 1 || d.Version > maxVersion:
		return Record{}, fault.New(fault.BadEvent, "event %s has version %d: versions are 1 to %d", d.Type, d.Version, maxVersion)
	case ms < 0 || ms > maxTime:
		return Record{}, fault.New(fault.BadEvent, "event %s has no time between 1970 and 9999: set Time", d.Type)
	case !isHeader(d.Header):
		return Record{}, fault.New(fault.BadEvent, "event %s: its header is no JSON object on one line of at most %d bytes", d.Type, MaxHeader)
	case len(d.Payload) > MaxPayload:
		return Record{}, fault.New(fault.BadEvent, "event %s: its payload has %d bytes, at most %d can be stored", d.Type, len(d.Payload), MaxPayload)
	case len(salt) != SaltSize:
		return Record{}, fault.New(fault.BadEvent, "event %s: a salt has %d bytes, not %d", d.Type, SaltSize, len(salt))
	}
	payload := d.Payload
	if payload == nil {
		payload = []byte{}
	}
	return Record{
		Version: d.Version, Type: d.Type, Time: ms, Header: json.RawMessage(d.Header),
		Commitment: commitment(salt, payload), Payload: payload, Salt: salt,
		form: formOf(payload),
	}, nil
}

// Link gives r, made by [Commit], the place after h.
func (h Head) Link(r *Record) {
	r.Tenant, r.Stream, r.Seq, r.Prev = h.Tenant, h.Stream, h.Seq+1, h.Hash
	r.Hash = r.digest()
}

// Seal is [Commit] and [Head.Link] in one.
func (h Head) Seal(d Draft, salt []byte) (Record, error) {
	r, err := Commit(d, salt)
	if err == nil {
		h.Link(&r)
	}
	return r, err
}

// Head returns the end of a stream whose last record is r.
func (r *Record) Head() Head {
	return Head{Tenant: r.Tenant, Stream: r.Stream, Seq: r.Seq, Hash: r.Hash}
}

// After says whether r can follow h: same stream, next seq, and linked to it.
// An error has code fault.BadChain. It does not look into r: see [Record.Check].
func (r *Record) After(h Head) error {
	switch {
	case r.Tenant != h.Tenant || r.Stream != h.Stream:
		return fault.New(fault.BadChain, "%s/%s is another stream than %s/%s", r.Tenant, r.Stream, h.Tenant, h.Stream)
	case r.Seq != h.Seq+1:
		return fault.New(fault.BadChain, "stream %s goes from record %d to %d", r.Stream, h.Seq, r.Seq)
	case r.Prev != h.Hash:
		return fault.New(fault.BadChain, "stream %s: record %d does not follow the record before it", r.Stream, r.Seq)
	}
	return nil
}

// Check says whether r's hash is that of its content and, where the payload is
// whole, whether the payload is the one that was committed to. An error has code
// fault.BadChain.
func (r *Record) Check() error {
	if what := r.changed(); what != "" {
		return fault.New(fault.BadChain, "stream %s, record %d: %s was changed", r.Stream, r.Seq, what)
	}
	return nil
}

// changed says what of r is not as it was sealed; "" if all is.
func (r *Record) changed() string {
	switch {
	case r.Hash != r.digest():
		return "it"
	case r.State == Whole && r.Commitment != commitment(r.Salt, r.Payload):
		return "its payload"
	}
	return ""
}

// digest hashes everything that the chain covers. Numbers are 8 bytes, big end
// first; a text is preceded by its length, so that no two records share a form.
func (r *Record) digest() Hash {
	var space [768]byte
	b := append(space[:0], recordDomain...)
	b = appendText(b, r.Tenant)
	b = appendText(b, r.Stream)
	b = binary.BigEndian.AppendUint64(b, r.Seq)
	b = binary.BigEndian.AppendUint64(b, uint64(r.Version))
	b = appendText(b, r.Type)
	b = binary.BigEndian.AppendUint64(b, uint64(r.Time))
	b = appendText(b, r.Header)
	b = append(b, r.Commitment[:]...)
	b = append(b, r.Prev[:]...)
	return sha256.Sum256(b)
}

func appendText[T ~string | ~[]byte](b []byte, s T) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
	return append(b, s...)
}

func commitment(salt, payload []byte) (h Hash) {
	mac := hmac.New(sha256.New, salt)
	mac.Write(payload)
	mac.Sum(h[:0])
	return h
}

const (
	maxVersion = 1<<16 - 1
	maxTime    = 253_402_300_799_999 // the last millisecond of the year 9999
)

// readHex reads exactly len(dst) bytes from lower-case hexadecimal digits.
func readHex[T ~string | ~[]byte](dst []byte, src T) bool {
	if len(src) != 2*len(dst) {
		return false
	}
	for i := range dst {
		hi, lo := nibble(src[2*i]), nibble(src[2*i+1])
		if hi > 15 || lo > 15 {
			return false
		}
		dst[i] = hi<<4 | lo
	}
	return true
}

func nibble(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	}
	return 255
}
