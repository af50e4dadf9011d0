package schema

import (
	"bytes"
	"cmp"
	"math/big"
	"strconv"
)

// decimal is an exact number, taken apart without a copy: sign, significant
// digits and a power of ten. Its digits are head and then tail, without zeros
// at either end, and its value is 0.DIGITS times ten to the power exp.
type decimal struct {
	neg        bool
	head, tail []byte // the digits before and after the point
	exp        int
}

// parseDecimal reads a number that the parser has accepted.
func parseDecimal(text []byte) (d decimal) {
	if text[0] == '-' {
		d.neg, text = true, text[1:]
	}
	i := digits(text, 0)
	d.head, d.exp = text[:i], i
	if i < len(text) && text[i] == '.' {
		end := digits(text, i+1)
		d.tail, i = text[i+1:end], end
	}
	if i < len(text) {
		d.exp += exponent(text[i+1:])
	}
	d.trim()
	return d
}

// exponent reads what follows the e. One that no accepted number can have,
// except zero, is cut to a size that does not overflow.
func exponent(text []byte) (e int) {
	neg := text[0] == '-'
	for _, c := range bytes.TrimLeft(text, "+-") {
		e = min(e*10+int(c-'0'), 1<<30)
	}
	if neg {
		return -e
	}
	return e
}

func (d *decimal) trim() {
	if n := len(d.head); n > 0 && d.head[0] == '0' { // JSON has one leading zero at most
		d.head, d.exp = d.head[1:], d.exp-1
	}
	if len(d.head) == 0 {
		rest := bytes.TrimLeft(d.tail, "0")
		d.exp -= len(d.tail) - len(rest)
		d.tail = rest
	}
	if d.tail = bytes.TrimRight(d.tail, "0"); len(d.tail) == 0 {
		d.head = bytes.TrimRight(d.head, "0")
	}
	if d.len() == 0 {
		*d = decimal{}
	}
}

func (d *decimal) len() int { return len(d.head) + len(d.tail) }

func (d *decimal) at(i int) byte {
	if i < len(d.head) {
		return d.head[i]
	}
	return d.tail[i-len(d.head)]
}

func (d *decimal) whole() bool { return d.exp >= d.len() }

// inRange says whether d, written as text, is zero or a number that a double
// holds neither as zero nor as infinity.
func (d *decimal) inRange(text []byte) bool {
	if d.len() == 0 || d.exp > -300 && d.exp < 308 {
		return true
	}
	if d.exp < -400 || d.exp > 400 {
		return false
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && f != 0
}

// appendWhole appends an integer in digits.
func (d *decimal) appendWhole(buf []byte) []byte {
	if d.len() == 0 {
		return append(buf, '0')
	}
	if d.neg {
		buf = append(buf, '-')
	}
	buf = append(append(buf, d.head...), d.tail...)
	for range d.exp - d.len() {
		buf = append(buf, '0')
	}
	return buf
}

// appendExact appends a form that is the same for the same value.
func (d *decimal) appendExact(buf []byte) []byte {
	if d.neg {
		buf = append(buf, '-')
	}
	buf = append(append(append(buf, "0."...), d.head...), d.tail...)
	return strconv.AppendInt(append(buf, 'e'), int64(d.exp), 10)
}

// compareNumbers orders two accepted numbers by their exact values.
func compareNumbers(a, b []byte) int {
	x, xok := small(a)
	y, yok := small(b)
	if xok && yok {
		return cmp.Compare(x, y)
	}
	d, e := parseDecimal(a), parseDecimal(b)
	return d.compare(&e)
}

// small reads an integer in at most 18 digits.
func small(text []byte) (n int64, ok bool) {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

func (d *decimal) sign() int {
	switch {
	case d.len() == 0:
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (d *decimal) compare(e *decimal) int {
	if c := cmp.Compare(d.sign(), e.sign()); c != 0 || d.sign() == 0 {
		return c
	}
	return d.sign() * d.compareSize(e)
}

func (d *decimal) compareSize(e *decimal) int {
	if c := cmp.Compare(d.exp, e.exp); c != 0 {
		return c
	}
	for i := range min(d.len(), e.len()) {
		if c := cmp.Compare(d.at(i), e.at(i)); c != 0 {
			return c
		}
	}
	return cmp.Compare(d.len(), e.len())
}

// multiple says whether a is an integer times b, exactly; b is not zero.
func multiple(a, b []byte) bool {
	x, xok := small(a)
	y, yok := small(b)
	if xok && yok {
		return x%y == 0
	}
	d, e := parseDecimal(a), parseDecimal(b)
	if d.len() == 0 {
		return true
	}
	// Both times the same power of ten are integers.
	shift := max(d.len()-d.exp, e.len()-e.exp, 0)
	return new(big.Int).Rem(d.scaled(shift), e.scaled(shift)).Sign() == 0
}

// scaled returns the size of d times ten to the power shift, an integer.
func (d *decimal) scaled(shift int) *big.Int {
	e := *d
	e.neg, e.exp = false, d.exp+shift
	n, _ := new(big.Int).SetString(string(e.appendWhole(nil)), 10)
	return n
}
