package audit

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"github.com/assentdev/assent/fault"
)

const checkpointDomain = "assent/checkpoint/1\x00"

// Checkpoint says where the streams of a log ended at a time.
type Checkpoint struct {
	Version int   `json:"version"` // 1
	Time    int64 `json:"time"`    // milliseconds since 1970, UTC
	// Whole says that Heads holds every stream of the log, not a choice of them.
	Whole bool `json:"whole"`
	// Lines describes the lines before it in an export; nil elsewhere.
	Lines *LinesSum `json:"lines,omitempty"`
	Heads []Head    `json:"heads"` // sorted by tenant and stream, each once
}

// LinesSum describes a number of lines of a file.
type LinesSum struct {
	Count int  `json:"count"`
	Sum   Hash `json:"sha256"` // of their bytes, line breaks included
}

// NewCheckpoint returns a checkpoint of heads, which it sorts. Heads of streams
// without records are left out.
func NewCheckpoint(at time.Time, whole bool, heads []Head) Checkpoint {
	heads = slices.DeleteFunc(append([]Head{}, heads...), func(h Head) bool { return h.Seq == 0 })
	slices.SortFunc(heads, compareHeads)
	return Checkpoint{Version: 1, Time: at.UnixMilli(), Whole: whole, Heads: heads}
}

func compareHeads(a, b Head) int {
	return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Stream, b.Stream))
}

// Signed is a checkpoint with a signature.
type Signed struct {
	Checkpoint Checkpoint `json:"checkpoint"`
	Key        string     `json:"key,omitempty"`       // KeyID of the public key; "" if it is not signed
	Signature  []byte     `json:"signature,omitempty"` // Ed25519, base64 in JSON
}

// Sign signs a checkpoint with an Ed25519 key, which may be held by a device or
// a service. An error has code fault.BadConfig if the key is of another kind.
func Sign(c Checkpoint, key crypto.Signer) (*Signed, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, fault.New(fault.BadConfig, "checkpoints are signed with Ed25519 keys, not with a %T", key.Public())
	}
	sig, err := key.Sign(rand.Reader, c.message(), crypto.Hash(0))
	if err != nil {
		return nil, fault.Wrap(err, fault.Unwritable, "the checkpoint could not be signed")
	}
	return &Signed{Checkpoint: c, Key: KeyID(public), Signature: sig}, nil
}

// SignedBy says whether one of keys made the signature.
func (s *Signed) SignedBy(keys ...ed25519.PublicKey) bool {
	return slices.ContainsFunc(keys, func(key ed25519.PublicKey) bool {
		return KeyID(key) == s.Key && ed25519.Verify(key, s.Checkpoint.message(), s.Signature)
	})
}

// Line returns the checkpoint as a line of JSON, with its line break.
func (s *Signed) Line() ([]byte, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// ParseSigned reads what [Signed.Line] wrote; it does not look at the signature.
// An error has code fault.BadJournal.
func ParseSigned(b []byte) (*Signed, error) {
	s := &Signed{}
	if err := decodeStrict(b, s); err != nil {
		return nil, fault.Wrap(err, fault.BadJournal, "the checkpoint cannot be read")
	}
	again, err := s.Line()
	if err != nil || !bytes.Equal(bytes.TrimSpace(b), bytes.TrimSpace(again)) {
		return nil, fault.Wrap(err, fault.BadJournal, "the checkpoint is not written as a log writes it")
	}
	c := &s.Checkpoint
	sorted := slices.IsSortedFunc(c.Heads, compareHeads) &&
		len(slices.CompactFunc(slices.Clone(c.Heads), func(a, b Head) bool { return compareHeads(a, b) == 0 })) == len(c.Heads)
	if c.Version != 1 || !sorted {
		return nil, fault.New(fault.BadJournal, "the checkpoint has an unknown version or its heads are not in order")
	}
	return s, nil
}

// message is what is signed.
func (c *Checkpoint) message() []byte {
	b := append(make([]byte, 0, 128), checkpointDomain...)
	b = binary.BigEndian.AppendUint64(b, uint64(c.Time))
	b = appendBool(b, c.Whole)
	b = appendBool(b, c.Lines != nil)
	if c.Lines != nil {
		b = binary.BigEndian.AppendUint64(b, uint64(c.Lines.Count))
		b = append(b, c.Lines.Sum[:]...)
	}
	root := treeHash(c.Heads)
	b = binary.BigEndian.AppendUint64(b, uint64(len(c.Heads)))
	return append(b, root[:]...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// treeHash is the Merkle tree hash of RFC 6962 over heads, so that one stream
// can be shown to be in a checkpoint without showing the names of the others.
func treeHash(heads []Head) Hash {
	switch len(heads) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		h := &heads[0]
		b := appendText(append(make([]byte, 0, 256), 0), h.Tenant)
		b = appendText(b, h.Stream)
		b = binary.BigEndian.AppendUint64(b, h.Seq)
		return sha256.Sum256(append(b, h.Hash[:]...))
	}
	half := 1
	for half*2 < len(heads) {
		half *= 2
	}
	left, right := treeHash(heads[:half]), treeHash(heads[half:])
	return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}
