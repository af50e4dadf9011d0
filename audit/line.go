package audit

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

// A record's line is one JSON object whose members have a fixed order and a
// single spelling, so that every record has exactly one line and a reader that
// finds anything else knows that somebody changed it:
//
//	{"frame":{…},"tenant":"…","stream":"…","seq":1,"version":1,"type":"…","time":…,
//	"header":{…},"commitment":"…","prev":"…","hash":"…","salt":"…","payload":…}
//
// A store may put its own notes in "frame"; nothing vouches for them. "state"
// stands in the place of "salt" where the payload is not whole. A payload that
// is not JSON on one line is "bytes", in base64.

// MaxLine is the length that no line exceeds, line break included.
const MaxLine = MaxPayload/3*4 + MaxHeader + 4<<10

// AppendLine appends r's line, with its line break, to dst. frame, if not empty,
// is a JSON object without nesting.
func (r *Record) AppendLine(dst, frame []byte) []byte {
	dst = append(dst, '{')
	if len(frame) > 0 {
		dst = append(dst, `"frame":`...)
		dst = append(dst, frame...)
		dst = append(dst, ',')
	}
	dst = appendString(dst, `"tenant":"`, r.Tenant)
	dst = appendString(dst, `","stream":"`, r.Stream)
	dst = strconv.AppendUint(append(dst, `","seq":`...), r.Seq, 10)
	dst = strconv.AppendInt(append(dst, `,"version":`...), int64(r.Version), 10)
	dst = appendString(dst, `,"type":"`, r.Type)
	dst = strconv.AppendInt(append(dst, `","time":`...), r.Time, 10)
	dst = append(append(dst, `,"header":`...), r.Header...)
	dst = hex.AppendEncode(append(dst, `,"commitment":"`...), r.Commitment[:])
	dst = hex.AppendEncode(append(dst, `","prev":"`...), r.Prev[:])
	dst = hex.AppendEncode(append(dst, `","hash":"`...), r.Hash[:])
	if r.State == Whole {
		dst = hex.AppendEncode(append(dst, `","salt":"`...), r.Salt)
	} else {
		dst = appendString(dst, `","state":"`, r.State.String())
	}
	dst = append(dst, '"')
	if r.State == Whole || r.State == Masked {
		dst = appendPayload(dst, r.Payload, r.form)
	}
	return append(dst, '}', '\n')
}

func appendString(dst []byte, before, s string) []byte {
	return append(append(dst, before...), s...)
}

func appendPayload(dst, payload []byte, f form) []byte {
	if f == unknown {
		f = formOf(payload)
	}
	if f == asJSON {
		return append(append(dst, `,"payload":`...), payload...)
	}
	dst = append(dst, `,"bytes":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, payload)
	return append(dst, '"')
}
