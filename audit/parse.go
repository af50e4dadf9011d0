package audit

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/assentdev/assent/fault"
)

// ParseLine reads a record's line, without its line break, and returns the frame
// as it stands there, nil if there is none. Record and frame keep parts of line.
//
// It accepts what [Record.AppendLine] writes and nothing else; an error has code
// fault.BadJournal and names the byte. Hashes are not looked at: see
// [Record.Check].
func ParseLine(line []byte) (r Record, frame []byte, err error) {
	p := parser{line: line}
	p.want(`{`)
	if p.has(`"frame":`) {
		frame = p.frame()
		p.want(`,`)
	}
	p.want(`"tenant":"`)
	r.Tenant = p.text(isName)
	p.want(`,"stream":"`)
	r.Stream = p.text(isName)
	p.want(`,"seq":`)
	r.Seq = p.number(1, 1<<63-1)
	p.want(`,"version":`)
	r.Version = int(p.number(1, maxVersion))
	p.want(`,"type":"`)
	r.Type = p.text(isType)
	p.want(`,"time":`)
	r.Time = int64(p.number(0, maxTime))
	p.want(`,"header":`)
	r.Header = p.object()
	p.want(`,"commitment":"`)
	p.hex(r.Commitment[:])
	p.want(`,"prev":"`)
	p.hex(r.Prev[:])
	p.want(`,"hash":"`)
	p.hex(r.Hash[:])
	p.rest(&r)
	if p.bad {
		return Record{}, nil, fault.New(fault.BadJournal, "no record: what stands at byte %d of the line was not written by a log", p.at)
	}
	return r, frame, nil
}

// parser goes through a line once. After the first thing that it does not
// expect it is bad and at says where.
type parser struct {
	line []byte
	at   int
	bad  bool
}

func (p *parser) fail() { p.bad = true }

func (p *parser) left() []byte { return p.line[p.at:] }

func (p *parser) has(s string) bool {
	if p.bad || len(p.left()) < len(s) || string(p.left()[:len(s)]) != s {
		return false
	}
	p.at += len(s)
	return true
}

func (p *parser) want(s string) {
	if !p.has(s) {
		p.fail()
	}
}

// upTo returns what stands before the next c and steps over both.
func (p *parser) upTo(c byte) []byte {
	b, _, ok := bytes.Cut(p.left(), []byte{c})
	if p.bad || !ok {
		p.fail()
		return nil
	}
	p.at += len(b) + 1
	return b
}

func (p *parser) text(is func(string) bool) string {
	start := p.at
	s := string(p.upTo('"'))
	if !is(s) && !p.bad {
		p.at = start
		p.fail()
	}
	return s
}

func (p *parser) number(least, most uint64) uint64 {
	end := p.at
	for end < len(p.line) && p.line[end] >= '0' && p.line[end] <= '9' {
		end++
	}
	digits := string(p.line[p.at:end])
	n, err := strconv.ParseUint(digits, 10, 64)
	if p.bad || err != nil || n < least || n > most || len(digits) > 1 && digits[0] == '0' {
		p.fail()
		return 0
	}
	p.at = end
	return n
}

func (p *parser) hex(dst []byte) {
	start := p.at
	if !readHex(dst, p.upTo('"')) && !p.bad {
		p.at = start
		p.fail()
	}
}

// frame is an object without nesting and without braces in its strings.
func (p *parser) frame() []byte {
	start := p.at
	p.want(`{`)
	p.upTo('}')
	if !p.bad && !isLineJSON(p.line[start:p.at]) {
		p.at = start
		p.fail()
	}
	return p.line[start:p.at]
}

// object finds the end of a header: the brace that closes the first one.
func (p *parser) object() []byte {
	start, depth, quoted := p.at, 0, false
	for i := start; i < len(p.line) && !p.bad; i++ {
		switch c := p.line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
		if depth == 0 {
			if !isHeader(p.line[start : i+1]) {
				break
			}
			p.at = i + 1
			return p.line[start:p.at:p.at]
		}
	}
	p.fail()
	return nil
}

// rest reads state, salt and payload, which end the line.
func (p *parser) rest(r *Record) {
	switch {
	case p.has(`,"salt":"`):
		r.Salt = make([]byte, SaltSize)
		p.hex(r.Salt)
		r.Payload, r.form = p.payload()
	case p.has(`,"state":"masked"`):
		r.State = Masked
		r.Payload, r.form = p.payload()
	case p.has(`,"state":"erased"}`):
		r.State = Erased
	case p.has(`,"state":"withheld"}`):
		r.State = Withheld
	default:
		p.fail()
	}
	if p.at < len(p.line) {
		p.fail()
	}
}

// payload reads the last member and the brace that ends the line.
func (p *parser) payload() ([]byte, form) {
	end := len(p.line) - 1
	if p.bad || end < p.at || p.line[end] != '}' {
		p.fail()
		return nil, unknown
	}
	if p.has(`,"payload":`) {
		if b := p.line[p.at:max(p.at, end)]; len(b) <= MaxPayload && isLineJSON(b) {
			p.at = end + 1
			return b[:len(b):len(b)], asJSON
		}
		p.fail()
		return nil, unknown
	}
	p.want(`,"bytes":"`)
	start := p.at
	text := p.upTo('"')
	b, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, text)
	if err != nil || isLineJSON(b) || len(b) > MaxPayload || base64.StdEncoding.EncodedLen(len(b)) != len(text) {
		p.at = start
		p.fail()
	}
	p.want(`}`)
	return b, asBytes
}
